import Foundation
import TestSupport
import Testing

@testable import Associations

@Suite("Groups of conditions of a manifest (Android 15)")
struct ManifestGroupTests {
    typealias Parts = AndroidFilterReference.Parts

    private func condition(
        _ part: ManifestFilter.Group.Part, _ kind: AndroidPattern.Kind, _ text: String
    ) throws -> ManifestLinks.Condition {
        ManifestLinks.Condition(part, try AndroidPattern(kind, text))
    }

    private func compare(
        _ rules: [RuleText], _ filters: [AndroidFilterReference], steps: Int = 40_000_000
    ) -> ManifestComparison {
        var stepsLeft = steps
        return ManifestComparison(
            rules, filters.links, host: "example.com", &stepsLeft)
    }

    private func untaken(_ comparison: ManifestComparison) -> [String] {
        comparison.untaken.map(\.link)
    }

    // MARK: Links

    struct Row: Sendable, CustomTestStringConvertible {
        let link: String
        let isTaken: Bool
        var testDescription: String { link }
    }

    @Test(
        "the first group that a link matches decides",
        arguments: [
            Row(link: "/p/1", isTaken: true), Row(link: "/p/1?b=2", isTaken: true),
            Row(link: "/p/1?a=1", isTaken: false), Row(link: "/p/1?b=2&a=1", isTaken: false),
            Row(link: "/p/1?b=2;a=1", isTaken: false),
            // Two items by the other separator, so a semicolon is a character.
            Row(link: "/p/1?b=2;a=1&c", isTaken: true),
            Row(link: "/p/1?%61=1", isTaken: false), Row(link: "/p/1?b=2%26a=1", isTaken: false),
            Row(link: "/q/1", isTaken: false), Row(link: "/q/1#top", isTaken: true),
            Row(link: "/q/1#", isTaken: false), Row(link: "/q/1#to", isTaken: false),
        ])
    func decides(_ row: Row) throws {
        let filter = AndroidFilterReference(groups: [
            .init(allows: false, conditions: [try condition(.query, .literal, "a=1")]),
            .init(allows: true, conditions: [try condition(.path, .prefix, "/p/")]),
            .init(
                allows: true,
                conditions: [
                    try condition(.path, .prefix, "/q/"),
                    try condition(.fragment, .advanced, "[a-z]{3}"),
                ]),
        ])
        let url = try LinkURL("https://example.com\(row.link)")
        let link = try #require(AndroidLink(url))
        var index = ManifestLinkIndex([filter].links)
        let taker = index.taker(of: link)
        #expect((taker != nil) == row.isTaken)
        #expect(filter.takes(Parts(of: url)) == row.isTaken)
    }

    // MARK: Beside rules

    @Test func `a group that blocks a query leaves a link of a rule`() throws {
        let filter = AndroidFilterReference(groups: [
            .init(allows: false, conditions: [try condition(.query, .prefix, "preview=")]),
            .init(allows: true, conditions: [try condition(.path, .prefix, "/p/")]),
        ])
        let comparison = compare([RuleText(path: "/p/*")], [filter])
        #expect(comparison.isComplete)
        #expect(untaken(comparison).allSatisfy { $0.contains("?preview=") })
        #expect(untaken(comparison).count == 1)
        #expect(comparison.unpublished.isEmpty)
        var preview = RuleText(path: "/p/*", exclude: true)
        preview.query = .whole("*preview=*")
        let narrowed = compare([preview, RuleText(path: "/p/*")], [filter])
        #expect(narrowed.isComplete)
        #expect(untaken(narrowed) == [])
    }

    @Test func `a group of a path is like a path`() throws {
        let group = AndroidFilterReference.Group(
            allows: true, conditions: [try condition(.path, .prefix, "/p/")])
        let filter = AndroidFilterReference(groups: [group])
        for rules in [[RuleText(path: "/p/*")], [RuleText(path: "/p/?*"), RuleText(path: "/p/")]] {
            let comparison = compare(rules, [filter])
            #expect(comparison.isComplete)
            #expect(untaken(comparison) == [])
            #expect(comparison.unpublished.isEmpty)
        }
        let other = compare([RuleText(path: "/q/*")], [filter])
        #expect(untaken(other) == ["https://example.com/q/example"])
        #expect(other.unpublished.map(\.taker) == [.group(filter: 0, number: 0)])
    }

