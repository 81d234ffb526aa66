/// Base64 with the alphabet for URLs and file names, without padding (RFC 4648 §5).
package func base64URL(_ bytes: [UInt8]) -> String {
    var text = [UInt8]()
    text.reserveCapacity((bytes.count * 4 + 2) / 3)
    for start in stride(from: 0, to: bytes.count, by: 3) {
        let group = bytes[start..<min(start + 3, bytes.count)]
        var bits = 0
        for index in start..<start + 3 {
            bits = bits << 8 | (index < bytes.count ? Int(bytes[index]) : 0)
        }
        for place in 0...group.count { text.append(alphabet[bits >> (18 - 6 * place) & 63]) }
    }
    return String(decoding: text, as: UTF8.self)
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
