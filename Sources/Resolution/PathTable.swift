/// Exact paths and the numbers they stand for, made once and then only read: open addressing in
/// flat arrays, so that finding one allocates nothing and touches no reference count.
package struct PathTable: Sendable {
    /// Every path, one after the other.
    private let text: [UInt8]
    private let entries: [Entry]
    /// For each hash's remainder the number of an entry, or -1; a power of two, at most half full.
    private let buckets: [Int32]

    private struct Entry: Sendable {
        let lower: Int32
        let upper: Int32
        let value: Int32
    }

    /// - Parameter paths: decoded paths; where one occurs twice the first counts.
    package init(_ paths: [(path: [UInt8], value: Int)]) {
        var size = 8
        while size < paths.count * 2 { size *= 2 }
        var (text, entries) = ([UInt8](), [Entry]())
        var buckets = [Int32](repeating: -1, count: size)
        for (path, value) in paths {
            let lower = text.count
            text += path
            var bucket = Self.hash(path.span, 0..<path.count) & (size - 1)
            while buckets[bucket] >= 0 { bucket = (bucket + 1) & (size - 1) }
            buckets[bucket] = Int32(entries.count)
            entries.append(
                .init(lower: .init(lower), upper: .init(text.count), value: .init(value)))
        }
        (self.text, self.entries, self.buckets) = (text, entries, buckets)
    }

    /// The number that a path stands for.
    package func find(_ bytes: [UInt8], _ range: Range<Int>) -> Int? {
        let span = bytes.span
        let own = text.span
        var bucket = Self.hash(span, range) & (buckets.count - 1)
        while buckets[bucket] >= 0 {
            let entry = entries[Int(buckets[bucket])]
            if equal(span, range, own, Int(entry.lower)..<Int(entry.upper)) {
                return Int(entry.value)
            }
            bucket = (bucket + 1) & (buckets.count - 1)
        }
        return nil
    }

    /// FNV-1a. Paths in the table are the operator's; who asks cannot make its chains longer.
    private static func hash(_ span: Span<UInt8>, _ range: Range<Int>) -> Int {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for index in range { hash = (hash ^ UInt64(span[index])) &* 0x100_0000_01B3 }
        return Int(truncatingIfNeeded: hash ^ hash >> 32)
    }
}

private func equal(
    _ left: Span<UInt8>, _ range: Range<Int>, _ right: Span<UInt8>, _ other: Range<Int>
) -> Bool {
    guard range.count == other.count else { return false }
    for offset in 0..<range.count
    where left[range.lowerBound + offset] != right[other.lowerBound + offset] {
        return false
    }
    return true
}
