private import Diagnostics

/// Writes HTML. Values are escaped byte by byte for their position, because a quote with a
/// combining mark after it is one `Character` that is in no table, but still ends an attribute.
package struct MarkupWriter: Sendable {
    package private(set) var bytes = [UInt8]()

    package init() {}

    /// - Parameter capacity: about how many bytes will be written.
    package init(capacity: Int) { bytes.reserveCapacity(capacity) }

    /// Markup without escaping. It is a literal of the program, so it cannot be a value by mistake.
    package mutating func raw(_ markup: MarkupLiteral) { bytes += markup.text.utf8 }

    /// Markup that contains nothing from a link: from an operator's template, or made of numbers.
    package mutating func verbatim(_ markup: [UInt8]) { bytes += markup }

    /// Markup that another writer made.
    package mutating func append(_ other: MarkupWriter) { bytes += other.bytes }

    /// A value, in element content or in an attribute with double quotes. Control characters, which
    /// HTML cannot contain, become U+FFFD; line ends become line feeds.
    package mutating func text(_ value: String) {
        if isPlain(value) { bytes += value.utf8 } else { escape(value) }
    }

    private mutating func escape(_ value: String) {
        var (previous, beforeCR) = (UInt8(0), false)
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: "&"): bytes += "&amp;".utf8
            case UInt8(ascii: "<"): bytes += "&lt;".utf8
            case UInt8(ascii: ">"): bytes += "&gt;".utf8
            case UInt8(ascii: "\""): bytes += "&quot;".utf8
            case UInt8(ascii: "'"): bytes += "&#39;".utf8
            case 0x0D: bytes.append(0x0A)
            case 0x0A where beforeCR: break
            case 0x00..<0x20 where byte != 0x0A && byte != 0x09, 0x7F: bytes += replacement
            case 0x80...0x9F where previous == 0xC2:
                bytes.removeLast()
                bytes += replacement
            default: bytes.append(byte)
            }
            (previous, beforeCR) = (byte, byte == 0x0D)
        }
    }

    /// A number.
    package mutating func number(_ value: Int) { bytes += String(value).utf8 }

    /// An attribute, with the space before it.
    package mutating func attribute(_ name: MarkupLiteral, _ value: String) {
        raw(" ")
        raw(name)
        raw("=\"")
        text(value)
        raw("\"")
    }

    /// An element that contains only a value, and a line end.
    package mutating func element(_ name: MarkupLiteral, _ value: String) {
        raw("<")
        raw(name)
        raw(">")
        text(value)
        raw("</")
        raw(name)
        raw(">\n")
    }

    /// A `meta` element and a line end; nothing if there is no content.
    package mutating func meta(
        _ attribute: MarkupLiteral, _ name: MarkupLiteral, _ content: String?
    ) {
        guard let content, !content.isEmpty else { return }
        raw("<meta ")
        raw(attribute)
        raw("=\"")
        raw(name)
        raw("\"")
        self.attribute("content", content)
        raw(">\n")
    }

    /// A JSON string for a script. No `<` can end the element or begin a comment. Line ends of
    /// JavaScript that JSON allows are escaped.
    package mutating func jsonString(_ value: String) {
        raw("\"")
        for scalar in value.unicodeScalars {
            if let escape = JSONEscape(neededBy: scalar, inScript: true) {
                escape.write { bytes.append($0) }
            } else {
                bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            }
        }
        raw("\"")
    }
}

/// Markup that is a literal in the program.
package struct MarkupLiteral: ExpressibleByStringLiteral, Sendable {
    package let text: String

    /// Only for the compiler.
    package init(stringLiteral: String) { text = stringLiteral }
}

/// Whether the text needs no escaping. A character that begins with C2 may be a control character.
private func isPlain(_ value: String) -> Bool {
    let bytes = value.utf8.span
    for index in bytes.indices {
        switch bytes[index] {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""),
            UInt8(ascii: "'"), 0x00..<0x20, 0x7F, 0xC2:
            return false
        default: break
        }
    }
    return true
}

private let replacement = [UInt8]("\u{FFFD}".utf8)
