private import Associations

/// The apps of a site's links: those that open a link, and those that its pages and its `store`
/// offer.
package struct LinkApps: Sendable {
    private let byLink: [String: [App]]
    /// In the order in which they are published.
    private let apps: [App]
    private let matcher: RuleMatcher

    package init(_ site: Site) {
        byLink = site.appsByLink
        apps = site.publications.map(\.app)
        matcher = RuleMatcher(site.publications.map { $0.components.map(RuleText.init) })
    }

    /// The apps that open a link: those for which it is published, or else those whose rules match
    /// one of its paths.
    package func opening(_ link: Link) -> [App] {
        if let published = byLink[link.key] { return published }
        let rule = link.components.first { !$0.exclude }.map(RuleText.init)
        guard let path = rule?.examplePath, let url = try? LinkURL("https://example.com" + path)
        else { return [] }
        return matcher.opening(url).map { apps[$0] }
    }

    /// The apps that are offered for a link: those that open it. If none does and the link leads to
    /// `store`, it is for getting an app, so the site's apps are offered.
    package func offered(for link: Link) -> [App] {
        if let published = byLink[link.key] { return published }
        guard link.actions.contains(where: \.isStore) else { return [] }
        // One app is the only one that can be meant.
        guard apps.count > 1 else { return apps }
        let opening = opening(link)
        return opening.isEmpty ? apps : opening
    }
}
