extension Span<UInt8> {
    /// The eight bytes from `position` on, which must be there, as a number in little-endian order.
    @inlinable
    package func word(at position: Int) -> UInt64 { octets(at: position) }

    /// Whether a byte is in a range, which must be there.
    package func has(_ byte: UInt8, in range: Range<Int>) -> Bool {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        var position = range.lowerBound
        guard range.count >= 8 else {
            while position < range.upperBound {
                if self[position] == byte { return true }
                position += 1
            }
            return false
        }
        // The last word can overlap the previous one.
        let last = range.upperBound - 8
        while position < last {
            if word(at: position).marks(equalTo: byte) != 0 { return true }
            position += 8
        }
        return word(at: last).marks(equalTo: byte) != 0
    }

    /// Whether the bytes of a range, which must be there, are those of another span.
    package func isEqual(_ range: Range<Int>, to other: Span<UInt8>) -> Bool {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        guard range.count == other.count else { return false }
        var (own, their) = (range.lowerBound, 0)
        while own + 8 <= range.upperBound {
            guard word(at: own) == other.word(at: their) else { return false }
            (own, their) = (own + 8, their + 8)
        }
        while own < range.upperBound {
            guard self[own] == other[their] else { return false }
            (own, their) = (own + 1, their + 1)
        }
        return true
    }
}
