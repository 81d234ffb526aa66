import Foundation
import TestSupport
import Testing

@testable import Associations

@Suite("Links of rules beside the paths of a manifest")
struct ManifestComparisonTests {
    private func compare(
        _ rules: [RuleText], _ patterns: [(AndroidPattern.Kind, String)], steps: Int = 40_000_000
    ) throws -> ManifestComparison {
        var stepsLeft = steps
        return ManifestComparison(
            rules,
            ManifestLinks(ManifestPaths(try patterns.map { try AndroidPattern($0.0, $0.1) })),
            host: "example.com", &stepsLeft)
    }

    private func paths(_ patterns: String...) -> [RuleText] { patterns.map { RuleText(path: $0) } }

    @Test func `what both say the same of has no difference`() throws {
        for (rules, patterns) in [
            (paths("/item/*"), [(AndroidPattern.Kind.prefix, "/item/")]),
            (paths("/item/*"), [(.simple, "/item/.*")]),
            (paths("/a", "/b/*"), [(.literal, "/a"), (.advanced, "/b/.*")]),
            (paths("/caf%C3%A9"), [(.literal, "/café")]),
            (paths("*"), [(.prefix, "/")]),
            (paths("/a%20b"), [(.literal, "/a b")]),
        ] {
            let comparison = try compare(rules, patterns)
            #expect(comparison.isComplete, "\(patterns)")
            #expect(comparison.untaken.map(\.link) == [], "\(patterns)")
            #expect(comparison.unpublished.map(\.link) == [], "\(patterns)")
        }
    }

