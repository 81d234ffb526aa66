import Associations
import Foundation
import Testing

@Suite("The compiled matcher agrees with a plain one")
struct MatchingPropertyTests {
    /// Fixed, so that a failure repeats; set WAYMARK_SEED to try others.
    static let seeds: [UInt64] =
        ProcessInfo.processInfo.environment["WAYMARK_SEED"].flatMap(UInt64.init).map { [$0] }
        ?? [1, 2, 3, 4]

    @Test("on random rule sets and URLs", arguments: seeds)
    func agrees(_ seed: UInt64) throws {
        var random = Random(state: seed)
        for round in 0..<300 {
            let variables = random.variables()
            let rules = random.rules()
            let matcher = LinkMatcher(
                [AppRules(appID: "A", rules: rules)],
                variables: variables.map { SubstitutionVariable(name: $0, values: $1) })
            let plain = PlainMatcher(variables: variables)
            var scratch = MatchScratch()
            for _ in 0..<20 {
                let text = random.url()
                let url = try LinkURL(text)
                let expected = rules.firstIndex { plain.matches($0, url) }
                matcher.decide(url, &scratch)
                let fast = matcher.decision(forApp: 0, scratch)
                let full = try #require(matcher.verdicts(for: url).first)
                try #require(
                    fast.rule == expected && full.rule?.index == expected
                        && fast.verdict == full.verdict,
                    "seed \(seed), round \(round): \(text) \(rules) \(variables)")
            }
        }
    }
}

extension PlainMatcher {
    func matches(_ rule: RuleText, _ url: LinkURL) -> Bool {
        let folded = !rule.caseSensitive
        func seen(_ text: String) -> Text {
            Array((rule.percentEncoded ? text : Self.decoded(text)).unicodeScalars)
        }
        if let path = rule.path {
            guard matches(path, seen(url.path), folded: folded, isPath: true) else { return false }
        }
        if rule.isLegacy { return true }
        if let fragment = rule.fragment {
            guard matches(fragment, seen(url.fragment ?? ""), folded: folded) else { return false }
        }
        switch rule.query {
        case nil: return true
        case .whole(let query): return matches(query, seen(url.query ?? ""), folded: folded)
        case .items(let items):
            return items.allSatisfy { item in
                let values = (url.query ?? "").components(separatedBy: "&").compactMap { part in
                    let pieces = part.components(separatedBy: "=")
                    guard seen(pieces[0]) == Array(item.name.unicodeScalars) else {
                        return nil as String?
                    }
                    return pieces.dropFirst().joined(separator: "=")
                }
                return (values.isEmpty ? [""] : values)
                    .allSatisfy { matches(item.pattern, seen($0), folded: folded) }
            }
        }
    }

    /// The tests' URLs escape single ASCII characters and one letter of two bytes only.
    static func decoded(_ text: String) -> String {
        text.replacing("%61", with: "a").replacing("%2F", with: "/").replacing("%3f", with: "?")
            .replacing("%C3%A9", with: "é")
    }
}

/// Numbers and texts that repeat for a seed (Steele, Lea & Flood's SplitMix).
private struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    mutating func text(_ pieces: [String], _ count: ClosedRange<Int>) -> String {
        (0..<Int.random(in: count, using: &self))
            .map { _ in pieces.randomElement(using: &self) ?? "" }.joined()
    }

    mutating func variables() -> [String: [String]] {
        var variables = [String: [String]]()
        for name in ["v", "w", "digit"] where chance(60) {
            variables[name] = (0..<Int.random(in: 0...4, using: &self)).map { _ in
                text(["a", "A", "b", "/", "*", "?", "é", "$"], 0...3)
            }
        }
        return variables
    }

    mutating func rules() -> [RuleText] {
        (0..<Int.random(in: 1...8, using: &self)).map { _ in
            RuleText(
                path: chance(75) ? pattern() : nil, query: chance(35) ? query() : nil,
                fragment: chance(15) ? pattern() : nil, exclude: chance(30),
                caseSensitive: chance(70), percentEncoded: chance(70), isLegacy: chance(10))
        }
    }

    mutating func query() -> QueryText {
        if chance(40) { return .whole(pattern()) }
        return .items(
            ["a", "b", "A"].prefix(Int.random(in: 0...3, using: &self)).map {
                QueryItemPattern(name: $0, pattern: pattern())
            })
    }

    mutating func pattern() -> String {
        text(
            [
                "a", "a", "b", "A", "/", "/", "*", "*", "?", "=", "&", "é", "%61", "É", "1",
                "$(v)", "$(w)", "$(digit)", "$(alpha)", "$(V)", "$(", "$", "\\",
            ], 0...6)
    }

    mutating func url() -> String {
        let pieces = [
            "a", "a", "b", "A", "/", "/", "é", "É", "%61", "%2F", "%C3%A9", "%3f", "1", "$", "*",
        ]
        var url = "https://example.com"
        if chance(95) { url += "/" + text(pieces, 0...7) }
        if chance(50) { url += "?" + text(pieces + ["=", "=", "&", "&", "?"], 0...7) }
        if chance(25) { url += "#" + text(pieces + ["?"], 0...4) }
        return url
    }
}
