import Diagnostics

/// A text for standard output, escaped for its format. It can contain texts from outside: a file's
/// content, a link, a name. If you add a format, escape here.
struct PrintedText {
    let bytes: [UInt8]

    private init(_ text: String) { bytes = Array(text.utf8) }

    /// Lines for people, which build services read too: a text cannot end a line, control a
    /// terminal, or contain a command.
    static func lines(_ lines: [String]) -> PrintedText {
        PrintedText(lines.map { onOneLine($0) + "\n" }.joined())
    }

    /// A JSON value on several lines.
    static func json(_ value: JSONText) -> PrintedText { PrintedText(value.indented + "\n") }

    /// The same without the last line end.
    static func element(_ value: JSONText) -> PrintedText { PrintedText(value.indented) }

    /// A JSON value on one line.
    static func jsonLine(_ value: JSONText) -> PrintedText { PrintedText(value.compact + "\n") }

    /// Lines of Markdown.
    static func markdown(_ lines: [MarkdownLine]) -> PrintedText {
        PrintedText(lines.map { $0.text + "\n" }.joined())
    }

    /// An XML document.
    static func xml(_ root: XMLElement) -> PrintedText { PrintedText(root.document) }

    /// Commands of GitHub's workflows, one on each line.
    static func commands(_ commands: [WorkflowCommand]) -> PrintedText {
        PrintedText(commands.map { $0.line + "\n" }.joined())
    }

    /// A value of a record whose values are separated by tabs and which ends with a line end.
    static func field(_ text: String) -> PrintedText { PrintedText(onOneLine(text)) }

    /// A text of the program itself.
    static func literal(_ text: StaticString) -> PrintedText { PrintedText("\(text)") }

    /// The content of a response, byte for byte, without escaping.
    static func content(_ content: [UInt8]) -> PrintedText { PrintedText(content: content) }

    /// Help, which contains no text from outside, and scripts for shells.
    static func help(_ text: String) -> PrintedText { PrintedText(text + "\n") }

    private init(content: [UInt8]) { bytes = content }
}
