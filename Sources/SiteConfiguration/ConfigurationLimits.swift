/// Limits on the work and memory that a configuration can cause.
package enum ConfigurationLimits {
    package static let fileBytesMax = 16_777_216
    /// Mappings and lists in one another, the top level counted.
    package static let nestingMax = 32
    /// Diagnostics of one run.
    package static let findingsMax = 100
    /// Environments of one file; each has its own association files.
    package static let environmentsMax = 64
    package static let hostsMax = 4_096
    /// Hosts that one process checks, one after the other.
    package static let watchedHostsMax = 1_000
    package static let sitesMax = 4_096
    /// Steps from an environment to the last one that it extends.
    package static let extendsStepsMax = 16
    package static let nameBytesMax = 64
    /// Of the line about the source of countries.
    package static let attributionCharactersMax = 200
    /// Rules of `headers`, and bytes of their fields in one response.
    package static let headerRulesMax = 256
    package static let headerBytesMax = 4_096
    /// The size of a page's `schema` as JSON.
    package static let schemaBytesMax = 16_384
    /// The number of names among which a suggestion is searched.
    static let suggestionsMax = 1_000
    /// If there are more names, a message about an unknown one does not list them.
    static let listedNamesMax = 12
}
