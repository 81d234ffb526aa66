import Associations
import Foundation
import Testing

/// Measures the matcher against cases from elsewhere: one JSON object a line, with a rule, a URL,
/// and what is expected.
@Suite("Measured cases")
struct MatchingCases {
    static let path = ProcessInfo.processInfo.environment["WAYMARK_MATCH_CASES"]

    @Test(.enabled(if: path != nil)) func `every case of the file is answered as expected`() throws
    {
        let text = try String(contentsOfFile: try #require(Self.path), encoding: .utf8)
        for (number, line) in text.split(separator: "\n").enumerated() {
            let json = try JSONSerialization.jsonObject(with: Data(line.utf8))
            let fields = try #require(json as? [String: Any])
            let expected = try #require(Self.expected(fields))
            let url = try LinkURL(try #require(fields["url"] as? String))
            let answer = Self.answer(fields, url)
            let name = fields["id"] as? String ?? "line \(number + 1)"
            #expect(expected.contains(answer), "\(name): \(answer), \(line)")
        }
    }

    private static func expected(_ fields: [String: Any]) -> [LinkOutcome]? {
        switch (fields["expect"] ?? fields["result"]) as? String {
        case "match": [.open]
        case "exclude": [.exclude]
        case "none": [.none]
        default:
            (fields["matched"] ?? fields["match"]).flatMap { $0 as? Bool }
                .map { $0 ? [.open, .exclude] : [.none] }
        }
    }

    private static func answer(_ fields: [String: Any], _ url: LinkURL) -> LinkOutcome {
        let id = fields["appID"] as? String ?? "ABCDE12345.com.example.app"
        let (apps, variables) = LooseFile(fields).apps
        let verdicts = LinkMatcher(apps, variables: variables).verdicts(for: url)
        return verdicts.first { $0.appID == id }?.verdict ?? .none
    }
}

/// A reader of files as lenient as Apple's, only good enough for measuring.
private struct LooseFile {
    let applinks: [String: Any]

    init(_ fields: [String: Any]) {
        let rule = fields["rule"]
        if fields["kind"] as? String == "document" {
            applinks = (rule as? [String: Any])?["applinks"] as? [String: Any] ?? [:]
            return
        }
        let key = fields["kind"] as? String == "paths" ? "paths" : "components"
        let rules = fields["kind"] as? String == "component" ? [rule as Any] : rule
        applinks = [
            "defaults": fields["defaults"] ?? [String: Any](),
            "substitutionVariables": fields["substitutionVariables"] ?? [String: Any](),
            "details": [["appID": "ABCDE12345.com.example.app", key: rules as Any]],
        ]
    }

    var apps: ([AppRules], [SubstitutionVariable]) {
        let variables = (applinks["substitutionVariables"] as? [String: [String]] ?? [:])
            .map { SubstitutionVariable(name: $0, values: $1) }
        var seen = Set<String>()
        let apps = (applinks["details"] as? [Any] ?? []).flatMap { detail -> [AppRules] in
            guard let detail = detail as? [String: Any] else { return [] }
            let single = (detail["appID"] as? String).map { [$0] } ?? []
            let ids = detail["appIDs"] as? [String] ?? single
            return ids.filter { seen.insert($0).inserted }
                .map { AppRules(appID: $0, rules: rules(detail)) }
        }
        return (apps, variables)
    }

    private func rules(_ detail: [String: Any]) -> [RuleText]? {
        let defaults = (applinks["defaults"] as? [String: Any] ?? [:])
            .merging(detail["defaults"] as? [String: Any] ?? [:]) { $1 }
        if let components = detail["components"] as? [Any] {
            return components.enumerated().map { index, component in
                rule(
                    defaults.merging(component as? [String: Any] ?? [:]) { $1 },
                    "/applinks/details/0/components/\(index)")
            }
        }
        return (detail["paths"] as? [Any])?.compactMap { $0 as? String }.map { path in
            let isExcluded = path.lowercased().hasPrefix("not ")
            var rule = rule(defaults, "")
            rule.path = isExcluded ? String(path.dropFirst(4)) : path
            rule.exclude = isExcluded
            rule.caseSensitive = isExcluded || rule.caseSensitive
            rule.isLegacy = true
            return rule
        }
    }

    private func rule(_ fields: [String: Any], _ pointer: String) -> RuleText {
        RuleText(
            path: fields["/"] as? String, query: query(fields["?"]),
            fragment: fields["#"] as? String, exclude: flag(fields["exclude"], or: false),
            caseSensitive: flag(fields["caseSensitive"], or: true),
            percentEncoded: flag(fields["percentEncoded"], or: true), pointer: pointer)
    }

    private func query(_ value: Any?) -> QueryText? {
        if let whole = value as? String { return .whole(whole) }
        guard let items = value as? [String: Any] else { return nil }
        let strings = items.compactMapValues { $0 as? String }
        guard strings.count == items.count else { return nil }
        return .items(strings.map { QueryItemPattern(name: $0, pattern: $1) })
    }

    private func flag(_ value: Any?, or standard: Bool) -> Bool {
        switch value {
        case nil: standard
        case let value as Bool: value
        case let value as String: ["true", "yes", "1"].contains(value.lowercased())
        default: false
        }
    }
}
