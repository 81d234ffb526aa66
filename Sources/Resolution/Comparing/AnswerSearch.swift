import Associations
import SiteConfiguration
import URISyntax

/// Asks two versions of a site about links, and collects how their answers differ. Changes with the
/// same cause become one.
struct AnswerSearch {
    private(set) var changes = [SiteChange]()
    /// The decisions of both versions about the last link: once, or for each interval between times
    /// at which one of its links begins or ends.
    private(set) var looks = [Look]()
    /// The decisions of the look that is reported.
    private var before = [WebDecision?]()
    private var after = [WebDecision?]()
    /// The first link that has a landing page in the new version.
    private(set) var landing: String?
    private let old: ComparedSite
    private let new: ComparedSite
    private let visitors = Audience.allCases.map(\.visitor)
    private let hasCampaigns: Bool
    private let hasSameUnmatched: Bool
    private var scratch = LinkScratch()
    /// The stored link that is asked about; nil for links of the configuration.
    private var imagined: ImaginedLink?
    /// Whether both versions had a landing page, and a page's content, for the last link.
    private var (hasOffers, hasContent) = (false, false)
    /// For each cause, the number of its change in `changes`, and the rules that it concerns.
    private var causes = [Cause: (change: Int, rules: Set<[Int?]>)]()
    /// The differences between the pages of two links.
    private var pages = [[Int?]: [SettingChange]]()

    /// The decisions of both versions about one link at one time, in the order of the audiences;
    /// nil where no link decides.
    struct Look {
        fileprivate(set) var before = [WebDecision?]()
        fileprivate(set) var after = [WebDecision?]()
        /// The responses that differ, in words, and for whom.
        fileprivate var answers = [[String]: [Audience]]()
    }

    /// The parts that changes of several links have in common.
    private struct Cause: Hashable {
        let subject: String
        let audience: [Audience]
        let links: [Int?]
        let values: [String]
    }

    init(_ old: ComparedSite, _ new: ComparedSite) {
        (self.old, self.new) = (old, new)
        let links = Dictionary(old.site.webLinks.map { ($0.key, $0.campaign) }) { first, _ in first
        }
        hasSameUnmatched =
            WebAnswer.fallback.summary(old.site) == WebAnswer.fallback.summary(new.site)
        hasCampaigns =
            old.site.campaign != new.site.campaign
            || new.site.webLinks.contains { links[$0.key] != nil && links[$0.key] != $0.campaign }
    }

    /// Compares what both versions answer for a path and query.
    mutating func compare(_ target: String) {
        let count = changes.count
        let isFound = look(at: target)
        // Campaign parameters show only where a link has some.
        guard hasCampaigns, !isFound, changes.count == count else { return }
        let mark = target.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
        _ = look(at: "\(target)\(mark)utm_source=newsletter&utm_campaign=spring")
    }

    /// Whether the versions differ at some time.
    private mutating func look(at target: String) -> Bool {
        let times = Set(times(target, old) + times(target, new)).sorted()
        // The interval before the first time, and the intervals that begin with a time.
        let moments = times.first.map { [$0.seconds - 1] + times.map(\.seconds) } ?? [nil]
        let places = moments.map { place(of: target, at: $0) }
        (looks, hasOffers, hasContent) = ([], false, false)
        let links: [ImaginedLink?] = places.contains { $0 != nil } ? ImaginedLink.allCases : [nil]
        for link in links {
            imagined = link
            let found = zip(moments, places).compactMap { look(at: target, $0, $1) }
            compare(found, target, times)
            looks += found
        }
        imagined = nil
        return looks.contains { !$0.answers.isEmpty }
    }

    /// Collects how looks at all times differ.
    private mutating func compare(_ looks: [Look], _ target: String, _ times: [Timestamp]) {
        // One landing page offers what all of them do, and one page shows the collection's content. A
        // page that says that the link has ended is none of these.
        let isFirst = imagined == nil || imagined == .usual
        let comparesOffers = isFirst || imagined == .landing && !hasOffers
        let comparesContent = isFirst || imagined == .landing && !hasContent
        for (number, look) in looks.enumerated() {
            (before, after) = (look.before, look.after)
            for (words, audience) in look.answers.sorted(by: {
                $0.value[0].order < $1.value[0].order
            }) {
                guard number == 0 || looks[number - 1].answers[words] != audience else { continue }
                let isAlways = looks.allSatisfy { $0.answers[words] == audience }
                let time =
                    isAlways
                    ? "" : number == 0 ? " before \(times[0])" : " from \(times[number - 1]) on"
                let end = imagined == .ended ? " after its end" : ""
                report("response\(end)\(time)", target, audience, words[0], words[1])
            }
            if comparesOffers { compareOffers(target) }
            if comparesContent { comparePages(target) }
        }
    }

