import URISyntax

/// The path of a rule in robots.txt: `*` matches any text, and `$` at the end matches the end (RFC
/// 9309 §2.2.3).
struct RobotsPattern: Sendable {
    /// The text between stars.
    private let pieces: [[UInt8]]
    private let isAnchored: Bool
    /// The number of octets, which decides which of two rules is more specific.
    let length: Int

    init(_ text: [UInt8]) {
        isAnchored = text.last == UInt8(ascii: "$")
        let body = isAnchored ? Array(text.dropLast()) : text
        let normal = Self.normalized(body, isPattern: true)
        length = normal.count + (isAnchored ? 1 : 0)
        pieces = normal.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
            .map(Array.init)
    }

    /// Whether the pattern matches from the text's start. Each piece is searched once, from the end
    /// of the previous one: the first occurrence leaves the most text for the following pieces.
    func matches(_ text: [UInt8]) -> Bool {
        guard let first = pieces.first, text.starts(with: first) else { return false }
        var start = first.count
        for (index, piece) in pieces.enumerated().dropFirst() {
            if isAnchored, index == pieces.count - 1 {
                return text.count - start >= piece.count && text.suffix(piece.count) == piece[...]
            }
            guard let found = position(of: piece, in: text, from: start) else { return false }
            start = found + piece.count
        }
        return !isAnchored || start == text.count
    }

    private func position(of piece: [UInt8], in text: [UInt8], from start: Int) -> Int? {
        guard text.count - start >= piece.count else { return nil }
        return (start...text.count - piece.count).first { text[$0...].starts(with: piece) }
    }

    /// A common form for what RFC 9309 compares as equal: escapes in upper case, unreserved
    /// characters unescaped, and all non-ASCII bytes escaped.
    /// - Parameter isPattern: if false, the two characters with a meaning in patterns are escaped
    ///   too.
    static func normalized(_ text: [UInt8], isPattern: Bool) -> [UInt8] {
        var result = [UInt8]()
        result.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            let byte = text[index]
            index += 1
            if byte == UInt8(ascii: "%"), index + 1 < text.count,
                let high = text[index].hexDigitValue, let low = text[index + 1].hexDigitValue
            {
                let value = high << 4 | low
                index += 2
                if value.isUnreserved {
                    result.append(value)
                } else {
                    result.append(percentEncoded: value)
                }
            } else if byte >= 0x80
                || (!isPattern && (byte == UInt8(ascii: "*") || byte == UInt8(ascii: "$")))
            {
                result.append(percentEncoded: byte)
            } else {
                result.append(byte)
            }
        }
        return result
    }
}
