import ArgumentParser

/// How a command prints what it has to say: for people, or for programs.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    case text, json
}
