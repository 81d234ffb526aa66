/// An authority that a host's certificate may come from.
package struct AuthorityChoice: Hashable, Sendable {
    /// The name in paths and records.
    package let name: String
    /// The name for people.
    package let title: String
    /// The name of its test authority, which rehearses what has failed; nil if there is none.
    package let staging: String?

    package init(_ name: String, title: String? = nil, staging: String? = nil) {
        (self.name, self.title, self.staging) = (name, title ?? name, staging)
    }
}

/// An attempt to get a host's certificate: the authority that is asked, and the purpose.
package struct AuthorityAttempt: Hashable, Sendable {
    /// The index in the list of the host's authorities.
    let place: Int
    /// Whether the certificate is not used: a rehearsal only shows whether a real attempt would
    /// succeed.
    package let isRehearsal: Bool
    /// The name of the authority that is asked.
    package let authority: String
    /// The authority's name in messages; nil for the first authority.
    let title: String?
}

/// The turn among a host's authorities: the first one is asked until it goes on failing, and then the
/// next. What has failed twice with an authority is rehearsed with its test authority first, so that
/// its limits are kept.
///
/// It knows what has failed for the host. The caller knows which authorities cannot be asked at
/// all, or not yet.
package struct AuthorityTurn: Hashable, Sendable {
    /// The name of the authority whose turn it is; nil for the first.
    var authority: String?
    /// Attempts that have failed since it is its turn, rehearsals included. An authority that cannot be
    /// asked is none: that concerns all hosts.
    var failures = 0
    /// Rehearsals that have failed in a row.
    var rehearsals = 0
    /// Whether a rehearsal has succeeded, or cannot be made.
    var isRehearsed = false
    /// Whether each authority has had its turn.
    var isSecondRound = false

    /// The next attempt.
    /// - Parameters:
    ///   - choices: the preferred one first; there is at least one.
    ///   - isOut: whether an authority, by its name, is not asked for a while.
    func attempt(_ choices: [AuthorityChoice], isOut: (String) -> Bool) -> AuthorityAttempt {
        let own = place(choices)
        let order = choices.count == 1 ? [] : Array(own..<choices.count) + Array(0..<own)
        let place = order.first { !isOut(choices[$0].name) } ?? own
        let choice = choices[place]
        if place == own, needsRehearsal, let staging = choice.staging, !isOut(staging) {
            return AuthorityAttempt(
                place: place, isRehearsal: true, authority: staging,
                title: "the test authority of \(choice.title)")
        }
        return AuthorityAttempt(
            place: place, isRehearsal: false, authority: choice.name,
            title: place == 0 ? nil : choice.title)
    }

    /// A test authority that goes on refusing may have reasons of its own: then every third attempt is
    /// a real one.
    private var needsRehearsal: Bool {
        failures >= Self.rehearsedFrom && !isRehearsed && rehearsals < Self.rehearsalsMax
    }

    /// Names are of a configuration that may have changed.
    private func place(_ choices: [AuthorityChoice]) -> Int {
        choices.firstIndex { $0.name == authority } ?? 0
    }

    /// Notes an attempt that has failed.
    /// - Returns: whether the next one need not wait: it is with another authority, or without a rehearsal
    ///   that cannot be made.
    mutating func fail(
        _ fault: IssuanceFault, _ attempt: AuthorityAttempt, _ choices: [AuthorityChoice]
    ) -> Bool {
        // What does not pass by itself.
        let isLasting = fault.kind == .input || fault.kind == .rateLimited
        if attempt.isRehearsal, fault.step.isOfAuthority || isLasting {
            isRehearsed = true
            return true
        }
        guard !fault.step.isOfAuthority else { return false }
        if attempt.place != place(choices) { begin(attempt.place, choices) }
        failures += 1
        (rehearsals, isRehearsed) = (attempt.isRehearsal ? rehearsals + 1 : 0, false)
        let most = isSecondRound ? 1 : Self.failuresMax
        guard choices.count > 1, isLasting || failures >= most else { return false }
        let next = (attempt.place + 1) % choices.count
        isSecondRound = isSecondRound || next == 0
        begin(next, choices)
        return !isSecondRound
    }

    private mutating func begin(_ place: Int, _ choices: [AuthorityChoice]) {
        let isSecondRound = isSecondRound
        self = AuthorityTurn()
        authority = place == 0 ? nil : choices[place].name
        self.isSecondRound = isSecondRound
    }

    private static let failuresMax = 3
    private static let rehearsedFrom = 2
    private static let rehearsalsMax = 2
}
