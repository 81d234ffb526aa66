import Associations
import LinkIndex
import SiteConfiguration

/// Paths and queries about which two versions of a site are asked: one for every rule of both, and
/// links that distinguish the rules that changed from the rules that overlap with them.
struct SiteSamples {
    /// Without duplicates, in the order of the new version's file.
    private(set) var targets = [String]()
    /// Whether every overlap of a changed rule was examined.
    private(set) var isComplete = true
    private var known = Set<String>()

    /// The rules that automata compare at most, and the steps that they take.
    private static let rulesMax = 2_000
    private static let stepsMax = 6_000_000

    init(_ old: ComparedSite, _ new: ComparedSite) {
        add("https://\(new.host)/")
        for link in new.resolver.links + old.resolver.links {
            for component in link.components {
                let example = RuleText(component).exampleLink(host: new.host)
                if let example { add(example) }
            }
        }
        for side in [new, old] {
            for link in side.resolver.links { addFirebase(link, side.site, new.host) }
        }
        add("https://\(new.host)/no-such-page")
        addOverlaps(old, new)
    }

    private mutating func add(_ link: String) {
        guard let url = try? LinkURL(link) else { return }
        let target = url.requested.target
        if known.insert(target).inserted { targets.append(target) }
    }

    /// The questions that only links of Firebase Dynamic Links answer.
    private mutating func addFirebase(_ link: Link, _ site: Site, _ host: String) {
        guard let parts = link.collection?.firebase, let first = link.starPrefixes.first else {
            return
        }
        let start = "https://\(host)\(String(decoding: first, as: UTF8.self))"
        if parts.contains(.debug) { add("\(start)example?d=1") }
        if parts.contains(.longLinks), let destination = site.imaginedDestination(of: link) {
            add("\(start)?link=\(destination)")
        }
    }

    /// A link is decided differently only if it matches a link of the configuration that is new,
    /// gone, moved or changed. Only rules whose paths can begin alike overlap with those.
    private mutating func addOverlaps(_ old: ComparedSite, _ new: ComparedSite) {
        let (changedOld, changedNew) = Self.changed(old, new)
        guard !changedOld.isEmpty || !changedNew.isEmpty else { return }
        let changed =
            changedOld.map { old.resolver.links[$0] } + changedNew.map { new.resolver.links[$0] }
        let rules = ChangedRules(changed.flatMap(\.components))
        func lists(isWhole: Bool) -> [[RuleText]] {
            Self.lists(old.resolver.links, Set(changedOld), rules, isWhole: isWhole)
                + Self.lists(new.resolver.links, Set(changedNew), rules, isWhole: isWhole)
        }
        func isShort(_ lists: [[RuleText]]) -> Bool {
            lists.reduce(0) { $0 + $1.count } <= Self.rulesMax
        }
        var all = lists(isWhole: true)
        if !isShort(all) {
            isComplete = false
            all = lists(isWhole: false)
            guard isShort(all) else { return }
        }
        let found = distinguishingLinks(of: all, host: new.host, stepsMax: Self.stepsMax)
        for link in found.links { add(link) }
        isComplete = isComplete && found.isComplete
    }

    /// The rules of a version that matter, in lists whose first matching rule decides. A rule that
    /// excludes ends a list with its link, because the next link can match.
    /// - Parameter isWhole: with the rules for one path. Each has its example, but without it
    ///   another link can be found that it decides.
    private static func lists(
        _ links: [Link], _ changed: Set<Int>, _ rules: ChangedRules, isWhole: Bool
    ) -> [[RuleText]] {
        var lists = [[RuleText]()]
        for (number, link) in links.enumerated() {
            let kept = link.components.filter {
                changed.contains(number) || (isWhole || !$0.isOnePath) && rules.overlap(with: $0)
            }
            lists[lists.count - 1] += kept.map(RuleText.init)
            if kept.contains(where: \.exclude) { lists.append([]) }
        }
        return lists.filter { !$0.isEmpty }
    }

    // MARK: Changed links

    /// The settings that decide about a link, without positions and names.
    private struct Content: Hashable {
        let rules: [[[UInt8]]]
        let byPlatform: [WebPlatform: WebAction]?
        let otherwise: WebAction?
        let hasPage: Bool
        let period: LinkPeriod?
        let after: [WebPlatform: WebAction]?
        let afterOtherwise: WebAction?
        /// The collection whose links its star stands for; nil if it stands for nothing stored.
        let collection: CollectionName?

