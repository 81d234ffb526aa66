/// Base64 with the usual alphabet and padding (RFC 4648 §4), for the values of attributes and fields.
package func base64(_ bytes: [UInt8]) -> String {
    let usual = digits(of: bytes).map { digit in
        switch digit {
        case 62: UInt8(ascii: "+")
        case 63: UInt8(ascii: "/")
        default: alphabet[digit]
        }
    }
    let padding = [UInt8](repeating: UInt8(ascii: "="), count: (4 - usual.count % 4) % 4)
    return String(decoding: usual + padding, as: UTF8.self)
}

/// Base64 with the alphabet for URLs and file names, without padding (RFC 4648 §5).
package func base64URL(_ bytes: [UInt8]) -> String {
    String(decoding: digits(of: bytes).map { alphabet[$0] }, as: UTF8.self)
}

/// The values of the digits, 6 bits each.
private func digits(of bytes: [UInt8]) -> [Int] {
    var digits = [Int]()
    digits.reserveCapacity((bytes.count * 4 + 2) / 3)
    for start in stride(from: 0, to: bytes.count, by: 3) {
        let group = bytes[start..<min(start + 3, bytes.count)]
        let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
        for place in 0...group.count { digits.append(bits >> (18 - 6 * place) & 63) }
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
