// Eight octets at a time, for the request reader and the router. Each load is checked against the
// span's bounds. The functions are inlinable, because a call would cost more than their work.

extension Span<UInt8> {
    /// The eight octets from `index` on, the first octet lowest; all must be in the span.
    @inlinable
    public func octets(at index: Int) -> UInt64 {
        precondition(index >= 0 && hasOctets(at: index))
        return unsafe UInt64(
            littleEndian: bytes.unsafeLoadUnaligned(
                fromUncheckedByteOffset: index, as: UInt64.self))
    }

    /// Whether there are eight octets from `index` on.
    @inlinable
    public func hasOctets(at index: Int) -> Bool { index <= count - 8 }

    /// The octets of a range of at most eight as one number, the first octet highest. An empty
    /// range is 0.
    @inlinable
    public func word(_ range: Range<Int>) -> UInt64 {
        let count = range.count
        precondition(count <= 8 && range.upperBound <= self.count)
        if range.upperBound >= 8 {
            guard count > 0 else { return 0 }
            let shift = UInt64(64 - 8 * count)
            return (octets(at: range.upperBound - 8).byteSwapped &<< shift) &>> shift
        }
        var word: UInt64 = 0
        for index in range { word = word << 8 | UInt64(self[index]) }
        return word
    }
}

extension MutableSpan<UInt8> {
    /// Writes eight octets from `index` on, the lowest of the word first; there must be room.
    @inlinable
    public mutating func setOctets(_ word: UInt64, at index: Int) {
        precondition(index >= 0 && index <= count - 8)
        unsafe withUnsafeMutableBytes {
            unsafe $0.storeBytes(of: word.littleEndian, toByteOffset: index, as: UInt64.self)
        }
    }
}

extension UInt64 {
    /// The octet in all eight positions.
    @inlinable
    public static func each(_ octet: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(octet) }

    /// Marks (bit 7) on octets below `limit`, which is at most 128. Only the lowest mark is exact;
    /// marks above it may be wrong.
    @inlinable
    public func marks(below limit: UInt8) -> UInt64 { (self &- .each(limit)) & ~self & .each(0x80) }

    /// Marks (bit 7) on octets equal to `octet`. Only the lowest mark is exact; marks above it may
    /// be wrong.
    @inlinable
    public func marks(equalTo octet: UInt8) -> UInt64 { (self ^ .each(octet)).marks(below: 1) }

    /// Marks (bit 7) on octets from `lower` to `upper`, both ASCII; every mark is exact.
    @inlinable
    public func marks(from lower: UInt8, to upper: UInt8) -> UInt64 {
        let low = self & .each(0x7F)
        return (low &+ .each(0x80 - lower)) & ~(low &+ .each(0x7F - upper)) & ~self & .each(0x80)
    }

    /// The index of the octet with the lowest mark.
    @inlinable public var firstMark: Int { trailingZeroBitCount >> 3 }

    /// The word with ASCII letters in lower case; other octets are unchanged.
    @inlinable public var foldedToLowerCase: UInt64 {
        self | marks(from: 0x41, to: 0x5A) &>> 2
    }
}
