private import Diagnostics
/// Reads a whole XML document strictly, without recursion. It refuses declarations of types and
/// entities in the document itself, which can expand to huge texts.
struct XMLReader {
    private let bytes: [UInt8]
    private var index = 0
    /// The offset up to which lines and columns were counted.
    private var counted = 0
    private var place = TextPlace(line: 1, column: 1)
    private var open = [XMLNode]()
    /// Declared prefixes, each with the depth of its element.
    private var prefixes = [(prefix: String, address: String, depth: Int)]()
    private var elements = 0
    private var root: XMLNode?

    /// The document's root element.
    static func read(_ bytes: [UInt8]) throws(FormatFault) -> XMLNode {
        guard bytes.count <= AppFileLimits.documentBytesMax else {
            throw FormatFault(
                "has \(bytes.count) bytes, may have \(AppFileLimits.documentBytesMax)",
                advice: "give a smaller file")
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        var reader = XMLReader(bytes.starts(with: mark) ? Array(bytes.dropFirst(3)) : bytes)
        guard String(validating: reader.bytes, as: UTF8.self) != nil else {
            throw FormatFault("is not UTF-8", at: reader.place, advice: "save it as UTF-8")
        }
        return try reader.document()
    }

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    private mutating func document() throws(FormatFault) -> XMLNode {
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "<") {
                try markup()
            } else {
                try characters()
            }
        }
        if let last = open.last {
            throw fault("ends within the element \(quoted(last.name))", at: index)
        }
        guard let root else { throw fault("has no element", at: 0) }
        return root
    }

    private mutating func markup() throws(FormatFault) {
        if starts("<!--") {
            try skip(past: "-->", after: 4, "a comment")
        } else if starts("<?") {
            try skip(past: "?>", after: 2, "an instruction")
        } else if starts("<![CDATA[") {
            try section()
        } else if starts("<!DOCTYPE") {
            try documentType()
        } else if starts("</") {
            try endTag()
        } else {
            try startTag()
        }
    }

    private mutating func section() throws(FormatFault) {
        let start = index + 9
        try skip(past: "]]>", after: 9, "a CDATA section")
        guard !open.isEmpty else { throw fault("has text outside of its elements", at: start) }
        open[open.count - 1].text += text(start..<(index - 3))
    }

    /// Names of other documents are skipped and never read.
    private mutating func documentType() throws(FormatFault) {
        let start = index
        guard root == nil, open.isEmpty else {
            throw fault("has a document type after its root", at: start)
        }
        while index < bytes.count, bytes[index] != UInt8(ascii: ">") {
            switch bytes[index] {
            case UInt8(ascii: "["):
                throw fault("declares types or entities of its own", at: index, "remove them")
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                let quote = bytes[index]
                guard let end = bytes[(index + 1)...].firstIndex(of: quote) else {
                    throw fault("ends within a quoted text", at: index)
                }
                index = end + 1
            default: index += 1
            }
        }
        guard index < bytes.count else { throw fault("ends within its document type", at: start) }
        index += 1
    }

    private mutating func endTag() throws(FormatFault) {
        let start = index
        index += 2
        let name = try name("the name of an element")
        skipSpace()
        try expect(UInt8(ascii: ">"))
        guard let node = open.popLast() else {
            throw fault("closes the element \(quoted(name)), which is not open", at: start)
        }
        guard node.name.utf8.elementsEqual(name.utf8) else {
            throw fault("closes \(quoted(name)) where \(quoted(node.name)) is open", at: start)
        }
        close(node)
    }

    private mutating func close(_ node: XMLNode) {
        while let last = prefixes.last, last.depth > open.count { prefixes.removeLast() }
        if open.isEmpty {
            root = node
        } else {
            open[open.count - 1].children.append(node)
        }
    }

    private mutating func startTag() throws(FormatFault) {
        let start = index
        index += 1
        guard root == nil else { throw fault("has a second root element", at: start) }
        elements += 1
        guard elements <= AppFileLimits.valuesMax, open.count < AppFileLimits.depthMax else {
            throw fault(
                open.count < AppFileLimits.depthMax
                    ? "has more than \(AppFileLimits.valuesMax) elements"
                    : "has elements nested more than \(AppFileLimits.depthMax) deep", at: start)
        }
        let tagPlace = position(of: start)
        var node = XMLNode(name: try name("the name of an element"), place: tagPlace)
        let raw = try attributes()
        for attribute in raw {
            guard let prefix = declaredPrefix(attribute.name) else { continue }
            guard prefixes.count < prefixesMax else {
                throw fault("declares more than \(prefixesMax) prefixes", at: start)
            }
            prefixes.append((prefix, attribute.value, open.count + 1))
        }
        for attribute in raw where declaredPrefix(attribute.name) == nil {
            node.attributes.append(try resolved(attribute))
        }
        if index < bytes.count, bytes[index] == UInt8(ascii: "/") {
            index += 1
            try expect(UInt8(ascii: ">"))
            close(node)
        } else {
            try expect(UInt8(ascii: ">"))
            open.append(node)
        }
    }

    /// The prefix that an attribute declares; empty for elements without one.
    private func declaredPrefix(_ name: String) -> String? {
        if name.utf8.elementsEqual("xmlns".utf8) { return "" }
        return name.utf8.starts(with: "xmlns:".utf8)
            ? String(decoding: name.utf8.dropFirst(6), as: UTF8.self) : nil
    }

    private func resolved(_ raw: RawAttribute) throws(FormatFault) -> XMLAttribute {
        guard let colon = raw.name.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            return XMLAttribute(
                namespace: "", name: raw.name, value: raw.value, place: raw.place)
        }
        let prefix = raw.name[..<colon]
        let name = String(raw.name[raw.name.utf8.index(after: colon)...])
        if prefix.utf8.elementsEqual("xml".utf8) {
            return XMLAttribute(
                namespace: "xml", name: name, value: raw.value, place: raw.place)
        }
        guard
            let known = prefixes.last(where: { $0.prefix.utf8.elementsEqual(prefix.utf8) })
        else {
            throw FormatFault(
                "uses the prefix \(quoted(prefix)) without declaring it", at: raw.place,
                advice: "declare it: xmlns:\(prefix)=\"…\"")
        }
        return XMLAttribute(
            namespace: known.address, name: name, value: raw.value, place: raw.place)
    }

    private struct RawAttribute {
        let name: String
        let value: String
        let place: TextPlace
    }

    private mutating func attributes() throws(FormatFault) -> [RawAttribute] {
        var attributes = [RawAttribute]()
        var names = Set<[UInt8]>()
        while true {
            let before = index
            skipSpace()
            guard index < bytes.count, bytes[index] != UInt8(ascii: ">"),
                bytes[index] != UInt8(ascii: "/")
            else { return attributes }
            let start = index
            guard start > before else {
                throw fault("lacks a space before an attribute", at: start)
            }
            guard attributes.count < AppFileLimits.attributesMax else {
                throw fault(
                    "has an element with more than \(AppFileLimits.attributesMax) attributes",
                    at: start)
            }
            let place = position(of: start)
            let name = try name("the name of an attribute")
            guard names.insert(Array(name.utf8)).inserted else {
                throw fault("repeats the attribute \(quoted(name))", at: start, "keep one")
            }
            skipSpace()
            try expect(UInt8(ascii: "="))
            skipSpace()
            attributes.append(RawAttribute(name: name, value: try value(), place: place))
        }
    }

    private mutating func value() throws(FormatFault) -> String {
        let start = index
        guard index < bytes.count,
            bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'"),
            let end = bytes[(index + 1)...].firstIndex(of: bytes[index])
        else { throw fault("has an attribute without a quoted value", at: start) }
        index = end + 1
        guard !bytes[(start + 1)..<end].contains(UInt8(ascii: "<")) else {
            throw fault("has \"<\" in an attribute's value", at: start, "write &lt;")
        }
        return try decoded((start + 1)..<end, isValue: true)
    }

    private mutating func characters() throws(FormatFault) {
        let start = index
        index = bytes[start...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        guard !open.isEmpty else {
            guard bytes[start..<index].allSatisfy(isXMLSpace) else {
                throw fault("has text outside of its elements", at: start)
            }
            return
        }
        open[open.count - 1].text += try decoded(start..<index, isValue: false)
    }
}

