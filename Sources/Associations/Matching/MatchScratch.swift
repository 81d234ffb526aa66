/// The working memory for decisions. If it is kept from one URL to the next, a decision allocates
/// nothing. Only one thread can use it at a time.
package struct MatchScratch: Sendable {
    var texts = URLTexts()
    var memory = MatchMemory()
    /// The rules that may match the URL.
    var candidates = RuleSet()
    var decisions = [LinkDecision]()
    var stars = StarRanges()
    /// For each node of an index, the last turn in which it was seen.
    private var seen = [UInt32]()
    private var turn: UInt32 = 0

    package init() {}

    /// The work done so far: words of states and literals that were compared.
    package var steps: Int { memory.steps }

    /// Releases the last URL, so that its owner can change its memory without a copy.
    package mutating func forget() {
        texts.forget()
        stars.text = []
        stars.ranges.removeAll(keepingCapacity: true)
    }

    /// Begins a turn, in which no node has been seen.
    mutating func begin(nodes: Int) {
        if seen.count < nodes { seen += [UInt32](repeating: 0, count: nodes - seen.count) }
        if turn == .max {
            for node in seen.indices { seen[node] = 0 }
            turn = 0
        }
        turn += 1
    }

    /// Whether the node is seen for the first time in this turn.
    mutating func see(_ node: Int) -> Bool {
        if seen[node] == turn { return false }
        seen[node] = turn
        return true
    }
}

/// What one app's rules decide about a URL, and the number of the rule that did, counted from 0.
package struct LinkDecision: Hashable, Sendable {
    package let verdict: LinkOutcome
    /// Nil if no rule matched, or if the entry has no pattern list.
    package let rule: Int?

    static let none = LinkDecision(verdict: .none, rule: nil)
    static let everything = LinkDecision(verdict: .open, rule: nil)
}

/// What a link does: it opens the app, or it stays in the browser because a rule excludes it or no
/// rule matches.
package enum LinkOutcome: String, Hashable, Sendable, CaseIterable {
    case open, exclude, none
}

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
        if state.count < words {
            state += [UInt64](repeating: 0, count: words - state.count)
        }
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
