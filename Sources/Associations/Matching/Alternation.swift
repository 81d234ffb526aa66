/// A set of alternatives compiled to bit masks: one run of a pattern, or the values of a variable.
///
/// Every element of every alternative is one bit in a row of words. A bit is set if the text that
/// was read ends with this element. Each byte moves all bits at once: it shifts them by one (or by
/// two, over a star that matches nothing), adds the first elements if the alternation may begin
/// here, and keeps only the elements that accept the byte (Baeza-Yates & Gonnet's shift-and, with
/// gaps). The time is at most words times bytes, whatever the input.
final class Alternation: Sendable {
    let words: Int
    /// The class of each byte. Bytes that no element distinguishes are in one class.
    private let classes: [UInt8]
    /// For each class, the elements that accept its bytes.
    private let takes: [UInt64]
    private let masks: [Masks]
    private let isNullable: Bool
    /// The most and the fewest stars in one alternative.
    let starsMax: Int
    let starsMin: Int

    /// The masks of one word.
    private struct Masks {
        let heads: UInt64
        /// Elements that are not the first of their alternative.
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

    /// Whether an alternative is complete in `state`, or an empty one may begin, at the end of the
    /// text.
    func endsText(_ state: Span<UInt64>, begins: Bool, isAlive: Bool) -> Bool {
        if begins, isNullable { return true }
        guard isAlive else { return false }
        for word in 0..<words where state[word] & masks[word].ends != 0 { return true }
        return false
    }

    /// Consumes the bytes `range` of the text, at most 64.
    /// - Parameter begins: a bit for each byte before which the alternation may begin.
    /// - Parameter isAlive: whether any of its bits in `state[base...]` is set.
    /// - Parameter steps: is increased by the number of words that were read.
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

/// Bits in words, the lowest bit first.
struct BitRow {
    private(set) var words: [UInt64]

    init(words count: Int) { words = .init(repeating: 0, count: count) }

    mutating func insert(_ bit: Int) { words[bit / 64] |= 1 << UInt64(bit % 64) }
}
