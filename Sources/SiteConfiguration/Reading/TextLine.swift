private import Diagnostics
private import URISyntax

/// A line of a configuration, without regard to the lines before it.
struct TextLine {
    let bytes: [UInt8]
    /// For each byte, whether it is within quotes.
    private var isQuoted = [Bool]()
    /// The offset of the comment, or of the end.
    private var end: Int
    private(set) var hasPairedQuotes = true

    init(_ line: ArraySlice<UInt8>) {
        bytes = Array(line)
        end = bytes.count
        var quote: UInt8?
        for (index, byte) in bytes.enumerated() {
            let before = index > 0 ? bytes[index - 1] : 0x20
            if let open = quote {
                let isEscaped = open == UInt8(ascii: "\"") && before == UInt8(ascii: "\\")
                if byte == open, !isEscaped { quote = nil }
                isQuoted.append(true)
                continue
            }
            if byte == UInt8(ascii: "#"), before == 0x20 || before == 0x09 {
                end = index
                break
            }
            // An apostrophe within a word opens nothing.
            let opens =
                byte == UInt8(ascii: "\"")
                || byte == UInt8(ascii: "'") && " \t[{,:".utf8.contains(before)
            if opens { quote = byte }
            isQuoted.append(opens)
        }
        hasPairedQuotes = quote != UInt8(ascii: "\"")
    }

    /// `//` or `/*` where a comment of JSON would begin. A line may have all bytes of the text, so it
    /// is gone through once.
    var foreignComment: (offset: Int, start: String)? {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        let start = bytes.firstIndex { !isBlank($0) } ?? bytes.count
        let lastClose = bytes.indices.dropLast().last { bytes[$0...].starts(with: "*/".utf8) }
        for index in bytes.indices.prefix(end) where !isQuoted[index] {
            let isAtStart = index <= start
            guard isAtStart || isBlank(bytes[index - 1]) else { continue }
            if bytes[index...].starts(with: "//".utf8) { return (index, "//") }
            // A pattern can begin with it, too.
            let isClosed = lastClose.map { $0 >= index + 2 } ?? false
            if bytes[index...].starts(with: "/*".utf8), isAtStart || isClosed {
                return (index, "/*")
            }
        }
        return nil
    }

    /// A strange space at the line's beginning or after the character that ends a key.
    var strangeSpace: (column: Int, scalar: Unicode.Scalar)? { firstOfValue(where: isStrangeSpace) }

    /// The first of some scalars at the line's beginning or after the character that ends a key.
    private func firstOfValue(
        where isWanted: (Unicode.Scalar) -> Bool
    ) -> (column: Int, scalar: Unicode.Scalar)? {
        var column = 1
        var before: Unicode.Scalar = ":"
        for scalar in String(decoding: bytes[..<end], as: UTF8.self).unicodeScalars {
            if isWanted(scalar), ":,{[-".unicodeScalars.contains(before) { return (column, scalar) }
            if scalar != " " { before = scalar }
            column += 1
        }
        return nil
    }

    /// Whether it has neither a value nor a key.
    var isEmpty: Bool { bytes[..<end].allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } }

    /// A typographic quote where a value begins, and its column.
    var typographicQuote: (column: Int, scalar: Unicode.Scalar)? {
        firstOfValue(where: isTypographicQuote)
    }

    /// A key with its value right behind the colon, as in `match:/sale`.
    var keyWithoutBlank: (name: String, rest: String, column: Int)? {
        let text = bytes[..<end].drop { $0 == 0x20 || $0 == UInt8(ascii: "-") }
        let name = text.prefix { $0.isLetter || $0.isDigit || "-_.".utf8.contains($0) }
        let rest = text.dropFirst(name.count)
        guard name.first?.isLetter == true, rest.first == UInt8(ascii: ":"),
            let next = rest.dropFirst().first, next > 0x20, !rest.starts(with: "://".utf8)
        else { return nil }
        let value = rest.dropFirst().reversed().drop { $0 <= 0x20 }.reversed()
        return (
            String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self),
            text.startIndex + 1
        )
    }

    /// The column of a byte, counted in Unicode scalars from 1.
    func column(of offset: Int) -> Int {
        String(decoding: bytes[..<offset], as: UTF8.self).unicodeScalars.count + 1
    }
}
