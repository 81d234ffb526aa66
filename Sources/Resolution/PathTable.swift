private import Memory

/// Texts with their numbers, in a hash table with open addressing in flat arrays, so that a search
/// allocates nothing and changes no reference count. Texts are hashed and compared eight octets at
/// a time.
public struct PathTable: Sendable {
    /// Every text as words of eight octets, followed by its last eight octets once more.
    private let words: [UInt64]
    private let entries: [Entry]
    /// For each remainder of a hash, the index of an entry, or -1. The size is a power of two, and
    /// at most half is used.
    private let buckets: [Int32]
    /// A bit for each length of a text. All lengths from 63 on have one bit.
    @usableFromInline let lengths: UInt64

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
            var bucket = Self.hash(path.span) & (size - 1)
            while buckets[bucket] >= 0 { bucket = (bucket + 1) & (size - 1) }
            buckets[bucket] = Int32(entries.count)
            entries.append(
                .init(start: .init(words.count), count: .init(path.count), value: .init(value)))
            for index in stride(from: 0, through: path.count - 8, by: 8) {
                words.append(path.span.octets(at: index))
            }
            words.append(Self.lastWord(path.span))
        }
        (self.words, self.entries, self.buckets) = (words, entries, buckets)
        self.lengths = lengths
    }

    /// The number of a text.
    @inlinable
    public func find(_ bytes: [UInt8], _ range: Range<Int>) -> Int? {
        lengths & Self.bit(of: range.count) == 0 ? nil : search(bytes, range)
    }

    /// A function of its own, so that most searches end before it.
    @inline(never)
    @usableFromInline
    func search(_ bytes: [UInt8], _ range: Range<Int>) -> Int? {
        let (text, entries) = (bytes.span.extracting(range), entries.span)
        guard entries.count <= Self.linearSearchMax else { return searchByHash(text) }
        for index in entries.indices {
            let entry = entries[index]
            if isEqual(text, entry) { return Int(entry.value) }
        }
        return nil
    }

    @inline(never)
    private func searchByHash(_ text: Span<UInt8>) -> Int? {
        let (entries, buckets) = (entries.span, buckets.span)
        var bucket = Self.hash(text) & (buckets.count - 1)
        while buckets[bucket] >= 0 {
            let entry = entries[Int(buckets[bucket])]
            if isEqual(text, entry) { return Int(entry.value) }
            bucket = (bucket + 1) & (buckets.count - 1)
        }
        return nil
    }

    /// The bit of a length in `lengths`.
    @inlinable static func bit(of length: Int) -> UInt64 { 1 &<< UInt64(min(length, 63)) }

    @inline(__always)
    private func isEqual(_ text: Span<UInt8>, _ entry: Entry) -> Bool {
        guard Int(entry.count) == text.count else { return false }
        let own = words.span
        var (index, position) = (0, Int(entry.start))
        while text.hasOctets(at: index) {
            guard own[position] == text.octets(at: index) else { return false }
            (index, position) = (index &+ 8, position &+ 1)
        }
        return own[position] == Self.lastWord(text)
    }

    /// The last eight octets of a text, or all of a shorter one.
    @inline(__always)
    private static func lastWord(_ text: Span<UInt8>) -> UInt64 {
        text.hasOctets(at: 0) ? text.octets(at: text.count - 8) : text.word(0..<text.count)
    }

    /// Multiplies word by word. The texts in the table are the operator's, so clients cannot make
    /// its chains longer.
    private static func hash(_ text: Span<UInt8>) -> Int {
        var (index, hash) = (0, UInt64(0))
        while text.hasOctets(at: index) {
            hash = mixed(hash, text.octets(at: index))
            index += 8
        }
        return Int(truncatingIfNeeded: mixed(hash, lastWord(text)))
    }

    private static func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let product = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
        return product ^ product &>> 32
    }
}
