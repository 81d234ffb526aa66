import Associations
import Testing

@Suite("Verdicts on links")
struct MatchingVerdictTests {
    static let help = [
        RuleText(fragment: "web", exclude: true, pointer: "/c/0", line: 4),
        RuleText(path: "/help/site/*", exclude: true, pointer: "/c/1", line: 5),
        RuleText(
            path: "/help/*", query: .items([QueryItemPattern(name: "y", pattern: "????")]),
            pointer: "/c/2", line: 6),
    ]

    static func verdicts(_ apps: [AppRules], _ url: String) throws -> [AppVerdict] {
        try LinkMatcher(apps, variables: []).verdicts(for: LinkURL("https://example.com" + url))
    }

    static func verdict(_ rules: [RuleText]?, _ url: String) throws -> AppVerdict {
        let app = AppRules(appID: "A", rules: rules, pointer: "/d", line: 2)
        return try #require(try verdicts([app], url).first)
    }

    @Test(
        "the first rule that matches decides",
        arguments: [
            ("/help/1?y=2024", LinkOutcome.open, "/c/2"), ("/help/1?y=2024#web", .exclude, "/c/0"),
            ("/help/site/1?y=2024", .exclude, "/c/1"), ("/help/1", .none, nil),
        ] as [(String, LinkOutcome, String?)])
    func order(_ url: String, _ outcome: LinkOutcome, _ pointer: String?) throws {
        let verdict = try Self.verdict(Self.help, url)
        #expect(verdict.verdict == outcome)
        #expect(verdict.rule?.pointer == pointer)
        #expect(verdict.steps.count == verdict.rule?.index ?? 3)
    }

    @Test func `each earlier rule says which of its parts failed`() throws {
        let verdict = try Self.verdict(Self.help, "/help/1?y=24")
        #expect(
            verdict.steps.map(\.description) == [
                #"the link has no fragment, which must match "web""#,
                #"the path "/help/1" does not match "/help/site/*""#,
                #"the query item "y" "24" does not match "????""#,
            ])
        #expect(verdict.nearest?.position == RulePosition(index: 2, pointer: "/c/2", line: 6))
        #expect(
            verdict.description == "stays in the browser: no rule of A matches; the nearest is "
                + #"rule 3 (/c/2, line 6), and the query item "y" "24" does not match "????""#)
    }

    @Test(
        "the description says what happens and why",
        arguments: [
            ("/help/1?y=2024", "opens A because rule 3 (/c/2, line 6) matches"),
            ("/#web", "stays in the browser: rule 1 (/c/0, line 4) excludes it"),
            ("/zzz", "stays in the browser: no rule of A matches"),
        ])
    func words(_ url: String, _ words: String) throws {
        #expect(try Self.verdict(Self.help, url).description == words)
    }

    @Test(
        "the nearest rule is the one whose path matches, with the fewest parts failing",
        arguments: [
            ("/a/b", 2), ("/a/b?q", 1), ("/a/x", 3), ("/zz", nil),
        ] as [(String, Int?)])
    func nearest(_ url: String, _ index: Int?) throws {
        let rules = [
            RuleText(path: "/b"), RuleText(path: "/a/b", query: .whole("q"), fragment: "f"),
            RuleText(path: "/a/b", fragment: "f"), RuleText(path: "/a/xy"),
        ]
        #expect(try Self.verdict(rules, url).nearest?.position.index == index)
    }

    @Test(
        "a pattern that can never match says why",
        arguments: [
            ("/$(nope)", PatternFault.undefinedVariable("nope")),
            ("/$(nope", .unterminatedVariable),
            ("/" + String(repeating: "a*", count: 65), .tooComplex(depth: 65)),
        ])
    func faults(_ path: String, _ fault: PatternFault) throws {
        let verdict = try Self.verdict([RuleText(path: path)], "/a")
        #expect(verdict.steps.first?.failures.map(\.fault) == [fault])
    }

    @Test func `an entry without a pattern list opens every link, one with an empty list none`()
        throws
    {
        let all = try Self.verdict(nil, "/a?b#c")
        #expect(all.verdict == .open)
        #expect(all.rule == RulePosition(index: nil, pointer: "/d", line: 2))
        #expect(try Self.verdict([], "/a").verdict == .none)
    }

    @Test func `an exclusion concerns its own app only`() throws {
        let apps = [
            AppRules(appID: "A", rules: [RuleText(path: "/a", exclude: true)]),
            AppRules(appID: "B", rules: [RuleText(path: "/*", pointer: "/b")]),
            AppRules(appID: "C", rules: [RuleText(path: "/*", pointer: "/b")]),
        ]
        let verdicts = try Self.verdicts(apps, "/a")
        #expect(verdicts.map(\.verdict) == [.exclude, .open, .open])
        #expect(verdicts.map(\.appID) == ["A", "B", "C"])
        #expect(verdicts.map(\.caveats) == [[], [.severalApps], [.severalApps]])
        let url = try LinkURL("https://example.com/a")
        #expect(LinkMatcher(apps, variables: []).opens(url) == [1, 2])
    }

    @Test func `thousands of rules decide like one`() throws {
        let rules = (0..<3000).map { RuleText(path: "/a\($0)/*", exclude: $0 % 2 == 0) }
        let matcher = LinkMatcher([AppRules(appID: "A", rules: rules)], variables: [])
        var scratch = MatchScratch()
        for number in [0, 1, 63, 64, 65, 2998, 2999] {
            matcher.decide(try LinkURL("https://example.com/a\(number)/x"), &scratch)
            let decision = matcher.decision(forApp: 0, scratch)
            #expect(decision.rule == number)
            #expect(decision.verdict == (number % 2 == 0 ? .exclude : .open))
        }
        matcher.decide(try LinkURL("https://example.com/a3000/x"), &scratch)
        #expect(matcher.decision(forApp: 0, scratch).verdict == .none)
    }
}
