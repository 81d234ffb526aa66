/// The working memory of one match, kept from one to the next so that matching allocates nothing.
struct MatchMemory: Sendable {
    /// How many words of bits and literals have been looked at, ever: the measure of work done.
    var steps = 0
    private var state = [UInt64]()
    private var parts = [Part]()

    private struct Part {
        var offset: Int
        var isAlive: Bool
    }

    mutating func prepare(_ alternations: [Alternation]) {
        parts.removeAll(keepingCapacity: true)
        var words = 0
        for alternation in alternations {
            parts.append(Part(offset: words, isAlive: false))
            words += alternation.words
        }
        if state.count < words {
            state += [UInt64](repeating: 0, count: words - state.count)
        }
        for word in 0..<words { state[word] = 0 }
    }

    /// Whether an alternative of part `number` ends here, or one that is empty begins here.
    func hasPassed(
        _ part: Alternation, _ number: Int, begins: Bool, _ position: Alternation.Position
    ) -> Bool {
        if begins, part.isNullable(position) { return true }
        return parts[number].isAlive && part.hasEnded(state, at: parts[number].offset, position)
    }

    mutating func step(
        _ part: Alternation, _ number: Int, _ byte: UInt8, begins: Bool
    ) -> Bool {
        guard begins || parts[number].isAlive else { return false }
        steps &+= part.words
        let isAlive = part.step(&state, at: parts[number].offset, byte: byte, begins: begins)
        parts[number].isAlive = isAlive
        return isAlive
    }
}
