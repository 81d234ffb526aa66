import Diagnostics
import Memory
import URISyntax

// Writes text from outside so that it cannot end a line or a value, and cannot control a terminal.

extension TextBuffer {
    /// Appends a part of `source` as the content of a JSON string (RFC 8259 §7). Bytes that are not
    /// UTF-8 become U+FFFD, and characters that control terminals are escaped (`JSONEscape`). It
    /// takes at most six bytes for each byte.
    mutating func append(jsonText source: [UInt8], _ range: Range<Int>) {
        var start = range.lowerBound
        while true {
            let end = appendPlain(source, start..<range.upperBound)
            guard end < range.upperBound else { return }
            start = append(jsonCharacter: source, at: end, before: range.upperBound)
        }
    }

    /// Appends a part of `source` like nginx in its access log: quotes, backslashes, control
    /// characters and all non-ASCII bytes as `\xHH`. It takes at most four bytes for each byte.
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

    /// Appends one character that is not plain, and returns the index after it.
    private mutating func append(
        jsonCharacter source: [UInt8], at index: Int, before end: Int
    ) -> Int {
        let length = sequenceLength(source, at: index, before: end)
        guard length > 0, let scalar = Unicode.Scalar(value(source, index, length)) else {
            append("\\ufffd")
            return index + 1
        }
        if let escape = JSONEscape(neededBy: scalar) {
            escape.write { append($0) }
        } else {
            append(source, index..<index + length)
        }
        return index + length
    }
}

/// The scalar value of the well-formed UTF-8 sequence at `index`.
private func value(_ bytes: [UInt8], _ index: Int, _ length: Int) -> UInt32 {
    guard length > 1 else { return UInt32(bytes[index]) }
    var value = UInt32(bytes[index]) & 0x7F >> UInt32(length)
    for offset in 1..<length { value = value << 6 | UInt32(bytes[index + offset] & 0x3F) }
    return value
}

/// The number of bytes of the well-formed UTF-8 sequence at `index`; 0 if it is not well-formed
/// (Unicode 16, table 3-7).
private func sequenceLength(_ bytes: [UInt8], at index: Int, before end: Int) -> Int {
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch bytes[index] {
    case 0x00..<0x80: length = 1
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return 0
    }
    guard length > 1 else { return 1 }
    guard index + length <= end, second.contains(bytes[index + 1]) else { return 0 }
    for offset in 2..<length where bytes[index + offset] & 0xC0 != 0x80 { return 0 }
    return length
}
