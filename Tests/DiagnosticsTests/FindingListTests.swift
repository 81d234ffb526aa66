import Diagnostics
import Testing

@Suite("Gathering findings")
struct FindingListTests {
    /// Messages, how many findings come of them, and the first of them.
    struct Row: CustomTestStringConvertible {
        let messages: [String]
        let count: Int
        let first: String
        var testDescription: String { first }
    }

    static let rows = [
        Row(
            messages: ["no slash in \"a\"", "no slash in \"b\""], count: 2,
            first: "no slash in \"a\""),
        Row(
            messages: ["a", "b", "c\\\"c", "d"].map { "no slash in \"\($0)\"" }, count: 1,
            first: "no slash in \"a\", and 3 more like it in lines 2, 3, 4"),
        Row(
            messages: (1...4).map { "\($0) stars in one pattern" }, count: 1,
            first: "1 stars in one pattern, and 3 more like it in lines 2, 3, 4"),
        Row(
            messages: (1...4).map { "the rule in line \($0) takes this one" }, count: 4,
            first: "the rule in line 1 takes this one"),
        Row(
            messages: [
                "byte 0xC3 is none", "byte 0xE9 is none", "byte 0xFF is none", "byte 1 is none",
            ],
            count: 1, first: "byte 0xC3 is none, and 3 more like it in lines 2, 3, 4"),
        Row(
            messages: Array(repeating: "no", count: 30), count: 1,
            first: "no, and 29 more like it in lines 2, 3, 4, 5, 6, 7, 8, 9 and others"),
        Row(messages: ["one", "two", "three", "four"], count: 4, first: "one"),
    ]

    @Test("findings that differ in what they quote and count have one cause", arguments: rows)
    func causes(_ row: Row) {
        var list = FindingList(file: "f")
        for (line, message) in row.messages.enumerated() { list.add(finding(message, line + 1)) }
        #expect(list.findings.count == row.count)
        #expect(list.findings.first?.message == row.first)
        #expect(list.count == row.messages.count)
    }

    @Test func `where the name is the cause, other names are other causes`() {
        var list = FindingList(file: "f")
        for line in 1...10 {
            list.add(finding("\"exclud\" is not read", line, rule: .keyCase))
            list.add(finding("\"query\" is not read", line, rule: .keyCase))
        }
        #expect(list.findings.count == 2)
    }

    @Test func `one cause in two severities, or under two rules, is two`() {
        var list = FindingList(file: "f")
        for line in 1...10 {
            list.add(finding("no", line))
            list.add(finding("no", line, .note))
            list.add(finding("no", line, rule: .pattern))
        }
        #expect(list.findings.count == 3)
    }

    @Test func `all in one line are said to be there`() {
        var list = FindingList(file: "f")
        for _ in 1...5 { list.add(finding("no", 1)) }
        #expect(list.findings.map(\.message) == ["no, and 4 more like it in line 1"])
    }

    /// The order in which they come makes no difference.
    @Test("errors are kept before warnings, and those before notes", arguments: [false, true])
    func errorsFirst(_ isReversed: Bool) {
        var findings = [Diagnostic]()
        for (severity, count) in [(Severity.note, 2_000), (.warning, 2_000), (.error, 900)] {
            findings += (1...count).map { finding("the \(severity) of line \($0)", $0, severity) }
        }
        var list = FindingList(file: "f")
        for finding in isReversed ? findings.reversed() : findings { list.add(finding) }
        let shown = list.findings
        #expect(shown.count == 1_001)
        #expect(shown.count { $0.severity == .error } == 900)
        #expect(shown.count { $0.severity == .note } == 0)
        #expect(
            shown.last?.description.hasPrefix(
                "f:1:1: warning: 3900 more findings are not shown [too-many-findings]") == true)
    }

    @Test func `as many as are shown are not too many`() {
        var list = FindingList(file: "f")
        for line in 1...1_000 { list.add(finding("the rule of line \(line)", line)) }
        #expect(list.findings.count == 1_000)
        list.add(finding("the rule of line 1001", 1_001))
        #expect(list.findings.count == 1_001)
        #expect(list.findings.last?.message == "1 more finding is not shown")
    }
}

private func finding(
    _ message: String, _ line: Int, _ severity: Severity = .warning, rule: RuleName = .url
) -> Diagnostic {
    Diagnostic(
        severity, rule, at: SourcePosition(file: "f", line: line, column: 1), message,
        advice: "mend it")
}
