import Associations
import Testing

/// A rule, a URL without its host, and whether the one matches the other.
struct MatchingRow: CustomTestStringConvertible, Sendable {
    let rule: RuleText
    let url: String
    let matches: Bool

    var testDescription: String {
        let parts = [rule.path.map { "/ \($0)" }, rule.query.map { "? \($0)" }, rule.fragment]
        return "\(parts.compactMap(\.self)) \(matches ? "takes" : "refuses") \(url)"
    }

    static func takes(_ path: String, _ urls: String...) -> [MatchingRow] {
        urls.map { MatchingRow(rule: RuleText(path: path), url: $0, matches: true) }
    }

    static func refuses(_ path: String, _ urls: String...) -> [MatchingRow] {
        urls.map { MatchingRow(rule: RuleText(path: path), url: $0, matches: false) }
    }

    static func takes(_ rule: RuleText, _ urls: String...) -> [MatchingRow] {
        urls.map { MatchingRow(rule: rule, url: $0, matches: true) }
    }

    static func refuses(_ rule: RuleText, _ urls: String...) -> [MatchingRow] {
        urls.map { MatchingRow(rule: rule, url: $0, matches: false) }
    }

    /// The matcher's answer, which must be the same with reasons and without.
    func isOpen(_ variables: [SubstitutionVariable] = []) throws -> Bool {
        let url = try LinkURL("https://example.com" + url)
        let matcher = LinkMatcher([AppRules(appID: "A", rules: [rule])], variables: variables)
        let verdict = try #require(matcher.verdicts(for: url).first)
        let isOpen = matcher.opens(url) == [0]
        #expect(verdict.verdict == (isOpen ? .open : .none), "\(verdict)")
        #expect(verdict.steps.isEmpty == isOpen)
        return isOpen
    }
}

extension RuleText {
    static func query(_ whole: String, caseSensitive: Bool = true) -> RuleText {
        RuleText(query: .whole(whole), caseSensitive: caseSensitive)
    }

    static func items(
        _ items: KeyValuePairs<String, String>, caseSensitive: Bool = true,
        percentEncoded: Bool = true
    ) -> RuleText {
        RuleText(
            query: .items(items.map { QueryItemPattern(name: $0.key, pattern: $0.value) }),
            caseSensitive: caseSensitive, percentEncoded: percentEncoded)
    }

    static func fragment(_ fragment: String, caseSensitive: Bool = true) -> RuleText {
        RuleText(fragment: fragment, caseSensitive: caseSensitive)
    }

    static func anyCase(_ path: String) -> RuleText { RuleText(path: path, caseSensitive: false) }
    static func decoded(_ path: String) -> RuleText { RuleText(path: path, percentEncoded: false) }
}