// MARK: - Tokens

extension XMLReader {
    private func starts(_ word: StaticString) -> Bool {
        bytes[index...].starts(with: "\(word)".utf8)
    }

    private mutating func skipSpace() {
        while index < bytes.count, isXMLSpace(bytes[index]) { index += 1 }
    }

    private mutating func skip(
        past end: StaticString, after: Int, _ what: String
    ) throws(FormatFault) {
        let (start, end) = (index, Array("\(end)".utf8))
        index += after
        while index + end.count <= bytes.count {
            if bytes[index] == end[0], bytes[index...].starts(with: end) {
                index += end.count
                return
            }
            index += 1
        }
        throw fault("ends within \(what)", at: start)
    }

    private mutating func expect(_ byte: UInt8) throws(FormatFault) {
        guard index < bytes.count, bytes[index] == byte else {
            throw fault("lacks \"\(Unicode.Scalar(byte))\" here", at: index)
        }
        index += 1
    }

    private mutating func name(_ what: String) throws(FormatFault) -> String {
        let start = index
        while index < bytes.count, isNameByte(bytes[index]) { index += 1 }
        guard index > start, index - start <= nameBytesMax else {
            throw fault("lacks \(what) here", at: start)
        }
        return text(start..<index)
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    /// Text with its references replaced. White space in a value becomes spaces (XML 1.0 §3.3.3).
    private mutating func decoded(
        _ range: Range<Int>, isValue: Bool
    ) throws(FormatFault) -> String {
        var result = [UInt8]()
        var position = range.lowerBound
        while position < range.upperBound {
            let byte = bytes[position]
            guard byte >= 0x20 || isXMLSpace(byte) else {
                throw fault("contains a control character", at: position, "remove it")
            }
            guard byte == UInt8(ascii: "&") else {
                result.append(isValue && isXMLSpace(byte) ? 0x20 : byte)
                position += 1
                continue
            }
            let window = bytes[position..<min(range.upperBound, position + 12)]
            guard let end = window.firstIndex(of: UInt8(ascii: ";")),
                let scalar = referenced(bytes[(position + 1)..<end])
            else { throw fault("has an unknown reference", at: position, "write &amp; for &") }
            result += Array(String(scalar).utf8)
            position = end + 1
        }
        return String(decoding: result, as: UTF8.self)
    }

    private func fault(
        _ fact: String, at offset: Int, _ advice: String = "fix the text there"
    ) -> FormatFault {
        var copy = self
        return FormatFault(fact, at: copy.position(of: offset), advice: advice)
    }

    /// Counts on from where it has counted to, so that all positions together cost as much as the
    /// document is long.
    private mutating func position(of offset: Int) -> TextPlace {
        if offset < counted { (counted, place) = (0, TextPlace(line: 1, column: 1)) }
        var (line, column) = (place.line, place.column)
        for byte in bytes[counted..<min(offset, bytes.count)] {
            if byte == 0x0A {
                (line, column) = (line + 1, 1)
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        (counted, place) = (min(offset, bytes.count), TextPlace(line: line, column: column))
        return place
    }
}

/// The character that a reference stands for (XML 1.0 §4.1, §4.6).
private func referenced(_ name: ArraySlice<UInt8>) -> Unicode.Scalar? {
    switch String(decoding: name, as: UTF8.self) {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default: break
    }
    guard name.first == UInt8(ascii: "#") else { return nil }
    let isHex = name.dropFirst().first == UInt8(ascii: "x")
    let digits = name.dropFirst(isHex ? 2 : 1)
    guard digits.first != UInt8(ascii: "+"),
        let number = UInt32(String(decoding: digits, as: UTF8.self), radix: isHex ? 16 : 10),
        number >= 0x20 || isXMLSpace(UInt8(number))
    else { return nil }
    return Unicode.Scalar(number)
}

private func isXMLSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
}

private func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: ":"), 0x80...:
        true
    default: false
    }
}

private let prefixesMax = 64
private let nameBytesMax = 256
