package import Diagnostics

/// A link test that the configuration carries: what it says must hold, or the configuration is
/// refused.
package struct Expectation: Hashable, Sendable {
    package let url: String
    /// The name of the environment that is asked.
    package let environment: String
    /// The profile that asks; nil for any.
    package let profile: String?
    /// The keys of all apps that the link opens; nil does not look.
    package let opens: [String]?
    /// The status, and the URL that it leads to; nil does not look.
    package let gets: Outcome?
    package let position: SourcePosition

    /// The status, and the URL that it leads to.
    package struct Outcome: Hashable, Sendable {
        package let status: Int
        package let location: String?

        package init(status: Int, location: String?) {
            (self.status, self.location) = (status, location)
        }
    }
}
