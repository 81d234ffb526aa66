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

    /// Turns to a URL of which it is known which rule matches it: for `StarCapture.take` alone.
    package mutating func turn(to url: LinkURL) { texts.look(at: url) }

    /// Releases the last URL, so that its owner can change its memory without a copy.
    package mutating func forget() {
        texts.forget()
        stars.text = []
        if !stars.ranges.isEmpty { stars.ranges.removeAll(keepingCapacity: true) }
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

/// The decision of one app's rules about a URL, and the number of the rule, counted from 0.
package struct LinkDecision: Hashable, Sendable {
    package let verdict: LinkOutcome
    /// Nil if no rule matched, or if the entry has no pattern list.
    package let rule: Int?

    static let none = LinkDecision(verdict: .none, rule: nil)
    static let everything = LinkDecision(verdict: .open, rule: nil)
}

/// The effect of a link: it opens the app, or it stays in the browser because a rule excludes it or
/// no rule matches.
package enum LinkOutcome: String, Hashable, Sendable, CaseIterable {
    case open, exclude, none
}