    @Test func `a link that no filter takes has an example`() throws {
        let comparison = try compare(
            [
                RuleText(path: "/item/sold/*", exclude: true), RuleText(path: "/item/*"),
                RuleText(path: "/promo"),
            ], [(.prefix, "/item/new/"), (.prefix, "/item/sold/")])
        #expect(comparison.isComplete)
        #expect(comparison.untaken.map(\.rule) == [1, 2])
        #expect(comparison.untaken.last?.link == "https://example.com/promo")
        #expect(comparison.unpublished.map(\.link) == ["https://example.com/item/sold/example"])
        #expect(
            comparison.unpublished.map(\.taker) == [
                .path(try AndroidPattern(.prefix, "/item/sold/"))
            ])
    }

    @Test func `an example can need a query`() throws {
        var rule = RuleText(path: "/buy")
        rule.query = .items([QueryItemPattern(name: "id", pattern: "?*")])
        let comparison = try compare([rule], [(.literal, "/shop")])
        let link = try #require(comparison.untaken.first?.link)
        #expect(link.hasPrefix("https://example.com/buy?id="))
        // The manifest cannot say what a query must be, so it does not open more than the rule.
        #expect(try compare([rule], [(.literal, "/buy")]).unpublished.isEmpty)
    }

    @Test func `a search that is not finished says so`() throws {
        let rules = paths("/*a????????????????*", "/*b????????????????*")
        let comparison = try compare(rules, [(.simple, "/.*a.*")], steps: 20_000)
        #expect(!comparison.isComplete)
        #expect(try compare(paths("/a"), [(.literal, "/a")], steps: 20_000).isComplete)
    }

    @Test func `a search in very many characters is not begun, and says so`() throws {
        func path(_ count: Int) -> String {
            let scalars = (0x4E00..<0x4E00 + count).compactMap { Unicode.Scalar(UInt32($0)) }
            return "/" + String(String.UnicodeScalarView(scalars))
        }
        #expect(try compare(paths("/a"), [(.literal, path(100))]).isComplete)
        #expect(try !compare(paths("/a"), [(.literal, path(2_000))]).isComplete)
    }

    // MARK: Costs

    @Test func `filters cost in proportion to their number`() throws {
        func steps(_ count: Int) throws -> Int {
            var stepsLeft = 40_000_000
            let comparison = ManifestComparison(
                (0..<count).map { RuleText(path: "/item/\(1000 + $0)/*") },
                ManifestLinks(
                    ManifestPaths(
                        try (0..<count).map { try AndroidPattern(.prefix, "/item/\(1000 + $0)/") })),
                host: "example.com", &stepsLeft)
            #expect(comparison.isComplete)
            #expect(comparison.untaken.isEmpty && comparison.unpublished.isEmpty)
            return 40_000_000 - stepsLeft
        }
        let (few, many) = (try steps(50), try steps(200))
        #expect(many < few * 6, "\(few) steps for 50, \(many) for 200")
    }

    @Test(
        "a hostile pattern ends",
        arguments: [
            (AndroidPattern.Kind.advanced, "/", "a*", 1_000),
            (.advanced, "/.{1000000}", "", 0), (.advanced, "/[ab]{0,2147483647}c", "", 0),
            (.simple, "/", ".*a", 1_000), (.simple, "/", "a*b*", 1_000),
            (.suffix, "", "ab", 2_000), (.literal, "/", "a", 4_000),
        ])
    func ends(_ kind: AndroidPattern.Kind, _ start: String, _ piece: String, _ count: Int) throws {
        let pattern = try AndroidPattern(kind, start + String(repeating: piece, count: count))
        var stepsLeft = 400_000
        let comparison = ManifestComparison(
            [RuleText(path: "/*a?b*")], ManifestLinks(ManifestPaths([pattern])),
            host: "example.com", &stepsLeft)
        #expect(stepsLeft > -1_000_000)
        #expect(!comparison.isComplete || !comparison.untaken.isEmpty)
    }

    // MARK: Beside every short path

    private static let letters = ["a", "b", "/", "."]
    /// All paths of up to four letters behind the first slash, without two slashes in a row.
    private static let short: [String] = {
        var (all, last) = (["/"], ["/"])
        for _ in 0..<4 {
            last = last.flatMap { path in
                letters.filter { $0 != "/" || path.last != "/" }.map { path + $0 }
            }
            all += last
        }
        return all
    }()

    @Test func `inclusion is that of all short paths`() throws {
        let seed = ProcessInfo.processInfo.environment["WAYMARK_SEED"].flatMap(UInt64.init) ?? 1
        let rounds =
            ProcessInfo.processInfo.environment["WAYMARK_ANDROID_LISTS"].flatMap(Int.init) ?? 40
        var random = SplitMix(seed: seed)
        var (complete, differing) = (0, 0)
        for round in 0..<rounds {
            let rules = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                RuleText(
                    path: "/" + random.text(["a", "b", "/", "*", "?", "a"], upTo: 4),
                    exclude: Int.random(in: 0..<5, using: &random) == 0)
            }
            let patterns = (0..<Int.random(in: 1...3, using: &random)).compactMap { _ in
                random.pattern()
            }
            var stepsLeft = 4_000_000
            let comparison = ManifestComparison(
                rules, ManifestLinks(ManifestPaths(patterns)), host: "example.com", &stepsLeft)
            complete += comparison.isComplete ? 1 : 0
            let found = Brute(rules, patterns, Self.short)
            differing += found.untaken.isEmpty ? 0 : 1
            let name =
                "seed \(seed), round \(round): \(rules.map(\.summary)) \(patterns.map(\.text))"
            if comparison.isComplete {
                #expect(found.untaken.isSubset(of: comparison.untaken.map(\.rule)), "\(name)")
                #expect(found.unpublished.isEmpty || !comparison.unpublished.isEmpty, "\(name)")
            }
            for (rule, link) in comparison.untaken {
                #expect(Brute(rules, patterns, [path(of: link)]).untaken == [rule], "\(name)")
            }
            for (_, link) in comparison.unpublished {
                #expect(!Brute(rules, patterns, [path(of: link)]).unpublished.isEmpty, "\(name)")
            }
        }
        #expect(complete * 100 >= rounds * 95, "\(complete) of \(rounds)")
        #expect(differing * 10 > rounds, "\(differing) of \(rounds)")
    }

    private func path(of link: String) -> String {
        let path = String(link.dropFirst("https://example.com".count))
        return path.removingPercentEncoding ?? path
    }

    /// The differences among some paths, by the plain matcher and Android's own way to match.
    private struct Brute {
        var untaken = Set<Int>()
        var unpublished = Set<String>()

        init(_ rules: [RuleText], _ patterns: [AndroidPattern], _ paths: [String]) {
            let plain = PlainMatcher(variables: [:])
            func takes(_ path: String) -> Bool {
                patterns.contains { AndroidPatternReference.takes(path, $0) }
            }
            for path in paths {
                let written = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
                guard let url = try? LinkURL("https://example.com" + (written ?? path)) else {
                    continue
                }
                let rule = rules.firstIndex { plain.matches($0, url) }
                let opens = rule.map { !rules[$0].exclude } ?? false
                let other = path.last == "/" ? String(path.dropLast()) : path + "/"
                let forms = [path, other]
                if opens, let rule, !forms.contains(where: takes) { untaken.insert(rule) }
                if !opens, takes(path) { unpublished.insert(path) }
            }
        }
    }
}

extension SplitMix {
    /// A pattern of any kind for a path.
    mutating func pattern() -> AndroidPattern? {
        let kinds: [AndroidPattern.Kind] = [
            .literal, .prefix, .suffix, .simple, .simple, .advanced,
        ]
        let kind = kinds.randomElement(using: &self) ?? .literal
        let pieces =
            switch kind {
            case .simple: ["a", "b", "/", ".*", "a*", ".", "\\."]
            case .advanced: ["a", "b", "/", ".", "*", "+", "[ab]", "[^/]*", "{1,2}"]
            default: ["a", "b", "/", "."]
            }
        return try? AndroidPattern(kind, (kind == .suffix ? "" : "/") + text(pieces, upTo: 4))
    }
}
