package import Associations
package import SiteConfiguration
package import URISyntax

/// The actions of one environment's links, compiled once: the first link that matches decides.
/// `serve`, the link tests and `explain` use the same one. It is a class, so that using it copies
/// nothing.
package final class LinkResolver: Sendable {
    /// The links that have `web` or `page`, in the order of the file.
    package let links: [Link]
    let actions: [LinkActions]
    /// The components of each link.
    let matcher: RuleMatcher
    /// Nil for the environment's own page or status.
    let unmatched: LinkAction<Destination>?
    let offers: LandingOffers
    private let hasTimes: Bool
    private let hasWellKnownLinks: Bool
    /// Whether the star of a link stands for stored links.
    package let hasCollections: Bool
    let shortcuts: StoredShortcuts
    /// True if escapes without need distinguish paths, because a rule has one.
    let comparesEscapes: Bool
    /// The apps and settings that actions of stored links are compiled with.
    let linkApps: LinkApps
    let siteCampaign: Campaign
    let unmatchedAction: UnmatchedAction
    /// The collections that have long links; mostly none.
    let longLinks: [LongLinkCollection]
    /// Whether a request for another path than those of links can be for a long link.
    package let hasLongLinks: Bool

    /// A link that matches, and which of its components does.
    struct Claim {
        let link: Int
        let rule: Int
        /// Whether the link has ended, so that its `after` decides.
        var hasEnded = false
        /// The stored link that was found, if the link is a collection.
        var stored: StoredClaim?
    }

    /// The result of an action.
    private struct Outcome {
        let answer: WebAnswer
        var passedOn = CampaignParameterSet()
        /// The reason if no URL could be made; nil for other answers.
        var refusal: WebReason?

        init(_ answer: WebAnswer, passedOn: CampaignParameterSet = []) {
            (self.answer, self.passedOn) = (answer, passedOn)
        }

        init(_ fault: Destination.Fault) {
            switch fault {
            case .dotSegment: (answer, refusal) = (.notFound, .dotSegment)
            case .tooLong: (answer, refusal) = (.tooLong, .tooLong)
            }
        }
    }

    /// Compiles the environment's links and its `unmatched`.
    package init(_ site: Site) {
        links = site.webLinks
        let (apps, appsByLink) = (LinkApps(site), site.appsByLink)
        actions = links.map { link in
            LinkActions(
                link, offering: apps.offered(for: link), site.campaign,
                collection: link.collection.map { _ in site.collectionName(link) })
        }
        (linkApps, siteCampaign) = (apps, site.campaign)
        unmatchedAction = site.unmatched
        matcher = RuleMatcher(links.map { $0.components.map(RuleText.init) })
        unmatched = site.unmatched.action?.map { Destination($0) }
        offers = LandingOffers(site)
        hasTimes = links.contains { $0.times != nil }
        hasWellKnownLinks = links.contains { $0.components.contains(where: \.isWellKnown) }
        hasCollections = links.contains { $0.collection != nil }
        shortcuts = StoredShortcuts(links, actions)
        comparesEscapes = links.contains(where: \.hasNeedlessEscapes)
        longLinks = links.enumerated().compactMap { number, link in
            LongLinkCollection(link, number: number, site, opening: appsByLink[link.key] ?? [])
        }
        hasLongLinks = !longLinks.isEmpty
    }

    /// Whether every path gets the environment's own page or status.
    package var isEmpty: Bool { links.isEmpty && unmatched?.isSameForAll != false }

    /// The first link with an action or a page that matches, and the argument of the banner on its
    /// page; nil leaves the argument to the page.
    package func claim(of url: LinkURL) -> (link: Link, argument: String?)? {
        var scratch = MatchScratch()
        matcher.look(at: url, &scratch)
        var (next, found) = (0, Claim?.none)
        while found == nil, let claim = claim(from: &next, &scratch) {
            let link = actions[claim.link]
            if link.hasPage || !link.isEmpty { found = claim }
        }
        guard let claim = found else { return nil }
        actions[claim.link].takeStars(claim.rule, of: url, &scratch)
        return (links[claim.link], actions[claim.link].argument(for: url, scratch))
    }

    /// The times at which what visitors get for a URL can change, in order, each once.
    package func times(of url: LinkURL) -> [Timestamp] {
        guard hasTimes else { return [] }
        let url = plain(url) ?? url
        var scratch = MatchScratch()
        matcher.look(at: url, &scratch)
        var (next, times) = (0, Set<Timestamp>())
        while let claim = claim(from: &next, &scratch) {
            guard let period = actions[claim.link].period else { continue }
            times.formUnion([period.from, period.until].compactMap(\.self))
        }
        return times.sorted()
    }

    /// The apps that open a URL, as pages offer them.
    package func apps(opening url: LinkURL) -> OfferedApps {
        var scratch = MatchScratch()
        return OfferedApps(opening: offers.opening(url, &scratch))
    }

    /// The link that decided: a stored one, or one of the configuration.
    package func link(of decision: WebDecision) -> Link? {
        decision.stored?.link ?? decision.link.map { links[$0] }
    }

    /// The identifiers of the apps that open a URL, as the association files have them.
    package func identifiers(opening url: LinkURL) -> [String] {
        Self.identifiers(of: allApps(opening: url))
    }

    static func identifiers(of apps: [App]) -> [String] {
        apps.flatMap { app in
            [app.ios?.id.description, app.android?.package.description].compactMap(\.self)
        }
    }

    /// The apps that open a URL, in the order in which they are published.
    func allApps(opening url: LinkURL) -> [App] {
        var scratch = MatchScratch()
        return offers.opening(url, &scratch)
    }

    /// The next link that matches the scratch's URL.
    /// - Parameter next: the first link to try; it becomes the one after the result.
    func claim(from next: inout Int, _ scratch: inout MatchScratch) -> Claim? {
        matcher.opening(from: &next, &scratch).map { Claim(link: $0.list, rule: $0.rule) }
    }

    /// The decision about `url` for `visitor`.
    /// - Parameter now: seconds since 1970; nil is a time within the period of every link.
    package func decide(_ url: LinkURL, for visitor: Visitor, at now: Int?) -> WebDecision {
        var scratch = LinkScratch()
        return decide(url, for: visitor, at: now, &scratch)
    }

    /// The same with memory that is used again: then a redirect allocates nothing.
    package func decide(
        _ url: LinkURL, for visitor: Visitor, at now: Int?, _ scratch: inout LinkScratch
    ) -> WebDecision {
        if let plain = plain(url) { return decide(plain, for: visitor, at: now, &scratch) }
        defer { scratch.match.forget() }
        let isWellKnown = hasWellKnownLinks && url.isWellKnown
        if hasLongLinks, !isWellKnown, let decision = decideLong(url, visitor, &scratch) {
            return decision
        }
        matcher.look(at: url, &scratch.match)
        var (next, page, changesLater) = (0, Claim?.none, false)
        while var claim = claim(from: &next, &scratch.match) {
            if isWellKnown, !links[claim.link].components[claim.rule].isWellKnown { continue }
            let link = actions[claim.link]
            if link.collectionNumber != nil {
                return decideStored(claim, url, visitor, at: now, &scratch)
            }
            if let period = link.period {
                let state = period.state(at: now)
                changesLater = changesLater || period.changes(after: state)
                if state == .early { continue }
                claim.hasEnded = state == .ended
            }
            if claim.hasEnded || !link.isEmpty {
                var decision = decide(claim, url, visitor, &scratch)
                decision.changesLater = changesLater
                return decision
            }
            if page == nil, link.hasPage { page = claim }
        }
        var decision =
            isWellKnown && page == nil
            ? .nothing : fallBack(.noLink, page, url, visitor, &scratch)
        decision.changesLater = changesLater
        return decision
    }

    /// The URL that is decided in place of another one; nil for most, which are decided themselves.
    func plain(_ url: LinkURL) -> LinkURL? { comparesEscapes ? nil : url.withoutNeedlessEscapes }

    /// The links that match a URL and were passed over, because they had not begun.
    /// - Parameter decision: about this URL and time.
    package func early(_ url: LinkURL, at now: Int?, _ decision: WebDecision) -> [Link] {
        guard hasTimes else { return [] }
        let url = plain(url) ?? url
        var scratch = MatchScratch()
        matcher.look(at: url, &scratch)
        var (next, early) = (0, [Link]())
        while let claim = claim(from: &next, &scratch) {
            if claim.link == decision.link, decision.reason != .noLink { break }
            if actions[claim.link].period?.state(at: now) == .early {
                early.append(links[claim.link])
            }
        }
        return early
    }

    /// The link's actions, or those after its end.
    func actions(of claim: Claim) -> LinkActions {
        let link = claim.stored?.actions ?? actions[claim.link]
        return claim.hasEnded ? link.after ?? link : link
    }

    // MARK: Deciding

    func decide(
        _ claim: Claim, _ url: LinkURL, _ visitor: Visitor, _ scratch: inout LinkScratch
    ) -> WebDecision {
        let link = actions(of: claim)
        guard let choice = link.choice(for: visitor.platform) else {
            return withoutAction(.noAction, claim, url, visitor, &scratch)
        }
        if case .redirect(let destination, let status) = choice.action, url.queryRange == nil,
            !visitor.kind.isProgram, let location = destination.constant
        {
            return WebDecision(
                answer: .redirect(location, status), link: claim.link, rule: claim.rule,
                reason: choice.reason, dependsOnVisitor: link.dependsOnVisitor,
                leadsToStore: false, passedOn: [], hasEnded: claim.hasEnded)
        }
        link.takeStars(claim.rule, of: url, &scratch.match)
        let filling = Destination.Filling(url, takesParameters: link.takesParameters)
        let outcome = outcome(choice.action, link.stores, claim, filling, visitor, &scratch)
        guard let outcome else { return withoutAction(.noStore, claim, url, visitor, &scratch) }
        return WebDecision(
            answer: outcome.answer, link: claim.link, rule: claim.rule,
            reason: outcome.refusal ?? choice.reason,
            dependsOnVisitor: link.dependsOnVisitor, leadsToStore: choice.leadsToStore,
            passedOn: outcome.passedOn, hasEnded: claim.hasEnded)
    }

    /// The link has no action for the visitor's platform. Previews and search engines still get its
    /// title and image, because they show them to people on other platforms.
    private func withoutAction(
        _ reason: WebReason, _ claim: Claim, _ url: LinkURL, _ visitor: Visitor,
        _ scratch: inout LinkScratch
    ) -> WebDecision {
        let link = actions(of: claim)
        guard visitor.kind.showsPages, link.leadsSomewhere else {
            return fallBack(reason, claim, url, visitor, &scratch)
        }
        link.takeStars(claim.rule, of: url, &scratch.match)
        let filling = Destination.Filling(url, takesParameters: link.takesParameters)
        return WebDecision(
            answer: offer(claim, filling, visitor, &scratch), link: claim.link, rule: claim.rule,
            reason: .otherPlatforms, dependsOnVisitor: true, leadsToStore: false,
            passedOn: CampaignParameterSet(), hasEnded: claim.hasEnded)
    }

    private func fallBack(
        _ reason: WebReason, _ claim: Claim?, _ url: LinkURL, _ visitor: Visitor,
        _ scratch: inout LinkScratch
    ) -> WebDecision {
        if let claim { actions(of: claim).takeStars(claim.rule, of: url, &scratch.match) }
        let filling = Destination.Filling(url, takesParameters: offers.takesParameters)
        let outcome =
            outcome(unmatched, stores(claim, url, &scratch), claim, filling, visitor, &scratch)
            ?? Outcome(withoutStore(claim, filling, visitor, &scratch))
        return WebDecision(
            answer: outcome.answer, link: claim?.link, rule: claim?.rule,
            reason: outcome.refusal ?? reason,
            dependsOnVisitor: reason != .noLink || unmatched?.isSameForAll == false,
            leadsToStore: unmatched?.isStore == true, passedOn: outcome.passedOn,
            hasEnded: claim?.hasEnded == true)
    }

    /// The stores' pages for `unmatched`: of the apps that open the link, and of no other.
    private func stores(
        _ claim: Claim?, _ url: LinkURL, _ scratch: inout LinkScratch
    ) -> StorePages {
        guard unmatched?.isStore == true else { return offers.stores }
        return claim.map { actions(of: $0).stores } ?? offers.stores(for: url, &scratch.apps)
    }

    /// Nil if no app has a page in the store.
    private func outcome(
        _ action: LinkAction<Destination>?, _ stores: StorePages, _ claim: Claim?,
        _ filling: Destination.Filling, _ visitor: Visitor, _ scratch: inout LinkScratch
    ) -> Outcome? {
        let passedOn: CampaignParameterSet?
        var status = RedirectStatus.found
        switch action {
        case .page(let path): return Outcome(.page(path))
        case .notFound: return Outcome(.notFound)
        case .gone: return Outcome(gone(claim, filling, visitor, &scratch))
        case nil: return Outcome(.fallback)
        case .landing:
            return Outcome(
                offer(claim, filling, visitor, &scratch),
                passedOn: filling.parameters.found)
        case .redirect(let destination, let own):
            status = own
            do throws(Destination.Fault) {
                passedOn = try destination.write(filling, scratch.match, to: &scratch.location)
            } catch {
                return Outcome(error)
            }
        case .store:
            passedOn = stores.write(for: visitor.platform, filling, to: &scratch.location)
        }
        guard let passedOn else { return nil }
        // Programs get the content that people get, without a redirect. What has moved for good has
        // its content elsewhere, and search engines should list it there. The content of a link that has
        // ended is shown to nobody.
        let isRedirected =
            !visitor.kind.isProgram || (status.isPermanent && visitor.kind.isSearchEngine)
            || claim?.hasEnded == true
        let answer =
            isRedirected
            ? .redirect(scratch.location, status) : offer(claim, filling, visitor, &scratch)
        return Outcome(answer, passedOn: passedOn)
    }
}
