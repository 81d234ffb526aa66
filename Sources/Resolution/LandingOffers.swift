import Associations
import SiteConfiguration
import URISyntax

/// The offers that generated pages can make in one environment, for every link.
struct LandingOffers: Sendable {
    let stores: StorePages
    /// Whether the environment passes campaign parameters on.
    let takesParameters: Bool
    private let site: Site
    private let apps: [App]
    /// The site's apps, by the links that are published for them.
    private let matcher: LinkMatcher
    /// The rules of a ready association file, whose apps the configuration does not describe.
    private let ready: LinkMatcher?

    init(_ site: Site) {
        self.site = site
        apps = site.publications.map(\.app)
        stores = StorePages(OfferedApps(opening: apps), site.campaign)
        takesParameters = site.campaign.utm != false
        matcher = LinkMatcher(site.publications)
        let file = site.associations.readyAASA
        ready = file.flatMap { file in
            site.associations.aasa.map { AssociationReading($0, file: file.path).matcher }
        }
    }

    /// The stores' pages of the apps that open a URL that no link claims, or of the site's apps if
    /// no app opens it.
    func stores(for url: LinkURL, _ scratch: inout MatchScratch) -> StorePages {
        // One app is the only one that can be meant.
        guard apps.count > 1 else { return stores }
        let opening = opening(url, &scratch)
        return opening.isEmpty ? stores : StorePages(OfferedApps(opening: opening), site.campaign)
    }

    /// The site's apps that open a URL, in the order in which they are published.
    func opening(_ url: LinkURL, _ scratch: inout MatchScratch) -> [App] {
        matcher.decide(url, &scratch)
        defer { scratch.forget() }
        return apps.indices.filter { matcher.decision(forApp: $0, scratch).verdict == .open }
            .map { apps[$0] }
    }

    /// - Parameters:
    ///   - link: the link that matches the URL.
    ///   - isThere: whether the app would show something for the link.
    func offer(
        _ filling: Destination.Filling, _ visitor: Visitor, link: Link?, webURL: String?,
        argument: String?, isThere: Bool = true, _ scratch: inout MatchScratch
    ) -> LandingOffer {
        let url = filling.url
        let opening = opening(url, &scratch)
        let status = link == nil && opening.isEmpty ? unknownStatus(url) : nil
        // A page that is told to be there for every path is about the site and its apps. So is that
        // of a link that leads to the store and that no app opens.
        let isOfSite =
            opening.isEmpty
            && (status == 200 || link?.actions.contains(where: \.isStore) == true)
        let offered = OfferedApps(opening: isOfSite ? apps : opening)
        let opensOnApple = isThere && opening.contains { $0.ios != nil }
        let opensOnAndroid = isThere && opening.contains { $0.android != nil }
        let campaign = link.map { $0.campaign.over(site.campaign) } ?? site.campaign
        let stores = StorePages(offered, campaign)
        let isOnApple = visitor.platform == .ios || visitor.platform == .ipad
        let hasScheme = site.offersScheme && opensOnApple && isOnApple
        let own = "https://\(url.authority)\(url.rest)"
        let isOpened = visitor.platform == .android ? opensOnAndroid : opensOnApple
        // Android opens the app from a link to the page's own host, too.
        let fallback = visitor.platform == .android ? own : nil
        return LandingOffer(
            url: own, status: status ?? 200, apps: offered, opensOnApple: opensOnApple,
            opensOnAndroid: opensOnAndroid,
            openURL: isOpened ? openURL(url) ?? fallback : nil,
            schemeURL: hasScheme ? offered.scheme.map { "\($0)://\(url.host)\(url.rest)" } : nil,
            webURL: webURL, homeURL: site.presentation.url, argument: argument,
            appStoreURL: text { stores.apple?.write(filling, to: &$0) },
            googlePlayURL: text { stores.google?.write(filling, to: &$0) })
    }

    /// The status of a page for a path that neither a link nor an app claims.
    private func unknownStatus(_ url: LinkURL) -> Int {
        guard case .landing(let status) = site.unmatched, ready?.opens(url).isEmpty != false
        else { return 200 }
        return status
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

    /// The same URL over https with a slash at the end of its path, which has none.
    package var withSlash: [UInt8] {
        Array("https://\(authority)".utf8) + escaped(ending: "/")
    }

    /// Path and query, with escapes for characters that a URL cannot contain.
    fileprivate var rest: String {
        String(decoding: escaped(ending: pathRange.isEmpty ? "/" : ""), as: UTF8.self)
    }

    private func escaped(ending end: String) -> [UInt8] {
        var result = [UInt8]()
        append(bytes, pathRange, of: .path, as: .path, to: &result)
        result += end.utf8
        if let queryRange {
            result.append(UInt8(ascii: "?"))
            append(bytes, queryRange, of: .query, as: .queryItems, to: &result)
        }
        return result
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
