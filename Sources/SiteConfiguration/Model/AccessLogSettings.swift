/// What an environment's access log looks like, and where it goes.
package struct AccessLogSettings: Hashable, Sendable {
    /// Nil leaves it to whoever starts the origin.
    package var form: Form?
    /// Nil writes to standard output.
    package var file: FileReference?
    /// Whether addresses of visitors are cut to their networks.
    package var isAnonymized = false

    /// Nothing said: every line, to standard output.
    package init() {}

    /// How a request is told, or that none is.
    package enum Form: String, Hashable, Sendable, CaseIterable {
        case json, combined, off
    }
}
