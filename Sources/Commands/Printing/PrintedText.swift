import Diagnostics

/// A text for standard output, escaped for what reads it. The texts that it is made of may be
/// anybody's: a file's content, a link, a name. Whoever adds a form escapes here.
struct PrintedText {
    let bytes: [UInt8]

    private init(_ text: String) { bytes = Array(text.utf8) }

    /// Lines for people, which build services read too: no line can be ended, no terminal steered,
    /// and no command given in one.
    static func lines(_ lines: [String]) -> PrintedText {
        PrintedText(lines.map { onOneLine($0) + "\n" }.joined())
    }

    /// A value of JSON over as many lines as it takes.
    static func json(_ value: JSONText) -> PrintedText { PrintedText(value.indented + "\n") }

    /// The same without the last line end.
    static func element(_ value: JSONText) -> PrintedText { PrintedText(value.indented) }

    /// A value of JSON on a line.
    static func jsonLine(_ value: JSONText) -> PrintedText { PrintedText(value.compact + "\n") }

    /// A document of XML.
    static func xml(_ root: XMLElement) -> PrintedText { PrintedText(root.document) }

    /// Commands of GitHub's workflows, a line each.
    static func commands(_ commands: [WorkflowCommand]) -> PrintedText {
        PrintedText(commands.map { $0.line + "\n" }.joined())
    }

    /// A value of a record whose values are separated by tabs, and that a line end ends.
    static func field(_ text: String) -> PrintedText { PrintedText(onOneLine(text)) }

    /// What the program itself says.
    static func literal(_ text: StaticString) -> PrintedText { PrintedText("\(text)") }

    /// The content of an answer, byte for byte, without escaping.
    static func content(_ content: [UInt8]) -> PrintedText { PrintedText(content: content) }

    /// Help, which holds no text of anybody else's, and scripts for shells, which are no lines for
    /// people.
    static func help(_ text: String) -> PrintedText { PrintedText(text + "\n") }

    private init(content: [UInt8]) { bytes = content }
}
