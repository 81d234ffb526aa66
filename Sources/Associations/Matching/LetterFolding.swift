private import URISyntax

/// Letters that have one lower case and another case folding, such as `ς`, the σ at the end of
/// words: whether two texts that differ in them are equal without regard to letter case depends on
/// which of the two a system compares.
enum LetterFolding {
    /// The case folding (Unicode, CaseFolding.txt, status C) of each letter whose lower case is
    /// another.
    private static let folded: [Unicode.Scalar: Unicode.Scalar] = [
        "\u{B5}": "\u{3BC}", "\u{17F}": "s", "\u{345}": "\u{3B9}", "\u{3C2}": "\u{3C3}",
        "\u{3D0}": "\u{3B2}", "\u{3D1}": "\u{3B8}", "\u{3D5}": "\u{3C6}", "\u{3D6}": "\u{3C0}",
        "\u{3F0}": "\u{3BA}", "\u{3F1}": "\u{3C1}", "\u{3F5}": "\u{3B5}", "\u{1E9B}": "\u{1E61}",
        "\u{1FBE}": "\u{3B9}",
    ]

    /// A pattern with these letters folded.
    static func fold(_ pattern: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in pattern.unicodeScalars { result.append(folded[scalar] ?? scalar) }
        return String(result)
    }

    /// Whether a URL has escapes of these letters behind its host.
    static func changes(_ url: LinkURL) -> Bool {
        (url.pathRange.lowerBound..<url.bytes.count).contains {
            escapedLetter(url.bytes.span, at: $0) != nil
        }
    }

    /// A URL, from the end of its host on, with the escapes of these letters folded; nil if it has
    /// none.
    static func fold(_ url: LinkURL) -> LinkURL? {
        var result = Array(url.bytes[..<url.pathRange.lowerBound])
        var index = url.pathRange.lowerBound
        var isFolded = false
        while index < url.bytes.count {
            if let (length, letter) = escapedLetter(url.bytes.span, at: index) {
                for byte in String(letter).utf8 { result.append(percentEncoded: byte) }
                index += length
                isFolded = true
            } else {
                result.append(url.bytes[index])
                index += 1
            }
        }
        return isFolded ? try? LinkURL(utf8: result) : nil
    }

    /// The folding of the letter whose escapes begin at `index`, and their length.
    private static func escapedLetter(
        _ bytes: Span<UInt8>, at index: Int
    ) -> (Int, Unicode.Scalar)? {
        guard let first = escape(bytes, at: index), first >= 0xC0 else { return nil }
        let escapes = scalarBytes(first)
        let letter = (0..<escapes).compactMap { escape(bytes, at: index + 3 * $0) }
        guard let text = String(validating: letter, as: UTF8.self),
            let scalar = text.unicodeScalars.first, let other = folded[scalar]
        else { return nil }
        return (3 * escapes, other)
    }
}
