/// The hash of a number and a text, the same in any letter case of ASCII, with a key that each
/// process chooses: a stranger who chooses texts cannot make them meet (SipHash-1-3, Aumasson and
/// Bernstein, 2012).
package func keyedHash(_ number: UInt32, _ text: Span<UInt8>) -> UInt64 {
    keyedHash(number, text, foldsCase: true)
}

/// The same where letter case matters.
package func exactHash(_ number: UInt32, _ text: Span<UInt8>) -> UInt64 {
    keyedHash(number, text, foldsCase: false)
}

@inline(__always)
private func keyedHash(_ number: UInt32, _ text: Span<UInt8>, foldsCase: Bool) -> UInt64 {
    var state = SipState(processKey.low, processKey.high)
    state.add(UInt64(number) << 32 | UInt64(truncatingIfNeeded: text.count), rounds: 1)
    var position = 0
    while position + 8 <= text.count {
        let word = text.word(at: position)
        state.add(foldsCase ? folded(word) : word, rounds: 1)
        position += 8
    }
    if position < text.count {
        var rest: UInt64 = 0
        while position < text.count {
            rest = rest << 8 | UInt64(text[position])
            position += 1
        }
        state.add(foldsCase ? folded(rest) : rest, rounds: 1)
    }
    return state.finish(rounds: 3)
}

private let processKey = (
    low: UInt64.random(in: .min ... .max), high: UInt64.random(in: .min ... .max)
)

/// Eight bytes with small letters in place of capital ones.
@inline(__always)
private func folded(_ word: UInt64) -> UInt64 {
    let low = word & 0x7F7F_7F7F_7F7F_7F7F
    // The high bit of each byte that is at least A, and of each that is beyond Z.
    let atLeastA = low + 0x3F3F_3F3F_3F3F_3F3F
    let beyondZ = low + 0x2525_2525_2525_2525
    let capitals = (atLeastA & ~beyondZ & ~word) & 0x8080_8080_8080_8080
    return word | capitals >> 2
}
