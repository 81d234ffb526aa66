/// Whether a path has a segment that leads elsewhere for some server: `.` or `..` (RFC 3986 §5.2.4)
/// after whatever servers do with a path. They decode it once or more often, take a backslash for a
/// slash, leave out the parameter of a segment (`..;x`), what follows a question mark, and control
/// characters and spaces, read overlong forms of UTF-8 and `%u002e`, and fold full-width characters.
/// So this is true of more than any one of them resolves. It takes time linear in the path.
package func mayHaveDotSegment(_ path: some Sequence<UInt8>) -> Bool {
    guard let decoded = decodedThroughout(path) else { return true }
    return decoded.split(separator: UInt8(ascii: "/")).contains { segment in
        let name = segment.prefix { !";?#".utf8.contains($0) }.filter { $0 > 0x20 && $0 != 0x7F }
        return !name.isEmpty && name.allSatisfy { $0 == UInt8(ascii: ".") }
    }
}

/// The path without any escape, with slashes and full stops for what is taken for them. Nil for forms
/// of characters that nobody writes without intent.
private func decodedThroughout(_ path: some Sequence<UInt8>) -> [UInt8]? {
    var text = [UInt8]()
    for byte in path {
        text.append(byte)
        // What was decoded can be the end of another escape.
        while text.count >= 3, text[text.count - 3] == UInt8(ascii: "%"),
            let high = text[text.count - 2].hexDigitValue,
            let low = text[text.count - 1].hexDigitValue
        {
            text.removeLast(3)
            text.append(high << 4 | low)
        }
        if text.count >= 2, text[text.count - 2] == UInt8(ascii: "%"), byte | 0x20 == 0x75 {
            return nil
        }
    }
    var (result, index) = ([UInt8](), 0)
    while index < text.count {
        let second = index + 1 < text.count ? text[index + 1] : 0
        switch (text[index], second) {
        case (0xC0...0xC1, _), (0xE0, 0x80..<0xA0), (0xF0, 0x80..<0x90): return nil
        case (UInt8(ascii: "\\"), _): result.append(UInt8(ascii: "/"))
        case (0xE2, _), (0xEF, _):
            if let other = lookalikes.first(where: { text[index...].starts(with: $0.0.utf8) }) {
                result.append(other.1)
                index += other.0.utf8.count - 1
            } else {
                result.append(text[index])
            }
        default: result.append(text[index])
        }
        index += 1
    }
    return result
}

/// Characters that are folded to full stops and slashes.
private let lookalikes: [(String, UInt8)] = [
    ("\u{FF0E}", UInt8(ascii: ".")), ("\u{2024}", UInt8(ascii: ".")),
    ("\u{2025}", UInt8(ascii: ".")), ("\u{FF0F}", UInt8(ascii: "/")),
    ("\u{2044}", UInt8(ascii: "/")), ("\u{2215}", UInt8(ascii: "/")),
    ("\u{FF3C}", UInt8(ascii: "/")), ("\u{FF05}", UInt8(ascii: "%")),
]
