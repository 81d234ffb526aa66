import Memory
import URISyntax

// Text from outside, so that it can end no line and no value, and steer no terminal.

extension TextBuffer {
    /// Appends a part of `source` as the inside of a JSON string (RFC 8259 §7). What is not UTF-8
    /// becomes U+FFFD; escaped like C0 controls are those of C1, which terminals obey, and what
    /// ends lines or turns the direction of writing. At most six bytes for each of the part's.
    mutating func append(jsonText source: [UInt8], _ range: Range<Int>) {
        var start = range.lowerBound
        while true {
            let end = appendPlain(source, start..<range.upperBound)
            guard end < range.upperBound else { return }
            start = append(jsonEscaped: source, at: end, before: range.upperBound)
        }
    }

    /// Appends a part of `source` as nginx does in its access log: quotes, backslashes, controls
    /// and whatever is not ASCII as `\xHH`. At most four bytes for each of the part's.
    mutating func append(logText source: [UInt8], _ range: Range<Int>) {
        var start = range.lowerBound
        while true {
            let end = appendPlain(source, start..<range.upperBound)
            guard end < range.upperBound else { return }
            append("\\x")
            append((source[end] >> 4).hexDigit)
            append((source[end] & 0xF).hexDigit)
            start = end + 1
        }
    }

    /// Appends one character that cannot stand as it is, and returns the index after it.
    private mutating func append(
        jsonEscaped source: [UInt8], at index: Int, before end: Int
    ) -> Int {
        let byte = source[index]
        guard byte >= 0x80 else {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                append(UInt8(ascii: "\\"))
                append(byte)
            } else {
                append(unicodeEscape: byte)
            }
            return index + 1
        }
        let length = sequenceLength(source, at: index, before: end)
        if length == 0 {
            append("\\ufffd")
            return index + 1
        }
        if byte == 0xC2, source[index + 1] < 0xA0 {
            append(unicodeEscape: source[index + 1])
        } else if byte == 0xE2, turnsText(source[index + 1], source[index + 2]) {
            append("\\u20")
            let low = source[index + 1] << 6 | source[index + 2] & 0x3F
            append((low >> 4).hexDigit)
            append((low & 0xF).hexDigit)
        } else {
            append(source, index..<index + length)
        }
        return index + length
    }

    private mutating func append(unicodeEscape byte: UInt8) {
        append("\\u00")
        append((byte >> 4).hexDigit)
        append((byte & 0xF).hexDigit)
    }
}

/// Whether the last two bytes are of U+2028 or U+2029, which end lines, or of a mark that turns the
/// direction of writing: what stands after it in a line could be shown in front.
private func turnsText(_ second: UInt8, _ third: UInt8) -> Bool {
    switch (second, third) {
    case (0x80, 0x8E...0x8F), (0x80, 0xA8...0xAE), (0x81, 0xA6...0xA9): true
    default: false
    }
}

/// How many bytes the well-formed UTF-8 sequence of a character beyond ASCII has that begins at
/// `index`; 0 when none does (Unicode 16, table 3-7).
private func sequenceLength(_ bytes: [UInt8], at index: Int, before end: Int) -> Int {
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch bytes[index] {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return 0
    }
    guard index + length <= end, second.contains(bytes[index + 1]) else { return 0 }
    for offset in 2..<max(2, length) where bytes[index + offset] & 0xC0 != 0x80 { return 0 }
    return length
}
