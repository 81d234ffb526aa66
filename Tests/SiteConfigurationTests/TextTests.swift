import Diagnostics
import Testing

@testable import SiteConfiguration

@Suite("The text of a configuration")
struct TextTests {
    static let refusals: [([UInt8], String)] = [
        ([], "1:1: error: file is empty [empty-file]"),
        ([0xEF, 0xBB, 0xBF], "1:1: error: file is empty [empty-file]"),
        (Array("a: 1\nb: \u{FC}".utf8).dropLast() + [0x0A], "2:4: error: byte 0xC3 is not UTF-8"),
        ([0xFF, 0xFE, 0x61, 0x00], "1:1: error: byte 0xFF is not UTF-8"),
        (Array("a: \u{FC}\u{0}".utf8), "1:5: error: character U+00 is not allowed"),
        (Array("a: 1\r\nb: \u{1B}[31m".utf8), "2:4: error: character U+1B is not allowed"),
        (Array("a: 1\rb:\u{2028}\u{7F}".utf8), "3:1: error: character U+7F is not allowed"),
        (Array("a: 1\u{FEFF}".utf8), "1:5: error: character U+FEFF is not allowed"),
        (Array("a: \u{FFFE}".utf8), "1:4: error: character U+FFFE is not allowed"),
    ]

    @Test("what is no text of YAML is refused at its place", arguments: refusals)
    func refuses(_ bytes: [UInt8], _ expected: String) throws {
        let (site, diagnostics) = Configuration.read(bytes, file: "f", directory: ".")
        #expect(site == nil)
        #expect(diagnostics.count == 1)
        #expect(try #require(diagnostics.first).description.hasPrefix("f:\(expected)"))
    }

    @Test(
        "a byte-order mark and any line end are accepted",
        arguments: ["\u{FEFF}", ""], ["\n", "\r\n", "\r"])
    func accepts(_ mark: String, _ lineEnd: String) throws {
        let fixture = try #require(Fixture.all.first { $0.name == "smallest.txt" })
        let text = mark + fixture.input.replacing("\n", with: lineEnd)
        let (site, diagnostics) = Configuration.read(
            Array(text.utf8), file: "waymark.yaml", directory: ".")
        #expect(diagnostics == [])
        #expect(site?.environments.first?.position.line == 7)
        #expect(site?.environments.first?.position.column == 3)
    }

    @Test func `JSON writes a character beyond U+FFFF as two escapes`() throws {
        let escaped = #"\ud83d\ude00 \\ud83d\\ude00 \"\uD83D\uDE80"#
        let text = """
            {"version": 1, "apps": {"app": {"name": "\(escaped)", "ios": {"id": "K3W9Q7M2XA.com.example.app"}}},
             "links": {"home": {"match": "/"}}, "environments": {"e": {"hosts": ["a.example"],
             "tls": {"certificate": "a", "key": "b"}, "publish": {"app": ["home"]}}}}
            """
        let (site, diagnostics) = Configuration.read(
            Array(text.utf8), file: "f.json", directory: ".")
        #expect(diagnostics == [])
        #expect(site?.apps.first?.name == "\u{1F600} \\ud83d\\ude00 \"\u{1F680}")
        // Positions are those of the file.
        let wrong = #"{"a\ud83d\ude00b": 1, "version": 2}"#
        let found = Configuration.read(Array(wrong.utf8), file: "f.json", directory: ".")
            .diagnostics
        #expect(found.map(\.position?.column).contains(34), "\(found)")
        let half = #"{"version": 1, "a": "\ud83d"}"#
        #expect(
            !Configuration.read(Array(half.utf8), file: "f.json", directory: ".").diagnostics
                .isEmpty)
    }

    @Test func `columns count scalars, wherever the parser or the reader counts`() {
        let text = "version: 1\nenvironments: {\u{E9}\u{1F600}e\u{301}: x, hsots: 1}\n"
        let (_, diagnostics) = Configuration.read(Array(text.utf8), file: "f", directory: ".")
        #expect(diagnostics.map(\.position?.column) == [16, 22, 32])
    }

    @Test("keys that stand twice are all named, whatever their form", arguments: ["\n", "\r\n"])
    func duplicates(_ lineEnd: String) {
        let text = """
            version: 1
            'version': 1
            apps: {a: 1, "a": 2, 'a': 3}
            a: 1
            b: 1
            a: 2
            b: 2
            """.replacing("\n", with: lineEnd)
        let (_, diagnostics) = Configuration.read(Array(text.utf8), file: "f", directory: ".")
        let duplicates = diagnostics.filter { $0.rule == .duplicateKey }
        #expect(
            duplicates.map { $0.description.split(separator: "\n")[0] } == [
                #"f:2:1: error: key "version" is already in line 1 [duplicate-key]"#,
                #"f:3:14: error: key "a" is already in line 3 [duplicate-key]"#,
                #"f:3:22: error: key "a" is already in line 3 [duplicate-key]"#,
                #"f:6:1: error: key "a" is already in line 4 [duplicate-key]"#,
                #"f:7:1: error: key "b" is already in line 5 [duplicate-key]"#,
            ])
        #expect(duplicates.allSatisfy { $0.advice?.hasPrefix("remove one of them") == true })
    }
}
