/// The most combining marks in a row that a text from outside may have (Unicode Standard Annex 15,
/// Stream-Safe Text Format). Comparing two strings, or hashing one, puts a run of marks into order
/// first, in time that grows with the square of its length; no language has more than a few.
package let combiningMarksMax = 30

extension String {
    /// Whether more marks follow each other than `combiningMarksMax`. It takes time linear in the
    /// text.
    package var hasTooManyMarks: Bool {
        // No mark has a smaller first byte.
        guard utf8.contains(where: { $0 >= 0xCC }) else { return false }
        var run = 0
        for scalar in unicodeScalars {
            run = scalar.isCombiningMark ? run + 1 : 0
            if run > combiningMarksMax { return true }
        }
        return false
    }

    /// The text, in which all bytes beyond ASCII are percent-encoded if it has too many marks, so
    /// that it can be compared and hashed.
    package var comparable: String {
        guard hasTooManyMarks else { return self }
        var result = [UInt8]()
        for byte in utf8 {
            if byte < 0x80 { result.append(byte) } else { result.append(percentEncoded: byte) }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

extension Unicode.Scalar {
    /// Whether it may be put into another place among marks. Three vowel signs of Tibetan are made
    /// of such.
    fileprivate var isCombiningMark: Bool {
        guard value >= 0x300 else { return false }
        return properties.canonicalCombiningClass != .notReordered
            || [0xF73, 0xF75, 0xF81].contains(value)
    }
}
