private import URISyntax

/// A character reference such as `&amp;` or `&#x2F;` (WHATWG HTML §13.2.5.72 to §13.2.5.80).
struct CharacterReference {
    enum Position {
        case content
        /// A name without semicolon is text if a letter, a digit or `=` follows, so that
        /// `?a=1&copy=2` is not changed.
        case attribute
    }

    let text: String
    /// The length of the reference, its semicolon included.
    let bytes: Int

    /// - Parameter source: text that begins with `&`.
    /// - Returns: nil if it does not begin with a reference.
    init?(_ source: ArraySlice<UInt8>, in position: Position) {
        let rest = source.dropFirst()
        let found =
            rest.first == UInt8(ascii: "#")
            ? Self.numeric(rest.dropFirst()) : Self.named(rest, in: position)
        guard let found else { return nil }
        (text, bytes) = (found.text, found.end - source.startIndex)
    }

    private static func numeric(_ source: ArraySlice<UInt8>) -> (text: String, end: Int)? {
        let isHex = source.first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
        let digits = source.dropFirst(isHex ? 1 : 0)
            .prefix { isHex ? $0.hexDigitValue != nil : $0.isDigit }
        guard !digits.isEmpty else { return nil }
        var value: UInt32 = 0
        for digit in digits {
            // Numbers above the last scalar are all invalid, so this one may be limited.
            value = min(value * (isHex ? 16 : 10) + UInt32(digit.hexDigitValue ?? 0), 0x11_0000)
        }
        let isTerminated = digits.endIndex < source.endIndex && source[digits.endIndex] == semicolon
        return (String(scalar(value)), digits.endIndex + (isTerminated ? 1 : 0))
    }

    private static func scalar(_ value: UInt32) -> Character {
        if (0x80...0x9F).contains(value) {
            return Character(windows1252[Int(value - 0x80)] ?? Unicode.Scalar(UInt8(value)))
        }
        guard value != 0, let scalar = Unicode.Scalar(value) else { return "\u{FFFD}" }
        return Character(scalar)
    }

    private static func named(
        _ source: ArraySlice<UInt8>, in position: Position
    ) -> (text: String, end: Int)? {
        let name = source.prefix { $0.isLetter || $0.isDigit }
        let after = name.endIndex < source.endIndex ? source[name.endIndex] : nil
        if after == semicolon, name.count <= NamedReferences.nameBytesMax,
            let found = NamedReferences.all[String(decoding: name, as: UTF8.self)]
        {
            return (found.text, name.endIndex + 1)
        }
        let countMax = min(name.count, NamedReferences.bareNameBytesMax)
        for count in stride(from: countMax, through: 2, by: -1) {
            let prefix = name.prefix(count)
            guard let found = NamedReferences.all[String(decoding: prefix, as: UTF8.self)],
                found.needsNoSemicolon
            else { continue }
            let isWhole = prefix.endIndex == name.endIndex
            if position == .attribute, !isWhole || after == UInt8(ascii: "=") { return nil }
            return (found.text, prefix.endIndex)
        }
        return nil
    }
}

private let semicolon = UInt8(ascii: ";")

/// The characters of the numbers 128 to 159, which come from windows-1252.
private let windows1252: [Unicode.Scalar?] = [
    "€", nil, "‚", "ƒ", "„", "…", "†", "‡", "ˆ", "‰", "Š", "‹", "Œ", nil, "Ž", nil, nil, "‘", "’",
    "“", "”", "•", "–", "—", "˜", "™", "š", "›", "œ", nil, "ž", "Ÿ",
]
