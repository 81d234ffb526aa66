/// The format and the destination of an environment's access log.
package struct AccessLogSettings: Hashable, Sendable {
    /// Nil for the default of the process.
    package var form: Form?
    /// Nil writes to standard output.
    package var file: FileReference?
    /// Whether addresses of visitors are cut to their networks.
    package var isAnonymized = false
    /// The names of the query items that are logged: `utm_source`.
    package var campaigns = [String]()

    /// The defaults: every line, to standard output.
    package init() {}

    /// The format of a line, or off.
    package enum Form: String, Hashable, Sendable, CaseIterable {
        case json, combined, off
    }
}
