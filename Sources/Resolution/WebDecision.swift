import Associations
import Diagnostics
package import LinkIndex
package import SiteConfiguration

/// What a visitor gets for a URL, and why.
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
    /// What was found in the store, if the link is a collection.
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

/// The reason for an answer.
package enum WebReason: Hashable, Sendable {
    /// The link's action for the visitor's own platform, or for all others.
    case own(WebPlatform)
    /// An iPad gets the action for an iPhone.
    case iPhoneAction
    case otherwise
    /// The link has no action for the platform that a preview or a search engine imitates, but one
    /// for others.
    case otherPlatforms
    /// No link with an action or a page matches: the environment's `unmatched`.
    case noLink
    /// The link has no action for the visitor's platform: the environment's `unmatched`.
    case noAction
    /// None of the link's apps has a page in the platform's store: the environment's `unmatched`.
    case noStore
    /// The URL would contain a dot segment from the request, so it is refused.
    case dotSegment
    /// The URL would be too long with the texts of the request, so it is refused.
    case tooLong
    /// The collection has no such link, or it is not there yet.
    case unknownSlug
    /// The stored link is disabled, which is answered like an unknown one.
    case disabledSlug
    /// The stored link was deleted.
    case deletedSlug
    /// The link is a collection, and there is no store to look into.
    case notLookedUp
    /// A parameter of a long link is wrong.
    case refusedParameter
    /// The query asks for the debug page.
    case debugging

    /// Whether the environment's `unmatched` decided.
    package var isUnmatched: Bool {
        switch self {
        case .noLink, .noAction, .noStore: true
        case .own, .iPhoneAction, .otherwise, .otherPlatforms, .dotSegment, .tooLong,
            .unknownSlug, .disabledSlug, .deletedSlug, .notLookedUp, .refusedParameter, .debugging:
            false
        }
    }
}

/// What a generated page can offer.
package struct LandingOffer: Hashable, Sendable {
    /// The link itself, with its query, over https.
    package let url: String
    /// 200 unless no link claims the path.
    package var status: Int
    /// The apps that open the link. If none does, and the configuration has a page with status 200
    /// for every path, or the link leads to the store, the site's apps.
    package let apps: OfferedApps
    /// Whether an app opens the link, on each system.
    package let opensOnApple: Bool
    package let opensOnAndroid: Bool
    /// The same link with the environment's other host, with which a tap opens the app:
    /// `open-host`, or on that host the canonical one. Nil if there is no other host, or no app for
    /// the visitor's system opens the link. Without another host, Android opens the link itself.
    package let openURL: String?
    /// The link in the app's own scheme; nil unless the environment offers it and the visitor has a
    /// device of Apple.
    package let schemeURL: String?
    /// The URL to continue without the app: the link's for computers, or else that of `unmatched`.
    package let webURL: String?
    /// The site itself.
    package let homeURL: String?
    /// The argument of the page's banner; nil is the page's address.
    package let argument: String?
    /// The URL of the store's page, with campaign parameters.
    package let appStoreURL: String?
    package let googlePlayURL: String?
    /// Whether the link has ended, so that search engines must not list the page.
    package var hasEnded = false

    /// Whether the link has ended or was deleted, and the page says so.
    package var isGone = false

    /// Whether no link claims the path or it is gone, and the page says so.
    package var isUnknown: Bool { status != 200 }

    /// The name of the app for the visitor's system, or on computers of the first app; nil if no
    /// such app opens the link, or if it has no name.
    package func appName(for visitor: Visitor) -> String? {
        switch visitor.platform {
        case .ios, .ipad: apps.apple?.name
        case .android: apps.google?.name
        case .desktop: visitor.mayBeIPad ? apps.apple?.name ?? apps.name : apps.name
        }
    }

    /// The ways on that the page has for the visitor.
    package func ways(for visitor: Visitor) -> [LandingWay] {
        var situation = LandingSituation(visitor.platform)
        situation.isInApp = visitor.inAppBrowser != nil
        situation.canOpen = openURL != nil
        situation.hasWeb = webURL != nil
        situation.hasScheme = schemeURL != nil
        situation.hasHome = homeURL != nil
        situation.isUnknown = isUnknown
        situation.isGone = isGone
        return apps.ways(in: situation)
    }

    /// Whether Chrome or a similar browser opens the app by an intent. Firefox uses the fallback
    /// even if the app is installed, and browsers of other apps do not support intents.
    package func opensByIntent(for visitor: Visitor) -> Bool {
        visitor.platform == .android && !visitor.isFirefox && visitor.inAppBrowser == nil
            && opensOnAndroid && apps.androidPackage != nil
            && (googlePlayURL ?? webURL) != nil
    }
}