    @Test func `the same pattern for two parts is two conditions`() throws {
        let filter = AndroidFilterReference(groups: [
            .init(allows: false, conditions: [try condition(.query, .suffix, "a")]),
            .init(allows: true, conditions: [try condition(.fragment, .suffix, "a")]),
        ])
        var rule = RuleText(path: "/p")
        rule.fragment = "a"
        let comparison = compare([rule], [filter])
        #expect(comparison.isComplete)
        #expect(untaken(comparison).count == 1)
        #expect(untaken(comparison).allSatisfy { $0.contains("?") })
        rule.query = .whole("")
        #expect(untaken(compare([rule], [filter])) == [])
    }

    @Test func `a filter that blocks has no part in what another takes`() throws {
        let path = try condition(.path, .prefix, "/p/")
        let filters = [
            AndroidFilterReference(groups: [.init(allows: false, conditions: [path])]),
            AndroidFilterReference(groups: [.init(allows: true, conditions: [path])]),
        ]
        #expect(untaken(compare([RuleText(path: "/p/*")], filters)) == [])
        #expect(untaken(compare([RuleText(path: "/p/*")], [filters[0]])).count == 1)
    }

    @Test func `a longer path is found where a group blocks the shortest`() throws {
        let filter = AndroidFilterReference(groups: [
            .init(allows: false, conditions: [try condition(.path, .literal, "/")]),
            .init(allows: true, conditions: [try condition(.query, .prefix, "")]),
        ])
        let comparison = compare([RuleText(path: "/p")], [filter])
        #expect(comparison.isComplete)
        #expect(comparison.unpublished.map(\.taker) == [.group(filter: 0, number: 1)])
    }

    @Test func `a search in very many groups ends`() throws {
        let filters = try (0..<400).map { number in
            AndroidFilterReference(groups: [
                .init(
                    allows: false, conditions: [try condition(.query, .simple, ".*\(number).*")]),
                .init(allows: true, conditions: [try condition(.path, .prefix, "/\(number)/")]),
            ])
        }
        let comparison = compare([RuleText(path: "/*")], filters, steps: 400_000)
        #expect(!comparison.isComplete)
    }

    // MARK: Beside every short link

    private static let links: [Parts] = {
        let letters = ["a", "b", "/"]
        var (paths, last) = (["/"], ["/"])
        for _ in 0..<3 {
            last = last.flatMap { path in
                letters.filter { $0 != "/" || path.last != "/" }.map { path + $0 }
            }
            paths += last
        }
        let queries = [nil, "a", "b", "a=", "a=b", "a=a", "b=a", "a=a&b", "a=b&b=a", "b&a=b"]
        let fragments = [nil, "a", "ab"]
        return paths.flatMap { path in
            queries.flatMap { query in fragments.map { Parts(path, query, $0) } }
        }
    }()

    @Test func `inclusion is that of all short links`() throws {
        let seed = ProcessInfo.processInfo.environment["WAYMARK_SEED"].flatMap(UInt64.init) ?? 1
        let rounds =
            ProcessInfo.processInfo.environment["WAYMARK_ANDROID_LISTS"].flatMap(Int.init) ?? 40
        var random = SplitMix(seed: seed)
        var (complete, differing) = (0, 0)
        for round in 0..<rounds {
            let rules = (0..<Int.random(in: 1...3, using: &random)).map { _ in random.rule() }
            let filters = (0..<Int.random(in: 1...2, using: &random)).map { _ in random.filter() }
            let comparison = compare(rules, filters, steps: 4_000_000)
            complete += comparison.isComplete ? 1 : 0
            let found = Brute(rules, filters, Self.links)
            differing += found.untaken.isEmpty ? 0 : 1
            let name = Comment(
                rawValue: "seed \(seed), round \(round): \(rules.map(\.summary)) \(filters)")
            if comparison.isComplete {
                #expect(found.untaken.isSubset(of: comparison.untaken.map(\.rule)), name)
                #expect(found.unpublished.isEmpty || !comparison.unpublished.isEmpty, name)
            }
            for (rule, link) in comparison.untaken {
                let parts = Parts(of: try LinkURL(link))
                #expect(Brute(rules, filters, [parts]).untaken == [rule], name)
            }
            for (_, link) in comparison.unpublished {
                let parts = Parts(of: try LinkURL(link))
                #expect(Brute(rules, filters, [parts]).unpublished == [parts], name)
            }
        }
        #expect(complete * 100 >= rounds * 90, "\(complete) of \(rounds)")
        #expect(differing * 10 > rounds, "\(differing) of \(rounds)")
    }

    /// The differences among some links, by the plain matcher and Android's own way to decide.
    private struct Brute {
        var untaken = Set<Int>()
        var unpublished = Set<Parts>()

