/// What is done next for the certificates of all hosts, and what each result means: decisions without a
/// thread, a file or a clock. Times are in seconds since 1970.
package struct RenewalPlan: Sendable {
    /// A host as it is planned for.
    package struct Entry: Sendable {
        package let host: String
        /// The name of its authority.
        package let authority: String
        /// The registered domain that it belongs to; nil if that is not known.
        package let domain: String?
        package var record: HostRecord
        /// Of the certificate that is served; nil if there is none.
        package var validity: RenewalSchedule.Validity?
        /// Whether an order is under way.
        package fileprivate(set) var isUnderway = false
        /// The domain that a first order under way is counted for.
        fileprivate var counted: String?
        /// When it was said last that the certificate ends, and how loudly.
        fileprivate var alarm: (level: ExpiryAlarm, time: Int)?

        package init(
            host: String, authority: String, domain: String?, record: HostRecord,
            validity: RenewalSchedule.Validity?
        ) {
            (self.host, self.authority, self.domain) = (host, authority, domain)
            (self.record, self.validity) = (record, validity)
        }

        /// The period in which its certificate is of use: none after it was revoked.
        package var usableValidity: RenewalSchedule.Validity? { record.isRevoked ? nil : validity }

        package var subject: OrderSubject {
            OrderSubject(name: host, domain: domain, validity: usableValidity)
        }
    }

    package private(set) var entries = [Entry]()
    private var places = [String: Int]()
    /// By the authorities' names.
    package private(set) var allowances = [String: OrderAllowance]()
    /// Until when accounts are not tried that could not be read.
    private var blocked = [String: Int]()
    /// When something is due.
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
                old.authority == entries[index].authority
            else { continue }
            (entries[index].isUnderway, entries[index].alarm) = (old.isUnderway, old.alarm)
            entries[index].counted = old.counted
        }
        for old in before.entries where old.isUnderway && self[old.host]?.isUnderway != true {
            if let domain = old.counted { allowances[old.authority]?.end(inDomain: domain) }
        }
        for entry in new where allowances[entry.authority] == nil {
            allowances[entry.authority] = allowance(entry.authority)
        }
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

    /// Forgets the pauses of an authority whose settings have changed.
    package mutating func forgetPauses(of authority: String) {
        allowances[authority]?.forgetPauses()
        nextDue = 0
    }

    // MARK: What is next

    /// When a host is due, and its account may be used.
    package func due(_ entry: Entry, now: Int, milliseconds: Int) -> Int {
        let isOrdered = entry.record.isRenewalOrdered
        var due = entry.record.due(entry.usableValidity, now: now)
        if !isOrdered { due = max(due, blocked[entry.authority] ?? 0) }
        guard let allowance = allowances[entry.authority] else { return due }
        return max(
            due,
            allowance.next(
                for: entry.subject, isOrdered: isOrdered, now: now, milliseconds: milliseconds))
    }

    /// The host whose order begins now; nil if none is due.
    /// - Parameter milliseconds: of a monotonic clock.
    package mutating func nextOrder(now: Int, milliseconds: Int) -> String? {
        guard now >= nextDue else { return nil }
        var first: (host: String, due: Int)?
        var later = Int.max
        for entry in entries where !entry.isUnderway {
            let due = due(entry, now: now, milliseconds: milliseconds)
            if due > now {
                later = min(later, due)
            } else if first.map({ due < $0.due }) ?? true {
                first = (entry.host, due)
            }
        }
        if first == nil { nextDue = min(later, nextInquiryDue(now: now) ?? .max) }
        return first?.host
    }

    /// The host for whose certificate the authority's window is to be asked for; nil if there is none.
    package func nextInquiry(now: Int) -> String? {
        entries.first { inquiryDue($0, now: now).map { $0 <= now } ?? false }?.host
    }

    private func nextInquiryDue(now: Int) -> Int? {
        entries.lazy.compactMap { inquiryDue($0, now: now) }.min()
    }

    private func inquiryDue(_ entry: Entry, now: Int) -> Int? {
        guard entry.usableValidity != nil, entry.record.failures == 0, !entry.isUnderway else {
            return nil
        }
        let outage = allowances[entry.authority]?.outage?.until(for: entry.subject) ?? 0
        return max(entry.record.inquiryDue(now: now), outage)
    }

    /// Waits for nothing that was noted while the clock was ahead.
    package mutating func noteTime(_ now: Int) {
        defer { lastTime = now }
        guard now < lastTime - Self.clockStepSeconds else { return }
        (nextDue, blocked) = (0, [:])
        for name in allowances.keys { allowances[name]?.forgetPauses() }
    }

    private static let clockStepSeconds = 60

    // MARK: What has happened

    /// Notes that an order has begun, or goes on.
    package mutating func begin(_ host: String, milliseconds: Int) {
        guard let place = places[host], !entries[place].isUnderway else { return }
        let authority = entries[place].authority
        entries[place].isUnderway = true
        if entries[place].usableValidity == nil, let domain = entries[place].domain {
            entries[place].counted = domain
            allowances[authority]?.begin(inDomain: domain)
        }
        guard entries[place].record.order.order == nil else { return }
        allowances[authority]?.note(milliseconds: milliseconds)
    }

    /// Notes that an order is left where it is.
    package mutating func leave(_ host: String) {
        guard let place = places[host] else { return }
        if let domain = entries[place].counted {
            allowances[entries[place].authority]?.end(inDomain: domain)
        }
        (entries[place].isUnderway, entries[place].counted) = (false, nil)
        nextDue = 0
    }

    /// Notes a certificate that is served from now on.
    package mutating func succeed(
        _ host: String, _ validity: RenewalSchedule.Validity, now: Int, random: Double
    ) {
        guard let entry = self[host] else { return }
        leave(host)
        allowances[entry.authority]?.succeed(firstInDomain: entry.counted, now: now)
        let isLost = entry.validity == nil && entry.record.lastSuccess != nil
        update(host) { entry in
            (entry.validity, entry.alarm) = (validity, nil)
            entry.record.succeed(now: now, replacesLost: isLost)
            entry.record.plan(validity, random: random)
        }
    }

    /// Notes why there is no certificate.
    /// - Parameter random: from 0 to 1.
    package mutating func fail(
        _ host: String, _ fault: IssuanceFault, now: Int, random: Double
    ) {
        guard let entry = self[host] else { return }
        leave(host)
        let (authority, subject) = (entry.authority, entry.subject)
        allowances[authority]?.pause(after: fault, of: subject, now: now, random: random)
        let outage = fault.step.isOfAuthority ? allowances[authority]?.outage : nil
        update(host) { entry in
            if let outage {
                entry.record.wait(fault, until: outage.until(for: subject), now: now)
            } else {
                entry.record.fail(fault, subject.validity, now: now, random: random)
            }
        }
    }

    /// Notes that an account cannot be used until then, whatever its authority says.
    package mutating func block(_ host: String, _ fault: IssuanceFault, until time: Int, now: Int) {
        guard let entry = self[host] else { return }
        blocked[entry.authority] = time
        update(host) { $0.record.wait(fault, until: time, now: now) }
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
        return entries.indices.compactMap { index in
            guard host.map({ $0 == entries[index].host }) ?? true else { return nil }
            let before = entries[index].record
            entries[index].record.hurry(now: now)
            return entries[index].record == before ? nil : entries[index].host
        }
    }

    /// A host without a certificate that is of use, and what it waits for.
    package struct Waiting: Sendable {
        package let entry: Entry
        /// When it is tried.
        package let due: Int
        /// Nil if that is now, or if its last failure is the reason.
        package let reason: String?
    }

    package func waiting(now: Int, milliseconds: Int) -> [Waiting] {
        entries.filter { $0.usableValidity == nil }.map { entry in
            let due = due(entry, now: now, milliseconds: milliseconds)
            let pause = allowances[entry.authority]?.pause(of: entry.subject, now: now)
            let isLost = entry.record.failures == 0 && entry.record.replacementTime(now: now) == due
            return Waiting(
                entry: entry, due: due,
                reason: due <= now
                    ? nil
                    : pause?.reason
                        ?? (isLost
                            ? "others for the same names were issued lately, and authorities issue few"
                            : nil))
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
