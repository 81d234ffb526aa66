/// A set of rules, by their numbers. Clearing and iterating take time proportional to its content,
/// not to the number of rules.
struct RuleSet: Sendable {
    /// A bit for each rule.
    private var words = [UInt64]()
    /// A bit for each of `words` that is not 0.
    private var summary = [UInt64]()

    /// Clears the set, and makes room for rules up to `count`.
    mutating func reset(count: Int) {
        for index in summary.indices where summary[index] != 0 {
            var bits = summary[index]
            while bits != 0 {
                words[64 * index + bits.trailingZeroBitCount] = 0
                bits &= bits - 1
            }
            summary[index] = 0
        }
        guard words.count * 64 < count else { return }
        words = .init(repeating: 0, count: (count + 63) / 64)
        summary = .init(repeating: 0, count: (words.count + 63) / 64)
    }

    mutating func insert(_ rule: Int) { insert(1 << UInt64(rule % 64), word: rule / 64) }

    /// Adds the rules of one word: bit `n` is rule `64 * word + n`.
    mutating func insert(_ bits: UInt64, word: Int) {
        words[word] |= bits
        summary[word / 64] |= 1 << UInt64(word % 64)
    }

    /// The smallest rule among `start..<end`.
    func first(from start: Int, to end: Int) -> Int? {
        guard start < end, start / 64 < words.count else { return nil }
        var word = start / 64
        var bits = words[word] & .max << UInt64(start % 64)
        if bits == 0 {
            guard let next = nextWord(after: word) else { return nil }
            word = next
            bits = words[word]
        }
        let rule = word * 64 + bits.trailingZeroBitCount
        return rule < end ? rule : nil
    }

    private func nextWord(after word: Int) -> Int? {
        let start = word + 1
        var index = start / 64
        guard index < summary.count else { return nil }
        var bits = summary[index] & .max << UInt64(start % 64)
        while bits == 0 {
            index += 1
            guard index < summary.count else { return nil }
            bits = summary[index]
        }
        return 64 * index + bits.trailingZeroBitCount
    }
}
