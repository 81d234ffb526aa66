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
            let answer = try Self.answer(fields, url)
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

    private static func answer(_ fields: [String: Any], _ url: LinkURL) throws -> LinkOutcome {
        let id = fields["appID"] as? String ?? "ABCDE12345.com.example.app"
        let bytes = try JSONSerialization.data(withJSONObject: file(fields))
        let matcher = AssociationReading(Array(bytes), file: "case").matcher
        return matcher.verdicts(for: url).first { $0.appID == id }?.verdict ?? .none
    }

    /// The file that the case is about; most give a rule alone.
    private static func file(_ fields: [String: Any]) -> Any {
        let rule = fields["rule"] as Any
        if fields["kind"] as? String == "document" { return rule }
        let key = fields["kind"] as? String == "paths" ? "paths" : "components"
        let rules = fields["kind"] as? String == "component" ? [rule] : rule
        return [
            "applinks": [
                "defaults": fields["defaults"] ?? [String: Any](),
                "substitutionVariables": fields["substitutionVariables"] ?? [String: Any](),
                "details": [["appID": "ABCDE12345.com.example.app", key: rules]],
            ]
        ]
    }
}
