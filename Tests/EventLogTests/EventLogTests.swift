import Diagnostics
import EventLog
import Foundation
import Logging
import Synchronization
import Testing

@Suite("The log of events")
struct EventLogTests {
    /// What a log of this form writes for what `tell` tells it, at a fixed time.
    private func written(
        _ form: EventForm, from level: Logger.Level = .info, _ tell: (Logger) -> Void
    ) -> String {
        let lines = Written()
        let handler = EventHandler(form, from: level, now: { 1_795_263_121_045_999 }) { line in
            lines.text.withLock { $0 += line }
        }
        tell(Logger(label: "test", factory: { _ in handler }))
        return lines.text.withLock { $0 }
    }

    private final class Written: Sendable { let text = Mutex("") }

    private let finding = Diagnostic(
        .error, .appIdentifier, at: SourcePosition(file: "waymark.yaml", line: 31, column: 17),
        "prefix \"AB\" is short", advice: "copy it\nwhole")

    @Test func `a finding reads as everywhere; its advice stays on the line but on a terminal`() {
        let fact = "waymark.yaml:31:17: error: prefix \"AB\" is short [app-identifier]"
        #expect(written(.terminal) { $0.report(finding) } == "\(finding)\n")
        #expect(written(.text) { $0.report(finding) } == "\(fact); copy it; whole\n")
        #expect(written(.journal) { $0.report(finding) } == "<3>\(fact); copy it; whole\n")
    }

    @Test func `JSON has a finding's parts as members, numbers as numbers`() {
        #expect(
            written(.json) { $0.report(finding, ["errors": .stringConvertible(2)]) } == """
                {"ts":"2026-11-21T12:12:01.045Z","level":"error",\
                "msg":"prefix \\"AB\\" is short","advice":"copy it\\nwhole","column":17,\
                "errors":2,"file":"waymark.yaml","line":31,"rule":"app-identifier"}

                """)
    }

    @Test func `what happened says itself; its members are for machines`() {
        let tell: (Logger) -> Void = { log in
            log.info("stopped", metadata: ["requests": .stringConvertible(2), "all": ["a", "b"]])
        }
        #expect(written(.text, tell) == "waymark: stopped\n")
        #expect(written(.terminal, tell) == "waymark: stopped\n")
        #expect(written(.journal, tell) == "<6>waymark: stopped\n")
        #expect(
            written(.json, tell).hasSuffix(
                "\"stopped\",\"all\":[\"a\", \"b\"],\"requests\":2}\n")
        )
    }

    @Test(
        "levels are told apart by a word and by syslog's number",
        arguments: [
            (.debug, "<7>waymark: debug: x\n"), (.info, "<6>waymark: x\n"),
            (.notice, "<5>waymark: x\n"), (.warning, "<4>waymark: warning: x\n"),
            (.error, "<3>waymark: error: x\n"), (.critical, "<2>waymark: error: x\n"),
        ] as [(Logger.Level, String)])
    func levels(_ level: Logger.Level, _ expected: String) {
        #expect(written(.journal, from: .trace) { $0.log(level: level, "x") } == expected)
    }

    @Test func `what is less than the level is not told`() {
        let tell: (Logger) -> Void = { log in
            log.report([
                Diagnostic(.note, .duplicateRule, at: nil, "note"),
                Diagnostic(.warning, .mixedCase, at: nil, "odd"),
            ])
        }
        #expect(written(.text, from: .debug, tell).utf8.count { $0 == 0x0A } == 2)
        #expect(written(.text, from: .warning, tell) == "waymark: warning: odd [mixed-case]\n")
        #expect(written(.text, from: .error, tell) == "")
    }

    static let hostile = [
        "a\nwaymark: stopped", "a\r\nb", "\r", "\u{1B}[2J", "\u{9B}2J", "\0", "\u{2028}",
        "\u{202E}x",
        "\"\u{301}\n\"", "\u{7F}", "}\n{", "é", "::error::x", " \u{A0}::error::x", "##[error]x",
        "##vso[task.x]", "\u{2066}\u{200B}\u{E0001}",
    ]

    /// No text of others makes a second line, or moves a cursor.
    @Test("an event is one line, whatever is in it", arguments: hostile)
    func oneLine(_ text: String) throws {
        let finding = Diagnostic(
            .error, .url, at: SourcePosition(file: text, line: 1, column: 1), text, advice: text)
        for form in [EventForm.text, .journal, .json] {
            let line = written(form) { $0.report(finding, ["more": .string(text)]) }
            #expect(line.utf8.count { $0 == 0x0A } == 1 && line.utf8.last == 0x0A)
            #expect(line.unicodeScalars.dropLast().allSatisfy { !isControl($0) }, "\(form)")
            #expect(!line.contains("##[") && !line.contains("##vso["), "\(form)")
            #expect(!line.drop(while: \.isWhitespace).hasPrefix("::"), "\(form)")
        }
        let json = written(.json) { $0.report(finding, ["more": .string(text)]) }
        let members = try #require(
            JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        for key in ["msg", "file", "advice", "more"] {
            #expect((members[key] as? String).map { Array($0.utf8) } == Array(text.utf8))
        }
    }

    private func isControl(_ scalar: Unicode.Scalar) -> Bool {
        [.control, .format, .lineSeparator, .paragraphSeparator].contains(
            scalar.properties.generalCategory)
    }
}
