private import URISyntax

/// The parts of a form with files (`multipart/form-data`, RFC 7578), as browsers write it.
///
/// Nothing is guessed: what no browser sends is refused, so that no two readers understand one content in two ways. Each
/// byte is looked at a fixed number of times.
package struct MultipartForm: Sendable {
    /// A field of the form.
    package struct Part: Equatable, Sendable {
        package let name: String
        /// Nil for a field that is no file; empty if no file was chosen.
        package let fileName: String?
        package let content: [UInt8]
    }

    /// The reason for which a content is no form.
    package enum Fault: Error, Equatable {
        /// The type names no boundary, or one that cannot be (RFC 2046 §5.1.1).
        case boundary
        /// A line before a part is not what browsers send.
        case head
        /// The content does not begin with the boundary, or ends before its last one.
        case unfinished
        case tooManyParts
    }

    package let parts: [Part]

    /// The most parts of a form, bytes of the lines before one, and bytes of a name.
    package static let partsMax = 160
    package static let headBytesMax = 2_048
    package static let nameBytesMax = 512

    /// - Parameter type: the value of `Content-Type`.
    package init(_ content: [UInt8], type: String) throws(Fault) {
        guard let boundary = Self.boundary(of: type) else { throw .boundary }
        let line = Array("--".utf8) + boundary
        guard content.starts(with: line) else { throw .unfinished }
        let delimiter = Array("\r\n".utf8) + line
        var (parts, position) = ([Part](), line.count)
        while let start = try Self.start(in: content, at: position) {
            guard parts.count < Self.partsMax else { throw .tooManyParts }
            let (name, fileName, body) = try Self.head(in: content, at: start)
            // The line end before a boundary belongs to it.
            guard let end = Self.find(delimiter, in: content, from: body) else { throw .unfinished }
            parts.append(Part(name: name, fileName: fileName, content: Array(content[body..<end])))
            position = end + delimiter.count
        }
        self.parts = parts
    }

    // MARK: Boundaries

    /// The boundary that a type names; nil without one.
    private static func boundary(of type: String) -> [UInt8]? {
        var items = type.utf8.split(separator: UInt8(ascii: ";"))[...]
        guard let media = items.popFirst(), isName(media, "multipart/form-data") else { return nil }
        var found: [UInt8]?
        for item in items {
            guard let equals = item.firstIndex(of: UInt8(ascii: "=")),
                isName(item[..<equals], "boundary")
            else { continue }
            var value = Array(item[item.index(after: equals)...].trimmed())
            if value.count >= 2, value.first == quote, value.last == quote {
                value = Array(value.dropFirst().dropLast())
            }
            let isOne =
                1...70 ~= value.count && value.last != 0x20
                && value.allSatisfy { isOfBoundary($0) }
            guard isOne, found == nil else { return nil }
            found = value
        }
        return found
    }

    private static let quote = UInt8(ascii: "\"")

    private static func isOfBoundary(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "'()+_,-./:=? ".utf8.contains(byte)
        }
    }

    /// The place behind a boundary at which a part begins; nil behind the last boundary.
    private static func start(in content: [UInt8], at position: Int) throws(Fault) -> Int? {
        let rest = content[position...]
        if rest.starts(with: "\r\n".utf8) { return position + 2 }
        guard rest.starts(with: "--".utf8) else { throw .unfinished }
        guard rest.count == 2 || rest.dropFirst(2).elementsEqual("\r\n".utf8) else {
            throw .unfinished
        }
        return nil
    }

    /// The next place of a text whose first byte is nowhere else in it, so that no byte is compared more than twice.
    private static func find(_ text: [UInt8], in content: [UInt8], from start: Int) -> Int? {
        var position = start
        while content.count - position >= text.count {
            guard
                let next = content[position...(content.count - text.count)]
                    .firstIndex(of: text[0])
            else { return nil }
            if content[next...].starts(with: text) { return next }
            position = next + 1
        }
        return nil
    }

    // MARK: Heads

    /// Reads the lines before a part.
    /// - Returns: its names, and the place at which its content begins.
    private static func head(
        in content: [UInt8], at start: Int
    ) throws(Fault) -> (name: String, fileName: String?, body: Int) {
        var (position, found): (Int, (String, String?)?) = (start, nil)
        while true {
            let most = content[position...].prefix(start + headBytesMax - position)
            guard let end = most.firstIndex(of: 0x0A), end > position, content[end - 1] == 0x0D
            else { throw .head }
            let line = content[position..<end - 1]
            position = end + 1
            guard !line.isEmpty else { break }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
                line.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
            else { throw .head }
            if isName(line[..<colon], "content-disposition") {
                guard found == nil else { throw .head }
                found = try names(line[(colon + 1)...])
            } else if !isName(line[..<colon], "content-type") {
                // An encoding of its content, above all (RFC 7578 §4.7).
                throw .head
            }
        }
        guard let found else { throw .head }
        return (found.0, found.1, position)
    }

    /// Reads `form-data; name="…"; filename="…"`.
    private static func names(_ value: ArraySlice<UInt8>) throws(Fault) -> (String, String?) {
        var rest = value.drop { $0 == 0x20 }
        guard rest.starts(with: "form-data".utf8) else { throw .head }
        rest = rest.dropFirst("form-data".utf8.count)
        var (name, fileName): (String?, String?)
        while !rest.isEmpty {
            guard rest.first == UInt8(ascii: ";") else { throw .head }
            rest = rest.dropFirst().drop { $0 == 0x20 }
            guard let equals = rest.firstIndex(of: UInt8(ascii: "=")) else { throw .head }
            let key = rest[..<equals]
            let text = rest[(equals + 1)...]
            guard text.first == quote, let end = text.dropFirst().firstIndex(of: quote) else {
                throw .head
            }
            let found = try unescaped(text[(text.startIndex + 1)..<end])
            switch String(decoding: key, as: UTF8.self) {
            case "name" where name == nil: name = found
            case "filename" where fileName == nil: fileName = found
            // `filename*` has no place here (RFC 7578 §4.2).
            default: throw .head
            }
            rest = text[(end + 1)...]
        }
        guard let name else { throw .head }
        return (name, fileName)
    }

    /// A name without the escapes of a quote and of line ends, which are all that browsers escape (HTML, "Multipart form
    /// data").
    private static func unescaped(_ text: ArraySlice<UInt8>) throws(Fault) -> String {
        guard text.count <= nameBytesMax else { throw .head }
        var (result, rest) = ([UInt8](), text)
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                result.append(byte)
                continue
            }
            switch String(decoding: rest.prefix(2), as: UTF8.self) {
            case "22": result.append(quote)
            case "0D", "0A": result.append(0x20)
            default:
                result.append(byte)
                continue
            }
            rest = rest.dropFirst(2)
        }
        guard let name = String(validating: result, as: UTF8.self) else { throw .head }
        return name
    }

    // MARK: Words

    /// Whether a text is this name, in any letter case and with blanks around it.
    private static func isName(
        _ text: some BidirectionalCollection<UInt8>, _ name: String
    ) -> Bool {
        text.trimmed().map(\.foldedToLowerCase).elementsEqual(name.utf8)
    }
}
