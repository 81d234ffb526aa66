package import Diagnostics
package import URISyntax

/// The period in which browsers get a link, at whose ends nothing is left open: `from` belongs to
/// it, and `until` does not. Whether an app opens the link does not depend on it.
package struct LinkPeriod: Hashable, Sendable {
    /// Nil if the link was always there.
    package let from: Timestamp?
    /// Nil if it does not end.
    package let until: Timestamp?

    package init(from: Timestamp?, until: Timestamp?) { (self.from, self.until) = (from, until) }

    /// The position of a time in the period.
    package enum State: Hashable, Sendable {
        /// Before `from`: the link is not there yet.
        case early
        case current
        /// From `until` on.
        case ended
    }

    /// - Parameter now: seconds since 1970; nil is a time within every period.
    package func state(at now: Int?) -> State {
        guard let now else { return .current }
        if let until, now >= until.seconds { return .ended }
        if let from, now < from.seconds { return .early }
        return .current
    }

    /// Whether another state follows this one.
    package func changes(after state: State) -> Bool {
        switch state {
        case .early: true
        case .current: until != nil
        case .ended: false
        }
    }
}

/// The period in which browsers get a link, and the actions after its end.
package struct LinkTimes: Hashable, Sendable {
    package let period: LinkPeriod
    /// The actions for browsers from the end on, one for every platform; nil if the link does not
    /// end.
    package let after: WebActions?
    /// The position of `until`, or of `from` if there is no `until`.
    package let position: SourcePosition?

    package init(_ period: LinkPeriod, after: WebActions? = nil, position: SourcePosition? = nil) {
        (self.period, self.after, self.position) = (period, after, position)
    }
}