    /// The place of the stored link that decides a URL: in the old version, or else in the new one.
    private mutating func place(of target: String, at time: Int?) -> ImaginedPlace? {
        scratch.index = nil
        for side in [old, new] where side.resolver.hasCollections {
            guard let url = (try? LinkURL("https://\(side.host)\(target)"))?.requested,
                let decisions = decide(target, side, time)?.decisions,
                let place = side.place(of: url, decisions.first ?? nil)
            else { continue }
            return place
        }
        return nil
    }

    private func times(_ target: String, _ side: ComparedSite) -> [Timestamp] {
        guard let url = (try? LinkURL("https://\(side.host)\(target)"))?.requested else {
            return []
        }
        return side.resolver.times(of: url)
    }

    /// Asks both versions at one time.
    /// - Parameter place: of the imagined link.
    private mutating func look(at target: String, _ time: Int?, _ place: ImaginedPlace?) -> Look? {
        scratch.index = place.flatMap { imagined?.index(at: $0) }
        let time = imagined?.moment(time) ?? time
        guard let was = decide(target, old, time), let now = decide(target, new, time) else {
            return nil
        }
        let (before, after) = (was.decisions, now.decisions)
        if landing == nil, after.contains(where: { $0?.answer.isLanding == true }) {
            landing = "https://\(new.host)\(target)"
        }
        var look = Look(before: before, after: after)
        // It leads everybody to a page that its own `web` has, which is no answer of the collection.
        if imagined == .landing { return look }
        for (number, audience) in Audience.allCases.enumerated() {
            if was.route == now.route, old.host == new.host,
                before[number]?.answer == after[number]?.answer,
                hasSameUnmatched || before[number]?.answer != .fallback
            {
                continue
            }
            let words = [
                words(was.route, before[number], old), words(now.route, after[number], new),
            ]
            guard normal(words[0]) != normal(words[1]) else { continue }
            look.answers[words, default: []].append(audience)
        }
        return look
    }

    // MARK: Deciding

    private mutating func decide(
        _ target: String, _ side: ComparedSite, _ time: Int?
    ) -> (route: Decision, decisions: [WebDecision?])? {
        guard let url = (try? LinkURL("https://\(side.host)\(target)"))?.requested,
            let route = try? side.router.decide(url)
        else { return nil }
        guard route == .unmatched || route == .directory else {
            return (route, visitors.map { _ in nil })
        }
        var decisions = [WebDecision?]()
        for visitor in visitors {
            decisions.append(side.resolver.decide(url, for: visitor, at: time, &scratch))
        }
        return (route, decisions)
    }

    private func words(
        _ route: Decision, _ decision: WebDecision?, _ side: ComparedSite
    ) -> String {
        guard let decision else {
            switch route {
            case .resource(let number): return side.router.resources[number].words
            case .challenge: return "the file of an ACME challenge"
            case .changePassword:
                return "302 \(side.site.wellKnown.changePassword?.description ?? "")"
            default: return "404"
            }
        }
        return decision.answer.summary(side.site)
    }

    /// The text with the new version's host, so that only another meaning is a difference.
    private func normal(_ text: String) -> String {
        old.host == new.host
            ? text : replacing("https://\(old.host)/", in: text, with: "https://\(new.host)/")
    }

    // MARK: Reporting

    /// - Parameter values: what tells causes apart if the links do not matter.
    private mutating func report(
        _ subject: String, _ target: String, _ audience: [Audience], _ was: String, _ now: String,
        values: [String]? = nil
    ) {
        let number = Audience.allCases.firstIndex(of: audience[0]) ?? 0
        let links = [before[number]?.link, after[number]?.link]
        let cause = Cause(
            subject: subject, audience: audience, links: values == nil ? links : [],
            values: values ?? [kind(was), kind(now)])
        let rules = [before[number], after[number]].flatMap { [$0?.link, $0?.rule] }
        if let known = causes[cause] {
            // The same link can be asked about at several times.
            guard changes[known.change].url != "https://\(new.host)\(target)" else { return }
            let isNew = causes[cause]?.rules.insert(rules).inserted == true
            if isNew { changes[known.change].others += 1 }
            return
        }
        causes[cause] = (changes.count, [rules])
        let link =
            links[1].map { new.resolver.links[$0] } ?? links[0].map { old.resolver.links[$0] }
        var change = SiteChange(
            subject: subject, url: "https://\(new.host)\(target)", audience: audience,
            before: was, after: now, link: link)
        change.imagined = imagined
        changes.append(change)
    }

    /// An answer without the part that differs between links with the same action.
    private func kind(_ words: String) -> String {
        String(decoding: words.utf8.prefix { $0 != UInt8(ascii: "/") }, as: UTF8.self)
    }

    // MARK: Landing pages

