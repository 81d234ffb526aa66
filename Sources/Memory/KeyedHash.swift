/// The hash of a number and a text, the same in any letter case of ASCII, with a key that each
/// process chooses: a stranger who chooses texts cannot make them meet (SipHash, Aumasson and
/// Bernstein, 2012).
package func keyedHash(_ number: UInt32, _ text: Span<UInt8>) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(UInt64(number) << 32 | UInt64(truncatingIfNeeded: text.count))
    var position = 0
    while position + 8 <= text.count {
        hasher.combine(folded(text.word(at: position)))
        position += 8
    }
    if position < text.count {
        var rest: UInt64 = 0
        while position < text.count {
            rest = rest << 8 | UInt64(text[position])
            position += 1
        }
        hasher.combine(folded(rest))
    }
    return UInt64(bitPattern: Int64(hasher.finalize()))
}

/// Eight bytes with small letters in place of capital ones.
private func folded(_ word: UInt64) -> UInt64 {
    let low = word & 0x7F7F_7F7F_7F7F_7F7F
    // The high bit of each byte that is at least A, and of each that is beyond Z.
    let atLeastA = low + 0x3F3F_3F3F_3F3F_3F3F
    let beyondZ = low + 0x2525_2525_2525_2525
    let capitals = (atLeastA & ~beyondZ & ~word) & 0x8080_8080_8080_8080
    return word | capitals >> 2
}
