/// A text that is looked for in others, in any letter case: the lower-case mappings of Unicode
/// scalars are compared. A search takes time linear in both texts (Knuth, Morris and Pratt).
package struct SearchedText: Sendable {
    private let wanted: [UInt8]
    /// For each beginning of the text, the length of the longest shorter one that it ends in.
    private let borders: [Int]

    package init(_ text: String) {
        let wanted = Self.folded(text)
        var (borders, length) = ([0], 0)
        for byte in wanted.dropFirst() {
            while length > 0, byte != wanted[length] { length = borders[length - 1] }
            if byte == wanted[length] { length += 1 }
            borders.append(length)
        }
        (self.wanted, self.borders) = (wanted, borders)
    }

    /// Whether it is in a text.
    package func isPart(of text: String) -> Bool {
        guard !wanted.isEmpty else { return true }
        var length = 0
        for byte in Self.folded(text) {
            while length > 0, byte != wanted[length] { length = borders[length - 1] }
            if byte == wanted[length] { length += 1 }
            if length == wanted.count { return true }
        }
        return false
    }

    private static func folded(_ text: String) -> [UInt8] {
        var bytes = [UInt8]()
        bytes.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            let lower = Int(scalar.value) < lowered.count ? lowered[Int(scalar.value)] : scalar
            bytes += UTF8.encode(lower) ?? UTF8.encodedReplacementCharacter
        }
        return bytes
    }

    /// The lower-case letter of each scalar up to those of Latin, Greek, Cyrillic, Armenian and Georgian.
    /// The mapping of the standard library makes a string of each, which costs a hundred times as much.
    private static let lowered: [Unicode.Scalar] = (UInt16(0)..<0x2C00).map { value in
        // One sigma is another letter at the end of a word.
        if value == 0x3C2 { return "\u{3C3}" }
        let scalar = Unicode.Scalar(value) ?? "\0"
        let lower = scalar.properties.lowercaseMapping.unicodeScalars
        return lower.count == 1 ? lower.first ?? scalar : scalar
    }
}
