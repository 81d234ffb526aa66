private import URISyntax

/// Divides an HTML document into tags, text and comments as browsers do. It accepts every input
/// (WHATWG HTML §13.2.5). Bytes that are not UTF-8 are replaced.
///
/// Elements that contain only text end at the first end tag that the tokenizer finds, so it needs
/// no tree. It differs from browsers in two things: `CDATA` in SVG and MathML becomes a comment,
/// and `noscript` contains markup, as it does for readers that run no scripts.
package struct HTMLTokenizer: Sequence, IteratorProtocol, Sendable {
    let bytes: [UInt8]
    var index = 0
    /// The element whose text comes next.
    private var textElement: TextElement?
    /// A token that was found in the search for the end of a text.
    private var waiting: HTMLToken?

    /// - Parameter bytes: a document, or a part of one that begins outside of tags.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    /// The next piece, in the order of the document.
    package mutating func next() -> HTMLToken? {
        if let token = waiting {
            waiting = nil
            return token
        }
        var start = index
        if let element = textElement {
            textElement = nil
            index = end(of: element)
            if index > start { return textToken(start..<index, element) }
        }
        while index < bytes.count {
            let mark = index
            switch bytes[index] == UInt8(ascii: "<") ? markup() : .text {
            case .text:
                index += 1
                skip { $0 != UInt8(ascii: "<") }
            case .nothing:
                if mark > start { return textToken(start..<mark, nil) }
                start = index
            case .token(let kind):
                if case .startTag(let tag) = kind { textElement = TextElement(tag.name) }
                let token = HTMLToken(kind: kind, range: mark..<index)
                guard mark > start else { return token }
                waiting = token
                return textToken(start..<mark, nil)
            }
        }
        return index > start ? textToken(start..<index, nil) : nil
    }

    private func textToken(_ range: Range<Int>, _ element: TextElement?) -> HTMLToken {
        let isRaw = element.map { !$0.hasReferences } ?? false
        return HTMLToken(
            kind: .text(isRaw ? text(range) : resolved(range, in: .content)), range: range)
    }

    /// The markup that begins with a `<`.
    enum Markup {
        case token(HTMLToken.Kind)
        /// It is dropped.
        case nothing
        case text
    }

    /// Reads the markup that begins with the `<` at the index; if it is text, the index does not
    /// change.
    private mutating func markup() -> Markup {
        switch byte(at: index + 1) {
        case UInt8(ascii: "!"): return .token(declaration())
        case UInt8(ascii: "?"): return .token(bogusComment(from: index + 1))
        case UInt8(ascii: "/"):
            guard let next = byte(at: index + 2) else { return .text }
            if next.isLetter { return endTag() }
            guard next == UInt8(ascii: ">") else { return .token(bogusComment(from: index + 2)) }
            index += 3
            return .nothing
        case .some(let byte) where byte.isLetter: return startTag()
        default: return .text
        }
    }

    func byte(at index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

    mutating func skip(while isSkipped: (UInt8) -> Bool) {
        while index < bytes.count, isSkipped(bytes[index]) { index += 1 }
    }

    /// Whether the ASCII text is at the index, in any letter case.
    func stands(_ lowerCase: StaticString, at index: Int) -> Bool {
        let text = lowerCase.description.utf8
        guard bytes.count - index >= text.count else { return false }
        return zip(bytes[index...], text).allSatisfy {
            $0 == $1 || ($0.isLetter && $0 | 0x20 == $1)
        }
    }
}

extension UInt8 {
    /// HTML's white space: tab, line feed, form feed, carriage return, space.
    package var isHTMLSpace: Bool {
        self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D || self == 0x0C
    }

    /// Whether a tag's name ends at this byte.
    var endsTagName: Bool { isHTMLSpace || self == UInt8(ascii: "/") || self == UInt8(ascii: ">") }
}

extension HTMLTokenizer {
    /// Reads the start tag at the index; nothing if the document ends within it.
    mutating func startTag() -> Markup {
        index += 1
        let name = name()
        var tag = HTMLTag(name: name, attributes: [])
        return readAttributes(of: &tag) ? .token(.startTag(tag)) : .nothing
    }

    /// Reads the end tag at the index; its attributes are dropped.
    mutating func endTag() -> Markup {
        index += 2
        let name = name()
        var tag = HTMLTag(name: name, attributes: [])
        return readAttributes(of: &tag) ? .token(.endTag(name)) : .nothing
    }

    /// Reads up to the `>`, and that.
    /// - Returns: whether there is one.
    private mutating func readAttributes(of tag: inout HTMLTag) -> Bool {
        // A set, because the number of attributes is only limited by the document.
        var names = Set<String>()
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: ">"):
                index += 1
                return true
            case UInt8(ascii: "/"):
                index += 1
                tag.isSelfClosing = byte(at: index) == UInt8(ascii: ">")
            case let byte where byte.isHTMLSpace: index += 1
            default:
                guard let attribute = attribute() else { return false }
                if names.insert(attribute.name).inserted { tag.attributes.append(attribute) }
            }
        }
        return false
    }

    /// Reads an attribute; nil if the document ends within its value.
    private mutating func attribute() -> HTMLAttribute? {
        let start = index
        // An equals sign at the start is a part of the name.
        index += 1
        skip { !$0.endsTagName && $0 != UInt8(ascii: "=") }
        let name = lowerCased(start..<index)
        skip(while: \.isHTMLSpace)
        guard byte(at: index) == UInt8(ascii: "=") else {
            return HTMLAttribute(name: name, value: "")
        }
        index += 1
        skip(while: \.isHTMLSpace)
        guard let range = valueRange() else { return nil }
        return HTMLAttribute(name: name, value: resolved(range, in: .attribute), valueRange: range)
    }

    private mutating func valueRange() -> Range<Int>? {
        let start = index
        switch byte(at: index) {
        case .some(let quote) where quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"):
            index += 1
            skip { $0 != quote }
            guard index < bytes.count else { return nil }
            index += 1
            return start + 1..<index - 1
        default:
            skip { !$0.isHTMLSpace && $0 != UInt8(ascii: ">") }
            return start..<index
        }
    }

    private mutating func name() -> String {
        let start = index
        skip { !$0.endsTagName }
        return lowerCased(start..<index)
    }

    /// A name, which is compared.
    func lowerCased(_ range: Range<Int>) -> String {
        String(decoding: normalized(range).map(\.foldedToLowerCase), as: UTF8.self).comparable
    }
}

