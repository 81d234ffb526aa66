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
    static let decodedQuery = RuleText(
        query: .items([QueryItemPattern(name: "q", pattern: "1*")]), percentEncoded: false)
    static let folded = RuleText(path: "/A", caseSensitive: false, isLegacy: true)

    static func anyLetter(_ path: String) -> RuleText {
        RuleText(path: path, caseSensitive: false, percentEncoded: false)
    }

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
        Row(RuleText(path: "/a/*"), "/a/%2e%2e/b", .dotSegment),
        Row(RuleText(path: "/a/*"), "/a/.%2E/b", .dotSegment),
        Row(RuleText(path: "/b"), "/%2e/b", .dotSegment), Row(RuleText(path: "/*"), "/a/%2e%2e/b"),
        Row(RuleText(path: "/a/*"), "/a/%2e%2e%2e/b"), Row(RuleText(path: "/a/*"), "/a/%2ex"),
        Row(RuleText(path: "/a/%2E%2E/b"), "/a/%2E%2E/b", .dotSegment),
        Row(RuleText(path: "/a/./b"), "/a/b", .dotSegment), Row(RuleText(path: "/a/b"), "/a/b"),
        Row(RuleText(path: "/a/b/"), "/a/b/c/..", .dotSegment),
        Row(RuleText(path: "/é"), "/é", .unencodedCharacter), Row(RuleText(path: "/*"), "/é"),
        Row(RuleText(path: "/a%25"), "/a%", .unencodedCharacter),
        Row(.decoded("/%FF"), "/%FF", .undecodableEscape),
        Row(.decoded("/a*"), "/%61%FF", .undecodableEscape),
        Row(.decoded("/a*"), "/%61%z", .undecodableEscape),
        Row(.decoded("/a*"), "/a%z", .undecodableEscape),
        Row(.decoded("/a*"), "/a%FF", .undecodableEscape), Row(.decoded("/a*"), "/%61b"),
        Row(.decoded("/c?q"), "/c%FFq", .undecodableEscape), Row(.decoded("/c?q"), "/c%FFr"),
        Row(.decoded("/c?q"), "/c%zq", .undecodableEscape), Row(.decoded("/c?q"), "/c%zr"),
        Row(.decoded("/c?q"), "/c%4zq", .undecodableEscape), Row(RuleText(path: "/c?q"), "/c%zq"),
        Row(.decoded("/c?q"), "/c%E2%82q", .undecodableEscape),
        Row(.decoded("/c??q"), "/c%E2%82q", .undecodableEscape),
        Row(.decoded("/c?q"), "/c%C3%A4%FFq"), Row(RuleText(path: "/c?q"), "/c%FFq"),
        Row(.decoded("/a%"), "/a%", .undecodableEscape), Row(.decoded("/a%"), "/a%25"),
        Row(.decoded("/a%4"), "/a%4", .undecodableEscape), Row(.decoded("/a%4"), "/a%254"),
        Row(.decoded("/a%zz"), "/a%zz", .undecodableEscape), Row(.decoded("/a%zz"), "/a%25zz"),
        Row(.decoded("/a%4"), "/b%4"), Row(.decoded("/a%4"), "/a"),
        Row(.decoded("/a*"), "/a?q=%zz#%4"), Row(RuleText(path: "/a*"), "/a%zz"),
        Row(decodedQuery, "/?q=1%", .undecodableEscape), Row(decodedQuery, "/%zz?q=1"),
        Row(decodedQuery, "/?q=1&r=%4", .undecodableEscape), Row(decodedQuery, "/?q=1%25"),
        Row(anyLetter("/ὁδός"), "/%E1%BD%81%CE%B4%CF%8C%CF%83", .letterFolding),
        Row(anyLetter("/ΟΔΟΣ"), "/%CE%BF%CE%B4%CE%BF%CF%82", .letterFolding),
        Row(anyLetter("/ΟΔΟΣ"), "/%CE%BF%CE%B4%CE%BF%CF%83"), Row(anyLetter("/ς"), "/%CF%82"),
        Row(anyLetter("/*"), "/%CF%82"), Row(anyLetter("/see"), "/%c5%bfee", .letterFolding),
        Row(anyLetter("/see"), "/%C5%BFea"), Row(.decoded("/see"), "/%C5%BFee"),
        Row(.anyCase("/%CF%82"), "/%CF%83"),
        Row(.query("a*$(maybe)"), "/?ab", .nothingAfterStar), Row(.query("a$(maybe)"), "/?a"),
        Row(.query("a*$(maybe)"), "/?abx"), Row(.query("a*$(maybe)"), "/?b"),
        Row(.fragment("a**"), "/#a", .nothingAfterStar), Row(.fragment("a**"), "/#ab"),
        Row(.fragment("a*"), "/#a"), Row(.fragment("**"), "/", .nothingAfterStar),
        Row(.fragment("*$(maybe)"), "/", .nothingAfterStar), Row(.fragment("*"), "/"),
        Row(.fragment("$(star)$(maybe)"), "/#ab", .nothingAfterStar),
        Row(.fragment("$(star)"), "/#a"), Row(RuleText(path: "/a*$(maybe)"), "/a"),
        Row(.items(["q": "a**"]), "/?q=ab&q=a", .nothingAfterStar),
        Row(.items(["q": "a**"]), "/?q=ab"),
        Row(RuleText(path: "/$(region)/*"), "/XK/a", .codeList("region")),
        Row(RuleText(path: "/$(region)/*"), "/AT/XK"), Row(RuleText(path: "/$(region)"), "/ZZ"),
        Row(.decoded("/$(region)"), "/%58%4B", .codeList("region")),
        Row(.decoded("/$(region)"), "/%41T"),
        Row(.anyCase("/$(region)"), "/xk", .codeList("region")),
        Row(RuleText(path: "/$(lang)"), "/crk", .codeList("lang")),
        Row(RuleText(path: "/$(lang)"), "/cr"), Row(RuleText(path: "/$(lang)*"), "/crk"),
        Row(RuleText(path: deep + "$(deep)"), "/" + String(repeating: "a", count: 70), .nesting),
        Row(RuleText(path: "/$(twice)"), "/a", .repeatedVariable("twice")),
        Row(RuleText(path: "/$(twice)"), "/z", .repeatedVariable("twice")),
        Row(RuleText(path: "/$(twice)", fragment: "x"), "/a"),
        Row(RuleText(path: "/a", fragment: "x", isLegacy: true), "/a", .legacyDefaults),
        Row(RuleText(path: "/a", fragment: "x", isLegacy: true), "/a#x"),
        Row(
            RuleText(path: "/a", exclude: true, isLegacy: true, inheritsExclude: true), "/a",
            .legacyDefaults),
        Row(RuleText(path: "/a", exclude: true, isLegacy: true), "/a"),
        Row(folded, "/a", .legacyDefaults), Row(folded, "/A"), Row(folded, "/b"),
        Row(.anyCase("/A"), "/a"),
    ]

    static let variables = [
        SubstitutionVariable(name: "maybe", values: ["", "x"]),
        SubstitutionVariable(name: "star", values: ["a*"]),
        SubstitutionVariable(name: "deep", values: ["a*a*a*a*a", "a"]),
        SubstitutionVariable(name: "twice", values: ["b"]),
        SubstitutionVariable(name: "twice", values: ["a"]),
    ]

    @Test("a verdict depends on the system where another reading changes it", arguments: rows)
    func depends(_ row: Row) throws {
        let matcher = LinkMatcher(
            [AppRules(appID: "A", rules: [row.rule])], variables: Self.variables)
        let url = try LinkURL("https://example.com" + row.url)
        #expect(matcher.verdicts(for: url).first?.caveats == row.caveats)
        var scratch = MatchScratch()
        let brief = BriefVerdicts(matcher).verdicts(for: url, &scratch)
        #expect(brief.first?.caveats == row.caveats)
    }

    @Test func `only rules that were tried can make a verdict doubtful`() throws {
        let rules = [RuleText(path: "/a"), RuleText(path: "/$(twice)")]
        let matcher = LinkMatcher(
            [AppRules(appID: "A", rules: rules)], variables: Self.variables)
        let verdicts = matcher.verdicts(for: try LinkURL("https://example.com/a"))
        #expect(verdicts.first?.caveats == [])
    }
}
