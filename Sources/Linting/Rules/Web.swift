import Associations
import Diagnostics
import SiteConfiguration
import URISyntax

// What the configuration promises for the web, but pages, stores and browsers cannot do.

extension Site {
    /// The findings for this environment and its links.
    var webFindings: [Diagnostic] {
        let apps = LinkApps(self)
        return [landingWithoutHost, schemeOfNoApp, storeOfNoApp, campaignWithoutProvider]
            .compactMap(\.self)
            + webLinks.flatMap { findings($0, apps) }
    }

    private var landingWithoutHost: Diagnostic? {
        let isLanding = unmatched.isLanding || webLinks.contains { publishes($0) && $0.hasLanding }
        let hasAppleApp = publications.contains { $0.app.ios != nil }
        guard openHost == nil, isLanding, hasAppleApp else { return nil }
        return Diagnostic(
            .warning, .landingSameHost, at: position,
            "\(title) has generated pages but no open-host, so they cannot open "
                + "the app on iPhones and iPads",
            advice: "set `open-host` to a second host of the same apps, because Safari does not "
                + "open an app for a link to the page's own host")
    }

    private var schemeOfNoApp: Diagnostic? {
        guard offersScheme, !publications.contains(where: { $0.app.ios?.scheme != nil }) else {
            return nil
        }
        return Diagnostic(
            .warning, .schemeMissing, at: position,
            "\(title) offers the app's own scheme, but none of its apps has one",
            advice: "add `scheme` to an app's `ios`, or remove it from the environment")
    }

    private var storeOfNoApp: Diagnostic? {
        guard unmatched == .store,
            !publications.contains(where: { $0.app.ios?.storeIdentifier != nil }),
            !publications.contains(where: { $0.app.android != nil })
        else { return nil }
        return Diagnostic(
            .warning, .storeMissing, at: position,
            "`unmatched` is the store, but no app of \(title) has a page in an app store",
            advice: "add `store` to the app's `ios`")
    }

    private var campaignWithoutProvider: Diagnostic? {
        campaign.appleCampaign != nil && campaign.appleProvider == nil
            ? .provider(at: position) : nil
    }
}

// MARK: - Links

extension Site {
    private func findings(_ link: Link, _ apps: LinkApps) -> [Diagnostic] {
        let position = link.position(of: .store) ?? position
        let whole = link.campaign.over(campaign)
        let isUncounted = link.campaign.appleCampaign != nil && whole.appleProvider == nil
        return link.textFindings + link.fragmentFindings + link.permanentFindings
            + link.placeholderFindings + storeFindings(link, apps, at: position)
            + (isUncounted ? [.provider(at: position)] : [])
    }

    /// An app that does not exist on a system is no mistake, unless the configuration names the
    /// system, or unless there is no app at all.
    private func storeFindings(
        _ link: Link, _ linkApps: LinkApps, at position: SourcePosition
    ) -> [Diagnostic] {
        let all = [link.web, link.times?.after].compactMap(\.self)
        let apps = linkApps.offered(for: link)
        // Apps that open the link are the only ones that are offered, if there are any.
        let isOpened = publications.contains { $0.links.contains { $0.key == link.key } }
        let whose = isOpened ? "no app that opens it" : "no app of \(title)"
        var lacking = [String]()
        let apple = all.store(for: [.ios, .ipad])
        let hasApple = apps.contains { $0.ios != nil }
        if apple == .named || (apple == .meant && (hasApple || apps.isEmpty)),
            !apps.contains(where: { $0.ios?.storeIdentifier != nil })
        {
            lacking.append("the App Store")
        }
        let google = all.store(for: [.android])
        if google == .named || (google == .meant && apps.isEmpty),
            !apps.contains(where: { $0.android != nil })
        {
            lacking.append("Google Play")
        }
        return lacking.map { store in
            Diagnostic(
                .warning, .storeMissing, at: position,
                "link \(quoted(link.key)) leads to \(store), where \(whose) has a page",
                advice: store == "the App Store"
                    ? "add `store`, the numeric App Store ID, to the app's `ios`"
                    : isOpened
                        ? "publish an Android app with the link, or use another action"
                        : "publish an Android app, or use another action")
        }
    }
}

extension Link {
    var hasLanding: Bool { actions.contains(.landing) }

    /// A permanent redirect is meant for everyone and for ever.
    fileprivate var permanentFindings: [Diagnostic] {
        let actions = [web, times?.after].compactMap(\.self)
        let found = actions.enumerated().compactMap { number, web -> Diagnostic? in
            guard let action = web.all.first(where: \.isPermanentRedirect),
                case .redirect(_, let status) = action, let position = position(of: action)
            else { return nil }
            let isForAll = Set(WebPlatform.allCases.map(web.action)).count == 1
            let until = number == 0 ? times?.period.until : nil
            guard
                let exception = isForAll
                    ? until.map({ "only until \($0)" }) : "not on every platform"
            else { return nil }
            return Diagnostic(
                .note, .permanentRedirect, at: position,
                "link \(quoted(key)) redirects permanently (\(status.rawValue)), but \(exception)",
                advice: "write the URL without a status, which is 302")
        }
        return found
    }

