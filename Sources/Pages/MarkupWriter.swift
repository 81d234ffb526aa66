/// Writes HTML. Text is escaped byte by byte: a quote followed by a combining mark is one
/// `Character` that no table lists, and still ends an attribute.
struct MarkupWriter {
    private(set) var bytes = [UInt8]()

    /// Markup as it is; a literal of the program, so that no value can come here by mistake.
    mutating func raw(_ markup: StaticString) { bytes += markup.description.utf8 }

    /// A value, in element content or in an attribute with double quotes.
    mutating func text(_ value: String) {
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: "&"): bytes += "&amp;".utf8
            case UInt8(ascii: "<"): bytes += "&lt;".utf8
            case UInt8(ascii: ">"): bytes += "&gt;".utf8
            case UInt8(ascii: "\""): bytes += "&quot;".utf8
            case UInt8(ascii: "'"): bytes += "&#39;".utf8
            case 0x00..<0x20 where byte != 0x0A && byte != 0x09, 0x7F: bytes += "\u{FFFD}".utf8
            default: bytes.append(byte)
            }
        }
    }

    /// An element that holds a value alone.
    mutating func element(_ name: StaticString, _ value: String) {
        raw("<")
        raw(name)
        raw(">")
        text(value)
        raw("</")
        raw(name)
        raw(">\n")
    }

    /// A `meta` element; nothing for nothing.
    mutating func meta(_ attribute: StaticString, _ name: StaticString, _ content: String?) {
        guard let content, !content.isEmpty else { return }
        raw("<meta ")
        raw(attribute)
        raw("=\"")
        raw(name)
        raw("\" content=\"")
        text(content)
        raw("\">\n")
    }

    /// The URL if it is http or https: no other scheme may stand behind a link of a page.
    static func safeURL(_ url: String) -> String? {
        let start = url.utf8.prefix(8).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return ["https://", "http://"].contains { start.starts(with: $0.utf8) } ? url : nil
    }
}
