/// A value that names the next action for the certificates of a process' hosts, and takes the
/// result of each action. It has no thread, no clock and no file; random numbers, from 0 to 1, come
/// from its caller.
///
/// The records that `takeChanges` names have to be saved before the next action, so that a process
/// that ends at any time leads to no second order.
package struct CertificateAgenda: Sendable {
    package private(set) var plan = RenewalPlan()
    /// Whether this process requests the certificates, of all that share a directory.
    package private(set) var isInCharge = false
    /// The orders under way, with the times of their next steps in milliseconds of the monotonic
    /// clock.
    private var orders = [(host: String, at: Int)]()
    /// The orders that make a step each before anything else is begun.
    private var round = [String]()
    private var changes = Changes()
    private var lockAt = 0
    /// The time by which other origins have read the configuration that has brought new hosts.
    private var beginAt = 0
    private var remindAt: Int?
    /// Whether processes take turns: each is in charge only as long as it has something to do.
    private let takesTurns: Bool
    /// Whether somebody has asked for something that the process in charge does.
    package var isAsked = false

    /// - Parameter takesTurns: whether the process is in charge only as long as it has something to do; else from the
    ///   first time until its end.
    package init(takesTurns: Bool = false) { self.takesTurns = takesTurns }

    package enum Action: Hashable, Sendable {
        /// Only the process with the lock requests certificates.
        case takeLock
        /// Certificates near their end, or have ended.
        case warn([Warning])
        /// Name the hosts that no client trusts; attempts are a day apart at last.
        case remind
        /// Begin an order for a host, or go on with it.
        case begin(host: String, AuthorityAttempt)
        /// Let an order make its next step.
        case step(host: String)
        /// Ask the authority when a certificate should be renewed (RFC 9773).
        case inquire(host: String)
        /// Nothing is to be done before, unless there is news.
        case wait(milliseconds: Int)
    }

    package struct Warning: Hashable, Sendable {
        package let host: String
        package let level: ExpiryAlarm
        package let pause: OrderPause?
        /// The time of the next attempt.
        package let next: Int
    }

    /// The names of hosts and authorities whose records have changed.
    package struct Changes: Sendable {
        package internal(set) var hosts = Set<String>()
        package internal(set) var authorities = Set<String>()
    }

    package mutating func takeChanges() -> Changes {
        defer { changes = Changes() }
        return changes
    }

    // MARK: The next action

    package mutating func next(_ now: Moment) -> Action {
        guard !plan.entries.isEmpty else { return .wait(milliseconds: .max) }
        let isWanted = !isInCharge && (!takesTurns || hasWork(now))
        if isWanted, now.milliseconds >= lockAt {
            lockAt = now.milliseconds + Self.lockMilliseconds
            return .takeLock
        }
        if let host = nextInRound(now) { return .step(host: host) }
        plan.noteTime(now.seconds)
        // Also of certificates that another process should renew, or that none can.
        if let saying = nextSaying(now) { return saying }
        guard isInCharge else {
            return .wait(milliseconds: isWanted ? lockAt - now.milliseconds : pause(now))
        }
        round = orders.reversed().map(\.host)
        if mayBegin(now, places: 2 * Self.ordersMax),
            let host = plan.nextOrder(
                now: now.seconds, milliseconds: now.milliseconds,
                isFull: !mayBegin(now, places: Self.ordersMax)),
            let entry = plan[host]
        {
            return .begin(host: host, plan.attempt(of: entry, now: now.seconds))
        }
        if let host = nextInRound(now) { return .step(host: host) }
        if let host = plan.nextInquiry(now: now.seconds) { return .inquire(host: host) }
        return .wait(milliseconds: pause(now))
    }

    /// Whether there is something to do for the process in charge.
    package mutating func hasWork(_ now: Moment) -> Bool {
        isAsked || !orders.isEmpty || plan.nextInquiry(now: now.seconds) != nil
            || mayBegin(now, places: Self.ordersMax)
                && plan.nextOrder(now: now.seconds, milliseconds: now.milliseconds) != nil
    }

    /// Whether a process that takes turns can let another have its turn: nothing is to be done soon.
    package mutating func canYield(_ now: Moment) -> Bool {
        takesTurns && isInCharge && orders.isEmpty && !hasWork(now)
            && plan.nextTurn(now: now.seconds) > now.seconds + Self.yieldSeconds
            && !plan.isPacing(now: now.seconds)
    }

    private static let yieldSeconds = 10

    private func mayBegin(_ now: Moment, places: Int) -> Bool {
        orders.count < places && now.milliseconds >= beginAt
    }

    private mutating func nextInRound(_ now: Moment) -> String? {
        while let host = round.popLast() {
            if orders.contains(where: { $0.host == host && $0.at <= now.milliseconds }) {
                return host
            }
        }
        return nil
    }

    private mutating func nextSaying(_ now: Moment) -> Action? {
        let alarms = plan.alarms(now: now.seconds)
        guard alarms.isEmpty else {
            let dues = dues(now)
            return .warn(
                alarms.map { entry, level in
                    Warning(
                        host: entry.host, level: level,
                        pause: plan.pause(of: entry, now: now.seconds),
                        next: dues[entry.host] ?? now.seconds)
                })
        }
        let isDue = remindAt.map { $0 <= now.milliseconds }
        if isDue != false { remindAt = now.milliseconds + Self.reminderMilliseconds }
        return isDue == true ? .remind : nil
    }

    private func pause(_ now: Moment) -> Int {
        // The time of the next order does not matter while none may begin.
        let next = mayBegin(now, places: Self.ordersMax) ? plan.nextTurn(now: now.seconds) : .max
        let seconds = max(0, min(next - now.seconds, Self.restMilliseconds))
        let begin = beginAt > now.milliseconds ? beginAt : .max
        let times = orders.map(\.at) + [begin, remindAt ?? .max]
        return min(
            times.map { max(0, $0 - now.milliseconds) }.min() ?? .max, seconds * 1_000,
            Self.restMilliseconds)
    }

    /// The longest wait. No event tells of a clock that is set, or of orders on some file systems.
    private static let restMilliseconds = 60_000
    private static let lockMilliseconds = 5_000
    /// Origins look at files again a second after they have last looked.
    private static let settleMilliseconds = 2_000
    private static let reminderMilliseconds = 3_600_000
    /// The most orders that are under way at once; as many more may be that somebody has ordered.
    private static let ordersMax = 20

    /// The time of the next attempt, if the orders of the hosts before it succeed.
    package func due(_ entry: RenewalPlan.Entry, _ now: Moment) -> Int {
        dues(now)[entry.host]
            ?? plan.due(entry, now: now.seconds, milliseconds: now.milliseconds)
    }

    /// The times of the next attempts of all hosts without one under way.
    private func dues(_ now: Moment) -> [String: Int] {
        Dictionary(
            plan.turns(now: now.seconds, milliseconds: now.milliseconds)
                .map { ($0.entry.host, $0.due) }, uniquingKeysWith: { first, _ in first })
    }

    // MARK: News from outside

    /// A host whose certificate is requested from now on.
    package struct Served: Sendable {
        package let host: String
        package let authorities: [AuthorityChoice]
        package let domain: String?
        /// Of its certificate; nil if it has none.
        package let validity: RenewalSchedule.Validity?
        /// The record in its file; nil if it goes on as before.
        package let record: HostRecord?

        package init(
            host: String, authorities: [AuthorityChoice], domain: String?,
            validity: RenewalSchedule.Validity?, record: HostRecord?
        ) {
            (self.host, self.authorities, self.domain) = (host, authorities, domain)
            (self.validity, self.record) = (validity, record)
        }
    }

    /// Takes the hosts that are served now.
    /// - Parameters:
    ///   - now: a new host's order begins two seconds later, because the authority may ask any of
    ///     the origins that share a directory for its challenge.
    ///   - isInCharge: whether this process has the lock. Without it, the files may be newer than
    ///     the agenda, because another process writes them.
    ///   - allowance: gives the saved allowance of an authority that is new.
    /// - Returns: the hosts whose orders end where they are.
    package mutating func take(
        _ served: [Served], _ now: Moment, isInCharge: Bool, random: () -> Double,
        _ allowance: (String) -> OrderAllowance
    ) -> [String] {
        let knows = self.isInCharge
        if knows, served.contains(where: { plan[$0.host] == nil }) { settle(now) }
        self.isInCharge = isInCharge
        let entries = served.map { host in
            let known = plan[host.host]
            var record = host.record ?? known?.record ?? HostRecord()
            // Somebody has changed what it was refused with.
            if knows, known != nil, host.record != nil { record.nextTry = nil }
            if isInCharge, record.renewAt == nil, let validity = host.validity {
                record.plan(validity, random: random())
                changes.hosts.insert(host.host)
            }
            return RenewalPlan.Entry(
                host: host.host, authorities: host.authorities, domain: host.domain, record: record,
                validity: host.validity)
        }
        plan.take(entries, allowance)
        let goingOn = Set(served.filter { $0.record == nil }.map(\.host))
        return leave(orders.map(\.host).filter { !goingOn.contains($0) })
    }

    /// Requests nothing until this process has the lock again.
    /// - Returns: the hosts whose orders end where they are.
    package mutating func loseLock() -> [String] {
        (isInCharge, lockAt) = (false, 0)
        return leave(orders.map(\.host))
    }

    /// Takes what the process in charge has written of a host: its record, or the validity of its certificate.
    package mutating func follow(
        _ host: String, _ record: HostRecord? = nil, _ validity: RenewalSchedule.Validity? = nil
    ) {
        plan.update(host) { entry in
            entry.record = record ?? entry.record
            entry.validity = validity ?? entry.validity
        }
    }

    /// Takes the allowance of an authority, as the process in charge has written it.
    package mutating func follow(_ allowance: OrderAllowance, of authority: String) {
        plan.follow(allowance, of: authority)
    }

    /// Forgets the pauses of an authority whose settings have changed.
    package mutating func forgetPauses(of authority: String) { plan.forgetPauses(of: authority) }

    /// Makes the next attempts at once of hosts whose last one has failed, if no limit forbids it.
    /// - Parameter host: nil for all.
    package mutating func hurry(_ host: String?, _ now: Moment) {
        changes.hosts.formUnion(plan.hurry(host, now: now.seconds))
    }

    /// The hosts that have failed and are not tried now, with the times of their next attempts.
    package func delayed(_ now: Moment) -> [(host: String, due: Int)] {
        let dues = dues(now)
        return plan.entries.filter {
            $0.record.failures > 0 && $0.underway == nil
                && plan.due($0, now: now.seconds, milliseconds: now.milliseconds) > now.seconds
        }
        .map { (host: $0.host, due: dues[$0.host] ?? now.seconds) }
    }

    /// Begins orders again that a fault of this machine has held back, which is over.
    package mutating func release() { plan.release() }

    /// A program that was to set or clear a record in DNS has ended.
    /// - Parameter isOpen: whether the record has to be cleared still.
    package mutating func take(_ record: ChallengeRecord, of host: String, isOpen: Bool) {
        if !isOpen { note(host) { $0.close(record) } }
        wait(host, until: 0)
    }

    // MARK: Results of actions

    /// Begins nothing until this process, and others, have read files that are new.
    package mutating func settle(_ now: Moment) {
        beginAt = now.milliseconds + Self.settleMilliseconds
    }

    /// An order begins, or goes on.
    /// - Returns: the authority that is asked; nil if nothing is to be begun.
    package mutating func begin(_ host: String, _ now: Moment) -> AuthorityAttempt? {
        let attempt = plan.begin(host, now: now.seconds, milliseconds: now.milliseconds)
        guard let attempt else { return nil }
        orders.append((host, now.milliseconds))
        changes.hosts.insert(host)
        return attempt
    }

    /// The account with an authority cannot be used.
    /// - Returns: the fault, with the authority whose account it is.
    package mutating func block(
        _ host: String, _ fault: IssuanceFault, _ now: Moment
    ) -> IssuanceFault {
        changes.hosts.insert(host)
        return plan.block(host, fault, until: now.seconds + Self.blockSeconds, now: now.seconds)
    }

    private static let blockSeconds = 3_600

    /// An order has nothing to do until then.
    package mutating func wait(_ host: String, until milliseconds: Int) {
        guard let index = orders.firstIndex(where: { $0.host == host }) else { return }
        orders[index].at = milliseconds
    }

    /// Something is remembered of a host from now on, such as the progress of its order.
    package mutating func note(_ host: String, _ change: (inout HostRecord) -> Void) {
        guard let before = plan[host]?.record else { return }
        var record = before
        change(&record)
        guard record != before else { return }
        plan.update(host) { $0.record = record }
        changes.hosts.insert(host)
    }

    /// A certificate was issued that is served from now on.
    package mutating func succeed(
        _ host: String, _ validity: RenewalSchedule.Validity, _ now: Moment, random: Double
    ) {
        end(host, now)
        plan.succeed(host, validity, now: now.seconds, random: random)
    }

    /// A test authority has issued a certificate, which nobody trusts and nobody gets.
    package mutating func rehearse(_ host: String, _ now: Moment) {
        end(host, now)
        plan.rehearse(host, now: now.seconds)
    }

    /// An order has failed.
    /// - Returns: the fault, with the authority that was asked; and the hosts whose orders end with
    ///   it, because they would fail in the same way. They go on where they are when it is over.
    package mutating func fail(
        _ host: String, _ fault: IssuanceFault, _ now: Moment, random: Double
    ) -> (fault: IssuanceFault, ended: [String]) {
        let authority = end(host, now)
        let fault = plan.fail(host, fault, now: now.seconds, random: random)
        guard fault.step.isOfAuthority else { return (fault, []) }
        let others = orders.map(\.host).filter { plan[$0]?.underway?.authority == authority }
        return (fault, leave(others))
    }

    /// The authority has said when a certificate should be renewed, or nothing.
    /// - Returns: the time of the renewal, if it is another one now.
    package mutating func inquire(
        _ host: String, _ info: RenewalInfo?, _ now: Moment, random: Double
    ) -> Int? {
        guard let entry = plan[host] else { return nil }
        note(host) {
            $0.take(
                info?.window, next: info?.retryTime, entry.validity, now: now.seconds,
                random: random)
        }
        guard let record = plan[host]?.record, record.renewAt != entry.record.renewAt,
            let validity = entry.validity
        else { return nil }
        return record.renewalTime(validity, now: now.seconds).map { max($0, now.seconds) }
    }

    /// - Returns: the name of the authority that was asked.
    @discardableResult
    private mutating func end(_ host: String, _ now: Moment) -> String? {
        orders.removeAll { $0.host == host }
        let authority = plan[host].map { plan.attempt(of: $0, now: now.seconds).authority }
        changes.hosts.insert(host)
        changes.authorities.formUnion(authority.map { [$0] } ?? [])
        return authority
    }

    private mutating func leave(_ hosts: [String]) -> [String] {
        orders.removeAll { hosts.contains($0.host) }
        hosts.forEach { plan.leave($0) }
        return hosts
    }
}

/// A time by both clocks.
package struct Moment: Hashable, Sendable {
    /// Since 1970.
    package let seconds: Int
    /// Of a clock that never goes back.
    package let milliseconds: Int

    package init(seconds: Int, milliseconds: Int) {
        (self.seconds, self.milliseconds) = (seconds, milliseconds)
    }
}
