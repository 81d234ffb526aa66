import Associations
import Diagnostics
import SiteConfiguration

// Generated pages that lead nowhere: the rows of the table in docs/pages.md that end with a
// sentence.

extension Site {
    /// One finding for each link, with all systems where its page is a dead end.
    func deadEnds(_ hasHome: (Site) -> Bool) -> [Diagnostic] {
        // Its pages lead there.
        guard presentation.url == nil, !hasHome(self) else { return [] }
        let apps = LinkApps(self)
        return webLinks.flatMap { link in
            let opening = apps.opening(link)
            let offered = opening.isEmpty ? apps.offered(for: link) : opening
            return deadEnds(link, offered).map { end in
                end.finding(at: link.position(of: .landing, .store) ?? position, in: title)
            }
        }
    }
}

/// A link, and the systems on which its page is a dead end.
private struct DeadEnd {
    let link: String
    /// Whether it is one from the link's `until` on.
    let hasEnded: Bool
    let platforms: [WebPlatform]

    func finding(at position: SourcePosition, in title: String) -> Diagnostic {
        Diagnostic(
            .warning, .deadEnd, at: position,
            "the page of link \(quoted(link)) leads nowhere \(words) in \(title)"
                + "\(hasEnded ? " after its end" : ""): no app that opens the link is in the app "
                + "store there, and neither the link nor the site has a URL for the web",
            advice: "add a URL to its `\(hasEnded ? "after" : "web")`, for example as `desktop`, "
                + "set `url` of `site`, or publish the link for an app of that app store")
    }

    private var words: String {
        var words = [String]()
        if platforms.contains(.ios) || platforms.contains(.ipad) {
            words.append("on iPhones and iPads")
        }
        if platforms.contains(.android) { words.append("on Android") }
        if platforms.contains(.desktop) { words.append("on computers") }
        let last = words.removeLast()
        return words.isEmpty ? last : words.joined(separator: ", ") + " and \(last)"
    }
}

extension Site {
    /// - Parameter offered: the apps that its pages offer here.
    fileprivate func deadEnds(_ link: Link, _ offered: [App]) -> [DeadEnd] {
        let after = link.times?.after
        return [
            deadEnd(link, link.web, offered), after.flatMap { deadEnd(link, $0, offered) },
        ].compactMap(\.self)
    }

    /// - Parameter web: the link's actions, or those after its end.
    private func deadEnd(_ link: Link, _ web: WebActions?, _ offered: [App]) -> DeadEnd? {
        let apps = OfferedApps(opening: offered)
        let hasWeb = web?.all.contains(where: \.isWeb) == true || unmatched.action?.isWeb == true
        let platforms = WebPlatform.allCases.filter { platform in
            guard shows(link, web, apps, on: platform) else { return false }
            var situation = LandingSituation(platform)
            situation.hasWeb = hasWeb
            return apps.ways(in: situation).contains(.sentence)
        }
        return platforms.isEmpty
            ? nil
            : DeadEnd(
                link: link.key, hasEnded: web != nil && web == link.times?.after,
                platforms: platforms)
    }

    /// Whether visitors with this system get a generated page for the link.
    private func shows(
        _ link: Link, _ web: WebActions?, _ apps: OfferedApps, on platform: WebPlatform
    ) -> Bool {
        guard let web else { return link.page != nil && unmatched.isLanding }
        switch web.action(for: platform) {
        case .landing: return true
        case .store:
            let stores: [LandingWay] = [.appStore, .googlePlay]
            let hasStore = apps.ways(in: LandingSituation(platform)).contains(
                where: stores.contains)
            return !hasStore && (unmatched.isLanding || unmatched == .store)
        case nil: return unmatched.isLanding
        case .page, .redirect, .notFound, .gone: return false
        }
    }
}

extension WebAction {
    /// Whether a page can lead there.
    fileprivate var isWeb: Bool {
        switch self {
        case .page, .redirect: true
        case .landing, .store, .notFound, .gone: false
        }
    }
}
