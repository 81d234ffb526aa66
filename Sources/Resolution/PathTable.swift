private import Memory

/// Texts with their numbers, in a hash table with open addressing in flat arrays, so that a search
/// allocates nothing and changes no reference count. Texts are hashed and compared eight octets at
/// a time.
package struct PathTable: Sendable {
    /// Every text as words of eight octets, followed by its last eight octets once more.
    private let words: [UInt64]
    private let entries: [Entry]
    /// For each remainder of a hash, the index of an entry, or -1. The size is a power of two, and
    /// at most half is used.
    private let buckets: [Int32]
    /// A bit for each length of a text. All lengths from 63 on have one bit.
    private let lengths: UInt64

    /// A table with at most this number of entries is searched entry by entry, by length.
    private static var linearSearchMax: Int { 8 }

    private struct Entry: Sendable {
        /// The index of its first word.
        let start: Int32
        /// Its length in octets.
        let count: Int32
        let value: Int32
    }

    /// - Parameter paths: decoded paths; if one is repeated, the first counts.
    package init(_ paths: [(path: [UInt8], value: Int)]) {
        var size = 8
        while size < paths.count * 2 { size *= 2 }
        var (words, entries, lengths) = ([UInt64](), [Entry](), UInt64(0))
        var buckets = [Int32](repeating: -1, count: size)
        for (path, value) in paths {
            lengths |= Self.bit(of: path.count)
            var bucket = Self.hash(path.span, 0..<path.count) & (size - 1)
            while buckets[bucket] >= 0 { bucket = (bucket + 1) & (size - 1) }
            buckets[bucket] = Int32(entries.count)
            entries.append(
                .init(start: .init(words.count), count: .init(path.count), value: .init(value)))
            for index in stride(from: 0, through: path.count - 8, by: 8) {
                words.append(path.span.octets(at: index))
            }
            words.append(Self.lastWord(path.span, 0..<path.count))
        }
        (self.words, self.entries, self.buckets) = (words, entries, buckets)
        self.lengths = lengths
    }

    /// The number of a text.
    package func find(_ bytes: [UInt8], _ range: Range<Int>) -> Int? {
        lengths & Self.bit(of: range.count) == 0 ? nil : search(bytes, range)
    }

    /// A function of its own, so that most searches end before it.
    @inline(never)
    private func search(_ bytes: [UInt8], _ range: Range<Int>) -> Int? {
        let (span, entries, buckets) = (bytes.span, entries.span, buckets.span)
        guard entries.count > Self.linearSearchMax else {
            for index in entries.indices
            where Int(entries[index].count) == range.count
                && isEqual(span, range, wordsFrom: Int(entries[index].start))
            { return Int(entries[index].value) }
            return nil
        }
        var bucket = Self.hash(span, range) & (buckets.count - 1)
        while buckets[bucket] >= 0 {
            let entry = entries[Int(buckets[bucket])]
            if Int(entry.count) == range.count,
                isEqual(span, range, wordsFrom: Int(entry.start))
            {
                return Int(entry.value)
            }
            bucket = (bucket + 1) & (buckets.count - 1)
        }
        return nil
    }

    /// The bit of a length in `lengths`.
    private static func bit(of length: Int) -> UInt64 { 1 &<< UInt64(min(length, 63)) }

    @inline(__always)
    private func isEqual(_ span: Span<UInt8>, _ range: Range<Int>, wordsFrom start: Int) -> Bool {
        let own = words.span
        var (index, position) = (range.lowerBound, start)
        while index <= range.upperBound - 8 {
            guard own[position] == span.octets(at: index) else { return false }
            (index, position) = (index + 8, position + 1)
        }
        return own[position] == Self.lastWord(span, range)
    }

    /// The last eight octets of a text, or all of a shorter one.
    @inline(__always)
    private static func lastWord(_ span: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
        range.count >= 8 ? span.octets(at: range.upperBound - 8) : span.word(range)
    }

    /// Multiplies word by word. The texts in the table are the operator's, so clients cannot make
    /// its chains longer.
    private static func hash(_ span: Span<UInt8>, _ range: Range<Int>) -> Int {
        var (index, hash) = (range.lowerBound, UInt64(0))
        while index <= range.upperBound - 8 {
            hash = mixed(hash, span.octets(at: index))
            index += 8
        }
        return Int(truncatingIfNeeded: mixed(hash, lastWord(span, range)))
    }

    private static func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let product = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
        return product ^ product &>> 32
    }
}
