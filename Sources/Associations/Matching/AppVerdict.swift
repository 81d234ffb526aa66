/// What becomes of a URL for one app, which rule decided, and why the rules before it did not.
package struct AppVerdict: Hashable, Sendable {
    package let appID: String
    package let verdict: LinkOutcome
    /// The rule that decided, or the entry when it has no pattern list; nil when no rule matched.
    package let rule: RulePosition?
    /// The rules tried in vain, in their order.
    package let steps: [RuleStep]
    /// Of `steps`, the one that came nearest to matching; nil when none resembles the URL.
    package let nearest: RuleStep?
    /// Why the verdict depends on the system; empty when it does not.
    package let caveats: [LinkCaveat]
}

/// Where a rule stands.
package struct RulePosition: Hashable, Sendable {
    /// Counted from 0 among the app's rules; nil for a whole entry.
    package let index: Int?
    /// A JSON pointer in its file (RFC 6901).
    package let pointer: String
    /// Counted from 1; 0 where there is no file.
    package let line: Int

    package init(index: Int?, pointer: String, line: Int) {
        self.index = index
        self.pointer = pointer
        self.line = line
    }
}

/// A rule that did not match, and each of its parts that failed.
package struct RuleStep: Hashable, Sendable {
    package let position: RulePosition
    package let failures: [PartFailure]
    package let caveats: [LinkCaveat]
}

/// A part of a rule that did not match: its pattern, and the text it was held against.
package struct PartFailure: Hashable, Sendable, CustomStringConvertible {
    package let part: LinkPart
    /// As the file writes it.
    package let pattern: String
    /// In the form that was compared: decoded when the rule says so, a path with its slashes.
    package let text: String
    /// Whether the URL lacks the part altogether.
    package let isMissing: Bool
    /// Set when the pattern could never match anything.
    package let fault: PatternFault?
}

/// A part of a URL that a rule may look at.
package enum LinkPart: Hashable, Sendable, CustomStringConvertible {
    case path
    case query
    case queryItem(String)
    case fragment
}
