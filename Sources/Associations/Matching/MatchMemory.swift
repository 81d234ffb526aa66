/// The working memory of one pattern, which is kept so that matching allocates nothing.
struct MatchMemory: Sendable {
    /// The number of words of bits and literals that were compared so far.
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
        if state.count < words { state += [UInt64](repeating: 0, count: words - state.count) }
        for word in 0..<words { state[word] = 0 }
    }

    /// Feeds the bytes `range` to part `number`; see `Alternation.consume`.
    mutating func consume(
        _ part: Alternation, _ number: Int, _ text: Span<UInt8>, _ range: Range<Int>,
        begins: UInt64
    ) -> UInt64 {
        guard begins != 0 || parts[number].isAlive else { return 0 }
        var (own, work) = (parts[number], 0)
        var bits = state.mutableSpan
        let ended = part.consume(
            text, range, begins: begins, &bits, at: own.offset, isAlive: &own.isAlive,
            steps: &work)
        parts[number] = own
        steps &+= work
        return ended
    }

    func isAlive(_ number: Int) -> Bool { parts[number].isAlive }

    func endsText(_ part: Alternation, _ number: Int, begins: Bool) -> Bool {
        let offset = parts[number].offset
        return part.endsText(
            state.span.extracting(offset..<(offset + part.words)), begins: begins,
            isAlive: parts[number].isAlive)
    }
}
