import Associations
import Diagnostics
import SiteConfiguration

// A decision in words for whoever helps people with links. Everything is read off the decision
// itself: nothing is decided a second time.

extension WebDecision {
    /// The steps from the links to the answer.
    func steps(
        _ url: LinkURL, _ visitor: Visitor, _ environment: Environment, _ resolver: LinkResolver
    ) -> [ExplainedStep] {
        let claim = link.map { resolver.links[$0] }
        var steps = [claimStep(claim)]
        if claim == nil { steps += resolver.links.compactMap { $0.fragmentStep(url) } }
        if let claim { steps.append(actionStep(claim, visitor)) }
        if reason.isUnmatched { steps.append(unmatchedStep(environment.unmatched)) }
        if visitor.kind.isProgram { steps.append(programStep(visitor)) }
        if !passedOn.isEmpty {
            let names = passedOn.names.joined(separator: ", ")
            steps.append(.init("campaign", "\(names) of the link are passed on"))
        }
        if case .landing(let offer) = answer {
            steps += offer.steps(visitor)
        }
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

    private func actionStep(_ claim: Link, _ visitor: Visitor) -> ExplainedStep {
        let platform = visitor.platform.rawValue
        let isTaken = !reason.isUnmatched
        let choice =
            switch reason {
            case .own: "its action for \(platform)"
            case .iPhoneAction: "it has no action for ipad, so its action for ios"
            case .otherwise: "its action for all other platforms"
            case .otherPlatforms: "it has no action for \(platform), but for other platforms"
            case .noLink: "it has a page but no action; `unmatched` decides"
            case .noAction: "it has no action for \(platform); `unmatched` decides"
            case .noStore:
                "no app that opens it has a page in the app store for \(platform); `unmatched` "
                    + "decides"
            case .dotSegment:
                "refused: the link's text would change the directory in the URL's path"
            }
        return ExplainedStep(
            "action", isTaken ? "\(choice): \(answer.words)" : choice, isTaken: isTaken)
    }

    private func unmatchedStep(_ action: UnmatchedAction) -> ExplainedStep {
        let words =
            switch (answer, action) {
            case (.fallback, .page(let path, let status, _)):
                "the page \(path), with status \(status)"
            case (.fallback, _): "nothing is there"
            case (.notFound, .store): "no app of the environment has a page in the app store"
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
    /// Why no request reaches the link, where nothing but the fragment is missing; nil for others.
    fileprivate func fragmentStep(_ url: LinkURL) -> ExplainedStep? {
        guard components.contains(where: { $0.fragment != nil }) else { return nil }
        // An exclusion that asks for a fragment keeps no request away either.
        let asked = components.indices.filter { number in
            components[number].fragment == nil || !components[number].exclude
        }
        let rules = asked.map { number in
            var rule = RuleText(components[number])
            rule.fragment = nil
            return rule
        }
        var scratch = MatchScratch()
        let matcher = LinkMatcher([AppRules(appID: key, rules: rules)], variables: [])
        matcher.decide(url, &scratch)
        let found = matcher.decision(forApp: 0, scratch)
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
    fileprivate var words: String {
        switch self {
        case .page(let path): "the page \(path)"
        case .redirect(let url): "a redirect to \(String(decoding: url, as: UTF8.self))"
        case .landing: "a generated page"
        case .summary: "a page about the link"
        case .notFound, .fallback: "not found"
        }
    }
}

extension LandingOffer {
    /// What the page offers to this visitor, and what it cannot.
    fileprivate func steps(_ visitor: Visitor) -> [ExplainedStep] {
        var steps = [openStep(visitor)]
        if let schemeURL { steps.append(.init("own scheme", "offered on a tap: \(schemeURL)")) }
        steps += storeSteps(visitor)
        if let webURL { steps.append(.init("web", "offered: \(webURL)")) }
        return steps
    }

    private func storeSteps(_ visitor: Visitor) -> [ExplainedStep] {
        let stores =
            switch visitor.platform {
            case .ios, .ipad: [appStoreURL]
            case .android: [googlePlayURL]
            case .desktop: [appStoreURL, googlePlayURL]
            }
        let offered = stores.compactMap(\.self)
        guard offered.isEmpty else {
            return offered.map { ExplainedStep("store", "offered: \($0)") }
        }
        return [
            ExplainedStep(
                "store", "no app here has a page in the app store for \(visitor.platform.rawValue)",
                isTaken: false)
        ]
    }

    private func openStep(_ visitor: Visitor) -> ExplainedStep {
        func passed(_ reason: String) -> ExplainedStep {
            ExplainedStep("open in app", reason, isTaken: false)
        }
        func taken(_ reason: String) -> ExplainedStep { ExplainedStep("open in app", reason) }
        guard opensOnApple || opensOnAndroid else {
            return passed("no app of the environment opens it")
        }
        switch visitor.platform {
        case .desktop:
            guard visitor.mayBeIPad, let openURL else {
                return passed("a computer has no app; the page shows a QR code for phones")
            }
            return taken("offered, if the device is an iPad: \(openURL)")
        case .android:
            guard let openURL else {
                return passed("no app of the environment opens it on Android")
            }
            return opensByIntent(for: visitor)
                ? taken("offered, by an intent for Chrome: \(url)") : taken("offered: \(openURL)")
        case .ios, .ipad:
            guard opensOnApple else {
                return passed("no app of the environment opens it on iPhones and iPads")
            }
            return openURL.map { taken("offered, on another host: \($0)") }
                ?? passed(
                    "the environment has no open-host, and a tap on a link to the page's own host "
                        + "does not open an app")
        }
    }
}
