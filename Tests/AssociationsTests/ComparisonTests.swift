import TestSupport
import Testing

@testable import Associations

@Suite("What changes between two association files")
struct ComparisonTests {
    private static let app = "8LQ3T5XW7R.com.example.app"

    private static func file(_ rules: String, variables: String = "{}") -> AssociationReading {
        let text = """
            {"applinks": {"substitutionVariables": \(variables), "details": [
              {"appIDs": ["\(app)"], "components": [\(rules)]}]}}
            """
        return AssociationReading(Array(text.utf8), file: "f")
    }

    /// Each change in a line: `+` or `-`, the rule that opens, `~` for a part of it, the example.
    private static func changes(_ old: AssociationReading, _ new: AssociationReading) -> [String] {
        RuleComparison.all(old: old.ruleSet, new: new.ruleSet, host: "e.com").flatMap {
            comparison -> [String] in
            var lines = comparison.changes.map { change in
                let rule = change.rule?.summary ?? "everything"
                let part = change.isWhole ? "" : "~ "
                return "\(change.starts ? "+" : "-") \(part)\(rule) \(change.example)"
            }
            lines += comparison.unreachable.map { "! \($0.rule.summary)" }
            if !comparison.isComplete { lines.append("incomplete") }
            return lines
        }
    }

