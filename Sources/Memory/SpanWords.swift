extension Span<UInt8> {
    /// The eight bytes from `position` on, which must be there, as a number in little-endian order.
    @inlinable
    package func word(at position: Int) -> UInt64 { octets(at: position) }

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
