import Associations
import Testing

@Suite("Legacy paths in a file")
struct LegacyPathTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let defaults: String
        let paths: String
        let url: String
        let outcome: LinkOutcome
        let caveats: [LinkCaveat]

        init(
            _ defaults: String, _ paths: String, _ url: String, _ outcome: LinkOutcome,
            _ caveats: LinkCaveat...
        ) {
            (self.defaults, self.paths, self.url) = (defaults, paths, url)
            (self.outcome, self.caveats) = (outcome, caveats)
        }

        var testDescription: String { "\(defaults) \(paths) \(url)" }
    }

    static let rows = [
        Row("", #""/a""#, "/a", .open), Row("", #""/a""#, "/b", .none),
        Row("", #""NOT /a", "*""#, "/a", .exclude), Row("", #""NOT /a", "*""#, "/b", .open),
        Row(#""exclude": true"#, #""/a""#, "/a", .exclude, .legacyDefaults),
        Row(#""exclude": true"#, #""/a""#, "/b", .none),
        Row(#""exclude": true"#, #""NOT /a""#, "/a", .exclude),
        Row(#""exclude": false"#, #""/a""#, "/a", .open),
        Row(#""?": {"q": "1"}"#, #""/a""#, "/a?q=1", .open),
        Row(#""?": {"q": "1"}"#, #""/a""#, "/a", .none, .legacyDefaults),
        Row(#""?": {"q": "1"}"#, #""/a""#, "/b", .none),
        Row(##""#": "x""##, #""/a""#, "/a", .none, .legacyDefaults),
        Row(##""#": "x""##, #""/a""#, "/a#x", .open),
        Row(#""/": "/b""#, #""/a""#, "/a", .open), Row(#""/": "/b""#, #""/a""#, "/b", .none),
        Row(#""caseSensitive": false"#, #""/a""#, "/A", .open, .legacyDefaults),
        // What is no string says nothing of the path.
        Row("", "5", "/a", .open), Row("", "null", "/a/b?c#d", .open),
        Row("", #"["/a"]"#, "/b", .open), Row("", #""NOT /a", 5"#, "/a", .exclude),
    ]

    @Test(
        "inherit from defaults on current systems; what is no string matches all", arguments: rows)
    func decides(_ row: Row) throws {
        let text = """
            {"applinks": {"details": [{"appID": "8LQ3T5XW7R.com.example.app",
              "defaults": {\(row.defaults)}, "paths": [\(row.paths)]}]}}
            """
        let file = AssociationReading(Array(text.utf8), file: "f")
        let url = try LinkURL("https://e.com" + row.url)
        let verdict = try #require(file.matcher.verdicts(for: url).first)
        #expect(verdict.verdict == row.outcome)
        #expect(verdict.caveats == row.caveats)
    }
}
