/// Base64 with the usual alphabet and padding (RFC 4648 §4), for the values of attributes and fields.
package func base64(_ bytes: [UInt8]) -> String {
    var text = digits(of: bytes) { digit in
        switch digit {
        case 62: UInt8(ascii: "+")
        case 63: UInt8(ascii: "/")
        default: alphabet[digit]
        }
    }
    while text.count % 4 > 0 { text.append(UInt8(ascii: "=")) }
    return String(decoding: text, as: UTF8.self)
}

/// Base64 with the alphabet for URLs and file names, without padding (RFC 4648 §5).
package func base64URL(_ bytes: [UInt8]) -> String {
    String(decoding: digits(of: bytes) { alphabet[$0] }, as: UTF8.self)
}

/// The digits, 6 bits each. Forms have millions of them, so each takes one byte.
/// - Parameter digit: the digit of a value.
private func digits(of bytes: [UInt8], _ digit: (Int) -> UInt8) -> [UInt8] {
    var digits = [UInt8]()
    // With padding.
    digits.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
        let group = bytes[start..<min(start + 3, bytes.count)]
        let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
        for place in 0...group.count { digits.append(digit(bits >> (18 - 6 * place) & 63)) }
    }
    return digits
}

/// The bytes of such a text, with padding or without, and also in the usual alphabet; nil if it is
/// something else.
package func base64URLDecoded(_ text: String) -> [UInt8]? {
    let digits = Array(text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }.reversed())
    guard digits.count % 4 != 1 else { return nil }
    var (bytes, bits, count) = ([UInt8](), 0, 0)
    for digit in digits {
        let folded: UInt8 =
            switch digit {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: digit
            }
        guard let value = alphabet.firstIndex(of: folded) else { return nil }
        (bits, count) = ((bits << 6 | value) & 0xFFFFFF, count + 6)
        guard count >= 8 else { continue }
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> count))
    }
    return bytes
}

private let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
