private import Associations
private import Resolution
private import SiteConfiguration

/// The request of a client for a URL of a site that is served.
package struct PageVisit: Sendable {
    package let host: String
    package let target: String
    package let userAgent: String
    /// At which browsers reach the site.
    package let port: UInt16
    /// The languages that the pages of the site are in.
    package let languages: [String]
}

extension LinkAPI {
    /// The request that a client sends for a URL; nil for a URL of another host, and for a client that nobody knows.
    /// - Parameter client: as `explain` names it.
    package func visit(_ text: String, as client: String) -> PageVisit? {
        guard let url = try? LinkURL(text), let site = site(of: url.requestedHost),
            let agent = VisitorProfile.userAgent(of: client)
        else { return nil }
        return PageVisit(
            host: url.requestedHost, target: url.requested.target, userAgent: agent,
            port: site.site.httpsPort ?? 443,
            languages: site.site.presentation.languages)
    }
}
