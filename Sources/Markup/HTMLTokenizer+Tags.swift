private import URISyntax

extension HTMLTokenizer {
    /// Reads the start tag at the index; nothing where the document ends within it.
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

    /// Reads up to and with the `>`.
    /// - Returns: whether there is one.
    private mutating func readAttributes(of tag: inout HTMLTag) -> Bool {
        // A tag can have as many attributes as a document has room for.
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

    /// Reads an attribute; nil where the document ends within its value.
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

    func lowerCased(_ range: Range<Int>) -> String {
        String(decoding: normalized(range).map(\.foldedToLowerCase), as: UTF8.self)
    }
}