/// An element whose content is text up to its end tag.
enum TextElement: Sendable {
    /// The content may hold character references.
    case referenced(StaticString)
    case raw(StaticString)
    case script
    /// Everything after it.
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
    /// The end of the element's text, which begins at the index.
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
                // The hyphens can also be those of the end.
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

    /// The text as written.
    func text(_ range: Range<Int>) -> String { String(decoding: normalized(range), as: UTF8.self) }

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

    /// The text with line feeds as line ends, and without NUL (WHATWG HTML, "Preprocessing the
    /// input stream").
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

extension HTMLTokenizer {
    /// Reads the comment, document type or bogus comment that begins with `<!` at the index.
    mutating func declaration() -> HTMLToken.Kind {
        if stands("--", at: index + 2) { return comment() }
        guard stands("doctype", at: index + 2) else { return bogusComment(from: index + 2) }
        index += 9
        skip(while: \.isHTMLSpace)
        let start = index
        skip { !$0.isHTMLSpace && $0 != UInt8(ascii: ">") }
        let name = lowerCased(start..<index)
        skip { $0 != UInt8(ascii: ">") }
        index = Swift.min(index + 1, bytes.count)
        return .doctype(name)
    }

    /// A comment ends with `-->` or `--!>`, or at once as `<!-->` and `<!--->`.
    private mutating func comment() -> HTMLToken.Kind {
        let start = index + 4
        for (shortcut, length) in [(">", 1), ("->", 2)] as [(StaticString, Int)]
        where stands(shortcut, at: start) {
            index = start + length
            return .comment("")
        }
        index = start
        while index < bytes.count {
            for (end, length) in [("-->", 3), ("--!>", 4)] as [(StaticString, Int)]
            where stands(end, at: index) {
                defer { index += length }
                return .comment(text(start..<index))
            }
            index += 1
            skip { $0 != UInt8(ascii: "-") }
        }
        return .comment(text(start..<withoutUnfinishedEnd(start..<bytes.count)))
    }

    /// If the document ends within the comment's end, that is not part of the comment.
    private func withoutUnfinishedEnd(_ range: Range<Int>) -> Int {
        for end in ["--!", "--", "-"] as [StaticString] {
            let start = range.upperBound - end.utf8CodeUnitCount
            if start >= range.lowerBound, stands(end, at: start) { return start }
        }
        return range.upperBound
    }

    /// Text that begins like markup, but is none, ends at the next `>`.
    mutating func bogusComment(from start: Int) -> HTMLToken.Kind {
        index = start
        skip { $0 != UInt8(ascii: ">") }
        let end = index
        index = Swift.min(index + 1, bytes.count)
        return .comment(text(start..<end))
    }
}
