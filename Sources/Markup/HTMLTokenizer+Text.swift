private import URISyntax

/// An element whose content is text up to its end tag, whatever it looks like.
enum TextElement: Sendable {
    /// The content may hold character references.
    case referenced(StaticString)
    case raw(StaticString)
    case script
    /// All that follows.
    case plain

    init?(_ name: String) {
        switch name {
        case "title": self = .referenced("title")
        case "textarea": self = .referenced("textarea")
        case "style": self = .raw("style")
        case "xmp": self = .raw("xmp")
        case "iframe": self = .raw("iframe")
        case "noembed": self = .raw("noembed")
        case "noframes": self = .raw("noframes")
        case "script": self = .script
        case "plaintext": self = .plain
        default: return nil
        }
    }

    var hasReferences: Bool {
        if case .referenced = self { true } else { false }
    }
}

extension HTMLTokenizer {
    /// Where the element's text that begins at the index ends.
    func end(of element: TextElement) -> Int {
        switch element {
        case .plain: return bytes.count
        case .script: return scriptEnd()
        case .raw(let name), .referenced(let name):
            var position = index
            while position < bytes.count, !isEndTag(name, at: position) { position += 1 }
            return position
        }
    }

    private func isEndTag(_ name: StaticString, at position: Int) -> Bool {
        guard bytes[position] == UInt8(ascii: "<"), byte(at: position + 1) == UInt8(ascii: "/"),
            stands(name, at: position + 2)
        else { return false }
        return byte(at: position + 2 + name.utf8CodeUnitCount)?.endsTagName ?? false
    }

    /// In a script, `<!--` hides `</script>` for as long as a `<script` stands before it (WHATWG
    /// HTML, "Restrictions for contents of script elements").
    private func scriptEnd() -> Int {
        var (position, isEscaped, isDoubleEscaped) = (index, false, false)
        while position < bytes.count {
            if isEscaped, stands("-->", at: position) {
                (isEscaped, isDoubleEscaped) = (false, false)
                position += 3
            } else if !isEscaped, stands("<!--", at: position) {
                isEscaped = true
                // The hyphens may be those of the end.
                position += 2
            } else if isEndTag("script", at: position) {
                guard isDoubleEscaped else { return position }
                isDoubleEscaped = false
                position += 8
            } else if isEscaped, !isDoubleEscaped, stands("<script", at: position),
                byte(at: position + 7)?.endsTagName ?? false
            {
                isDoubleEscaped = true
                position += 7
            } else {
                position += 1
                while position < bytes.count, bytes[position] != UInt8(ascii: "<"),
                    bytes[position] != UInt8(ascii: "-")
                {
                    position += 1
                }
            }
        }
        return position
    }

    /// The text as it stands.
    func text(_ range: Range<Int>) -> String {
        String(decoding: normalized(range), as: UTF8.self)
    }

    /// The text with its character references resolved.
    func resolved(_ range: Range<Int>, in position: CharacterReference.Position) -> String {
        var result = [UInt8]()
        var start = range.lowerBound
        while let mark = bytes[start..<range.upperBound].firstIndex(of: UInt8(ascii: "&")) {
            result += normalized(start..<mark)
            if let reference = CharacterReference(bytes[mark..<range.upperBound], in: position) {
                result += reference.text.utf8
                start = mark + reference.bytes
            } else {
                result.append(UInt8(ascii: "&"))
                start = mark + 1
            }
        }
        return String(decoding: result + normalized(start..<range.upperBound), as: UTF8.self)
    }

    /// One form of line end, and no NUL (WHATWG HTML, "Preprocessing the input stream").
    func normalized(_ range: Range<Int>) -> [UInt8] {
        var result = [UInt8]()
        result.reserveCapacity(range.count)
        for index in range {
            switch bytes[index] {
            case 0: result += "\u{FFFD}".utf8
            case 0x0D where index + 1 < range.upperBound && bytes[index + 1] == 0x0A: continue
            case 0x0D: result.append(0x0A)
            case let byte: result.append(byte)
            }
        }
        return result
    }
}
