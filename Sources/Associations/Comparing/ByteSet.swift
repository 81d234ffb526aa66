/// A set of bytes.
struct ByteSet: Hashable, Sendable {
    private var words = SIMD4<UInt64>()

    init(_ bytes: some Sequence<UInt8>) { for byte in bytes { insert(byte) } }

    mutating func insert(_ byte: UInt8) { words[Int(byte >> 6)] |= 1 << UInt64(byte & 63) }

    func contains(_ byte: UInt8) -> Bool { words[Int(byte >> 6)] & 1 << UInt64(byte & 63) != 0 }

    func union(_ other: ByteSet) -> ByteSet {
        var union = self
        union.words |= other.words
        return union
    }

    func subtracting(_ other: ByteSet) -> ByteSet {
        var rest = self
        rest.words &= ~other.words
        return rest
    }

    var bytes: [UInt8] { (UInt8.min...UInt8.max).filter(contains) }
}
