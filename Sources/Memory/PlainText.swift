extension [UInt8] {
    /// The index of the first byte in `range` that is not visible ASCII or a space, or is a quote
    /// or backslash; the range's end when there is none. Eight bytes are looked at in one step.
    package func firstToEscape(_ range: Range<Int>) -> Int {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        return unsafe withUnsafeBytes { bytes in
            var index = range.lowerBound
            while index + 8 <= range.upperBound {
                let word = unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                guard !hasByteToEscape(word) else { break }
                index += 8
            }
            while index < range.upperBound, unsafe !mustEscape(bytes[index]) { index += 1 }
            return index
        }
    }
}

private func mustEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte > 0x7E || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
}

/// Whether one of a word's bytes must be escaped; exact, as carries only leave bytes that must.
private func hasByteToEscape(_ word: UInt64) -> Bool {
    let quotes = word ^ (ones &* 0x22)
    let backslashes = word ^ (ones &* 0x5C)
    let isQuote = (quotes &- ones) & ~quotes
    let isBackslash = (backslashes &- ones) & ~backslashes
    let isControl = (word &- ones &* 0x20) & ~word
    let isHigh = (word &+ ones) | word
    return (isQuote | isBackslash | isControl | isHigh) & highs != 0
}

private let ones: UInt64 = 0x0101_0101_0101_0101
private let highs: UInt64 = 0x8080_8080_8080_8080
