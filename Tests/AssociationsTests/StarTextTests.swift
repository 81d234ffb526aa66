import Associations
import Foundation
import Testing

@Suite("What stars take")
struct StarTextTests {
    /// Nil for a link that the rule does not match.
    private func taken(_ rule: RuleText, _ url: LinkURL) -> [String]? {
        var scratch = MatchScratch()
        let matcher = RuleMatcher([[rule]])
        matcher.look(at: url, &scratch)
        guard matcher.decision(of: 0, &scratch).verdict == .open else { return nil }
        StarCapture(rule).take(from: url, &scratch)
        return (1...99).compactMap { scratch.starRange($0) }.map {
            String(decoding: scratch.starText[$0], as: UTF8.self)
        }
    }

    @Test(
        "each star's text, as the link writes it",
        arguments: [
            ("/dl/*", "/dl/x", ["x"]), ("/dl/*", "/dl/x*", ["x*"]), ("/dl/*", "/dl/x/", ["x/"]),
            ("/dl/*", "/dl/x/y", ["x/y"]),
            ("/dl/*", "/dl", [""]), ("/dl/*", "/dl/", [""]), ("/dl*", "/dlx", ["x"]),
            ("*", "/a/b", ["/a/b"]), ("/*/c/*", "/a/b/c/d", ["a/b", "d"]),
            ("/*-*", "/a-b-c", ["a", "b-c"]), ("*/x", "/a/x", ["/a"]),
            ("/a/?*", "/a/xyz", ["yz"]), ("/a/*/b", "/a/x/b", ["x"]),
            ("/$(lang)/*", "/de/haus", ["haus"]), ("/*$(digit)*", "/ab1c2", ["ab", "c2"]),
            ("/$(lang)*", "/deutsch", ["utsch"]), ("/$(lang)*s", "/fils", ["l"]),
            ("/*/$(lang)", "/x/fil", ["x"]), ("/a/*", "/a/x%20y%2Fz", ["x%20y%2Fz"]),
            ("/a/*", "/a/x&y=z+1", ["x&y=z+1"]),
        ])
    func taken(_ pattern: String, _ path: String, _ expected: [String]) throws {
        let url = try LinkURL("https://e.com\(path)?q#f")
        #expect(taken(RuleText(path: pattern), url) == expected)
    }

    @Test func `a link that the rule does not match has none`() throws {
        for path in ["/d/x", "/dlx", "/"] {
            #expect(
                taken(RuleText(path: "/dl/*"), try LinkURL("https://e.com\(path)")) == nil)
        }
    }

    @Test func `flags are those of the rule`() throws {
        let url = try LinkURL("https://e.com/DL/x%20Y%2F%22")
        #expect(taken(RuleText(path: "/dl/*"), url) == nil)
        #expect(
            taken(RuleText(path: "/dl/*", caseSensitive: false), url) == ["x%20Y%2F%22"])
        #expect(
            taken(RuleText(path: "/DL/x *", percentEncoded: false), url) == ["Y/\""])
        let slash = try LinkURL("https://e.com/dl/x%2F")
        #expect(taken(RuleText(path: "/dl/*", percentEncoded: false), slash) == ["x/"])
    }

    /// The Kelvin sign has three octets, and its small letter has one.
    @Test func `letters beyond ASCII are found in either case, and taken as the link has them`()
        throws
    {
        let url = try LinkURL("https://e.com/\u{212A}É\u{212A}xY/éz")
        let rule = RuleText(path: "/k*kx*/É*", caseSensitive: false)
        #expect(taken(rule, url) == ["É", "Y", "z"])
    }

    /// Against the plain matcher, which tries everything.
    @Test("random rules take the same", arguments: MatchingPropertyTests.seeds)
    func random(_ seed: UInt64) throws {
        var (random, matches) = (Random(state: seed), 0)
        for round in 0..<3_000 {
            let pattern = random.text(
                ["a", "a", "b", "/", "*", "*", "?", "é", "$(digit)", "$(alpha)"], 1...7)
            let rule = RuleText(
                path: "/" + pattern, caseSensitive: random.chance(70),
                percentEncoded: random.chance(70))
            let url = try LinkURL(random.url())
            guard let taken = taken(rule, url) else { continue }
            matches += 1
            try #require(
                taken == PlainMatcher().stars(rule, url),
                "seed \(seed), round \(round): \(pattern) \(url)")
        }
        #expect(matches > 200)
    }

    @Test func `many stars and a long path are answered in time`() throws {
        let url = try LinkURL("https://e.com/" + String(repeating: "a", count: 2_000) + "b")
        let pattern = "/" + String(repeating: "*a", count: 20) + "*c"
        #expect(taken(RuleText(path: pattern), url) == nil)
        // A literal of any length takes no more of the stack than a short one.
        let long = "/" + String(repeating: "x", count: 200_000)
        let deep = try LinkURL("https://e.com\(long)/tail")
        #expect(taken(RuleText(path: "\(long)/*"), deep) == ["tail"])
    }
}
