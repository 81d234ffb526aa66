// Eight octets at a time: how the request reader and the router look at text. Each load is checked
// against the span's bounds. The functions are inlinable because a call would cost more than they.

extension Span<UInt8> {
    /// The eight octets from `index` on, the first one lowest; all of them must be in the span.
    @inlinable
    package func octets(at index: Int) -> UInt64 {
        unsafe UInt64(
            littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    /// The octets of a range of at most eight as one number, written as the text is: the first
    /// octet highest, nothing before it. An empty range is 0.
    @inlinable
    package func word(_ range: Range<Int>) -> UInt64 {
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

extension UInt64 {
    /// An octet in all eight places.
    @inlinable
    package static func each(_ octet: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(octet) }

    /// Marks (bit 7) on octets below `limit`, which is at most 128. The lowest mark is true; those
    /// above it may not be.
    @inlinable
    package func marks(below limit: UInt8) -> UInt64 {
        (self &- .each(limit)) & ~self & .each(0x80)
    }

    /// Marks (bit 7) on octets equal to `octet`. The lowest mark is true; those above it may not
    /// be.
    @inlinable
    package func marks(equalTo octet: UInt8) -> UInt64 { (self ^ .each(octet)).marks(below: 1) }

    /// Which octet of the word the lowest mark stands on.
    @inlinable package var firstMark: Int { trailingZeroBitCount >> 3 }

    /// The word with ASCII letters in lower case and every other octet as it is.
    @inlinable package var foldedToLowerCase: UInt64 {
        // In each octet that is no letter one of the sums lacks bit 7, or the octet has it.
        let low = self & .each(0x7F)
        let isLetter =
            (low &+ .each(0x80 - 0x41)) & ~(low &+ .each(0x80 - 0x5B)) & ~self & .each(0x80)
        return self | isLetter >> 2
    }
}
