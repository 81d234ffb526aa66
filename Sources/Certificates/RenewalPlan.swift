/// The next action for the certificates of all hosts, and the meaning of each result: decisions
/// without a thread, a file or a clock. Times are in seconds since 1970.
package struct RenewalPlan: Sendable {
    /// A host as it is planned for.
    package struct Entry: Sendable {
        package let host: String
        /// The authorities that its certificate may come from, the preferred one first.
        package let authorities: [AuthorityChoice]
        /// The registered domain that it belongs to; nil if that is not known.
        package let domain: String?
        package var record: HostRecord
        /// Of the certificate that is served; nil if there is none.
        package var validity: RenewalSchedule.Validity?
        /// The attempt that is under way; nil if none is.
        package fileprivate(set) var underway: AuthorityAttempt?
        /// The time before which nothing begins, because of a fault of this machine; nil if there is none.
        package internal(set) var hold: (until: Int, reason: String)?
        /// The domain that a first order under way is counted for.
        fileprivate var counted: String?
        /// The last alarm about the certificate's end: its level and its time.
        fileprivate var alarm: (level: ExpiryAlarm, time: Int)?

        package init(
            host: String, authorities: [AuthorityChoice], domain: String?, record: HostRecord,
            validity: RenewalSchedule.Validity?
        ) {
            (self.host, self.authorities, self.domain) = (host, authorities, domain)
            (self.record, self.validity) = (record, validity)
        }

        /// The period in which its certificate is of use: none after it was revoked.
        package var usableValidity: RenewalSchedule.Validity? { record.isRevoked ? nil : validity }

        /// The name of the authority that has issued the certificate.
        package var issuer: String { record.issuer ?? authorities[0].name }

        /// The time of the next alarm about its certificate.
        fileprivate func nextAlarm(now: Int) -> Int? {
            let last = alarm.map { $0.time + $0.level.pauseSeconds }
            let late = record.renewAt.map { $0 + 1 }
            return ((validity?.alarmTimes ?? []) + [last, late].compactMap(\.self))
                .filter { $0 > now }.min()
        }

        package var subject: OrderSubject {
            OrderSubject(name: host, domain: domain, validity: usableValidity)
        }
    }

    package private(set) var entries = [Entry]()
    private var places = [String: Int]()
    /// By the authorities' names.
    package internal(set) var allowances = [String: OrderAllowance]()
    /// Until when accounts are not tried that could not be read.
    private var blocked = [String: Int]()
    /// The time at which something is due.
    private var nextDue = 0
    private var lastTime = 0

    package init() {}

    /// Takes the hosts that are served now, and the allowances of authorities that are new.
    package mutating func take(_ new: [Entry], _ allowance: (String) -> OrderAllowance) {
        let before = self
        entries = new
        places = Dictionary(
            new.indices.map { (new[$0].host, $0) }, uniquingKeysWith: { first, _ in first })
        for index in entries.indices {
            guard let old = before[entries[index].host],
                old.authorities == entries[index].authorities
            else { continue }
            (entries[index].underway, entries[index].alarm) = (old.underway, old.alarm)
            (entries[index].counted, entries[index].hold) = (old.counted, old.hold)
        }
        for old in before.entries where self[old.host]?.underway == nil {
            guard let attempt = old.underway, let domain = old.counted else { continue }
            allowances[attempt.authority]?.end(inDomain: domain)
        }
        for name in new.flatMap(\.authorities).flatMap({ [$0.name, $0.staging] }).compactMap(\.self)
        where allowances[name] == nil { allowances[name] = allowance(name) }
        (blocked, nextDue) = ([:], 0)
    }

    package subscript(host: String) -> Entry? { places[host].map { entries[$0] } }

    /// Changes what is known of a host; nothing happens if it is not planned for.
    /// - Returns: the host's record after the change; nil if there is none.
    @discardableResult
    package mutating func update(_ host: String, _ change: (inout Entry) -> Void) -> HostRecord? {
        guard let place = places[host] else { return nil }
        change(&entries[place])
        nextDue = 0
        return entries[place].record
    }

    /// Takes the allowance of an authority, as another process has it.
    mutating func follow(_ allowance: OrderAllowance, of authority: String) {
        guard let own = allowances[authority] else { return }
        allowances[authority] = own.following(allowance)
        nextDue = 0
    }

    /// Forgets the pauses of an authority whose settings have changed.
    package mutating func forgetPauses(of authority: String) {
        allowances[authority]?.forgetPauses()
        nextDue = 0
    }

    // MARK: What is next

    /// The attempt that is under way for a host, or else its next one.
    package func attempt(of entry: Entry, now: Int) -> AuthorityAttempt {
        entry.underway
            ?? entry.record.turn.attempt(entry.authorities) { name in
                let pause = allowances[name]?.pause(of: entry.subject, now: now)
                let end = max(pause?.until(for: entry.subject) ?? 0, blocked[name] ?? 0)
                return end > now + Self.patienceSeconds
            }
    }

    /// The longest time that an authority is waited for before another one is asked.
    private static let patienceSeconds = 1_200

    /// The pause that keeps a host waiting together with others.
    package func pause(of entry: Entry, now: Int) -> OrderPause? {
        allowances[attempt(of: entry, now: now).authority]?.pause(of: entry.subject, now: now)
    }

    /// The time at which a host is due, and its account may be used; others may come before it then.
    package func due(_ entry: Entry, now: Int, milliseconds: Int) -> Int {
        due(entry, attempt(of: entry, now: now).authority, now, milliseconds)
    }

    private func due(_ entry: Entry, _ authority: String, _ now: Int, _ milliseconds: Int) -> Int {
        let paced = allowances[authority]?.paced(
            isByHand: entry.record.isRenewalOrdered, now: now, milliseconds: milliseconds)
        return max(ready(entry, with: authority, now: now), paced ?? 0)
    }

    /// The time at which nothing but the pace of the account, and other hosts, keeps a host waiting.
    /// Whoever orders it by hand may have removed the cause of a pause.
    func ready(_ entry: Entry, with authority: String, now: Int) -> Int {
        let ready = max(entry.record.due(entry.usableValidity, now: now), entry.hold?.until ?? 0)
        guard !entry.record.isRenewalOrdered else { return ready }
        let subject = entry.subject
        let pause = allowances[authority]?.pause(of: subject, now: now)?.until(for: subject)
        return max(ready, blocked[authority] ?? 0, pause ?? 0)
    }

    /// The host whose order begins now; nil if none is due.
    /// - Parameters:
    ///   - milliseconds: of a monotonic clock.
    ///   - isFull: whether only what somebody has ordered may begin.
    package mutating func nextOrder(now: Int, milliseconds: Int, isFull: Bool = false) -> String? {
        guard now >= nextDue else { return nil }
        // Each account has a pace and lines of its own: the first of each line.
        var firsts = [String: [OrderTurns.Line: OrderTurns.Place]]()
        var later = Int.max
        for index in entries.indices
        where entries[index].underway == nil
            && (!isFull || entries[index].record.isRenewalOrdered)
        {
            let entry = entries[index]
            let authority = attempt(of: entry, now: now).authority
            let due = due(entry, authority, now, milliseconds)
            guard due <= now else {
                later = min(later, due)
                continue
            }
            let place = entry.place(index, now: now)
            let first = firsts[authority]?[place.line] ?? place
            firsts[authority, default: [:]][place.line] = min(first, place)
        }
        let next = firsts.compactMap { authority, places in
            allowances[authority]?.turns.next(of: Array(places.keys)).flatMap { places[$0] }
        }.min()
        if next == nil, !isFull { nextDue = min(later, nextInquiryDue(now: now) ?? .max) }
        return next.map { entries[$0.index].host }
    }

    /// Whether a host waits for nothing but the pace of its account. Each process counts its own orders for it, so a turn that ended
    /// now would let the next process begin as many at once.
    func isPacing(now: Int) -> Bool {
        entries.contains { entry in
            entry.underway == nil
                && ready(entry, with: attempt(of: entry, now: now).authority, now: now) <= now
        }
    }

    /// The host for whose certificate the authority's window is to be asked for; nil if there is none.
    package func nextInquiry(now: Int) -> String? {
        entries.first { inquiryDue($0, now: now).map { $0 <= now } ?? false }?.host
    }

    private func nextInquiryDue(now: Int) -> Int? {
        entries.lazy.compactMap { inquiryDue($0, now: now) }.min()
    }

    private func inquiryDue(_ entry: Entry, now: Int) -> Int? {
        guard entry.usableValidity != nil, entry.record.failures == 0, entry.underway == nil else {
            return nil
        }
        let outage = allowances[entry.issuer]?.outage?.until(for: entry.subject) ?? 0
        return max(entry.record.inquiryDue(now: now), outage)
    }

    /// The time of the next order, inquiry or alarm that is not due yet.
    package func nextTurn(now: Int) -> Int {
        min(nextDue, entries.lazy.compactMap { $0.nextAlarm(now: now) }.min() ?? .max)
    }

    /// Waits for nothing that was noted while the clock was ahead.
    package mutating func noteTime(_ now: Int) {
        defer { lastTime = now }
        guard now < lastTime - Self.clockStepSeconds else { return }
        (nextDue, blocked) = (0, [:])
        release()
        for name in allowances.keys { allowances[name]?.forgetPauses() }
    }

    private static let clockStepSeconds = 60

    // MARK: What has happened

    /// Notes that an order has begun, or goes on.
    /// - Returns: what it is made with; nil if the host is not planned for, or is under way already.
    @discardableResult
    package mutating func begin(_ host: String, now: Int, milliseconds: Int) -> AuthorityAttempt? {
        guard let place = places[host], entries[place].underway == nil else { return nil }
        let entry = entries[place]
        let attempt = attempt(of: entry, now: now)
        release(entry.hold)
        entries[place].underway = attempt
        entries[place].record.resume(
            with: attempt.authority, isFirst: attempt.authority == entry.authorities[0].name)
        if !attempt.isRehearsal, entry.usableValidity == nil, let domain = entry.domain {
            entries[place].counted = domain
            allowances[attempt.authority]?.begin(inDomain: domain)
        }
        allowances[attempt.authority]?.turns.note(entry.place(place, now: now).line)
        if entries[place].record.order.order == nil {
            allowances[attempt.authority]?.note(milliseconds: milliseconds)
        }
        return attempt
    }

    /// Notes that an order is left where it is.
    package mutating func leave(_ host: String) {
        guard let place = places[host] else { return }
        if let domain = entries[place].counted, let attempt = entries[place].underway {
            allowances[attempt.authority]?.end(inDomain: domain)
        }
        (entries[place].underway, entries[place].counted) = (nil, nil)
        nextDue = 0
    }

    /// Notes a certificate that is served from now on.
    package mutating func succeed(
        _ host: String, _ validity: RenewalSchedule.Validity, now: Int, random: Double
    ) {
        guard let entry = self[host] else { return }
        let attempt = attempt(of: entry, now: now)
        leave(host)
        allowances[attempt.authority]?.succeed(firstInDomain: entry.counted, now: now)
        let isLost = entry.validity == nil && entry.record.lastSuccess != nil
        update(host) { entry in
            (entry.validity, entry.alarm) = (validity, nil)
            entry.record.succeed(
                now: now, replacesLost: isLost,
                issuer: attempt.place == 0 ? nil : attempt.authority)
            entry.record.plan(validity, random: random)
        }
    }

    /// Notes that a rehearsal has succeeded.
    package mutating func rehearse(_ host: String, now: Int) {
        guard let entry = self[host] else { return }
        let attempt = attempt(of: entry, now: now)
        leave(host)
        allowances[attempt.authority]?.succeed(firstInDomain: nil, now: now)
        update(host) { $0.record.rehearse(now: now) }
    }

    /// Notes why there is no certificate.
    /// - Parameter random: from 0 to 1.
    /// - Returns: the fault, with the authority that was asked.
    @discardableResult
    package mutating func fail(
        _ host: String, _ fault: IssuanceFault, now: Int, random: Double
    ) -> IssuanceFault {
        guard let entry = self[host] else { return fault }
        let (attempt, subject) = (attempt(of: entry, now: now), entry.subject)
        leave(host)
        guard fault.kind != .machine else {
            if fault.step == .order { allowances[attempt.authority]?.forgive() }
            return hold(host, fault, now: now)
        }
        var fault = fault
        fault.authority = attempt.title
        allowances[attempt.authority]?.pause(after: fault, of: subject, now: now, random: random)
        let outage = fault.step.isOfAuthority ? allowances[attempt.authority]?.outage : nil
        var needsNoWait = false
        update(host) { entry in
            needsNoWait = entry.record.turn.fail(fault, attempt, entry.authorities)
            if let outage {
                entry.record.wait(fault, until: outage.until(for: subject), now: now)
            } else {
                entry.record.fail(fault, subject.validity, now: now, random: random)
            }
        }
        goOn(host, after: attempt, needsNoWait || outage != nil, now: now)
        return fault
    }

    /// Does not wait for an authority if another one is asked next.
    /// - Parameter isOver: whether what has failed is not tried next.
    private mutating func goOn(
        _ host: String, after last: AuthorityAttempt, _ isOver: Bool, now: Int
    ) {
        guard isOver, let entry = self[host], attempt(of: entry, now: now) != last else { return }
        update(host) { $0.record.goOn(now: now) }
    }

    /// Notes that an account cannot be used until then, whatever its authority says.
    /// - Returns: the fault, with the authority whose account it is.
    @discardableResult
    package mutating func block(
        _ host: String, _ fault: IssuanceFault, until time: Int, now: Int
    ) -> IssuanceFault {
        guard let entry = self[host] else { return fault }
        guard fault.kind != .machine else { return hold(host, fault, now: now) }
        let attempt = attempt(of: entry, now: now)
        var fault = fault
        fault.authority = attempt.title
        let time = min(time, now + RenewalSchedule.waitSecondsMax(entry.usableValidity, now: now))
        blocked[attempt.authority] = time
        update(host) { $0.record.wait(fault, until: time, now: now) }
        goOn(host, after: attempt, true, now: now)
        return fault
    }

    /// Makes the next attempts at once of hosts whose last one has failed, because somebody may have
    /// removed the cause; as far as no limit forbids it.
    /// - Parameter host: nil for all.
    /// - Returns: the hosts whose records have changed.
    package mutating func hurry(_ host: String?, now: Int) -> [String] {
        if host == nil {
            blocked = [:]
            for name in allowances.keys { allowances[name]?.forgetOutage() }
        }
        nextDue = 0
        let hurried = host.map { places[$0].map { $0..<($0 + 1) } ?? 0..<0 } ?? entries.indices
        return hurried.compactMap { index in
            let before = entries[index].record
            entries[index].hold = nil
            entries[index].record.hurry(now: now)
            return entries[index].record == before ? nil : entries[index].host
        }
    }

    /// The hosts whose certificates near their end, or have ended, and of which that is to be said now:
    /// the nearer, the more often.
    package mutating func alarms(now: Int) -> [(entry: Entry, level: ExpiryAlarm)] {
        var found = [(entry: Entry, level: ExpiryAlarm)]()
        for index in entries.indices {
            let entry = entries[index]
            let isLate = entry.record.failures > 0 || (entry.record.renewAt ?? .max) < now
            guard let level = entry.validity?.alarm(isLate: isLate, now: now) else {
                entries[index].alarm = nil
                continue
            }
            if let last = entry.alarm, last.level == level, last.time <= now,
                now - last.time < level.pauseSeconds
            {
                continue
            }
            entries[index].alarm = (level, now)
            found.append((entry, level))
        }
        return found
    }
}
