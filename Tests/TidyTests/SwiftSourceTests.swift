import Testing

@Suite("Telling Swift code from comments and literals")
struct SwiftSourceTests {
    /// A line, and the code that is left of it, spaces collapsed.
    struct Row: CustomTestStringConvertible {
        let line: String
        let code: String
        var testDescription: String { line }
    }

    static let rows: [Row] = [
        Row(line: #"let a = 1 // "b""#, code: "let a = 1"),
        Row(line: "a /* b /* c */ d */ e", code: "a e"),
        Row(line: #"f("unsafe", x)"#, code: "f( , x)"),
        Row(line: #"f("a \"b\" c", x)"#, code: "f( , x)"),
        Row(line: #"f("a \(g("b", y)) c", x)"#, code: "f( g( , y) , x)"),
        Row(line: ##"f(#"a " \(b) \#(c)"#, x)"##, code: "f( c , x)"),
        Row(line: ##"f(#/"\//#, x)"##, code: "f( , x)"),
        Row(line: "f(\"\"\"\na \"b\"\n\"\"\", x)", code: "f( , x)"),
        Row(line: "@Test func `a \"quote`() {}", code: "@Test func () {}"),
        Row(line: "#expect(a / b == c)", code: "#expect(a / b == c)"),
    ]

    @Test("comments and literals are blanked, interpolations are kept", arguments: rows)
    func blanks(_ row: Row) {
        let code = SwiftSource(path: "", text: row.line).code.joined(separator: " ")
        #expect(code.split(separator: " ").joined(separator: " ") == row.code)
    }

    @Test func `every line keeps its number and its width`() {
        let source = SwiftSource(path: "", text: "a // b\n\"\"\"\nc\n\"\"\"\nd")
        #expect(source.lines == ["a // b", "\"\"\"", "c", "\"\"\"", "d"])
        #expect(source.code == ["a     ", "   ", " ", "   ", "d"])
    }

    @Test func `the room is the directory below Sources or Tests`() {
        #expect(SwiftSource(path: "Sources/TLS/A.swift", text: "").room == "TLS")
        #expect(SwiftSource(path: "Tests/TLSTests/Support/A.swift", text: "").room == "TLSTests")
        #expect(SwiftSource(path: "Package.swift", text: "").room == "")
    }
}
