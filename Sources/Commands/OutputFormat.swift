import ArgumentParser

/// The format of a command's output: for people, or for programs.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    case text, json
}
