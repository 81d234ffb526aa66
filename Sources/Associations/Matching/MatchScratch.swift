/// What answering one URL needs in the way of memory. Whoever answers many keeps one of these, and
/// then no answer allocates; it belongs to one task at a time.
package struct MatchScratch: Sendable {
    var texts = URLTexts()
    var memory = MatchMemory()
    var candidates = [UInt64]()
    var decisions = [LinkDecision]()
    var seen = [UInt32]()
    var turn: UInt32 = 0

    package init() {}
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
