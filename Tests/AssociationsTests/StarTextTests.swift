import Associations
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
