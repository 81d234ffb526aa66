/// A set of alternatives compiled to bit masks: one run of a pattern, or the values of a variable.
///
/// Every element of every alternative is one bit of a row of words; a bit that is set says that
/// its element has just been consumed. A byte moves all of them at once: shifted by one (or by
/// two, over a star that stands for nothing), joined by the first elements when the alternation
/// may begin here, and masked by the row of elements that take this byte (Baeza-Yates & Gonnet's
/// shift-and, with gaps). No input makes that slower than words times bytes.
///
/// A star with something behind it fails where no text is left, so it may stand for nothing only
/// before the end: masks named `AtEnd` leave out what the others reach by skipping a star.
final class Alternation: Sendable {
    let words: Int
    /// What `$(digit)` and its like stand for is a set; everything else is written out.
    private let classes: [UInt8]
    /// For each class of bytes, the elements that take it.
    private let takes: [UInt64]
    private let heads: [UInt64]
    private let chainStarts: [UInt64]
    private let beforeStar: [UInt64]
    private let stars: [UInt64]
    /// `?` is one scalar, so its element stays set over the bytes that continue it.
    private let scalars: [UInt64]
    private let ends: [UInt64]
    private let endsAtEnd: [UInt64]
    private let endsAtVeryEnd: [UInt64]
    private let isNullable: Bool
    private let isNullableAtEnd: Bool
    private let isNullableAtVeryEnd: Bool
    /// The most and the fewest stars in one alternative.
    let starsMax: Int
    let starsMin: Int

    init(_ builder: AlternationBuilder) {
        words = builder.words
        classes = builder.classes
        takes = builder.takes
        heads = builder.heads.words
        chainStarts = builder.chainStarts.words
        beforeStar = builder.beforeStar.words
        stars = builder.stars.words
        scalars = builder.scalars.words
        ends = builder.ends.words
        endsAtEnd = builder.endsAtEnd.words
        endsAtVeryEnd = builder.endsAtVeryEnd.words
        isNullable = builder.isNullable
        isNullableAtEnd = builder.isNullableAtEnd
        isNullableAtVeryEnd = builder.isNullableAtVeryEnd
        starsMax = builder.starsMax
        starsMin = builder.starsMin
    }

    /// Where in the text, and in the pattern, the question is asked.
    enum Position {
        case beforeEnd
        /// No text is left; the pattern goes on behind this alternation, or does not.
        case end, veryEnd
    }

    func isNullable(_ position: Position) -> Bool {
        switch position {
        case .beforeEnd: isNullable
        case .end: isNullableAtEnd
        case .veryEnd: isNullableAtVeryEnd
        }
    }

    /// Whether `state[offset...]` has an alternative behind it.
    func hasEnded(_ state: borrowing [UInt64], at offset: Int, _ position: Position) -> Bool {
        switch position {
        case .beforeEnd: meets(state, offset, ends)
        case .end: meets(state, offset, endsAtEnd)
        case .veryEnd: meets(state, offset, endsAtVeryEnd)
        }
    }

    private func meets(
        _ state: borrowing [UInt64], _ offset: Int, _ mask: borrowing [UInt64]
    ) -> Bool {
        for word in 0..<words where state[offset + word] & mask[word] != 0 { return true }
        return false
    }

    /// Consumes one byte that is not the text's end.
    /// - Returns: whether any element is still alive.
    func step(
        _ state: inout [UInt64], at offset: Int, byte: UInt8, begins: Bool
    ) -> Bool {
        let row = Int(classes[Int(byte)]) * words
        let continues: UInt64 = byte & 0xC0 == 0x80 ? .max : 0
        let start: UInt64 = begins ? .max : 0
        var alive: UInt64 = 0
        // From the top, so that the lower word is still the old one.
        for word in stride(from: words - 1, through: 0, by: -1) {
            let old = state[offset + word]
            let lower = word > 0 ? state[offset + word - 1] : 0
            let lowerSkip = word > 0 ? lower & beforeStar[word - 1] : 0
            let moved = (old << 1 | lower >> 63) & ~chainStarts[word]
            let skipped = (old & beforeStar[word]) << 2 | lowerSkip >> 62
            let reached = (moved | skipped | heads[word] & start) & takes[row + word]
            let new = reached | old & (stars[word] | scalars[word] & continues)
            state[offset + word] = new
            alive |= new
        }
        return alive != 0
    }
}
