/// Faults of this machine, which cannot keep something. No authority is to blame for them, and the attempt
/// is repeated until it succeeds.
extension RenewalPlan {
    /// Notes a fault of this machine: for a moment nothing begins that would fail in the same way. An
    /// account is that of all hosts with the same first authority.
    mutating func hold(_ host: String, _ fault: IssuanceFault, now: Int) -> IssuanceFault {
        guard let first = self[host]?.authorities[0].name else { return fault }
        let isShared = fault.step.isOfAuthority
        let until = now + (isShared ? Self.accountSeconds : Self.hostSeconds)
        for entry in entries
        where isShared ? entry.authorities[0].name == first : entry.host == host {
            update(entry.host) { $0.hold = (until, fault.description) }
        }
        update(host) { $0.record.wait(fault, until: now, now: now) }
        return fault
    }

    private static let accountSeconds = 5
    private static let hostSeconds = 60

    /// Holds nothing back any more: what could not be kept can be.
    package mutating func release() {
        for entry in entries { update(entry.host) { $0.hold = nil } }
    }

    /// The cause of a hold is over, as an order shows that begins.
    mutating func release(_ hold: (until: Int, reason: String)?) {
        guard let reason = hold?.reason else { return }
        for entry in entries where entry.hold?.reason == reason {
            update(entry.host) { $0.hold = nil }
        }
    }
}