        init(_ link: Link, _ site: Site) {
            rules = link.components.map { RuleText($0).identity }
            byPlatform = link.web?.byPlatform
            otherwise = link.web?.otherwise
            hasPage = link.page != nil
            period = link.times?.period
            after = link.times?.after?.byPlatform
            afterOtherwise = link.times?.after?.otherwise
            collection = link.collection.map { _ in site.collectionName(link) }
        }
    }

    /// The numbers of the links that are not in both versions in the same order.
    private static func changed(
        _ before: ComparedSite, _ after: ComparedSite
    ) -> (old: [Int], new: [Int]) {
        let (old, new) = (before.resolver.links, after.resolver.links)
        var numbers = [Content: [Int]]()
        for (number, link) in old.enumerated().reversed() {
            numbers[Content(link, before.site), default: []].append(number)
        }
        var pairs = [(old: Int, new: Int)]()
        for (number, link) in new.enumerated() {
            if let partner = numbers[Content(link, after.site)]?.popLast() {
                pairs.append((partner, number))
            }
        }
        let kept = longestRise(pairs.map(\.old)).map { pairs[$0] }
        let (keptOld, keptNew) = (Set(kept.map(\.old)), Set(kept.map(\.new)))
        return (
            old.indices.filter { !keptOld.contains($0) },
            new.indices.filter { !keptNew.contains($0) }
        )
    }

    /// The indices of a longest strictly rising subsequence.
    private static func longestRise(_ numbers: [Int]) -> [Int] {
        var ends = [Int]()  // For each length, the index of the smallest last number.
        var previous = [Int?](repeating: nil, count: numbers.count)
        for (index, number) in numbers.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
            }
            previous[index] = low > 0 ? ends[low - 1] : nil
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var result = [Int]()
        var next = ends.last
        while let index = next {
            result.append(index)
            next = previous[index]
        }
        return result.reversed()
    }
}

/// Rules that changed, and which other rules can match the same paths.
private struct ChangedRules {
    /// The beginnings of their paths, up to the first wildcard.
    private var whole = Set<[UInt8]>()
    /// Every shorter beginning of these.
    private var shorter = Set<[UInt8]>()
    /// Their paths.
    private let matcher: RuleMatcher

    init(_ components: [Component]) {
        matcher = RuleMatcher(
            components.map { component in
                var rule = RuleText(component)
                (rule.query, rule.fragment, rule.exclude) = (nil, nil, false)
                return [rule]
            })
        for component in components {
            let beginning = component.beginning
            guard whole.insert(beginning).inserted else { continue }
            for count in 0...beginning.count { shorter.insert(Array(beginning[..<count])) }
        }
    }

    /// Whether one of them can match a path that this rule matches, as far as the beginnings show.
    func overlap(with component: Component) -> Bool {
        let beginning = component.beginning
        let isPossible =
            shorter.contains(beginning)
            || (0...beginning.count).contains { whole.contains(Array(beginning[..<$0])) }
        guard isPossible, component.isOnePath else { return isPossible }
        guard let example = RuleText(component).exampleLink(host: "example.com"),
            let url = try? LinkURL(example)
        else { return true }
        var scratch = MatchScratch()
        matcher.look(at: url, &scratch)
        var next = 0
        return matcher.opening(from: &next, &scratch) != nil
    }
}

extension Component {
    /// The path up to the first wildcard or variable; empty if paths are not compared as they are
    /// written.
    fileprivate var beginning: [UInt8] {
        guard caseSensitive != false, percentEncoded != false else { return [] }
        let bytes = Array((path ?? "").utf8.prefix { !"*?$%".utf8.contains($0) })
        // A slash at the end makes no difference.
        return bytes.last == UInt8(ascii: "/") ? bytes.dropLast() : bytes
    }

    /// Whether its example has the only path that it matches, and it compares nothing else.
    fileprivate var isOnePath: Bool {
        guard let path, query == nil, fragment == nil, caseSensitive != false,
            percentEncoded != false
        else { return false }
        return !path.utf8.contains { "*?$%".utf8.contains($0) }
    }
}
