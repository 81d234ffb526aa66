import Diagnostics
import Testing

@Suite("Diagnostics")
struct DiagnosticTests {
    @Test func `a diagnostic reads as position, severity, fact, rule and advice`() {
        let position = SourcePosition(file: "waymark.yaml", line: 31, column: 17)
        let diagnostic = Diagnostic(
            .error, .appIdentifier, at: position, "prefix is short", advice: "copy it\nagain")
        #expect(
            diagnostic.description == """
                waymark.yaml:31:17: error: prefix is short [app-identifier]
                    copy it
                    again
                """)
    }

    @Test func `a file's name, whoever gave it, breaks no line and steers no terminal`() {
        let position = SourcePosition(file: "a\u{1B}[2J\n\u{9B}b", line: 1, column: 1)
        let diagnostic = Diagnostic(.error, .url, at: position, "no\u{202E}", advice: "do\r\nit")
        #expect(
            diagnostic.description == """
                a\\u{1B}[2J\\n\\u{9B}b:1:1: error: no\\u{202E} [url]
                    do\\r
                    it
                """)
    }

    /// What stays as it is stands beside it.
    @Test(
        "a line gives no build service a command",
        arguments: [
            ("::error::x", "\\u{3A}:error::x"), (" \u{A0}::x", " \u{A0}\\u{3A}:x"),
            ("\u{FE0F}::x", "\u{FE0F}\\u{3A}:x"), ("a::b", "a::b"), (": :", ": :"),
            ("a ##[error]", "a #\\u{23}[error]"), ("###vso[x]", "##\\u{23}vso[x]"),
            ("## a [b]", "## a [b]"), ("#[a]", "#[a]"), ("##", "##"),
        ])
    func commands(_ text: String, _ expected: String) {
        #expect(onOneLine(text) == expected)
    }

    @Test(
        "quoted text shows what a terminal could hide",
        arguments: [
            ("plain", "\"plain\""),
            ("a\"b\\", "\"a\\\"b\\\\\""),
            ("\r\n\t\u{1B}[31m", "\"\\r\\n\\t\\u{1B}[31m\""),
            ("\"\u{301}", "\"\\\"\\u{301}\""),
            ("\u{202E}x", "\"\\u{202E}x\""),
            (String(repeating: "é", count: 41), "\"\(String(repeating: "é", count: 40))…\""),
        ])
    func quotes(_ text: String, _ expected: String) {
        #expect(quoted(text) == expected)
    }

    @Test func `a path is shown whole, and a longer one than systems have by its end`() {
        let part = String(repeating: "é", count: 100)
        let path = (0..<20).map { "\(part)\($0)" }.joined(separator: "/") + "/a\u{1B}.json"
        #expect(quotedPath(path) == "\"\(path.replacing("\u{1B}", with: "\\u{1B}"))\"")
        let long = String(repeating: "/\(part)", count: 30) + "/a.json"
        let shown = quotedPath(long)
        #expect(shown.hasPrefix("\"…") && shown.hasSuffix("/a.json\""))
        #expect((4_000...4_110).contains(shown.utf8.count))
    }

    @Test(
        "the nearest name is the one meant, or none",
        arguments: [
            ("enviroments", "environments"), ("hsots", "hosts"), ("Links", "links"),
            ("zebra", nil), ("", nil),
            // A third of the letters, each of which is two scalars.
            ("e\u{301}e\u{301}", "e\u{301}e\u{301}e\u{301}"),
        ] as [(String, String?)])
    func suggests(_ word: String, _ expected: String?) {
        let known = [
            "version", "apps", "links", "environments", "hosts", "e\u{301}e\u{301}e\u{301}",
        ]
        #expect(nearestName(to: word, among: known) == expected)
    }
}
