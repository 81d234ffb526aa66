import Diagnostics
import Testing

@Suite("Diagnostics")
struct DiagnosticTests {
    @Test func `a diagnostic reads as place, severity, fact, rule and advice`() {
        let place = SourcePlace(file: "waymark.yaml", line: 31, column: 17)
        let diagnostic = Diagnostic(
            .error, "app-identifier", at: place, "prefix is short", advice: "copy it\nagain")
        #expect(
            diagnostic.description == """
                waymark.yaml:31:17: error: prefix is short [app-identifier]
                    copy it
                    again
                """)
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

    @Test(
        "the nearest name is the one meant, or none",
        arguments: [
            ("enviroments", "environments"), ("hsots", "hosts"), ("Links", "links"),
            ("zebra", nil), ("", nil),
        ] as [(String, String?)])
    func suggests(_ word: String, _ expected: String?) {
        let known = ["version", "apps", "links", "environments", "hosts"]
        #expect(nearestName(to: word, among: known) == expected)
    }
}
