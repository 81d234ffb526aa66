/// The turns of hosts that have no certificate: a prediction, which changes nothing.
extension RenewalPlan {
    /// A host without a certificate that is of use, and what it waits for.
    package struct Waiting: Sendable {
        package let entry: Entry
        /// The time of its attempt, if the orders of those before it succeed.
        package fileprivate(set) var due: Int
        /// The pause that it shares with other hosts; nil if it is in none.
        package let pause: OrderPause?
        /// Nil if it waits for nothing, or if its last failure is the reason.
        package fileprivate(set) var reason: String?
        /// The name of the authority that is asked.
        fileprivate let authority: String
    }

    /// The hosts without a certificate that is of use, in the order in which they are tried. Each order
    /// takes its part of what an account and a domain are allowed, so the later ones wait for it.
    package func waiting(now: Int, milliseconds: Int) -> [Waiting] {
        var plan = self
        let lacking = entries.filter { $0.usableValidity == nil }
            .map { (entry: $0, due: due($0, now: now, milliseconds: milliseconds)) }
        var (found, later) = ([Waiting](), [Waiting]())
        // Sorting keeps the order of those that are due at the same time.
        for (entry, alone) in lacking.sorted(by: { $0.due < $1.due }) {
            let one = plan.waiting(entry, dueAlone: alone, now: now, milliseconds: milliseconds)
            if let domain = entry.domain { plan.allowances[one.authority]?.begin(inDomain: domain) }
            // A host that waits for anything else takes no part of the pace before.
            if one.due > plan.paced(one.authority, now, milliseconds) {
                later.append(one)
            } else {
                plan.allowances[one.authority]?.note(milliseconds: milliseconds)
                found.append(one)
            }
        }
        for var one in later.sorted(by: { $0.due < $1.due }) {
            let then = milliseconds + 1_000 * (one.due - now)
            let paced = plan.paced(one.authority, one.due, then)
            if paced > one.due { (one.due, one.reason) = (paced, one.reason ?? OrderPace.reason) }
            plan.allowances[one.authority]?.note(milliseconds: then)
            found.append(one)
        }
        return found.sorted { $0.due < $1.due }
    }

    /// The time at which an account's pace lets another order begin.
    private func paced(_ authority: String, _ now: Int, _ milliseconds: Int) -> Int {
        allowances[authority]?.paced(now: now, milliseconds: milliseconds) ?? now
    }

    /// - Parameter alone: the time at which it would be due without the others.
    private func waiting(
        _ entry: Entry, dueAlone alone: Int, now: Int, milliseconds: Int
    ) -> Waiting {
        let due = due(entry, now: now, milliseconds: milliseconds)
        let pause = pause(of: entry, now: now)
            .flatMap { $0.until(for: entry.subject) >= due ? $0 : nil }
        let isLost = entry.record.failures == 0 && entry.record.replacementTime(now: now) == due
        return Waiting(
            entry: entry, due: due, pause: pause,
            reason: due <= now
                ? nil
                : pause?.reason
                    ?? (isLost
                        ? "others for the same names were issued lately, and authorities issue few"
                        : due > alone ? OrderPace.reason : nil),
            authority: attempt(of: entry, now: now).authority)
    }
}
