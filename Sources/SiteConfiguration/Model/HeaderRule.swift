package import Diagnostics

/// Response header fields of public files and pages whose path matches. For each name, the first
/// rule that matches and has it decides.
package struct HeaderRule: Hashable, Sendable {
    /// Path patterns, as in `match` of a link; any of them.
    package let patterns: [String]
    package let fields: [ConfiguredField]
    package let position: SourcePosition
}

/// A response header field of the configuration, checked: it can be sent as it is.
package struct ConfiguredField: Hashable, Sendable {
    package let name: String
    package let value: String
    package let position: SourcePosition

    package func isNamed(_ other: String) -> Bool { name.lowercased() == other.lowercased() }

    /// Its line without the end.
    package var line: String { "\(name): \(value)" }
}
