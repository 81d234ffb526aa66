import Associations
import Testing

/// Where a verdict hangs on what the sources leave open, it says so; the nearest case where it
/// does not hang on it keeps quiet.
@Suite("Caveats about links")
struct MatchingCaveatTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let rule: RuleText
        let url: String
        let caveats: [LinkCaveat]

        init(_ rule: RuleText, _ url: String, _ caveats: LinkCaveat...) {
            (self.rule, self.url, self.caveats) = (rule, url, caveats)
        }

        var testDescription: String { "\(rule.path ?? "-") \(url): \(caveats)" }
    }

    static let deep = "/" + String(repeating: "*a", count: 60)
    static let anyName = RuleText.items(["ID": "1"], caseSensitive: false)
    static let bothNames = RuleText.items(["A": "1", "B": "2"], caseSensitive: false)
    static let folded = RuleText(path: "/A", caseSensitive: false, isLegacy: true)

    static let rows = [
        Row(RuleText(path: #"/a\*"#), #"/a\x"#, .backslash, .unencodedCharacter),
        Row(RuleText(path: #"/a\*"#), "/a*", .backslash),
        Row(RuleText(path: #"/a\*"#, fragment: "x"), "/a*"), Row(RuleText(path: "/a*"), "/a*"),
        Row(anyName, "/?id=1", .queryNameCase("ID")), Row(anyName, "/?id=2"),
        Row(anyName, "/?ID=1"), Row(anyName, "/?ID=1&id=2", .queryNameCase("ID")),
        Row(.items(["ID": "1"]), "/?id=1"),
        Row(bothNames, "/?a=1&b=2", .queryNameCase("A")), Row(bothNames, "/?a=1&b=3"),
        Row(bothNames, "/?a=2&A=1&B=2", .queryNameCase("A")),
        Row(RuleText(path: "/x?"), "/x", .finalQuestionMark), Row(RuleText(path: "/x?"), "/xy"),
        Row(RuleText(path: "/x?"), "/y"),
        Row(RuleText(path: "/b"), "/a/../b", .dotSegment), Row(RuleText(path: "/*"), "/a/../b"),
        Row(RuleText(path: "/a/./b"), "/a/b", .dotSegment), Row(RuleText(path: "/a/b"), "/a/b"),
        Row(RuleText(path: "/a/b/"), "/a/b/c/..", .dotSegment),
        Row(RuleText(path: "/é"), "/é", .unencodedCharacter), Row(RuleText(path: "/*"), "/é"),
        Row(RuleText(path: "/a%25"), "/a%", .unencodedCharacter),
        Row(.decoded("/%FF"), "/%FF"),
        Row(.decoded("/a*"), "/%61%FF", .undecodableEscape),
        Row(.decoded("/a*"), "/a%FF"), Row(.decoded("/a*"), "/%61b"),
        Row(.query("a*$(maybe)"), "/?ab", .nothingAfterStar), Row(.query("a$(maybe)"), "/?a"),
        Row(RuleText(path: deep + "$(deep)"), "/" + String(repeating: "a", count: 70), .nesting),
        Row(RuleText(path: "/$(twice)"), "/a", .repeatedVariable("twice")),
        Row(RuleText(path: "/$(twice)"), "/z", .repeatedVariable("twice")),
        Row(RuleText(path: "/$(twice)", fragment: "x"), "/a"),
        Row(folded, "/a", .legacyDefaults), Row(folded, "/A"), Row(folded, "/b"),
        Row(.anyCase("/A"), "/a"),
    ]

    static let variables = [
        SubstitutionVariable(name: "maybe", values: ["", "x"]),
        SubstitutionVariable(name: "deep", values: ["a*a*a*a*a", "a"]),
        SubstitutionVariable(name: "twice", values: ["b"]),
        SubstitutionVariable(name: "twice", values: ["a"]),
    ]

    @Test("a verdict depends on the system where another reading changes it", arguments: rows)
    func depends(_ row: Row) throws {
        let matcher = LinkMatcher(
            [AppRules(appID: "A", rules: [row.rule])], variables: Self.variables)
        let verdicts = matcher.verdicts(for: try LinkURL("https://example.com" + row.url))
        #expect(verdicts.first?.caveats == row.caveats)
    }

    @Test func `only rules that were tried can make a verdict doubtful`() throws {
        let rules = [RuleText(path: "/a"), RuleText(path: "/$(twice)")]
        let matcher = LinkMatcher(
            [AppRules(appID: "A", rules: rules)], variables: Self.variables)
        let verdicts = matcher.verdicts(for: try LinkURL("https://example.com/a"))
        #expect(verdicts.first?.caveats == [])
    }
}
