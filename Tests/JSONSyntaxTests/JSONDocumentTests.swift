import Diagnostics
import JSONSyntax
import Testing

@Suite("Reading JSON (RFC 8259)")
struct JSONDocumentTests {
    // MARK: Values

    @Test func `every kind of value is read, with its position`() throws {
        let document = read("{\"a\": [1, true, null, \"x\"],\n \"b\": {}}")
        let root = try #require(document.root)
        #expect(document.diagnostics.isEmpty)
        #expect(root["a"]?.elements?.map(\.kind) == ["a number", "a boolean", "null", "a string"])
        #expect(root["b"]?.members?.isEmpty == true)
        #expect(root.member("b")?.keyStart.line == 2)
        #expect(root.member("b")?.keyStart.column == 2)
        #expect(root["b"]?.start.column == 7)
        #expect(root["a"]?.elements?[3].end == 25)
    }

    @Test(
        "numbers are those of §6", arguments: ["0", "-0", "10", "1.5", "1e5", "-1.25E+10", "1E-2"])
    func numbers(_ text: String) throws {
        let document = read(text)
        #expect(document.isValid)
        guard case .number(let written)? = document.root?.content else {
            Issue.record("no number")
            return
        }
        #expect(written == text)
    }

    @Test(
        "what only looks like a number is refused",
        arguments: ["01", "-", "1.", ".5", "1e", "+1", "0x10", "1_000", "--1", "NaN", "Infinity"])
    func noNumbers(_ text: String) { #expect(!read("[\(text)]").isValid) }

    @Test(
        "escapes stand for characters",
        arguments: [
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u00e4""#, "ä"),
            (#""\ud83d\ude00""#, "😀"), (#""\u0000""#, "\0"),
        ])
    func escapes(_ text: String, _ expected: String) {
        #expect(read(text).root?.text == expected)
        #expect(read(text).isValid)
    }

    @Test(
        "half a surrogate pair, and an escape that is none, are refused",
        arguments: [
            #""\ud83d""#, #""\ude00""#, #""\ud83dx""#, #""\x41""#, #""\u12""#, #""\u12G4""#,
        ])
    func badEscapes(_ text: String) { #expect(!read(text).isValid) }

    @Test func `of two equal keys the last counts, and a warning says so`() {
        let document = read(#"{"a": 1, "a": "x"}"#)
        #expect(document.root?["a"]?.text == "x")
        #expect(document.isValid)
        #expect(positions(document) == ["1:10 json-duplicate-key"])
    }

    // MARK: Places

    @Test(
        "a column counts scalars, and lines end with LF",
        arguments: [
            ("{\"ä\": x}", "1:7"), ("{\"😀\": x}", "1:7"), ("[\r\n x]", "2:2"), ("[\n\n\tx]", "3:2"),
            ("[\"\u{65}\u{301}\", x]", "1:8"), ("\u{FEFF}[x]", "1:2"),
        ])
    func columns(_ text: String, _ position: String) throws {
        let first = try #require(read(text).diagnostics.last?.position)
        #expect("\(first.line):\(first.column)" == position)
    }

    /// The last fault that is told leaves the rest unread, whatever it was found in.
    @Test(
        "a text of any number of faults is read to its end",
        arguments: [
            "`", "'a' ", "“a”", "…", "...", "\u{A0}", "NOT \"a\" ", "x ", "{`", "[,", "{,", "\\",
            "/*",
            "\"\\q\" ", "\"\\u12\"", "1.e ", "}", "]", "{\"a\" `", "\u{FEFF}", "\u{7}",
        ])
    func manyFaults(_ fault: String) {
        for count in 95...105 {
            let document = read("[" + String(repeating: fault, count: count))
            #expect(!document.diagnostics.isEmpty && document.diagnostics.count <= 201)
        }
    }

    // MARK: Going on

    static let recoveries: [(String, [String])] = [
        (#"{"a": 1,}"#, ["1:8 json-trailing-comma"]),
        ("[1,\n]", ["1:3 json-trailing-comma"]),
        (#"{"a": 1 "b": 2}"#, ["1:9 json-syntax"]),
        (#"["a" "b",]"#, ["1:6 json-syntax", "1:9 json-trailing-comma"]),
        ("[1, // one\n2]", ["1:5 json-comment"]),
        ("[1, /* one\n */ 2, # two\n 3]", ["1:5 json-comment", "2:8 json-comment"]),
        ("[“a”]", ["1:2 json-typographic"]),
        ("['a']", ["1:2 json-typographic"]),
        ("[…]", ["1:2 json-typographic"]),
        ("[1,\u{A0}2]", ["1:4 json-typographic"]),
        (#"{a: 1}"#, ["1:2 json-syntax"]),
        (#"{a": 1}"#, ["1:2 json-syntax"]),
        (#"{"a": "b": 1}"#, ["1:10 json-two-colons"]),
        (#"[NOT "/a"]"#, ["1:2 json-not-outside-quotes"]),
        (#"{"a": }"#, ["1:7 json-syntax"]),
        (#"{"a"}"#, ["1:5 json-syntax"]),
        ("[,1]", ["1:2 json-syntax"]),
        ("[1]]", ["1:4 json-syntax"]),
        (#"[{"a": 1]"#, ["1:9 json-syntax"]),
        ("[True]", ["1:2 json-syntax"]),
        ("[+1, .5, 1.]", ["1:2 json-syntax", "1:6 json-syntax", "1:10 json-syntax"]),
        ("{\"/\": /buy/*\"}", ["1:7 json-syntax"]),
        (
            "[/a\",\n9A.com.b\"\n, c d\" ]",
            ["1:2 json-syntax", "2:1 json-syntax", "3:3 json-syntax"]
        ),
        ("{\"a\": /b/c, \"d\": 1}", ["1:7 json-syntax"]),
        ("[com.acme.app]", ["1:2 json-syntax"]),
        ("[\"a\n]", ["1:2 json-syntax"]),
        ("{\"a\": [1", ["1:9 json-syntax"]),
        ("<html>", ["1:1 json-markup"]),
        (" \n", ["1:1 json-empty"]),
        ("{ \0}", ["1:3 json-syntax"]),
    ]

    @Test("each fault is named once, at its place, and reading goes on", arguments: recoveries)
    func recovers(_ text: String, _ expected: [String]) {
        #expect(positions(read(text)) == expected)
    }

    static let slips = [
        #""paths": ["/buy/*"]"#, "\"\"paths\": [\"/buy/*\"]", #""paths"": ["/buy/*"]"#,
        #""paths": [""/buy/*"]"#, #""paths": ["/buy/*""]"#, #""paths: ["/buy/*"]"#,
        #"paths": ["/buy/*"]"#, #""paths": [/buy/*"]"#, #""paths": ["/buy/*]"#,
        #""paths": ["/buy/*”]"#, #""paths": [“/buy/*"]"#, #""paths" ["/buy/*"]"#,
        #""paths" = ["/buy/*"]"#, #""paths" => ["/buy/*"]"#, #"paths: ["/buy/*"]"#,
        #"'paths': ["/buy/*"]"#,
    ]

    @Test("one slip is one fault, wherever it stands in its line", arguments: slips)
    func oneSlip(_ member: String) {
        for before in ["", #""a": 1, "#, "\"a\": 1,\n"] {
            for behind in ["", #", "b": {"c": ["d"]}"#, ",\n\"b\": {\"c\": [\"d\"]}\n"] {
                let document = read("{\"applinks\": {\(before)\(member)\(behind)}}")
                let isRight = member == Self.slips[0]
                #expect(document.diagnostics.count == (isRight ? 0 : 1), "\(before)…\(behind)")
                let applinks = document.root?["applinks"]
                #expect(applinks?["paths"]?.elements?.first?.text == "/buy/*")
                #expect(behind.isEmpty || applinks?["b"]?["c"]?.elements?.first?.text == "d")
            }
        }
    }

    @Test(
        "an object whose first brace is missing is one fault",
        arguments: [
            #""a": 1, "b": {"c": "d"}}"#, #"{"a": ["b": 1, "c": ["d"]}], "e": {"f": 1}}"#,
            #"{"a": [{"b": 1}, "b": 1, "c": ["d"]}, {"b": 2}]}"#, #"["a": 1, "b": 2]"#,
        ])
    func noBrace(_ text: String) {
        #expect(positions(read(text)).count == 1)
        #expect(read(text).diagnostics[0].message.hasPrefix("a { is missing before the key"))
    }

    @Test(
        "what was never JSON is a finding or two, at most three of a kind, and not one a word",
        arguments: [
            (#"{\"a\": [\"b\", \"c\", \"d\", \"e\"]}"#, 1),
            ("['a' => ['b' => ['c', 'd', 'e'], 'f' => 1, 'h' => 3, 'i' => 4], 'g' => 2]", 2),
            ("{'a': {'b': 'don't', 'c': 'd', 'e': 'f'}}", 1),
            ("{\\rtf1\\ansi\\ansicpg1252 {\\fonttbl\\f0 Helvetica;}\n\\{ \"a\": 1 \\}}", 1),
            ("module.exports = { a: { b: [\"c\", \"d\"] } };", 1),
            ("{a: {b: 1, c: 2, d: 3, e: 4, f: [g, h, i, j, k]}}", 2), ("[1 2 3 4 5 6]", 1),
        ])
    func noJSON(_ text: String, _ count: Int) {
        #expect(read(text).diagnostics.count == count)
        #expect(!read(text).isValid)
    }

    @Test(
        "a key or text that looks like one of these slips, and is none, is read",
        arguments: [
            #"{"a:b": 1}"#, "{\"a:b\"\n : 1}", #"{"a:\"b": 1}"#, #"{"": ["", ""]}"#,
            #"["", "a,", "b]}", "“c”", "d’,"]"#, #"{"a": "", "b:": "c: "}"#,
            "{\"a:\(String(repeating: "b", count: 300))\": 1}",
        ])
    func noSlip(_ text: String) { #expect(read(text).diagnostics == []) }

    @Test func `behind a fault the values are still there`() {
        let document = read("{\"a\": [1 2,], // no\n \"b\": “x” \"c\": NOT \"/y\"}")
        #expect(document.root?["a"]?.elements?.count == 2)
        #expect(document.root?["b"]?.text == "x")
        #expect(document.root?["c"]?.text == "NOT /y")
        #expect(document.diagnostics.count == 6)
        #expect(read("{\"a\": /b/*\", \"c\": 1}").root?["a"]?.text == "/b/*")
    }

    // MARK: Bytes

    @Test(
        "what is not UTF-8 is named by its byte",
        arguments: [
            ([0x22, 0xC3, 0x22], "1:2"), ([0x22, 0x61, 0xFF, 0x22], "1:3"),
            ([0x22, 0xED, 0xA0, 0x80, 0x22], "1:2"), ([0x22, 0xC0, 0x80, 0x22], "1:2"),
        ] as [([UInt8], String)])
    func notUTF8(_ bytes: [UInt8], _ position: String) {
        let document = JSONDocument(bytes, file: "f")
        #expect(positions(document).first == "\(position) not-utf8")
    }

    @Test(
        "UTF-16 is told at the start", arguments: [[0xFF, 0xFE, 0x7B, 0], [0, 0x7B]] as [[UInt8]])
    func utf16(_ bytes: [UInt8]) {
        #expect(positions(JSONDocument(bytes, file: "f")) == ["1:1 not-utf8"])
    }

    @Test func `a byte-order mark is a warning, and has no column`() {
        let document = read("\u{FEFF}{\"a\": 1}")
        #expect(document.isValid)
        #expect(positions(document) == ["1:1 json-byte-order-mark"])
        #expect(document.root?.start.column == 1)
    }

    // MARK: Limits

    @Test func `values nest 64 deep and no deeper`() {
        #expect(read(nested(64)).isValid)
        #expect(positions(read(nested(65))) == ["1:65 json-nesting"])
    }

    @Test func `behind 100 faults the rest is not read`() {
        let document = read("[" + String(repeating: "x,", count: 1_000) + "1]")
        #expect(document.diagnostics.count == 1)
        #expect(document.diagnostics[0].message.contains(", and 99 more like it in line 1"))
    }

    @Test func `a text of 8 MiB is read, and no longer one`() {
        let text = Array(repeating: UInt8(ascii: " "), count: JSONDocument.bytesMax - 2)
        #expect(JSONDocument(text + Array("[]".utf8), file: "f").isValid)
        let longer = JSONDocument(text + Array("[ ]".utf8), file: "f")
        #expect(positions(longer) == ["1:1 file-size"])
    }

    private func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
}

private func read(_ text: String) -> JSONDocument { JSONDocument(Array(text.utf8), file: "f") }

/// `line:column rule` of each finding.
private func positions(_ document: JSONDocument) -> [String] {
    document.diagnostics.map { finding in
        "\(finding.position.map { "\($0.line):\($0.column)" } ?? "") \(finding.rule)"
    }
}