    /// A request never contains a fragment, so rules that require one never match.
    fileprivate var fragmentFindings: [Diagnostic] {
        let opening = components.filter { !$0.exclude }
        guard let action = actions.first, let position = position(of: action), !opening.isEmpty,
            opening.allSatisfy({ component in
                guard let fragment = component.fragment, let home = try? LinkURL("https://a/")
                else { return false }
                return !RuleText(fragment: fragment).matches(home)
            })
        else { return [] }
        return [
            Diagnostic(
                .warning, .fragmentOnlyWeb, at: position,
                "no request reaches this action of link \(quoted(key)), because each of its rules "
                    + "requires a fragment, which browsers do not send",
                advice: "add another link that matches the path without a fragment")
        ]
    }

    /// Texts that search engines and previews would cut.
    fileprivate var textFindings: [Diagnostic] {
        guard let page else { return [] }
        let translations = page.translations.values
        let (titles, descriptions) = (translations.map(\.title), translations.map(\.description))
        return tooLong(page.title, titles, "title", titleLettersMax, .longTitle)
            + tooLong(
                page.description, descriptions, "description", descriptionLettersMax,
                .longDescription)
    }

    private func tooLong(
        _ own: String?, _ translated: [String?], _ what: String, _ limit: Int, _ rule: RuleName
    ) -> [Diagnostic] {
        [([own], what), (translated, "translations")].flatMap { texts, key in
            let counts = texts.compactMap(\.self).map(\.unicodeScalars.count).filter { $0 > limit }
            guard let position = position(ofPage: key) else { return [Diagnostic]() }
            return counts.sorted().map {
                Diagnostic(
                    .note, rule, at: position,
                    "a \(what) of link \(quoted(self.key)) has \($0) characters; about \(limit) "
                        + "are shown", advice: "put the most important words first")
            }
        }
    }
}

extension Configuration {
    /// Environments whose pages open the app with a host of another environment, which they have
    /// mostly inherited.
    var sharedOpenHosts: [(site: Site, finding: Diagnostic)] {
        let sites = environments.flatMap(\.sites)
        return sites.enumerated().compactMap { index, site in
            guard let openHost = site.openHost,
                let other = sites[..<index].first(where: { other in
                    other.openHost == openHost
                        && !other.hosts.contains(where: site.hosts.contains)
                })
            else { return nil }
            let finding = Diagnostic(
                .warning, .sharedOpenHost, at: site.position,
                "pages of \(site.title) open the app by "
                    + "\(quoted(openHost.description)), which is also the `open-host` of "
                    + "\(other.title), which has other hosts",
                advice: "set its own `open-host`; without it, one is inherited")
            return (site, finding)
        }
    }

    /// Pages that no environment shows.
    var unshownPages: [Diagnostic] {
        guard !environments.flatMap(\.sites).contains(where: { $0.unmatched.isLanding }) else {
            return []
        }
        return links.compactMap { link in
            guard let page = link.page, link.web == nil, !page.isInserted,
                let position = link.positions.first?.whole
            else { return nil }
            return Diagnostic(
                .note, .unshownPage, at: position,
                "link \(quoted(link.key)) has a `page` that is never shown",
                advice: "give it a `web` action, `insert: true`, or an environment whose "
                    + "`unmatched` is landing")
        }
    }
}

extension Configuration {
    /// Apps, and links without web settings, that no environment publishes.
    var unpublished: [Diagnostic] {
        let publications = environments.flatMap(\.sites).flatMap(\.publications)
        let (apps, links) = (
            Set(publications.map(\.app.key)), Set(publications.flatMap(\.links).map(\.key))
        )
        let lostApps = self.apps.filter { !apps.contains($0.key) }.map { app in
            ("app \(quoted(app.key))", app.ios?.position ?? app.android?.fingerprintPositions.first)
        }
        let lostLinks = self.links.filter { link in
            !links.contains(link.key) && !link.isForWeb
        }.map { ("link \(quoted($0.key))", $0.positions.first?.whole) }
        return (lostApps + lostLinks).compactMap { name, position in
            position.map {
                Diagnostic(
                    .note, .unpublished, at: $0,
                    "no environment publishes \(name), so it has no effect",
                    advice: "list it under `publish`, or remove it")
            }
        }
    }
}

extension WebActions {
    fileprivate enum Wish: Int {
        case none
        /// The default is the store.
        case meant
        /// The platform is named, with the store.
        case named
    }

    fileprivate func store(for platforms: [WebPlatform]) -> Wish {
        if platforms.contains(where: { byPlatform[$0] == .store }) { return .named }
        let isLeft = platforms.contains { byPlatform[$0] == nil }
        return isLeft && otherwise == .store ? .meant : .none
    }
}

extension [WebActions] {
    /// The strongest wish of all.
    fileprivate func store(for platforms: [WebPlatform]) -> WebActions.Wish {
        map { $0.store(for: platforms) }.max { $0.rawValue < $1.rawValue } ?? .none
    }
}

extension Diagnostic {
    fileprivate static func provider(at position: SourcePosition) -> Diagnostic {
        Diagnostic(
            .warning, .campaignProvider, at: position,
            "`apple.campaign` is not sent, because there is no `apple.provider`",
            advice: "copy the provider token, the number after pt=, from a campaign link of App "
                + "Store Connect")
    }
}

/// The number of characters of a title and of a description that search engines show.
private let titleLettersMax = 60
private let descriptionLettersMax = 160