    /// Compares the offers of generated pages to people.
    private mutating func compareOffers(_ target: String) {
        var found = [[String]: [Audience]]()
        for (number, audience) in Audience.allCases.enumerated() {
            guard case .landing(let was) = before[number]?.answer,
                case .landing(let now) = after[number]?.answer
            else { continue }
            hasOffers = true
            guard was != now else { continue }
            for (one, other) in zip(was.parts(visitors[number]), now.parts(visitors[number])) {
                guard let difference = difference(one, other) else { continue }
                found[difference, default: []].append(audience)
            }
        }
        for (part, audience) in found.sorted(by: { $0.key[0] < $1.key[0] }) {
            // The link's own path is part of these URLs, and says nothing about the cause.
            let isLinks = part[0] == "landing page: web"
            report(
                part[0], target, audience, part[1], part[2],
                values: isLinks ? nil : [origin(part[1]), origin(part[2])])
        }
    }

    private func difference(_ one: LandingPart, _ other: LandingPart) -> [String]? {
        func words(_ part: LandingPart) -> String { part.value ?? "not offered" }
        // Another host for the same purpose is reported once, as a setting.
        if one.isAnotherHost, one.value != nil, other.value != nil { return nil }
        guard normal(words(one)) != normal(words(other)) else { return nil }
        return ["landing page: \(one.name)", words(one), words(other)]
    }

    /// Scheme and host of a URL; another text is unchanged.
    private func origin(_ text: String) -> String {
        guard let url = try? LinkURL(text) else { return text }
        let isStore = ["apps.apple.com", "play.google.com"].contains(url.host)
        return isStore ? text : url.host
    }

    // MARK: Content of pages

    private mutating func comparePages(_ target: String) {
        var found = [[Int?]: [Audience]]()
        for (number, audience) in Audience.allCases.enumerated() {
            guard let was = before[number], let now = after[number],
                was.answer.hasContent, now.answer.hasContent
            else { continue }
            hasContent = true
            found[[was.link, now.link], default: []].append(audience)
        }
        for (links, audience) in found.sorted(by: { $0.value[0].order < $1.value[0].order }) {
            for change in pageChanges(links) {
                report("page \(change.name)", target, audience, change.before, change.after)
            }
        }
    }

    private mutating func pageChanges(_ links: [Int?]) -> [SettingChange] {
        if let known = pages[links] { return known }
        let was = links[0].flatMap { old.resolver.links[$0].page?.settings } ?? []
        let now = links[1].flatMap { new.resolver.links[$0].page?.settings } ?? []
        let changes = SettingChange.all(was, now)
        pages[links] = changes
        return changes
    }
}

extension Audience {
    fileprivate var order: Int { Audience.allCases.firstIndex(of: self) ?? 0 }
}

extension WebAnswer {
    fileprivate var isLanding: Bool {
        if case .landing(let offer) = self { !offer.isGone } else { false }
    }

    /// Whether it shows the content of a link's `page`.
    fileprivate var hasContent: Bool {
        switch self {
        case .landing(let offer), .summary(let offer): !offer.isGone
        case .page, .redirect, .notFound, .gone, .fallback, .tooLong, .refused, .debug: false
        }
    }

    /// Status and content in a few words.
    fileprivate func summary(_ site: Site) -> String {
        switch self {
        case .page(let path): return "200, the page \(path)"
        case .redirect(let url, let status):
            return "\(status.rawValue) \(String(decoding: url, as: UTF8.self))"
        case .landing(let offer) where offer.isGone: return "410"
        case .landing(let offer): return "\(offer.status), a landing page"
        case .summary(let offer): return "\(offer.status), a page with title and image"
        case .notFound: return "404"
        case .gone: return "410"
        case .tooLong: return "414"
        case .refused: return "400"
        case .debug: return "200, the debug page"
        case .fallback:
            guard case .page(let path, let status, _) = site.unmatched else { return "404" }
            return "\(status), the page \(path)"
        }
    }
}

/// Something that a landing page can offer.
private struct LandingPart {
    let name: String
    /// Nil if it is not offered.
    let value: String?
    var isAnotherHost = false
}

extension LandingOffer {
    fileprivate func parts(_ visitor: Visitor) -> [LandingPart] {
        let isOnApple = visitor.platform == .ios || visitor.platform == .ipad
        let scheme = schemeURL.map { url in
            String(decoding: url.utf8.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self) + "://"
        }
        return [
            LandingPart(name: "name of the app", value: appName(for: visitor)),
            LandingPart(name: "open in the app", value: openURL, isAnotherHost: true),
            LandingPart(name: "own scheme", value: scheme),
            LandingPart(name: "App Store", value: visitor.platform == .android ? nil : appStoreURL),
            LandingPart(name: "Google Play", value: isOnApple ? nil : googlePlayURL),
            LandingPart(name: "web", value: webURL),
            LandingPart(name: "site", value: ways(for: visitor).contains(.home) ? homeURL : nil),
        ]
    }
}

/// The text with another text in place of the first occurrence.
private func replacing(_ old: String, in text: String, with new: String) -> String {
    let (bytes, wanted) = (Array(text.utf8), Array(old.utf8))
    guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: wanted) }) else {
        return text
    }
    return String(
        decoding: bytes[..<start] + Array(new.utf8) + bytes[(start + wanted.count)...],
        as: UTF8.self)
}
