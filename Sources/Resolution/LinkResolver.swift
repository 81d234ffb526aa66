package import Associations
package import SiteConfiguration

/// What one environment's web shows, compiled once: the first link that matches decides. Pure:
/// `serve`, the link tests and whoever explains ask the same one.
package struct LinkResolver: Sendable {
    /// The links that have `web` or `page`, in the order of the file.
    package let links: [Link]
    private let entries: [Entry]
    private let matcher: LinkMatcher
    private let unmatched: Action
    let offers: LandingOffers

    /// What a link says for each platform.
    private struct Entry: Sendable {
        let actions: [Choice?]
        let stores: StorePages
        /// For each component of the link, where some URL has a star.
        let stars: [StarCapture]
        let takesParameters: Bool
        let hasActions: Bool
        let dependsOnVisitor: Bool
    }

    private struct Choice: Sendable {
        let action: Action
        let reason: WebReason
    }

    private enum Action: Sendable {
        case page(String)
        case landing
        case store
        case redirect(Destination)
        case notFound
        /// The environment's own page or status.
        case fallback

        var isSameForAll: Bool {
            switch self {
            case .page, .notFound, .fallback: true
            case .landing, .store, .redirect: false
            }
        }

        var isStore: Bool { if case .store = self { true } else { false } }
    }

    /// Compiles the environment's links and its `unmatched`.
    package init(_ environment: Environment) {
        links = environment.webLinks
        entries = links.map { Self.entry($0, environment) }
        matcher = LinkMatcher(
            links.map { AppRules(appID: $0.key, rules: $0.components.map(RuleText.init)) },
            variables: [])
        unmatched =
            switch environment.unmatched {
            case .page, .notFound: .fallback
            case .landing: .landing
            case .store: .store
            case .redirect(let template): .redirect(Destination(template))
            }
        offers = LandingOffers(environment)
    }

    /// Whether everything is left to the environment's own page or status.
    package var isEmpty: Bool { links.isEmpty && unmatched.isSameForAll }

    /// What `visitor` gets for `url`.
    package func decide(
        _ url: LinkURL, for visitor: Visitor, _ scratch: inout LinkScratch
    ) -> WebDecision {
        defer { scratch.match.forget() }
        matcher.decide(url, &scratch.match)
        var page: (link: Int, rule: Int)?
        for index in links.indices {
            let found = matcher.decision(forApp: index, scratch.match)
            guard found.verdict == .open, let rule = found.rule else { continue }
            page = page ?? (index, rule)
            guard entries[index].hasActions else { continue }
            return decide(index, rule, url, visitor, &scratch)
        }
        return fallBack(.noLink, page, url, visitor, &scratch)
    }

    /// The same for one request.
    package func decide(_ url: LinkURL, for visitor: Visitor) -> WebDecision {
        var scratch = LinkScratch()
        return decide(url, for: visitor, &scratch)
    }

    /// The first link with an action or a page that matches.
    package func claim(of url: LinkURL) -> Link? {
        matcher.opens(url).first.map { links[$0] }
    }

    // MARK: Deciding

    private func decide(
        _ index: Int, _ rule: Int, _ url: LinkURL, _ visitor: Visitor, _ scratch: inout LinkScratch
    ) -> WebDecision {
        let entry = entries[index]
        guard let choice = entry.actions[visitor.platform.number] else {
            return fallBack(.noAction, (index, rule), url, visitor, &scratch)
        }
        takeStars(index, rule, url, &scratch)
        var filling = Destination.Filling(url: url)
        if entry.takesParameters { filling.parameters = CampaignParameters(url) }
        let place = (link: index, rule: rule)
        guard
            let outcome = answer(choice.action, entry.stores, place, filling, visitor, &scratch)
        else { return fallBack(.noStore, place, url, visitor, &scratch) }
        return WebDecision(
            answer: outcome.answer ?? .notFound, link: index, rule: rule,
            reason: outcome.answer == nil ? .dotSegment : choice.reason,
            dependsOnVisitor: entry.dependsOnVisitor, leadsToStore: choice.action.isStore,
            passedOn: outcome.passedOn)
    }

    private func fallBack(
        _ reason: WebReason, _ place: (link: Int, rule: Int)?, _ url: LinkURL, _ visitor: Visitor,
        _ scratch: inout LinkScratch
    ) -> WebDecision {
        if let place { takeStars(place.link, place.rule, url, &scratch) }
        var filling = Destination.Filling(url: url)
        if offers.passesParameters { filling.parameters = CampaignParameters(url) }
        let outcome =
            answer(unmatched, offers.stores, place, filling, visitor, &scratch)
            ?? (answer: .notFound, passedOn: [])
        return WebDecision(
            answer: outcome.answer ?? .notFound, link: place?.link, rule: place?.rule,
            reason: outcome.answer == nil ? .dotSegment : reason,
            dependsOnVisitor: reason != .noLink || !unmatched.isSameForAll,
            leadsToStore: unmatched.isStore, passedOn: outcome.passedOn)
    }

    private func takeStars(
        _ link: Int, _ rule: Int, _ url: LinkURL, _ scratch: inout LinkScratch
    ) {
        let stars = entries[link].stars
        if !stars.isEmpty { stars[rule].take(from: url, &scratch.match) }
    }

    /// What an action comes to: nil where no app has a page in the store, an answer of nil where
    /// the URL would leave its path.
    private func answer(
        _ action: Action, _ stores: StorePages, _ place: (link: Int, rule: Int)?,
        _ filling: Destination.Filling, _ visitor: Visitor, _ scratch: inout LinkScratch
    ) -> (answer: WebAnswer?, passedOn: CampaignParameterSet)? {
        switch action {
        case .page(let path): return (.page(path), [])
        case .notFound: return (.notFound, [])
        case .fallback: return (.fallback, [])
        case .landing:
            return (offer(place, filling, visitor, &scratch), filling.parameters.found)
        case .redirect(let destination):
            let passed = destination.write(filling, scratch.match, to: &scratch.location)
            guard let passed else { return (nil, []) }
            return (sent(place, filling, visitor, &scratch), passed)
        case .store:
            let passed = stores.write(for: visitor.platform, filling, to: &scratch.location)
            return passed.map { (sent(place, filling, visitor, &scratch), $0) }
        }
    }

    /// Programs are told what people would find, and sent nowhere.
    private func sent(
        _ place: (link: Int, rule: Int)?, _ filling: Destination.Filling, _ visitor: Visitor,
        _ scratch: inout LinkScratch
    ) -> WebAnswer {
        guard visitor.kind.isProgram else { return .redirect(scratch.location) }
        return offer(place, filling, visitor, &scratch)
    }

    private func offer(
        _ place: (link: Int, rule: Int)?, _ filling: Destination.Filling, _ visitor: Visitor,
        _ scratch: inout LinkScratch
    ) -> WebAnswer {
        let web = webURL(place, filling, &scratch)
        let offer = offers.offer(
            filling, visitor, link: place.map { links[$0.link] }, webURL: web, &scratch.apps)
        return visitor.kind.isProgram ? .summary(offer) : .landing(offer)
    }

    /// What the link has for computers, or else what `unmatched` leads to.
    private func webURL(
        _ place: (link: Int, rule: Int)?, _ filling: Destination.Filling,
        _ scratch: inout LinkScratch
    ) -> String? {
        let platforms: [WebPlatform] = [.desktop, .android, .ios, .ipad]
        let own = place.map { entries[$0.link].actions } ?? []
        let actions = own.isEmpty ? [] : platforms.compactMap { own[$0.number]?.action }
        for action in actions + [unmatched] {
            switch action {
            case .redirect(let destination):
                var location = [UInt8]()
                let passed = destination.write(filling, scratch.match, to: &location)
                if passed != nil { return String(decoding: location, as: UTF8.self) }
            case .page(let path): return "https://\(filling.url.authority)\(path)"
            case .landing, .store, .notFound, .fallback: continue
            }
        }
        return nil
    }
}

