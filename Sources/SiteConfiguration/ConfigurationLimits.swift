/// What a configuration may cost: each limit bounds the work that some bytes could ask for.
package enum ConfigurationLimits {
    package static let fileBytesMax = 16_777_216
    /// Mappings and lists in one another, the top level counted.
    package static let nestingMax = 32
    /// Diagnostics of one run.
    package static let findingsMax = 100
    /// Environments of one file; each holds its own association files.
    package static let environmentsMax = 64
    package static let hostsMax = 4_096
    /// Steps from an environment to the last one that it extends.
    package static let extendsStepsMax = 16
    package static let nameBytesMax = 64
    /// What a page's `schema` takes as JSON.
    package static let schemaBytesMax = 16_384
    /// Names that a suggestion is sought among.
    static let suggestionsMax = 1_000
    /// Of no more names an unknown one is told.
    static let listedNamesMax = 12
}
