import Memory

/// A short text that is likely to be repeated, such as the host of a request. Comparing it takes
/// less time than reading it again.
struct RepeatedText: ~Copyable {
    private var words = FixedArray(repeating: UInt64(0), count: bytesMax / 8)
    /// Its last eight octets, or all of a shorter one.
    private var last: UInt64 = 0
    private var count = 0
    /// A different number for each text.
    private(set) var number = 0

    /// Longer texts are not remembered.
    static let bytesMax = 64

    /// Whether a range is equal to this text; an empty range never is.
    @inline(__always)
    func equals(_ span: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.count == count, count > 0 else { return false }
        var (index, position) = (range.lowerBound, 0)
        while index <= range.upperBound - 8 {
            guard span.octets(at: index) == words[position] else { return false }
            (index, position) = (index + 8, position + 1)
        }
        return Self.end(span, range) == last
    }

    /// Remembers a range and returns its number, or 0 if it is too long.
    mutating func set(_ span: Span<UInt8>, _ range: Range<Int>) -> Int {
        guard range.count <= Self.bytesMax else { return 0 }
        (count, last) = (range.count, Self.end(span, range))
        number += 1
        var (index, position) = (range.lowerBound, 0)
        while index <= range.upperBound - 8 {
            words[position] = span.octets(at: index)
            (index, position) = (index + 8, position + 1)
        }
        return number
    }

    @inline(__always)
    private static func end(_ span: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
        range.count >= 8 ? span.octets(at: range.upperBound - 8) : span.word(range)
    }
}
