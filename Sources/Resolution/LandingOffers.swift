import Associations
import SiteConfiguration
import URISyntax

/// What generated pages can offer in one environment, for every link.
struct LandingOffers: Sendable {
    let stores: StorePages
    /// Whether the environment passes campaign parameters on.
    let takesParameters: Bool
    private let site: Site
    private let apps: [App]
    /// The environment's apps, by the links that are published for them.
    private let matcher: LinkMatcher

    init(_ site: Site) {
        self.site = site
        apps = site.publications.map(\.app)
        stores = StorePages(OfferedApps(opening: apps, others: []), site.campaign)
        takesParameters = site.campaign.utm != false
        matcher = LinkMatcher(site.publications)
    }

    /// - Parameter link: the link that matches the URL.
    func offer(
        _ filling: Destination.Filling, _ visitor: Visitor, link: Link?, webURL: String?,
        argument: String?, _ scratch: inout MatchScratch
    ) -> LandingOffer {
        let url = filling.url
        matcher.decide(url, &scratch)
        let opening = apps.indices.filter { matcher.decision(forApp: $0, scratch).verdict == .open }
        scratch.forget()
        let offered = OfferedApps(opening: opening.map { apps[$0] }, others: apps)
        let opensOnApple = opening.contains { apps[$0].ios != nil }
        let opensOnAndroid = opening.contains { apps[$0].android != nil }
        let campaign = link.map { $0.campaign.over(site.campaign) } ?? site.campaign
        let stores = StorePages(offered, campaign)
        let isOnApple = visitor.platform == .ios || visitor.platform == .ipad
        let hasScheme = site.offersScheme && opensOnApple && isOnApple
        let own = "https://\(url.authority)\(url.rest)"
        let isOpened = visitor.platform == .android ? opensOnAndroid : opensOnApple
        // Android opens the app from a link to the page's own host, too.
        let fallback = visitor.platform == .android ? own : nil
        return LandingOffer(
            url: own, apps: offered, opensOnApple: opensOnApple,
            opensOnAndroid: opensOnAndroid,
            openURL: isOpened ? openURL(url) ?? fallback : nil,
            schemeURL: hasScheme ? offered.scheme.map { "\($0)://\(url.host)\(url.rest)" } : nil,
            webURL: webURL, argument: argument,
            appStoreURL: text { stores.apple?.write(filling, to: &$0) },
            googlePlayURL: text { stores.google?.write(filling, to: &$0) })
    }

    /// The same link with the environment's other host, with which a tap opens the app.
    private func openURL(_ url: LinkURL) -> String? {
        guard let openHost = site.openHost else { return nil }
        let isThere = url.host == openHost.description
        guard let host = isThere ? site.hosts.first : openHost else { return nil }
        return "https://\(host)\(url.portText)\(url.rest)"
    }

    private func text(_ write: (inout [UInt8]) -> CampaignParameterSet?) -> String? {
        var bytes = [UInt8]()
        return write(&bytes).map { _ in String(decoding: bytes, as: UTF8.self) }
    }
}

extension LinkURL {
    /// Host and port.
    var authority: String { host + portText }

    fileprivate var portText: String { port.map { ":\($0)" } ?? "" }

    /// Path and query, with escapes for characters that a URL cannot contain.
    fileprivate var rest: String {
        var result = [UInt8]()
        if pathRange.isEmpty { result.append(UInt8(ascii: "/")) }
        append(bytes.span, pathRange, of: .path, as: .path, to: &result)
        if let queryRange {
            result.append(UInt8(ascii: "?"))
            append(bytes.span, queryRange, of: .query, as: .queryItems, to: &result)
        }
        return String(decoding: result, as: UTF8.self)
    }
}

extension LinkMatcher {
    /// The apps of publications, by their keys.
    init(_ publications: [Publication]) {
        self.init(
            publications.map { publication in
                AppRules(
                    appID: publication.app.key, rules: publication.components.map(RuleText.init))
            }, variables: [])
    }
}
