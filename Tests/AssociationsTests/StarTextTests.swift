import Associations
import Foundation
import Testing

@Suite("What stars take")
struct StarTextTests {
    @Test(
        "each star's text, as the link writes it",
        arguments: [
            ("/dl/*", "/dl/x", ["x"]), ("/dl/*", "/dl/x/", ["x/"]), ("/dl/*", "/dl/x/y", ["x/y"]),
            ("/dl/*", "/dl", [""]), ("/dl/*", "/dl/", [""]), ("/dl*", "/dlx", ["x"]),
            ("*", "/a/b", ["/a/b"]), ("/*/c/*", "/a/b/c/d", ["a/b", "d"]),
            ("/*-*", "/a-b-c", ["a", "b-c"]), ("*/x", "/a/x", ["/a"]),
            ("/a/?*", "/a/xyz", ["yz"]), ("/a/*/b", "/a/x/b", ["x"]),
            ("/$(lang)/*", "/de/haus", ["haus"]), ("/a/*", "/a/x%20y%2Fz", ["x%20y%2Fz"]),
            ("/a/*", "/a/x&y=z+1", ["x&y=z+1"]),
        ])
    func taken(_ pattern: String, _ path: String, _ expected: [String]) throws {
        let url = try LinkURL("https://e.com\(path)?q#f")
        #expect(RuleText(path: pattern).starTexts(in: url) == expected)
    }

    @Test func `a link that the rule does not match has none`() throws {
        for path in ["/d/x", "/dlx", "/"] {
            #expect(
                RuleText(path: "/dl/*").starTexts(in: try LinkURL("https://e.com\(path)")) == nil)
        }
    }

    @Test func `flags are those of the rule`() throws {
        let url = try LinkURL("https://e.com/DL/x%20Y%2F%22")
        #expect(RuleText(path: "/dl/*").starTexts(in: url) == nil)
        #expect(
            RuleText(path: "/dl/*", caseSensitive: false).starTexts(in: url) == ["x%20Y%2F%22"])
        #expect(
            RuleText(path: "/DL/x *", percentEncoded: false).starTexts(in: url) == ["Y/%22"])
    }

    /// The same without memory of its own, for whoever answers many.
    @Test("what is compiled takes the same", arguments: MatchingPropertyTests.seeds)
    func compiled(_ seed: UInt64) throws {
        var random = Random(state: seed)
        var (scratch, matches) = (MatchScratch(), 0)
        for round in 0..<3_000 {
            let pattern = random.text(
                ["a", "a", "b", "/", "*", "*", "?", "é", "$(digit)"], 1...7)
            let rule = RuleText(
                path: "/" + pattern, caseSensitive: random.chance(70),
                percentEncoded: random.chance(70))
            let url = try LinkURL(random.url())
            let matcher = LinkMatcher([AppRules(appID: "A", rules: [rule])], variables: [])
            matcher.decide(url, &scratch)
            guard matcher.decision(forApp: 0, scratch).verdict == .open else { continue }
            matches += 1
            StarCapture(rule).take(from: url, &scratch)
            let taken = (1...9).compactMap { scratch.starRange($0) }.map {
                String(decoding: scratch.starText[$0], as: UTF8.self)
            }
            let expected = rule.starTexts(in: url) ?? []
            try #require(
                taken.map(\.removingPercentEncoding) == expected.map(\.removingPercentEncoding),
                "seed \(seed), round \(round): \(pattern) \(url)")
        }
        #expect(matches > 200)
    }

    @Test func `many stars and a long path are answered in time`() throws {
        let url = try LinkURL("https://e.com/" + String(repeating: "a", count: 2_000) + "b")
        let pattern = "/" + String(repeating: "*a", count: 20) + "*c"
        #expect(RuleText(path: pattern).starTexts(in: url) == nil)
        // A literal of any length takes no more of the stack than a short one.
        let long = "/" + String(repeating: "x", count: 200_000)
        let deep = try LinkURL("https://e.com\(long)/tail")
        #expect(RuleText(path: "\(long)/*").starTexts(in: deep) == ["tail"])
    }
}
