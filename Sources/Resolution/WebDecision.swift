import Associations
import Diagnostics
package import SiteConfiguration

/// The answer to a visitor for a URL, and its reason.
package struct WebDecision: Sendable {
    package let answer: WebAnswer
    /// The number in `LinkResolver.links` of the link that matches the URL; nil if none does.
    package let link: Int?
    /// The number of the component that matches, in `Link.components`.
    package let rule: Int?
    package let reason: WebReason
    /// Whether another visitor would get another response. Then caches must not use it for others.
    package let dependsOnVisitor: Bool
    /// Whether a redirect leads to an app's page in a store.
    package let leadsToStore: Bool
    /// The campaign parameters of the request that were passed on.
    package let passedOn: CampaignParameterSet
    /// Whether the link has ended, so that its `after` decided.
    package let hasEnded: Bool
    /// Whether the same visitor gets another response later, because a link begins or ends.
    package var changesLater = false
    /// The stored link that was found, if the link is a collection.
    package var stored: StoredMatch?

    /// Whether a cache must ask again before it uses the response for another request. The end of
    /// a link can be put off.
    package var needsRevalidation: Bool { dependsOnVisitor || changesLater || hasEnded }
}

/// The response for a visitor.
package enum WebAnswer: Hashable, Sendable {
    /// A file of the public directory, by its URL path, with status 200.
    case page(String)
    /// A redirect to this URL. The configuration has its scheme, host and port; its characters are
    /// visible ASCII.
    case redirect([UInt8], RedirectStatus)
    /// A page that is generated for a person, with the offer's status.
    indirect case landing(LandingOffer)
    /// The same with the link's title and image, for a program that shows or finds pages.
    indirect case summary(LandingOffer)
    case notFound
    /// 410: the link was there, and is not any more.
    case gone
    /// The environment's page or status for paths that no link matches.
    case fallback
    /// 414: with the request's texts, the URL would be longer than any that is sent.
    case tooLong
    /// 400: a long link that leads nowhere, with what is wrong with it.
    indirect case refused(FirebaseFault)
    /// A page that says what the link does on each platform.
    case debug
}

// A decision in words, for people who maintain links. All words come from the decision, and nothing
// is decided again.

extension WebDecision {
    /// The steps from the links to the answer.
    func steps(
        _ url: LinkURL, _ visitor: Visitor, _ site: Site, _ resolver: LinkResolver,
        early: [Link]
    ) -> [ExplainedStep] {
        let claim = resolver.link(of: self)
        var steps = early.map(\.earlyStep) + [claimStep(claim)]
        if let claim, let times = claim.times { steps.append(timeStep(times)) }
        if claim == nil { steps += resolver.links.compactMap { $0.fragmentStep(url) } }
        let isOpened = !resolver.identifiers(opening: url).isEmpty
        if claim != nil { steps.append(actionStep(visitor, isOpened: isOpened)) }
        if claim != nil, leadsToStore, !reason.isUnmatched, !isOpened {
            steps.append(.init("store", "no app opens the link, so an app of the site is offered"))
        }
        if reason.isUnmatched { steps.append(unmatchedStep(site.unmatched)) }
        if visitor.kind.isProgram { steps.append(programStep(visitor)) }
        if !passedOn.isEmpty {
            let names = passedOn.names.joined(separator: ", ")
            steps.append(.init("campaign", "\(names) of the link are passed on"))
        }
        if case .landing(let offer) = answer { steps += offer.steps(visitor) }
        return steps
    }

    private func claimStep(_ claim: Link?) -> ExplainedStep {
        guard let claim, let rule else {
            return ExplainedStep(
                "links", "no link with an action or a page matches", isTaken: false)
        }
        let component = claim.components[rule]
        let pattern = component.path.map { " \(quoted($0))" } ?? ""
        return ExplainedStep(
            "link \(claim.key)",
            "the first link whose rules match: rule \(rule + 1) of its \(claim.components.count)"
                + pattern)
    }