        init(_ rules: [RuleText], _ filters: [AndroidFilterReference], _ links: [Parts]) {
            let plain = PlainMatcher(variables: [:])
            let ofPaths = rules.compactMap { rule -> RuleText? in
                if rule.exclude, rule.query != nil || rule.fragment != nil { return nil }
                var rule = rule
                (rule.query, rule.fragment) = (nil, nil)
                return rule
            }
            func takes(_ link: Parts) -> Bool { filters.contains { $0.takes(link) } }
            for link in links {
                guard let url = try? LinkURL(link.text) else { continue }
                let rule = rules.firstIndex { plain.matches($0, url) }
                let opens = rule.map { !rules[$0].exclude } ?? false
                if opens, let rule, !takes(link), !takes(link.otherForm) { untaken.insert(rule) }
                let isPublished = ofPaths.first { plain.matches($0, url) }.map { !$0.exclude }
                if isPublished != true, takes(link) { unpublished.insert(link) }
            }
        }
    }
}

extension AndroidFilterReference.Parts {
    fileprivate var text: String {
        let written = { (text: String, allowed: CharacterSet) in
            text.addingPercentEncoding(withAllowedCharacters: allowed) ?? text
        }
        return "https://example.com" + written(path, .urlPathAllowed)
            + (query.map { "?" + written($0, .urlQueryAllowed) } ?? "")
            + (fragment.map { "#" + written($0, .urlFragmentAllowed) } ?? "")
    }
}

extension [AndroidFilterReference] {
    /// The same links for the program.
    fileprivate var links: ManifestLinks {
        ManifestLinks(
            ManifestPaths(
                takesAll: contains { $0.paths.isEmpty && $0.groups.isEmpty },
                flatMap(\.paths)),
            enumerated().map { filter, reference in
                reference.groups.enumerated().map { number, group in
                    ManifestLinks.Group(
                        allows: group.allows, group.conditions, filter: filter, number: number)
                }
            }.filter { !$0.isEmpty })
    }
}

extension SplitMix {
    fileprivate mutating func rule() -> RuleText {
        var rule = RuleText(
            path: "/" + text(["a", "b", "/", "*", "?", "a"], upTo: 3),
            exclude: Int.random(in: 0..<5, using: &self) == 0)
        switch Int.random(in: 0..<6, using: &self) {
        case 0: rule.query = .whole(text(["a", "b", "=", "*", "?", "&"], upTo: 3))
        case 1:
            rule.query = .items([
                QueryItemPattern(
                    name: Bool.random(using: &self) ? "a" : "b",
                    pattern: text(["a", "b", "*", "?"], upTo: 2))
            ])
        default: break
        }
        if Int.random(in: 0..<6, using: &self) == 0 {
            rule.fragment = text(["a", "b", "*"], upTo: 2)
        }
        return rule
    }

    fileprivate mutating func filter() -> AndroidFilterReference {
        var filter = AndroidFilterReference()
        if Int.random(in: 0..<3, using: &self) == 0 {
            filter.paths = [pattern()].compactMap(\.self)
        }
        for _ in 0..<Int.random(in: 1...3, using: &self) {
            var conditions = [ManifestLinks.Condition]()
            for _ in 0..<Int.random(in: 1...2, using: &self) {
                switch Int.random(in: 0..<5, using: &self) {
                case 0...1: conditions += [pattern()].compactMap(\.self).map { .init(.path, $0) }
                case 2...3: conditions += [other()].compactMap(\.self).map { .init(.query, $0) }
                default: conditions += [other()].compactMap(\.self).map { .init(.fragment, $0) }
                }
            }
            guard !conditions.isEmpty else { continue }
            filter.groups.append(
                .init(
                    allows: Int.random(in: 0..<3, using: &self) > 0, conditions: conditions))
        }
        return filter
    }

    /// A pattern of any kind for an item of a query, or for a fragment.
    private mutating func other() -> AndroidPattern? {
        let kinds: [AndroidPattern.Kind] = [.literal, .prefix, .suffix, .simple, .advanced]
        let kind = kinds.randomElement(using: &self) ?? .literal
        let pieces =
            switch kind {
            case .simple: ["a", "b", "=", ".*", "a*", "."]
            case .advanced: ["a", "b", "=", ".", "*", "+", "[ab]", "{1,2}"]
            default: ["a", "b", "=", "a="]
            }
        return try? AndroidPattern(kind, text(pieces, upTo: 3))
    }
}
