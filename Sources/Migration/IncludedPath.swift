private import Diagnostics

/// The path of an include, and its line.
struct IncludedPath {
    let path: String
    let source: SourceLine
    /// Whether a file that is read by itself means the same.
    let isOuter: Bool
}

extension Migration {
    /// Lists the includes whose files were not read, or mean something else in their place.
    mutating func listIncludes() {
        for include in includes {
            let reason: String
            switch found.included(include.path) {
            case .nothing: continue
            case .read where include.isOuter: continue
            case .read:
                reason =
                    "what it includes was read by itself, for all hosts and paths: write its "
                    + "lines in the place of this one"
            case .unread:
                let isPattern = include.path.utf8.contains { "*?[".utf8.contains($0) }
                reason =
                    isPattern
                    ? "not all of \(quoted(include.path)) was read: give its directory to --from, too"
                    : "\(quoted(include.path)) was not read: give it to --from, too"
            case .unknown:
                reason = "there are too many includes to know whether its files were read"
            }
            untranslated.append(Untranslated(source: include.source, reason: reason))
        }
        includes = []
    }
}