    private func actionStep(_ visitor: Visitor, isOpened: Bool) -> ExplainedStep {
        let platform = visitor.platform.rawValue
        let isTaken = !reason.isUnmatched
        let its = hasEnded ? "its `after`" : "its action"
        let choice =
            switch reason {
            case .own: "\(its) for \(platform)"
            case .iPhoneAction: "it has no action for ipad, so \(its) for ios"
            case .otherwise: "\(its) for all other platforms"
            case .otherPlatforms: "it has no action for \(platform), but for other platforms"
            case .noLink: "it has a page but no action; `unmatched` decides"
            case .noAction: "it has no action for \(platform); `unmatched` decides"
            case .noStore:
                "no app \(isOpened ? "that opens it" : "of the site") has a page in the app store "
                    + "for \(platform); `unmatched` decides"
            case .dotSegment:
                "refused: the link's text would change the directory in the URL's path"
            case .tooLong:
                "refused: with the link's texts, the URL has more than \(Destination.bytesMax) bytes"
            case .unknownSlug: "no stored link has this slug, or it is not there yet"
            case .disabledSlug: "the stored link is disabled, so it is answered as unknown"
            case .deletedSlug: "the stored link was deleted"
            case .notLookedUp: "its links are in the store of a running origin, which --admin asks"
            case .refusedParameter: "a parameter of the long link is wrong"
            case .debugging: "d=1 asks what the link does; the link without it does it"
            }
        return ExplainedStep(
            "action", isTaken ? "\(choice): \(answer.words)" : choice, isTaken: isTaken)
    }

    private func timeStep(_ times: LinkTimes) -> ExplainedStep {
        let period = times.period
        if hasEnded, let until = period.until {
            return ExplainedStep("time", "it ended at \(until), so its `after` decides")
        }
        let words =
            [period.from.map { "since \($0)" }, period.until.map { "until \($0)" }]
            .compactMap(\.self).joined(separator: " and ")
        return ExplainedStep("time", "it is there \(words)")
    }

    private func unmatchedStep(_ action: UnmatchedAction) -> ExplainedStep {
        let words =
            switch (answer, action) {
            case (.fallback, .page(let path, let status, _)):
                "the page \(path), with status \(status)"
            case (.fallback, _): "nothing is there"
            case (.notFound, .store): "no app of the environment has a page in the app store"
            case (.landing, .store):
                "no app that opens the link has a page in the app store: \(answer.words)"
            default: answer.words
            }
        return ExplainedStep("unmatched", words)
    }

    private func programStep(_ visitor: Visitor) -> ExplainedStep {
        guard case .summary = answer else {
            return ExplainedStep(
                "program", "\(visitor.words) gets the same as people", isTaken: false)
        }
        return ExplainedStep(
            "program",
            "\(visitor.words) gets a page with title and image instead of a redirect")
    }
}

extension Link {
    /// That the link is not there yet.
    var earlyStep: ExplainedStep {
        let begin = times?.period.from.map { " before \($0)" } ?? ""
        return ExplainedStep(
            "link \(key)", "its rules match, but it is not there\(begin)", isTaken: false)
    }

    /// The step of a link that no request reaches as only the fragment is missing; nil for others.
    func fragmentStep(_ url: LinkURL) -> ExplainedStep? {
        guard components.contains(where: { $0.fragment != nil }) else { return nil }
        // An exclusion that requires a fragment excludes no request either.
        let asked = components.indices.filter { number in
            components[number].fragment == nil || !components[number].exclude
        }
        let rules = asked.map { number in
            var rule = RuleText(components[number])
            rule.fragment = nil
            return rule
        }
        var scratch = MatchScratch()
        let matcher = RuleMatcher([rules])
        matcher.look(at: url, &scratch)
        let found = matcher.decision(of: 0, &scratch)
        guard found.verdict == .open, let rule = found.rule.map({ asked[$0] }),
            let fragment = components[rule].fragment
        else { return nil }
        return ExplainedStep(
            "link \(key)",
            "rule \(rule + 1) of its \(components.count) asks for the fragment "
                + "\(quoted(fragment)), which browsers do not send",
            isTaken: false)
    }
}

extension ExplainedStep {
    init(_ name: String, _ reason: String, isTaken: Bool = true) {
        self.init(name: name, isTaken: isTaken, reason: reason)
    }
}

extension WebAnswer {
    var words: String {
        switch self {
        case .page(let path): "the page \(path)"
        case .redirect(let url, .found): "a redirect to \(String(decoding: url, as: UTF8.self))"
        case .redirect(let url, let status):
            "a redirect with status \(status.rawValue) to \(String(decoding: url, as: UTF8.self))"
        case .landing(let offer) where offer.isGone: "gone, on a generated page"
        case .landing(let offer) where offer.isUnknown:
            "a generated page, with status \(offer.status)"
        case .landing: "a generated page"
        case .summary: "a page about the link"
        case .notFound, .fallback: "not found"
        case .gone: "gone"
        case .tooLong: "the status 414"
        case .refused(let fault): "refused: \(fault.words)"
        case .debug: "the debug page"
        }
    }
}
