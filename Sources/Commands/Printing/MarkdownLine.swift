import Diagnostics

/// A line of GitHub's Markdown (GitHub Flavored Markdown Spec). Texts from outside cannot become
/// markup, mentions, links or cells of a table.
struct MarkdownLine {
    let text: String

    enum Part {
        /// Markup and words of the program itself.
        case words(String)
        /// Text that is shown as it is.
        case text(String)
        /// The same, in a code span.
        case code(String)
    }

    init(_ parts: [Part] = []) { text = parts.map(Self.markup).joined() }

    private static func markup(_ part: Part) -> String {
        switch part {
        case .words(let words): words
        case .text(let text): escaped(onOneLine(text))
        case .code(let text): code(onOneLine(text))
        }
    }

    /// Every character that can begin markup is a reference, because a backslash does not stop a
    /// mention or an address from becoming a link (§6.2, §6.9).
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            let beginsHost = scalar == "." && result.utf8.last == UInt8(ascii: "w")
            if beginsHost || "\\`*_{}[]<>#+!|~&@:".unicodeScalars.contains(scalar) {
                result += "&#\(scalar.value);"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// A code span, delimited by more backticks than the text has in a row (§6.3). A table's cell
    /// ends at a bar, also within a span, unless it is escaped (§4.10).
    private static func code(_ text: String) -> String {
        guard !text.isEmpty else { return "" }
        var (longest, run) = (0, 0)
        var bytes = [UInt8]()
        for byte in text.utf8 {
            run = byte == UInt8(ascii: "`") ? run + 1 : 0
            longest = max(longest, run)
            if byte == UInt8(ascii: "|") { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte)
        }
        let fence = String(repeating: "`", count: longest + 1)
        let touches = longest > 0 || text.utf8.first == 0x20
        let space = touches ? " " : ""
        return fence + space + String(decoding: bytes, as: UTF8.self) + space + fence
    }
}