// MARK: - Compiling

extension LinkResolver {
    private static func entry(_ link: Link, _ environment: Environment) -> Entry {
        let choices = WebPlatform.allCases.map { choice(of: link, for: $0) }
        let campaign = link.campaign.over(environment.campaign)
        let templates = link.web?.templates ?? []
        let hasStars = templates.contains { $0.starsNeeded > 0 }
        let apps = environment.publications.lazy.filter { publication in
            publication.links.contains { $0.key == link.key }
        }.map(\.app)
        let isSameForAll = link.web?.byPlatform.isEmpty != false
        return Entry(
            actions: choices, stores: StorePages(OfferedApps(apps), campaign),
            stars: hasStars ? link.components.map { StarCapture(RuleText($0)) } : [],
            takesParameters: campaign.utm != false, hasActions: link.web != nil,
            dependsOnVisitor: !isSameForAll
                || choices.contains { $0?.action.isSameForAll == false })
    }

    /// An iPad gets what an iPhone does, unless it has an action of its own.
    private static func choice(of link: Link, for platform: WebPlatform) -> Choice? {
        if let own = link.web?.byPlatform[platform] {
            return Choice(action: action(own), reason: .own(platform))
        }
        if platform == .ipad, let kin = link.web?.byPlatform[.ios] {
            return Choice(action: action(kin), reason: .iPhoneAction)
        }
        return link.web?.otherwise.map { Choice(action: action($0), reason: .otherwise) }
    }

    private static func action(_ action: WebAction) -> Action {
        switch action {
        case .page(let path): .page(path)
        case .landing: .landing
        case .store: .store
        case .redirect(let template): .redirect(Destination(template))
        case .notFound: .notFound
        }
    }
}

extension WebPlatform {
    fileprivate var number: Int {
        switch self {
        case .ios: 0
        case .ipad: 1
        case .android: 2
        case .desktop: 3
        }
    }
}

extension WebActions {
    fileprivate var templates: [URLTemplate] {
        (Array(byPlatform.values) + [otherwise].compactMap(\.self)).compactMap { action in
            if case .redirect(let template) = action { template } else { nil }
        }
    }
}
