/// The content of a CMS SignedData message (RFC 5652 §5.1), in which systems of the iOS 8 era
/// received association files. Its signature is not verified.
package struct SignedPayload: Sendable {
    package let content: [UInt8]

    /// Whether the bytes begin like DER or BER, and therefore cannot be JSON.
    package static func isLikely(_ bytes: [UInt8]) -> Bool {
        bytes.count > 2 && bytes[0] == Tag.sequence && bytes[1] >= 0x80 && bytes[1] <= 0x84
    }

    /// Whether the bytes begin like a text that holds such a message: in PEM form (RFC 7468), or as
    /// mail (RFC 8551), which is what `openssl smime -sign` writes by default. No system reads it.
    package static func isText(_ bytes: [UInt8]) -> Bool {
        ["-----BEGIN ", "MIME-Version:"].contains { bytes.starts(with: $0.utf8) }
    }

    /// Nil for data that is not SignedData with its content. Lengths may be indefinite and strings
    /// divided, as streaming signers write them.
    package init?(_ bytes: [UInt8]) {
        let reader = ElementReader(bytes: bytes)
        guard let message = reader.element(at: 0, depth: 0), message.tag == Tag.sequence else {
            return nil
        }
        let outer = reader.children(of: message)
        guard outer.count == 2, reader.isIdentifier(outer[0], signedDataArcs),
            outer[1].tag == Tag.explicit, let signed = reader.children(of: outer[1]).first,
            signed.tag == Tag.sequence
        else { return nil }
        // Version, digest algorithms, and the signed content.
        let parts = reader.children(of: signed)
        guard parts.count >= 3, parts[2].tag == Tag.sequence else { return nil }
        let inner = reader.children(of: parts[2])
        guard inner.count == 2, reader.isIdentifier(inner[0], dataArcs),
            inner[1].tag == Tag.explicit, let string = reader.children(of: inner[1]).first
        else { return nil }
        guard let content = reader.octets(of: string) else { return nil }
        self.content = content
    }
}

/// Tags of ASN.1 (X.690 §8.1).
private enum Tag {
    static let octets: UInt8 = 0x04
    static let identifier: UInt8 = 0x06
    static let octetsInPieces: UInt8 = 0x24
    static let sequence: UInt8 = 0x30
    static let explicit: UInt8 = 0xA0
    static let isConstructed: UInt8 = 0x20
}

/// 1.2.840.113549.1.7.2, and after it 1.2.840.113549.1.7.1.
private let signedDataArcs: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
private let dataArcs: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]

private struct ElementReader {
    let bytes: [UInt8]

    struct Element {
        let tag: UInt8
        let content: Range<Int>
        let end: Int
    }

    /// The element that begins at `start`; nil if it does not fit.
    func element(at start: Int, depth: Int) -> Element? {
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

    func children(of element: Element) -> [Element] {
        var children = [Element]()
        var position = element.content.lowerBound
        while position < element.content.upperBound,
            let child = self.element(at: position, depth: 1)
        {
            children.append(child)
            position = child.end
        }
        return children
    }

    func isIdentifier(_ element: Element, _ arcs: [UInt8]) -> Bool {
        element.tag == Tag.identifier && bytes[element.content].elementsEqual(arcs)
    }

    /// A string, or its parts joined.
    func octets(of element: Element) -> [UInt8]? {
        switch element.tag {
        case Tag.octets: Array(bytes[element.content])
        case Tag.octetsInPieces:
            children(of: element).reduce(into: [UInt8]()) { $0 += bytes[$1.content] }
        default: nil
        }
    }

    private static let depthMax = 16
}