    @Test(
        "links that start or stop opening are found, each with an example",
        arguments: [
            (#"{"/": "/a"}"#, #"{"/": "/a"}"#, [String]()),
            (#"{"/": "/a"}"#, #"{"/": "/a/"}"#, []),
            (#"{"/": "/a"}, {"/": "/b"}"#, #"{"/": "/b"}, {"/": "/a"}"#, []),
            (#"{"/": "/a"}"#, #"{"/": "/a"}, {"/": "/b"}"#, ["+ /b https://e.com/b"]),
            (#"{"/": "/a"}, {"/": "/b"}"#, #"{"/": "/b"}"#, ["- /a https://e.com/a"]),
            (#"{"/": "/a*"}"#, #"{"/": "/a/*"}"#, ["- ~ /a* https://e.com/aexample"]),
            (#"{"/": "/a/*"}"#, #"{"/": "/a*"}"#, ["+ ~ /a* https://e.com/aexample"]),
            (
                #"{"/": "/a/*"}"#, #"{"/": "/a/x", "exclude": true}, {"/": "/a/*"}"#,
                ["- ~ /a/* https://e.com/a/x"]
            ),
            (
                #"{"/": "*"}"#, #"{"/": "/a/?", "exclude": true}, {"/": "*"}"#,
                ["- ~ * https://e.com/a/x"]
            ),
            (
                #"{"/": "/a", "?": {"y": "?*"}}"#, #"{"/": "/a"}"#, ["+ ~ /a https://e.com/a"]
            ),
            (
                #"{"/": "/a", "?": {"y": "?*"}}"#, #"{"/": "/a", "?": {"y": "1"}}"#,
                ["- ~ /a ?y=?* https://e.com/a?y=example"]
            ),
            (
                ##"{"/": "/a", "#": "t"}"##, ##"{"/": "/a", "#": "u"}"##,
                ["+ /a #u https://e.com/a#u", "- /a #t https://e.com/a#t"]
            ),
            (
                #"{"/": "/a", "?": "x=1"}"#, #"{"/": "/a", "?": "x=*"}"#,
                ["+ ~ /a ?x=* https://e.com/a?x=example"]
            ),
            (
                #"{"/": "/ab"}"#, #"{"/": "/ab", "caseSensitive": false}"#,
                ["+ ~ /ab https://e.com/AB"]
            ),
            (
                #"{"/": "/a%20b"}"#, #"{"/": "/a b", "percentEncoded": false}"#,
                ["+ ~ /a b https://e.com/a%20b%2F"]
            ),
            (
                #"{"/": "/a-1"}"#, #"{"/": "/a-1", "percentEncoded": false}"#,
                ["+ ~ /a-1 https://e.com/a-1%2F"]
            ),
            (
                #"{"/": "/admin", "exclude": true, "percentEncoded": false}, {"/": "*"}"#,
                #"{"/": "/admin", "exclude": true}, {"/": "*"}"#,
                ["+ ~ * https://e.com/admin%2F"]
            ),
            (
                #"{"/": "/42"}"#, #"{"/": "/42", "percentEncoded": false}"#,
                ["+ ~ /42 https://e.com/42%2F"]
            ),
            (
                ##"{"#": "top"}"##, ##"{"#": "top", "percentEncoded": false}"##,
                ["+ ~ #top https://e.com/#to%70"]
            ),
            (
                #"{"?": {"id": "7"}}"#, #"{"?": {"id": "7"}, "percentEncoded": false}"#,
                ["+ ~ ?id=7 https://e.com/?id=%37", "- ~ ?id=7 https://e.com/?id=7&i%64"]
            ),
            (#"{"/": "*", "percentEncoded": false}"#, #"{"/": "*"}"#, []),
            (#"{"/": "/$(alpha)"}"#, #"{"/": "/$(alpha)"}, {"/": "/a"}"#, ["! /a"]),
            (
                #"{"/": "/a"}"#, #"{"/": "/a"}, {"/": "/c++"}, {"/": "/b=1&c"}"#,
                ["+ /c++ https://e.com/c++", "+ /b=1&c https://e.com/b=1&c"]
            ),
            (
                #"{"/": "/a+b", "exclude": true}, {"/": "/*"}"#, #"{"/": "/*"}"#,
                ["+ ~ /* https://e.com/a+b"]
            ),
            (
                ##"{"/": "/a", "#": "t"}"##,
                ##"{"/": "/a", "#": "t"}, {"/": "/a", "#": "b=1&#+"}"##,
                ["+ /a #b=1&#+ https://e.com/a#b=1&#+"]
            ),
            (
                #"{"/": "/a", "?": "t"}"#, #"{"/": "/a", "?": "t"}, {"/": "/a", "?": "b=1&c+d"}"#,
                ["+ /a ?b=1&c+d https://e.com/a?b=1&c+d"]
            ),
            (
                #"{"/": "*/A"}"#, #"{"/": "*/A", "percentEncoded": false}"#,
                ["+ ~ */A https://e.com/A%2F"]
            ),
            (
                #"{"/": "/a/*"}"#, #"{"/": "/a/*", "percentEncoded": false}"#,
                ["+ ~ /a/* https://e.com/a%2F"]
            ),
            (
                #"{"/": "/a/b", "exclude": true}, {"/": "/*"}"#,
                #"{"/": "/a/b", "exclude": true, "percentEncoded": false}, {"/": "/*"}"#,
                ["- ~ /* https://e.com/a%2Fb"]
            ),
            (
                #"{"/": "/%C3%A9"}"#, #"{"/": "/é", "percentEncoded": false}"#,
                ["+ ~ /é https://e.com/%C3%a9"]
            ),
            (
                #"{"/": "/x"}"#, #"{"/": "/a b"}"#,
                ["+ /a b https://e.com/a b", "- /x https://e.com/x"]
            ),
            (
                #"{"/": "/x"}"#, #"{"/": "/a b", "percentEncoded": false}"#,
                ["+ /a b https://e.com/a%20b", "- /x https://e.com/x"]
            ),
            (
                #"{"/": "/a", "?": {"y": "1:2"}}"#,
                #"{"/": "/a", "?": {"y": "1:2"}, "percentEncoded": false}"#,
                [
                    "+ ~ /a ?y=1:2 https://e.com/a?y=1%3A2",
                    "- ~ /a ?y=1:2 https://e.com/a?y=1:2&%79",
                ]
            ),
            (
                #"{"/": "/a/?"}"#, #"{"/": "/a/?", "percentEncoded": false}"#,
                ["+ ~ /a/? https://e.com/a/%20"]
            ),
        ] as [(String, String, [String])])
    func findsChanges(_ old: String, _ new: String, _ expected: [String]) {
        let found = Self.changes(Self.file(old), Self.file(new))
        #expect(
            found.map { $0.replacing("Ab", with: "AB").replacing("aB", with: "AB") } == expected)
    }

    @Test(
        "rules that became unreachable are named, those that were so before are not",
        arguments: [
            (#"{"/": "/a/x"}"#, #"{"/": "/a/*"}, {"/": "/a/x"}"#, true),
            (#"{"/": "/a/*"}, {"/": "/a/x"}"#, #"{"/": "/a/*"}, {"/": "/a/x"}"#, false),
            (#"{"/": "/a/x"}"#, #"{"/": "/a/?"}, {"/": "/a/x"}, {"/": "/b"}"#, true),
            (#"{"/": "/a/x"}"#, #"{"/": "/a/??"}, {"/": "/a/x"}, {"/": "/b"}"#, false),
        ])
    func unreachable(_ old: String, _ new: String, _ isNamed: Bool) {
        let found = Self.changes(Self.file(old), Self.file(new))
        #expect(found.contains("! /a/x") == isNamed, "\(found)")
    }

    @Test func `the values of variables are compared too`() {
        let rule = #"{"/": "/$(food)/*"}"#
        let found = Self.changes(
            Self.file(rule, variables: #"{"food": ["pizza", "pasta"]}"#),
            Self.file(rule, variables: #"{"food": ["pizza", "sushi"]}"#))
        #expect(
            found == [
                "+ ~ /$(food)/* https://e.com/sushi", "- ~ /$(food)/* https://e.com/pasta",
            ])
    }

    @Test func `values are compared in every spelling`() {
        let variables = #"{"cafe": ["\u00e9", "caf%C3%A9"]}"#
        let found = Self.changes(
            Self.file(#"{"/": "/$(cafe)"}"#, variables: variables),
            Self.file(#"{"/": "/$(cafe)", "percentEncoded": false}"#, variables: variables))
        #expect(
            found == [
                "+ ~ /$(cafe) https://e.com/%C3%A9", "- ~ /$(cafe) https://e.com/caf%C3%A9",
            ])
    }

    @Test(
        "an app whose prefix alone changed is one app",
        arguments: [
            (["A.x.y"], ["B.x.y"], ["B.x.y": "A.x.y"]), (["A.x.y"], ["A.x.y"], [:]),
            (["A.x.y"], ["B.x.z"], [:]), (["A.x.y", "B.x.y"], ["C.x.y"], [:]),
            (["A.x.y"], ["B.x.y", "C.x.y"], [:]), (["A.x.y"], ["A.x.y", "B.x.y"], [:]),
            (["ab"], ["cd"], [:]),
        ] as [([String], [String], [String: String])])
    func former(_ old: [String], _ new: [String], _ former: [String: String]) {
        let found = FormerIdentifiers(old, new)
        #expect(new.compactMap { found[$0] } == new.compactMap { former[$0] })
        #expect(old.filter(found.isFormer) == old.filter(Set(former.values).contains))
    }

    @Test func `what only looks the same is a change`() {
        let found = Self.changes(
            Self.file(#"{"/": "/caf\u00e9", "percentEncoded": false}"#),
            Self.file(#"{"/": "/cafe\u0301", "percentEncoded": false}"#))
        #expect(found.map(\.first) == ["+", "-"])
    }

    @Test func `an app that is new opens all that its rules open`() {
        let nothing = AssociationReading(Array("{}".utf8), file: "f")
        let some = Self.file(#"{"/": "/a/x", "exclude": true}, {"/": "/a/*"}"#)
        #expect(Self.changes(nothing, some) == ["+ /a/* https://e.com/a/example"])
        #expect(Self.changes(some, nothing) == ["- /a/* https://e.com/a/example"])
    }

    @Test func `an entry without rules opens every link`() {
        let text = #"{"applinks": {"details": [{"appIDs": ["\#(Self.app)"]}]}}"#
        let open = AssociationReading(Array(text.utf8), file: "f")
        #expect(
            Self.changes(Self.file(#"{"/": "/a"}"#), open) == [
                "+ ~ everything https://e.com/example"
            ])
    }

    @Test func `too many stars are answered in time, and said to be too many`() {
        let stars = (0..<24).map { #"{"/": "*\#($0)*a\#($0)*"}"# }.joined(separator: ",")
        let found = Self.changes(Self.file(stars), Self.file(stars + #", {"/": "/new"}"#))
        #expect(found.contains("incomplete"))
    }

    /// Entries with many stars, each of an app, and the last one of many apps.
    private static func crowd(_ last: String, stars: Int = 6) -> AssociationReading {
        let hard = (0..<stars).map { #"{"/": "*\#($0)*a\#($0)*"}"# }.joined(separator: ",")
        func entry(_ apps: [String], _ rules: String) -> String {
            let ids = apps.map { "\"8LQ3T5XW7R.com.example.\($0)\"" }.joined(separator: ",")
            return #"{"appIDs": [\#(ids)], "components": [\#(rules)]}"#
        }
        let entries =
            (0..<20).map { entry(["hard\($0)"], hard + #", {"/": "/\#(last)"}"#) }
            + [entry(["same"], #"{"/": "/same"}"#)]
            + [entry((0..<200).map { "many\($0)" }, hard + #", {"/": "/\#(last)"}"#)]
        let text = #"{"applinks": {"details": [\#(entries.joined(separator: ","))]}}"#
        return AssociationReading(Array(text.utf8), file: "f")
    }

    @Test func `all apps share the steps, and apps of one entry are compared once`() {
        let (old, new) = (Self.crowd("old"), Self.crowd("new"))
        func compare(_ stepsMax: Int) -> (compared: Int, unchanged: Int) {
            let all = RuleComparison.all(
                old: old.ruleSet, new: new.ruleSet, host: "e.com", stepsMax: stepsMax)
            #expect(all.count == 221)
            return (
                all.count { !$0.changes.isEmpty },
                all.count { $0.isComplete && $0.changes.isEmpty && $0.appID.hasSuffix(".same") }
            )
        }
        // Where nothing is left, nothing is known of the others, and that is said.
        #expect(compare(1) == (0, 1))
        // Each costs more than 6,000 steps, so that not all entries come before the end.
        let some = compare(100_000)
        #expect((1...16).contains(some.compared) && some.unchanged == 1)
        // All apps of the last entry cost as much as one.
        #expect(compare(.max) == (220, 1))
    }

    @Test func `no list of rules is another thing than an empty one`() {
        let text = #"{"applinks": {"details": [{"appIDs": ["\#(Self.app)"]}]}}"#
        let open = AssociationReading(Array(text.utf8), file: "f")
        #expect(Self.changes(open, Self.file("")) == ["- everything https://e.com/example"])
        #expect(Self.changes(Self.file(""), open) == ["+ everything https://e.com/example"])
        #expect(Self.changes(open, open) == [] && Self.changes(Self.file(""), Self.file("")) == [])
    }

    @Test func `other values of a variable change only the rules that name one`() {
        let variables = (#"{"x": ["a"]}"#, #"{"x": ["b"]}"#)
        func changes(_ rules: String) -> [String] {
            Self.changes(
                Self.file(rules, variables: variables.0), Self.file(rules, variables: variables.1))
        }
        #expect(changes(#"{"/": "/a"}"#) == [])
        #expect(
            changes(#"{"/": "/$(x)"}"#) == ["+ /$(x) https://e.com/b", "- /$(x) https://e.com/a"])
    }

    @Test func `where the search gives up, the example of a rule with variables is compared`() {
        let stars = (0..<24).map { #"{"/": "*\#($0)*a\#($0)*"}"# }.joined(separator: ",")
        let rule = "/*/$(lang)-$(region)/*"
        let found = Self.changes(Self.file(stars), Self.file(stars + #", {"/": "\#(rule)"}"#))
        #expect(found.contains("incomplete"))
        #expect(found.contains("+ \(rule) https://e.com/example/en-US/example"), "\(found)")
    }

    @Test func `an example has codes that people know and every list has`() {
        let nothing = Self.file(#"{"/": "/a"}"#)
        let stars = "/*$(alpha)*$(digit)*$(lang)*$(region)*"
        let narrowed = Self.changes(
            Self.file(#"{"/": "\#(stars)?*"}"#), Self.file(#"{"/": "\#(stars)??*"}"#))
        #expect(narrowed.count == 1 && narrowed[0].hasSuffix("US"), "\(narrowed)")
        let found = Self.changes(nothing, Self.file(#"{"/": "/a"}, {"/": "/x/$(region)/$(lang)"}"#))
        #expect(found == ["+ /x/$(region)/$(lang) https://e.com/x/US/en"])
    }

    @Test func `a version is the same as itself, whatever its rules`() throws {
        for rules in [
            #"{"/": "/a"}, {"/": "/b"}, {"/": "/a"}"#,
            #"{"/": "/\#(String(repeating: "*a", count: 5_000))"}"#,
            (0..<30).map { #"{"/": "/*/$(region)/x\#($0)/*"}"# }.joined(separator: ","),
        ] {
            #expect(Self.changes(Self.file(rules), Self.file(rules)) == [])
        }
    }

    @Test func `what nothing reached before is no news`() {
        let rules = #"{"/": "/a"}, {"/": "/b"}, {"/": "/a"}"#
        let found = Self.changes(Self.file(rules), Self.file(rules + #", {"/": "/c"}"#))
        #expect(found == ["+ /c https://e.com/c"])
    }

    @Test func `rules of many variables are answered in time`() {
        let rules = (0..<30).map { #"{"/": "/*/$(region)/x\#($0)/*"}"# }.joined(separator: ",")
        let found = Self.changes(Self.file(rules), Self.file(rules + #", {"/": "/new"}"#))
        #expect(found.contains("+ /new https://e.com/new"))
        #expect(found.contains("incomplete"))
    }

    /// Every difference that random links show is among those that were found: by the rules that
    /// decide it.
    @Test(arguments: 0..<100)
    func `no difference escapes`(seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        let (old, new) = (Self.randomRules(&random), Self.randomRules(&random))
        let (before, after) = (Self.file(old), Self.file(new))
        let comparison = try #require(
            RuleComparison.all(old: before.ruleSet, new: after.ruleSet, host: "e.com").first)
        #expect(comparison.isComplete)
        let (left, right) = (before.matcher, after.matcher)
        for _ in 0..<200 {
            let link = try LinkURL("https://e.com" + Self.randomTail(&random))
            let (was, now) = (left.verdicts(for: link)[0], right.verdicts(for: link)[0])
            guard (was.verdict == .open) != (now.verdict == .open) else { continue }
            let opening = now.verdict == .open ? now : was
            let other = now.verdict == .open ? was : now
            #expect(
                comparison.changes.contains { change in
                    change.starts == (now.verdict == .open)
                        && change.rule?.pointer == opening.rule?.pointer
                        && change.counterpart?.pointer == other.rule?.pointer
                }, "seed \(seed): \(link), \(old) to \(new)")
        }
    }

    private static func randomRules(_ random: inout SplitMix) -> String {
        (0..<Int.random(in: 1...4, using: &random)).map { _ in
            var parts = [#""/": "\#(randomText("ab/*?", 5, &random))""#]
            if Bool.random(using: &random) {
                parts.append(#""?": {"q": "\#(randomText("ab*?", 3, &random))"}"#)
            }
            if Int.random(in: 0..<4, using: &random) == 0 {
                parts.append(##""#": "\##(randomText("ab*?", 2, &random))""##)
            }
            if Int.random(in: 0..<3, using: &random) == 0 { parts.append(#""exclude": true"#) }
            return "{" + parts.joined(separator: ", ") + "}"
        }.joined(separator: ", ")
    }

    private static func randomTail(_ random: inout SplitMix) -> String {
        var tail = "/" + randomText("ab/", 5, &random)
        if Bool.random(using: &random) { tail += "?q=" + randomText("ab", 3, &random) }
        if Bool.random(using: &random) { tail += "#" + randomText("ab", 2, &random) }
        return tail
    }

    private static func randomText(
        _ letters: String, _ most: Int, _ random: inout SplitMix
    ) -> String {
        String(
            (0..<Int.random(in: 0...most, using: &random)).compactMap { _ in
                letters.randomElement(using: &random)
            })
    }
}
