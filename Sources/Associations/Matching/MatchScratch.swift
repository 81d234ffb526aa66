/// What answering one URL needs in the way of memory. Whoever answers many keeps one of these, and
/// then no answer allocates; it belongs to one task at a time.
package struct MatchScratch: Sendable {
    var texts = URLTexts()
    var memory = MatchMemory()
    /// The rules that may match the URL.
    var candidates = RuleSet()
    var decisions = [LinkDecision]()
    var stars = StarRanges()
    /// For each node of an index, the turn in which it was last seen.
    private var seen = [UInt32]()
    private var turn: UInt32 = 0

    package init() {}

    /// The work done so far: words of states and literals that have been looked at.
    package var steps: Int { memory.steps }

    /// Lets go of the last URL, so that whoever made it may use its memory again.
    package mutating func forget() {
        texts.forget()
        stars.text = []
        stars.ranges.removeAll(keepingCapacity: true)
    }

    /// Forgets which nodes have been seen.
    mutating func begin(nodes: Int) {
        if seen.count < nodes { seen += [UInt32](repeating: 0, count: nodes - seen.count) }
        if turn == .max {
            for node in seen.indices { seen[node] = 0 }
            turn = 0
        }
        turn += 1
    }

    /// Whether the node is seen for the first time.
    mutating func see(_ node: Int) -> Bool {
        if seen[node] == turn { return false }
        seen[node] = turn
        return true
    }
}

/// What one app's rules decide about a URL, and which rule did, counted from 0.
package struct LinkDecision: Hashable, Sendable {
    package let verdict: LinkOutcome
    /// Nil when no rule matched, or when the entry has no pattern list.
    package let rule: Int?

    static let none = LinkDecision(verdict: .none, rule: nil)
    static let everything = LinkDecision(verdict: .open, rule: nil)
}

/// What becomes of a link: the app opens, a rule keeps it in the browser, or no rule matches and
/// it stays there too.
package enum LinkOutcome: String, Hashable, Sendable, CaseIterable {
    case open, exclude, none
}

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

    /// Takes part `number` over the bytes `range`; see `Alternation.consume`.
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
