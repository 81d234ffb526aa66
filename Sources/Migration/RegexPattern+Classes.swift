private import URISyntax

// What single characters of an expression stand for.

extension RegexPattern {
    /// Whether a character stands for itself, and is no slash.
    static func isPlain(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || "-_~%=&,;:@!".utf8.contains(byte)
    }

    /// Whether a class has no slash.
    static func excludesSlash(_ text: String) -> Bool {
        if ["\\d", "\\w", "\\s"].contains(text) { return true }
        let bytes = Array(text.utf8)
        guard bytes.first == UInt8(ascii: "[") else { return false }
        let isNegated = bytes.dropFirst().first == UInt8(ascii: "^")
        let names =
            bytes.contains(UInt8(ascii: "/"))
            || ["\\D", "\\W", "\\S"].contains { text.contains($0) }
        return isNegated == names
    }
}
