/// An attempt to serve a configuration, or several in a row that have ended alike. Times are in seconds since 1970.
package struct ReloadAttempt: Sendable {
    package enum Outcome: Sendable {
        case taken, refused
        /// Files were changing meanwhile.
        case postponed
    }

    package enum Reason: String, Sendable {
        case start, ordered, changed
        /// Time has passed since a reload was refused, or since a certificate could not be used.
        /// Repeated failures are not logged again.
        case retried
    }

    package let outcome: Outcome
    /// The reason of the first of them.
    package let reason: Reason
    /// The times of the first of them, and of the last.
    package let first, last: Int
    /// The findings of the last of them, as far as they are kept.
    package let findings: [Diagnostic]

    /// - Parameter first: the time of the first; nil if there is one.
    package init(
        _ outcome: Outcome, _ reason: Reason, from first: Int? = nil, at now: Int,
        _ findings: [Diagnostic] = []
    ) {
        (self.outcome, self.reason) = (outcome, reason)
        (self.first, last) = (first ?? now, now)
        self.findings = Array(findings.prefix(Self.findingsMax))
    }

    /// As many as a page shows.
    private static let findingsMax = 200

    package var withoutFindings: ReloadAttempt {
        ReloadAttempt(outcome, reason, from: first, at: last)
    }
}