/// The memory of one decision. If it is kept, a redirect allocates nothing.
package struct LinkScratch: Sendable {
    var match = MatchScratch()
    var apps = MatchScratch()
    /// Where the visitor is led.
    package var location = [UInt8]()
    /// The stored links; nil if nothing is looked up.
    package var index: LinkIndex?
    /// Whether nothing is looked up for the client, which guesses: it gets the answer of an unknown
    /// slug.
    package var isGuesser = false
    /// Whether the last decision was about a slug that is unknown to strangers.
    package var isMiss = false
    var lookup = LinkLookup()
    /// What the long link that was decided last has besides its destination, as JSON.
    package var longDetails = [UInt8]()

    package init() {}

    /// The slug of the stored link that was found last.
    package var storedSlug: ArraySlice<UInt8> {
        let bytes = lookup.record
        return bytes.isEmpty ? [] : bytes[LinkRecordView(bytes.span).slug]
    }

    /// The stored link that was found last.
    package var record: LinkRecord? { lookup.record.isEmpty ? nil : LinkRecord(lookup.record) }

    /// Finds the link of a collection whose slug has this range in the texts of the stars.
    mutating func findStored(_ collection: UInt32, _ slug: Range<Int>, isExact: Bool) -> Bool {
        let text = match.starText
        return findStored(collection, text.span.extracting(slug), isExact: isExact)
    }

    /// Takes the destination of the stored link that was found last, if it is active at any time and
    /// has nothing that could lead somebody elsewhere.
    /// - Returns: the link's number.
    mutating func takeDestination() -> UInt64? {
        let record = LinkRecordView(lookup.record.span)
        guard case .active = record.state, record.from == nil, record.until == nil,
            !record.changesRedirect, !record.destination.isEmpty
        else { return nil }
        lookup.copy(record.destination, into: &location)
        return record.id
    }

    /// Finds the link of a collection with this slug.
    mutating func findStored(_ collection: UInt32, _ slug: Span<UInt8>, isExact: Bool) -> Bool {
        index?.find(collection, slug, isExact: isExact, &lookup) ?? false
    }
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
        if let claim { steps.append(actionStep(claim, visitor, isOpened: isOpened)) }
        if claim != nil, leadsToStore, !reason.isUnmatched, !isOpened {
            steps.append(.init("store", "no app opens the link, so an app of the site is offered"))
        }
        if reason.isUnmatched { steps.append(unmatchedStep(site.unmatched)) }
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

    private func actionStep(
        _ claim: Link, _ visitor: Visitor, isOpened: Bool
    ) -> ExplainedStep {
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
    fileprivate var earlyStep: ExplainedStep {
        let begin = times?.period.from.map { " before \($0)" } ?? ""
        return ExplainedStep(
            "link \(key)", "its rules match, but it is not there\(begin)", isTaken: false)
    }

    /// Why no request reaches the link, if only the fragment is missing; nil for other links.
    fileprivate func fragmentStep(_ url: LinkURL) -> ExplainedStep? {
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
    fileprivate var words: String {
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

extension LandingOffer {
    /// What the page offers to this visitor, and what it cannot offer.
    fileprivate func steps(_ visitor: Visitor) -> [ExplainedStep] {
        let ways = ways(for: visitor)
        var steps = isUnknown ? [] : [openStep(visitor)]
        if let schemeURL { steps.append(.init("own scheme", "offered on a tap: \(schemeURL)")) }
        if !isUnknown, !ways.contains(.appStore), !ways.contains(.googlePlay) {
            steps.append(
                .init(
                    "store",
                    "no app that opens it has a page in the app store for "
                        + visitor.platform.rawValue, isTaken: false))
        }
        for way in ways {
            switch way {
            case .appStore: steps += appStoreURL.map { [.init("store", "offered: \($0)")] } ?? []
            case .googlePlay:
                steps += googlePlayURL.map { [.init("store", "offered: \($0)")] } ?? []
            case .sentence:
                steps.append(
                    .init("sentence", "the page says that no such app is in this device's store"))
            case .web, .home, .advice, .open, .scheme, .code: continue
            }
        }
        if let webURL { steps.append(.init("web", "offered: \(webURL)")) }
        if ways.contains(.home), let homeURL { steps.append(.init("site", "offered: \(homeURL)")) }
        return steps
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
