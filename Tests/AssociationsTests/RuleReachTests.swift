import Associations
import TestSupport
import Testing

@Suite("Rules that decide no link")
struct RuleReachTests {
    /// Rules in their order, the last of which is asked about.
    struct Row: CustomTestStringConvertible {
        let rules: [RuleText]
        let deciders: [Int]
        var variables = [SubstitutionVariable]()
        var testDescription: String { rules.map(\.summary).joined(separator: ", ") }

        init(_ paths: String..., by deciders: [Int] = [0]) {
            self.init(paths.map { RuleText(path: $0) }, by: deciders)
        }

        init(_ rules: [RuleText], by deciders: [Int] = [0]) {
            (self.rules, self.deciders) = (rules, deciders)
        }
    }

    static let rows: [Row] = [
        .init("/a/*", "/a/b"), .init("/a/*", "/a"), .init("*", "/a"), .init("/*", "*b"),
        .init("/a?*", "/abc"), .init("/*b", "/a/b"), .init("/a/*", "/a/$(digit)"),
        .init("/???", "/ab?"), .init("/buy", "buy//"), .init("/a?*b", "/a*?b"),
        .init("/*", "/a", "/a/*"), .init("/x", "/a", "/a", by: [1]),
        .init("/a", "/b", "/$(alpha)", by: []), .init("/a/b", "/a/*", by: []),
        .init("/$(alpha)", "/a"), .init("/$(alnum)", "/$(digit)"),
        .init("/$(alpha)", "/$(digit)", "/$(alnum)", by: [0, 1]),
        .init("/a", "/A", by: []),
        .init([RuleText(path: "/a", caseSensitive: false), RuleText(path: "/A")]),
        .init([RuleText(path: "/a"), RuleText(path: "/a", caseSensitive: false)], by: []),
        .init([RuleText(path: "/a"), RuleText(path: "/a", fragment: "x")]),
        .init([RuleText(path: "/a", fragment: "x"), RuleText(path: "/a")], by: []),
        .init([
            RuleText(query: .items([.init(name: "a", pattern: "*")])), RuleText(path: "/b"),
        ]),
        .init(
            [
                RuleText(path: "/a", fragment: "?*"), RuleText(path: "/a", fragment: ""),
                RuleText(path: "/a"),
            ], by: [0, 1]),
        // What matches nothing is hidden behind nobody.
        .init("/*", "/$(nobody)", by: []), .init("/*", "/$(", by: []),
    ]

    @Test("the rules that decide instead are named, one if one is enough", arguments: rows)
    func deciders(_ row: Row) {
        var reach = RuleReach(row.rules, variables: row.variables)
        #expect(reach.deciders(of: row.rules.count - 1) == row.deciders)
    }

    @Test(
        "a rule for every link is known as one",
        arguments: [("*", true), ("/*", true), ("/?*", false), ("*a", false), ("/", false)])
    func forAll(_ path: String, _ isForAll: Bool) {
        #expect(RuleText(path: path).matchesAll() == isForAll)
        var reach = RuleReach([RuleText(path: "/a"), RuleText(path: path)])
        #expect(reach.firstForAll() == (isForAll ? 1 : nil))
    }

    @Test func `many rules behind others are known as such, and the others as reached`() {
        let paths =
            (0..<100).flatMap { ["/a\($0)/*", "/a\($0)/b", "/c/\($0)"] } + ["*/d/*", "/c/d/e"]
        var reach = RuleReach(paths.map { RuleText(path: $0) })
        for (rule, path) in paths.enumerated() {
            let expected = path.hasSuffix("/b") ? [rule - 1] : path == "/c/d/e" ? [300] : []
            #expect(reach.deciders(of: rule) == expected, "\(path)")
        }
    }

    /// Against the matcher: no link that could be written with a few letters is decided by it.
    @Test func `a rule of which it is said decides no link`() throws {
        let links = try (0...5).flatMap(words).map { try LinkURL("https://e.com/\($0)") }
        var generator = SplitMix()
        var hidden = 0
        for _ in 0..<1_000 {
            let rules = (0..<4).map { _ in RuleText(path: "/" + pattern(&generator)) }
            var reach = RuleReach(rules)
            let deciders = reach.deciders(of: 3)
            guard !deciders.isEmpty else { continue }
            hidden += 1
            let matcher = LinkMatcher(rules.map { AppRules(appID: "", rules: [$0]) }, variables: [])
            for link in links {
                let matching = matcher.opens(link)
                guard matching.contains(3) else { continue }
                #expect(
                    deciders.contains(where: matching.contains),
                    "seed \(generator.seed): \(rules.map(\.summary)) and \(link)")
            }
        }
        #expect(hidden > 50)
    }

    private func pattern(_ generator: inout some RandomNumberGenerator) -> String {
        String(
            (0..<Int.random(in: 0...4, using: &generator)).compactMap { _ in
                "ab*?".randomElement(using: &generator)
            })
    }

    private func words(_ length: Int) -> [String] {
        guard length > 0 else { return [""] }
        return words(length - 1).flatMap { word in ["a", "b", "/"].map { word + $0 } }
    }
}
