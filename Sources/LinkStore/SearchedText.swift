/// A text that is looked for in others, in any letter case: the lower-case mappings of Unicode
/// scalars are compared. A letter with a mark of its own is the same as one letter, as names of files on a Mac have it. A search takes time linear in both texts (Knuth, Morris and Pratt).
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
        // The last scalar, if it is a small letter of ASCII.
        var base: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            var lower = Int(scalar.value) < lowered.count ? lowered[Int(scalar.value)] : scalar
            if let letter = base, marks.contains(scalar.value),
                let whole = composed[Pair(letter: letter, mark: scalar)]
            {
                bytes.removeLast()
                lower = whole
            }
            bytes += UTF8.encode(lower) ?? UTF8.encodedReplacementCharacter
            base = letters.contains(lower.value) ? lower : nil
        }
        return bytes
    }

    /// A letter of ASCII, and the mark behind it.
    private struct Pair: Hashable {
        let letter: Unicode.Scalar
        let mark: Unicode.Scalar
    }

    private static let letters: ClosedRange<UInt32> = 0x61...0x7A
    private static let marks: ClosedRange<UInt32> = 0x300...0x328

    /// The single letters that are such a pair. Equal strings are those that Unicode takes for the same.
    private static let composed: [Pair: Unicode.Scalar] = {
        let scalars = [0xDF...0x17F, 0x1E00...0x1EFF].joined().compactMap {
            Unicode.Scalar(UInt32($0))
        }
        let singles = Dictionary(scalars.map { (String($0), $0) }) { one, _ in one }
        var pairs = [Pair: Unicode.Scalar]()
        for letter in letters.compactMap(Unicode.Scalar.init) {
            for mark in marks.compactMap(Unicode.Scalar.init) {
                var text = String.UnicodeScalarView()
                text.append(letter)
                text.append(mark)
                pairs[Pair(letter: letter, mark: mark)] = singles[String(text)]
            }
        }
        return pairs
    }()

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
