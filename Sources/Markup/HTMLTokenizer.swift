private import URISyntax

/// Divides an HTML document into tags, text and comments as browsers do, and never fails: whatever
/// stands there is something (WHATWG HTML §13.2.5). Bytes that are no UTF-8 are replaced.
///
/// Elements that hold text alone end where the tokenizer finds their end tag, so it needs no tree.
/// Two things do: `CDATA` in SVG and MathML is taken for a comment, and `noscript` for markup, as
/// it is for readers that run no scripts.
package struct HTMLTokenizer: Sequence, IteratorProtocol, Sendable {
    let bytes: [UInt8]
    var index = 0
    /// The element whose text comes next.
    private var textElement: TextElement?
    /// A token that was found while looking for the end of a text.
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

    /// What begins with a `<`.
    enum Markup {
        case token(HTMLToken.Kind)
        /// It is dropped.
        case nothing
        case text
    }

    /// Reads what begins with the `<` at the index; where it is text, the index stays.
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

    /// Whether the ASCII text stands at the index, letters of either case.
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

    /// Whether a tag's name ends here.
    var endsTagName: Bool { isHTMLSpace || self == UInt8(ascii: "/") || self == UInt8(ascii: ">") }
}
