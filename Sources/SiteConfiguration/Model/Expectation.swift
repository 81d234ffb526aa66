package import Diagnostics
package import URISyntax

/// A link test in the configuration. If it fails, the configuration is refused.
package struct Expectation: Hashable, Sendable {
    package let url: String
    /// The name of the environment.
    package let environment: String
    /// The client's profile; nil for any.
    package let profile: String?
    /// The time of the request; nil is a time within the period of every link.
    package let time: Timestamp?
    /// The keys of all apps that the link opens; nil does not look.
    package let opens: [String]?
    /// The expected status, and the URL of a redirect; nil is not checked.
    package let gets: Outcome?
    package let position: SourcePosition

    /// A status, and the URL of a redirect.
    package struct Outcome: Hashable, Sendable {
        package let status: Int
        package let location: String?

        package init(status: Int, location: String?) {
            (self.status, self.location) = (status, location)
        }
    }
}
