/// The state of SipHash, a keyed hash of words (Aumasson and Bernstein, 2012).
@frozen
public struct SipState {
    @usableFromInline var v0, v1, v2, v3: UInt64

    /// - Parameters: the key.
    @inlinable
    public init(_ low: UInt64, _ high: UInt64) {
        v0 = low ^ 0x736F_6D65_7073_6575
        v1 = high ^ 0x646F_7261_6E64_6F6D
        v2 = low ^ 0x6C79_6765_6E65_7261
        v3 = high ^ 0x7465_6462_7974_6573
    }

    /// Adds a word.
    @inlinable @inline(__always)
    public mutating func add(_ word: UInt64, rounds: Int) {
        v3 ^= word
        for _ in 0..<rounds { round() }
        v0 ^= word
    }

    /// Adds the number of some bytes, and the bytes.
    public mutating func add(_ bytes: Span<UInt8>, rounds: Int) {
        add(UInt64(bytes.count), rounds: rounds)
        var position = 0
        while position + 8 <= bytes.count {
            add(bytes.word(at: position), rounds: rounds)
            position += 8
        }
        add(bytes.word(position..<bytes.count), rounds: rounds)
    }

    /// The hash.
    @inlinable @inline(__always)
    public mutating func finish(rounds: Int) -> UInt64 {
        v2 ^= 0xFF
        for _ in 0..<rounds { round() }
        return v0 ^ v1 ^ v2 ^ v3
    }

    @inlinable @inline(__always)
    mutating func round() {
        v0 &+= v1
        v2 &+= v3
        v1 = v1 &<< 13 | v1 &>> 51
        v3 = v3 &<< 16 | v3 &>> 48
        v1 ^= v0
        v3 ^= v2
        v0 = v0 &<< 32 | v0 &>> 32
        v2 &+= v1
        v0 &+= v3
        v1 = v1 &<< 17 | v1 &>> 47
        v3 = v3 &<< 21 | v3 &>> 43
        v1 ^= v2
        v3 ^= v0
        v2 = v2 &<< 32 | v2 &>> 32
    }
}
