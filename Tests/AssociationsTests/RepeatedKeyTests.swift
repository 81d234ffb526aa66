@testable import JSONSyntax
import Testing

@testable import Associations

/// Most parsers take the last of two keys; what else there is, a warning says.
@Suite("Keys that stand twice")
struct RepeatedKeyTests {
    private static let app = "K3W9Q7M2XA.com.example.app"

    private func file(_ rules: String, defaults: String = "{}") throws -> PublishedAssociationFile {
        let text = """
            {"applinks": {"defaults": \(defaults),
              "details": [{"appIDs": ["\(Self.app)"], "components": [\(rules)]}]}}
            """
        return try PublishedAssociationFile(text.utf8)
    }

    @Test(
        "the last one counts",
        arguments: [
            (#"{"/": "/a", "/": "/b"}"#, "/b", "/a"),
            (#"{"?": {"x": "1", "x": "2"}}"#, "/?x=2", "/?x=1"),
            (#"{"?": {"x": "1", "y": "3", "x": "2"}}"#, "/?x=2&y=3", "/?x=2"),
            (#"{"?": {"x": "1"}, "?": "x=2"}"#, "/?x=2", "/?x=1"),
        ])
    func last(_ rule: String, _ opening: String, _ other: String) throws {
        let file = try file(rule)
        #expect(file.apps(opening: "https://example.com\(opening)") == [Self.app])
        #expect(file.apps(opening: "https://example.com\(other)") == [])
    }

    @Test func `of inherited ones too`() throws {
        let file = try file(
            #"{"/": "/a"}"#, defaults: #"{"caseSensitive": true, "caseSensitive": false}"#)
        #expect(file.apps(opening: "https://example.com/A") == [Self.app])
    }

    @Test("however many there are, the rules behind them are read", arguments: [99, 100, 101, 500])
    func many(_ count: Int) throws {
        let twice = String(repeating: #"{"/": "/a", "comment": "", "comment": ""}, "#, count: count)
        let file = try file(twice + #"{"/": "/b"}"#)
        #expect(file.apps(opening: "https://example.com/b") == [Self.app])
        #expect(file.findings.count == 1)
        #expect(file.findings[0].contains(", and \(count - 1) more like it in line 2"))
    }

    @Test func `a fault behind a hundred of them is found`() throws {
        let twice = String(repeating: #"{"a": 1, "a": 1}, "#, count: 150)
        let document = JSONDocument(Array("[\(twice) 1 2]".utf8), file: "f")
        #expect(!document.isValid)
    }

    @Test func `rules inherit no more than what they read`() throws {
        let unknown = (0..<1_000).map { #""k\#($0)": 1, "# }.joined()
        let text = #"{\#(unknown) "/": "/a", "/": "/b", "caseSensitive": false}"#
        let document = JSONDocument(Array(text.utf8), file: "f")
        var reading = AssociationReading(document, file: "f")
        #expect(reading.defaults(document.root).members.map(\.key) == ["/", "caseSensitive"])
    }
}
