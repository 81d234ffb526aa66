import URISyntax

// Version 1: one line, such as
//
//     PROXY TCP4 192.0.2.1 198.51.100.1 56324 443
//
// with single spaces, numbers without leading zeros, and CR LF at its end.

extension ProxyHeader {
    static func readText(_ bytes: Span<UInt8>) throws(ProxyHeaderError) -> ProxyHeader? {
        var start = 0
        for byte in "PROXY ".utf8 {
            guard start < bytes.count else { return nil }
            guard bytes[start] == byte else { throw .noSignature }
            start += 1
        }
        guard let end = try lineEnd(bytes) else { return nil }
        guard start <= end else { throw .malformedLine }
        var words = LineWords(start..<end)
        let family = words.next(bytes)
        // The rest of the line is ignored.
        if bytes.isWord("UNKNOWN", family) { return ProxyHeader(source: nil, length: end + 2) }
        let isV6 = bytes.isWord("TCP6", family)
        guard isV6 || bytes.isWord("TCP4", family),
            let source = address(bytes, words.next(bytes), isV6: isV6),
            address(bytes, words.next(bytes), isV6: isV6) != nil,
            let sourcePort = port(bytes, words.next(bytes)), port(bytes, words.next(bytes)) != nil,
            words.isEnded
        else { throw .malformedLine }
        return ProxyHeader(source: Endpoint(address: source, port: sourcePort), length: end + 2)
    }

    /// The offset of the line's CR; nil if its LF has not arrived yet.
    private static func lineEnd(_ bytes: Span<UInt8>) throws(ProxyHeaderError) -> Int? {
        let most = min(bytes.count, lineBytesMax)
        for index in 0..<most where bytes[index] == 0x0A {
            guard bytes[index - 1] == 0x0D else { throw .unendedLine }
            return index - 1
        }
        guard bytes.count < lineBytesMax else { throw .unendedLine }
        return nil
    }

    private static func address(
        _ bytes: Span<UInt8>, _ range: Range<Int>, isV6: Bool
    ) -> IPAddress? {
        var hasColon = false
        for index in range where bytes[index] == .colon { hasColon = true }
        return hasColon == isV6 ? IPAddress(bytes.extracting(range)) : nil
    }

    private static func port(_ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt16? {
        guard (1...5).contains(range.count),
            range.count == 1 || bytes[range.lowerBound] != UInt8(ascii: "0")
        else { return nil }
        var number = 0
        for index in range {
            guard bytes[index].isDigit else { return nil }
            number = number * 10 + Int(bytes[index] & 0xF)
        }
        return UInt16(exactly: number)
    }
}

/// The words of a line, separated by single spaces.
private struct LineWords {
    private var rest: Range<Int>
    private(set) var isEnded = false

    init(_ line: Range<Int>) { rest = line }

    /// The next word; empty if there is none.
    mutating func next(_ bytes: Span<UInt8>) -> Range<Int> {
        var end = rest.lowerBound
        while end < rest.upperBound, bytes[end] != .space { end += 1 }
        let word = rest.lowerBound..<end
        isEnded = end == rest.upperBound
        rest = min(end + 1, rest.upperBound)..<rest.upperBound
        return word
    }
}

extension Span<UInt8> {
    fileprivate func isWord(_ text: String, _ range: Range<Int>) -> Bool {
        guard range.count == text.utf8.count else { return false }
        var index = range.lowerBound
        for byte in text.utf8 {
            guard self[index] == byte else { return false }
            index += 1
        }
        return true
    }
}

/// The longest line of version 1, with its line end.
private let lineBytesMax = 107
