/// Finds which of many prefixes a text has, in one pass over the text.
///
/// The hash of the text is extended byte by byte. At each length that some prefix has, the hash is
/// looked up. If two prefixes have the same hash, or a text has the hash of a prefix by chance, a
/// candidate is added that does not match. Candidates are checked, so this is harmless.
struct PrefixTable: Sendable {
    /// Whether a prefix has this length.
    private let isLength: [Bool]
    private let slots: [Slot]
    /// The rules, grouped by prefix.
    private let rules: [Int32]

    /// An entry of the table; it is free if it has no rules.
    private struct Slot: Sendable {
        var hash: UInt64 = 0
        var start: Int32 = 0
        var count: Int32 = 0
    }

    /// - Parameter prefixes: each prefix with its rule, in the order of the rules.
    init(_ prefixes: [(prefix: ArraySlice<UInt8>, rule: Int)]) {
        var isLength = [Bool](
            repeating: false, count: (prefixes.map(\.prefix.count).max() ?? 0) + 1)
        for (prefix, _) in prefixes { isLength[prefix.count] = true }
        self.isLength = isLength
        let waiting = prefixes.map { (hash: Self.hash($0.prefix), rule: Int32($0.rule)) }
            .sorted { ($0.hash, $0.rule) < ($1.hash, $1.rule) }
        rules = waiting.map(\.rule)
        let starts = waiting.indices.filter { $0 == 0 || waiting[$0].hash != waiting[$0 - 1].hash }
        // If at most half of the entries are used, a search ends after a few entries.
        var size = 2
        while size < 2 * starts.count { size *= 2 }
        var slots = [Slot](repeating: Slot(), count: size)
        for (start, end) in zip(starts, starts.dropFirst() + [waiting.count]) {
            let hash = waiting[start].hash
            var index = Self.index(hash, size)
            while slots[index].count > 0 { index = (index + 1) & (size - 1) }
            slots[index] = Slot(hash: hash, start: Int32(start), count: Int32(end - start))
        }
        self.slots = slots
    }

    /// Adds the rules whose prefix the text has.
    func find(in text: Span<UInt8>, _ scratch: inout MatchScratch) {
        let isLength = isLength.span
        var hash = Self.seed
        if isLength[0] { look(for: hash, &scratch) }
        for index in 0..<min(text.count, isLength.count - 1) {
            hash = Self.hash(hash, text[index])
            if isLength[index + 1] { look(for: hash, &scratch) }
        }
    }

    private func look(for hash: UInt64, _ scratch: inout MatchScratch) {
        let slots = slots.span
        var index = Self.index(hash, slots.count)
        while slots[index].count > 0 {
            if slots[index].hash == hash {
                let (start, count) = (Int(slots[index].start), Int(slots[index].count))
                scratch.memory.steps &+= count
                for rule in start..<(start + count) { scratch.candidates.insert(Int(rules[rule])) }
                return
            }
            index = (index + 1) & (slots.count - 1)
        }
    }

    private static func hash(_ text: ArraySlice<UInt8>) -> UInt64 {
        text.reduce(seed) { hash($0, $1) }
    }

    /// FNV-1a. A client can choose a text with the hash of a prefix, but this only adds a
    /// candidate.
    private static func hash(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
        (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }

    private static let seed: UInt64 = 0xCBF2_9CE4_8422_2325

    /// In a product, the upper bits depend on all bits of the factors.
    private static func index(_ hash: UInt64, _ size: Int) -> Int {
        Int((hash &* 0x9E37_79B9_7F4A_7C15) >> 32) & (size - 1)
    }
}
