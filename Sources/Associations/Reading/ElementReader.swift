/// Reads elements of ASN.1 in DER and BER (X.690 §8.1): their tags, and where their content is.
package struct ElementReader {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// An element: its tag of one byte, its content, and where the next one begins.
    package struct Element {
        package let tag: UInt8
        package let content: Range<Int>
        package let end: Int
    }

    /// The element that begins at `start`; nil if it does not fit.
    package func element(at start: Int, depth: Int) -> Element? {
        guard depth < Self.depthMax, start + 2 <= bytes.count else { return nil }
        let tag = bytes[start]
        let first = bytes[start + 1]
        if first == 0x80 { return indefinite(tag, from: start + 2, depth: depth) }
        guard first > 0x80 else { return definite(tag, start + 2, Int(first)) }
        let digits = Int(first & 0x7F)
        guard digits <= 4, start + 2 + digits <= bytes.count else { return nil }
        let length = bytes[(start + 2)..<(start + 2 + digits)].reduce(0) { $0 << 8 | Int($1) }
        return definite(tag, start + 2 + digits, length)
    }

    private func definite(_ tag: UInt8, _ start: Int, _ length: Int) -> Element? {
        guard length <= bytes.count - start else { return nil }
        return Element(tag: tag, content: start..<(start + length), end: start + length)
    }

    /// Elements up to two zeros.
    private func indefinite(_ tag: UInt8, from start: Int, depth: Int) -> Element? {
        guard tag & Tag.isConstructed != 0 else { return nil }
        var position = start
        while position + 2 <= bytes.count {
            if bytes[position] == 0, bytes[position + 1] == 0 {
                return Element(tag: tag, content: start..<position, end: position + 2)
            }
            guard let inner = element(at: position, depth: depth + 1) else { return nil }
            position = inner.end
        }
        return nil
    }

    /// The elements of which one consists, up to the first that does not fit into it.
    package func children(of element: Element) -> [Element] {
        var children = [Element]()
        var position = element.content.lowerBound
        while position < element.content.upperBound,
            let child = self.element(at: position, depth: 1),
            child.end <= element.content.upperBound
        {
            children.append(child)
            position = child.end
        }
        return children
    }

    /// Whether an element is the object identifier with these bytes.
    package func isIdentifier(_ element: Element, _ arcs: [UInt8]) -> Bool {
        element.tag == Tag.identifier && bytes[element.content].elementsEqual(arcs)
    }

    /// A string, or its parts joined.
    package func octets(of element: Element) -> [UInt8]? {
        switch element.tag {
        case Tag.octets: Array(bytes[element.content])
        case Tag.octetsInPieces:
            children(of: element).reduce(into: [UInt8]()) { $0 += bytes[$1.content] }
        default: nil
        }
    }

    private static let depthMax = 16
}
