import LinkStore
package import Resolution
package import SiteConfiguration

/// A site with what decides its requests. It is a class, because each collection has one, and a
/// `Site` is large.
package final class APISite: Sendable {
    package let site: Site
    package let router: Router
    package let resolver: LinkResolver
    /// Nil for a site without a picture for codes.
    package let logo: CodeLogo?

    package init(_ site: Site, _ router: Router, _ resolver: LinkResolver, logo: CodeLogo? = nil) {
        (self.site, self.router, self.resolver, self.logo) = (site, router, resolver, logo)
    }
}

extension StoredLink {
    /// The URLs to which it leads, with `storeURL` for the stores.
    var urls: Set<String> {
        let details = StoredDetails(stored: Array((content.details ?? "").utf8))
        let actions = (details.web?.all ?? []) + (details.after?.all ?? [])
        return Set(
            actions.compactMap { action in
                switch action {
                case .redirect(let template, _): template.text
                case .store: Self.storeURL
                default: nil
                }
            } + [content.destination].compactMap(\.self))
    }

    /// Stands for the stores among URLs.
    static var storeURL: String { "store" }
}
