/// A set of alternatives compiled to bit masks: one run of a pattern, or the values of a variable.
///
/// Every element of every alternative is one bit of a row of words; a bit that is set says that
/// its element has just been consumed. A byte moves all of them at once: shifted by one (or by
/// two, over a star that stands for nothing), joined by the first elements when the alternation
/// may begin here, and masked by the row of elements that take this byte (Baeza-Yates & Gonnet's
/// shift-and, with gaps). No input makes that slower than words times bytes.
final class Alternation: Sendable {
    let words: Int
    /// What `$(digit)` and its like stand for is a set; everything else is written out.
    private let classes: [UInt8]
    /// For each class of bytes, the elements that take it.
    private let takes: [UInt64]
    private let masks: [Masks]
    private let isNullable: Bool
    /// The most and the fewest stars in one alternative.
    let starsMax: Int
    let starsMin: Int

    /// What a step wants to know about one word, side by side.
    private struct Masks {
        let heads: UInt64
        /// Elements that another one of the same alternative precedes.
        let followers: UInt64
        let beforeStar: UInt64
        let stars: UInt64
        /// `?` is one scalar, so its element stays set over the bytes that continue it.
        let scalars: UInt64
        let ends: UInt64
    }

    init(_ builder: AlternationBuilder) {
        words = builder.words
        classes = builder.classes
        takes = builder.takes
        masks = (0..<builder.words).map { word in
            Masks(
                heads: builder.heads.words[word], followers: ~builder.chainStarts.words[word],
                beforeStar: builder.beforeStar.words[word], stars: builder.stars.words[word],
                scalars: builder.scalars.words[word], ends: builder.ends.words[word])
        }
        isNullable = builder.isNullable
        starsMax = builder.starsMax
        starsMin = builder.starsMin
    }

    /// Whether, where no text is left, an alternative is complete in `state`, or an empty one may
    /// begin.
    func endsText(_ state: Span<UInt64>, begins: Bool, isAlive: Bool) -> Bool {
        if begins, isNullable { return true }
        guard isAlive else { return false }
        for word in 0..<words where state[word] & masks[word].ends != 0 { return true }
        return false
    }

    /// Consumes the bytes `range` of the text, 64 at most, none of which is its end.
    /// - Parameter begins: a bit for each byte before which the alternation may begin.
    /// - Parameter isAlive: whether any of its bits in `state[base...]` is set.
    /// - Parameter steps: grows by the words that were looked at.
    /// - Returns: a bit for each byte before which an alternative ends.
    func consume(
        _ text: Span<UInt8>, _ range: Range<Int>, begins: UInt64,
        _ state: inout MutableSpan<UInt64>, at base: Int, isAlive: inout Bool, steps: inout Int
    ) -> UInt64 {
        let (takes, masks, classes) = (takes, masks, classes)
        let (taken, table, classOf) = (takes.span, masks.span, classes.span)
        var ended = isNullable ? begins : 0
        for index in range {
            let bit = UInt64(index - range.lowerBound)
            if !isAlive, begins >> bit == 0 { break }
            guard isAlive || begins >> bit & 1 == 1 else { continue }
            let byte = text[index]
            let row = Int(classOf[Int(byte)]) * words
            let start: UInt64 = begins >> bit & 1 == 1 ? .max : 0
            let continues: UInt64 = byte & 0xC0 == 0x80 ? .max : 0
            var (carry, skipCarry, alive, endings) = (UInt64(0), UInt64(0), UInt64(0), UInt64(0))
            for word in 0..<words {
                let old = state[base + word]
                let mask = table[word]
                let moved = (old << 1 | carry) & mask.followers
                let skipping = old & mask.beforeStar
                let reached = moved | skipping << 2 | skipCarry | mask.heads & start
                let stays = old & (mask.stars | mask.scalars & continues)
                let new = reached & taken[row + word] | stays
                (carry, skipCarry) = (old >> 63, skipping >> 62)
                state[base + word] = new
                alive |= new
                endings |= old & mask.ends
            }
            steps &+= words
            isAlive = alive != 0
            if endings != 0 { ended |= 1 << bit }
        }
        return ended
    }
}
