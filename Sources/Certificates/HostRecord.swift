/// The facts about a host's certificate that outlast the process.
package struct HostRecord: Hashable, Sendable {
    package internal(set) var turn = AuthorityTurn()
    /// The name of the authority that has issued the certificate; nil for the first of its authorities.
    package internal(set) var issuer: String?
    package var order = OrderProgress()
    /// The time at which the certificate is renewed, which was drawn once; nil if it was not drawn
    /// yet. In seconds since 1970, as all times.
    package var renewAt: Int?
    /// The window that it was drawn from; nil if the authority suggests none.
    package var window: RenewalSchedule.Window?
    /// The time at which the authority is asked for its window again.
    package var nextInquiry: Int?
    /// The challenge that was answered last.
    package var challenge: ChallengeType?
    /// Records in DNS that a program sets or has set, and that are not cleared yet.
    package private(set) var openRecords = [ChallengeRecord]()
    /// Attempts that have failed since the last that has succeeded.
    package var failures = 0
    /// Those of them whose fault was not the host's: the authority could not be asked.
    package internal(set) var outages = 0
    package var nextTry: Int?
    /// In one line.
    package var lastFault: String?
    package var lastFaultTime: Int?
    package var lastSuccess: Int?
    /// The number of certificates in a row that replaced one that was lost.
    package internal(set) var replacements = 0
    /// Until when a limit of the authority's forbids another attempt.
    package internal(set) var limitedUntil: Int?
    /// The times of attempts that were made, or will be, sooner than the schedule says.
    package internal(set) var hurried = [Int]()
    /// Whether the certificate was revoked, so that it is none any more.
    package internal(set) var isRevoked = false
    /// Whether somebody has ordered a renewal.
    package internal(set) var isRenewalOrdered = false
    /// Whether the last attempt has ended with a certificate that is not used. It is not kept: at a
    /// start, the order is tried once more.
    private var isCertificateRefused = false
    /// Whether the last attempt has failed because of this machine. It is not kept.
    package private(set) var isHeldBack = false

    package init() {}

    /// The time at which something is to be done for the host.
    /// - Parameters:
    ///   - validity: of its certificate; nil if it has none.
    ///   - now: what was noted later than this is of a clock that was set back, and not waited for.
    package func due(_ validity: RenewalSchedule.Validity?, now: Int) -> Int {
        if isRenewalOrdered { return 0 }
        let retry = retryTime(validity, now: now)
        guard let validity else { return max(retry, replacementTime(now: now) ?? 0) }
        // A renewal that has begun does not wait for the earliest time any more: somebody may have ordered it.
        guard failures == 0 else { return max(min(renewAt ?? .max, validity.lastCall), retry) }
        return renewalTime(validity, now: now) ?? validity.lastCall
    }

    /// The time at which the certificate is renewed, whatever time was suggested and drawn: not too
    /// soon after it was issued, and before its end. Nil if none was drawn yet.
    package func renewalTime(_ validity: RenewalSchedule.Validity, now: Int) -> Int? {
        let issued = lastSuccess.flatMap { isPast($0, now) ? $0 : nil }
        let earliest = issued.map { RenewalSchedule.earliestRenewal(of: validity, issued: $0) }
        return renewAt.map { max(min($0, validity.lastCall), earliest ?? 0) }
    }

    /// The earliest time to replace a certificate that was lost; nil if none was issued.
    package func replacementTime(now: Int) -> Int? {
        lastSuccess.flatMap { issued in
            guard isPast(issued, now) else { return nil }
            return RenewalSchedule.earliestReplacement(issued: issued, replacements: replacements)
        }
    }

    /// The next attempt after a failure, as far as the life that is left allows it: an earlier
    /// version, or an authority, may have named another. A time without a failure is of no record that
    /// was written here.
    private func retryTime(_ validity: RenewalSchedule.Validity?, now: Int) -> Int {
        guard let nextTry, let failed = lastFaultTime, isPast(failed, now) else { return 0 }
        return min(nextTry, failed + RenewalSchedule.waitSecondsMax(validity, now: failed))
    }

    /// The time at which the authority is to be asked for its window.
    package func inquiryDue(now: Int) -> Int {
        // Nothing is noted that is more than a day away, except by a clock that was set back.
        guard let nextInquiry, isPast(nextInquiry - 86_400, now) else { return 0 }
        return nextInquiry
    }

    private func isPast(_ time: Int, _ now: Int) -> Bool { time <= now + Self.clockSkewSeconds }

    /// The most seconds by which the clock of who has noted something may be ahead.
    package static let clockSkewSeconds = 60

    /// The challenges of the next attempt, the preferred one first: the one that has succeeded, or
    /// the usual one; after a failure the next one.
    /// - Parameters:
    ///   - answersHTTP: whether this origin answers plain HTTP; else `http-01` comes second.
    ///   - dns: the challenge that is answered by a record in DNS, where the configuration has a way;
    ///     a program that sets it comes first.
    ///   - isWildcard: whether nothing else proves it.
    package func nextChallenges(
        answersHTTP: Bool, dns: ChallengeType? = nil, isWildcard: Bool = false
    ) -> [ChallengeType] {
        let proofs = dns.map { [$0] } ?? []
        guard !isWildcard else { return proofs }
        let others: [ChallengeType] = answersHTTP ? [.http, .alpn] : [.alpn, .http]
        let all = dns == .dns ? proofs + others : others + proofs
        let last = challenge.flatMap(all.firstIndex(of:)) ?? 0
        let first = ownFailures == 0 ? last : (last + 1) % all.count
        return Array(all[first...] + all[..<first])
    }

    /// Notes a record that a program is going to set, before it runs: a later process clears what this
    /// one has left.
    package mutating func open(_ record: ChallengeRecord) {
        close(record)
        openRecords = openRecords.suffix(Self.openRecordsMax - 1) + [record]
    }

    /// Notes that a record is not in DNS any more.
    package mutating func close(_ record: ChallengeRecord) {
        openRecords.removeAll { $0 == record }
    }

    /// Programs that never clear anything do not make it grow.
    private static let openRecordsMax = 8

    init(openRecords: [ChallengeRecord]) { self.openRecords = openRecords }

    /// Draws the time of renewal, unless it is drawn already.
    /// - Parameter random: from 0 to 1.
    package mutating func plan(_ validity: RenewalSchedule.Validity, random: Double) {
        guard renewAt == nil else { return }
        renewAt = RenewalSchedule.renewalTime(of: validity, random: random)
    }

    /// Takes what an authority suggests, as far as the certificate lives so long. Another window draws
    /// another time.
    package mutating func take(
        _ window: RenewalSchedule.Window?, next named: Int?,
        _ validity: RenewalSchedule.Validity?, now: Int, random: Double
    ) {
        nextInquiry = RenewalSchedule.nextInquiry(named: named, now: now)
        guard let window, window != self.window else { return }
        self.window = window
        renewAt = min(
            RenewalSchedule.renewalTime(in: window, random: random), validity?.lastCall ?? .max)
    }

    /// Notes an attempt that has failed.
    /// - Parameter validity: of the certificate that is there; nil if there is none.
    package mutating func fail(
        _ fault: IssuanceFault, _ validity: RenewalSchedule.Validity?, now: Int, random: Double
    ) {
        failures += 1
        if fault.step != .certificate { isCertificateRefused = false }
        let isPassing = fault.kind == .temporary || fault.kind == .challenge
        let isLimit = fault.kind == .rateLimited
        note(
            fault,
            next: RenewalSchedule.retryTime(
                failures: ownFailures, isPassing: isPassing || fault.retryTime != nil,
                notBefore: fault.retryTime.map { ($0, isLimit) }, validity, now: now,
                random: random), now: now)
        limitedUntil = isLimit ? fault.retryTime.map { min($0, now + Self.limitSecondsMax) } : nil
    }

    /// Notes an attempt that has failed by a fault that is not the host's: the authority could not be
    /// asked. It does not move the host's own schedule, so that an outage does not end with a pause of
    /// a day.
    package mutating func wait(_ fault: IssuanceFault, until time: Int, now: Int) {
        // It is tried every few seconds, which is one failure as long as nothing has changed.
        guard !isHeldBack || fault.kind != .machine || lastFault != fault.description else {
            return
        }
        (failures, outages) = (failures + 1, outages + 1)
        note(fault, next: time, now: now)
    }

    private mutating func note(_ fault: IssuanceFault, next time: Int, now: Int) {
        isHeldBack = fault.kind == .machine
        // What somebody has ordered is tried until it is done.
        if isRenewalOrdered { renewAt = min(renewAt ?? now, now) }
        isRenewalOrdered = isRenewalOrdered && isHeldBack
        nextTry = time
        (lastFault, lastFaultTime) = (fault.description, now)
    }

    private static let limitSecondsMax = 7 * 86_400

    /// Attempts that have failed because of the host, or of what was issued for it.
    var ownFailures: Int { failures - outages }

    /// Makes the next attempt at once, because the cause of a failure may be removed: where no limit
    /// of the authority's forbids it, and only so often that none does.
    package mutating func hurry(now: Int) {
        guard failures > 0, now >= limitedUntil ?? 0, let next = nextTry, next > now else { return }
        hurried = hurried.filter { (now - 86_400...now + 86_400).contains($0) }.suffix(20)
        let lastHour = hurried.filter { $0 > now - 3_600 }
        let time =
            hurried.count >= Self.hurriedADay
            ? hurried[hurried.count - Self.hurriedADay] + 86_400
            : lastHour.count >= Self.hurriedAnHour
                ? lastHour[lastHour.count - Self.hurriedAnHour] + 3_600 : now
        guard max(time, now) < next else { return }
        nextTry = max(time, now)
        hurried.append(max(time, now))
    }

    /// Let's Encrypt forgives five failures an hour, of which the schedule itself makes three.
    private static let hurriedAnHour = 2
    private static let hurriedADay = 10

    /// Notes that the certificate was revoked.
    /// - Parameter validity: of it, if that is known.
    package mutating func revoke(_ validity: RenewalSchedule.Validity? = nil) {
        isRevoked = true
        // It may be of another node, with a record that is older, or of one whose record was lost. A record that says
        // nothing of the time would revoke each later certificate if somebody put it back into the nodes' database.
        if let validity { lastSuccess = max(lastSuccess ?? 0, validity.notBefore) }
        orderRenewal()
    }

    /// Whether a certificate is the one that was revoked, or an older one: not one that was issued later than the last
    /// that the record knows. Authorities let certificates begin up to an hour before they issue them.
    package func revokes(certificateFrom notBefore: Int) -> Bool {
        isRevoked && (lastSuccess.map { notBefore <= $0 + 3_600 } ?? true)
    }

    /// Notes that somebody has ordered a renewal, or a first certificate at once.
    /// - Parameter isIssued: whether there is a certificate, and no attempt is under way. An order that is kept then, and
    ///   of which nothing has failed, is that of this certificate: a node that ended has not said that it was done. It
    ///   would give the same again.
    package mutating func orderRenewal(isIssued: Bool = false) {
        isRenewalOrdered = true
        if isIssued, failures == 0 { order.order = nil }
        // An order whose certificate was refused would give the same again.
        if failures > 0, isCertificateRefused { order.order = nil }
    }

    /// Notes that what was issued is not used. At first the order is kept, so that the same is fetched
    /// again: an answer may have been cut short, or the clock is set meanwhile. Then there is another
    /// order every other day, because authorities issue few for the same names (Let's Encrypt: five,
    /// and then one in 34 hours).
    package mutating func refuseCertificate() {
        if ownFailures >= 3, !ownFailures.isMultiple(of: 2) { order.order = nil }
        isCertificateRefused = true
    }

    /// Makes the next attempt soon, because nothing is waited for that has failed: it is with another
    /// authority.
    mutating func goOn(now: Int) {
        nextTry = min(nextTry ?? .max, now + 60)
        limitedUntil = nil
    }

    /// Notes that a rehearsal has succeeded: the real attempt follows.
    mutating func rehearse(now: Int) {
        turn.isRehearsed = true
        order = OrderProgress()
        nextTry = now
    }

    /// Goes on with the order that was begun with an authority, or drops one that was begun with
    /// another.
    /// - Parameter isFirst: whether it is the first of the host's authorities.
    mutating func resume(with authority: String, isFirst: Bool) {
        let name = isFirst ? nil : authority
        if order.authority != name { order = OrderProgress(authority: name) }
    }

    /// Notes that there is a new certificate.
    /// - Parameters:
    ///   - replacesLost: whether there should have been another one.
    ///   - issuer: the name of the authority; nil for the first.
    package mutating func succeed(now: Int, replacesLost: Bool = false, issuer: String? = nil) {
        let (challenge, replacements) = (challenge, replacesLost ? replacements + 1 : 0)
        self = HostRecord(openRecords: openRecords)
        (self.challenge, self.replacements) = (challenge, replacements)
        self.issuer = issuer
        lastSuccess = now
        nextInquiry = now
    }
}

/// The progress of an order.
package struct OrderProgress: Hashable, Sendable {
    /// The order's URL; nil before there is one, and when it has failed.
    package var order: String?
    /// The certificate that an order has named as the one that it replaces.
    package var replaced: String?
    /// The name of the authority that it is with; nil for the first of a host's authorities.
    package let authority: String?

    package init(order: String? = nil, replaced: String? = nil, authority: String? = nil) {
        self.order = order
        self.replaced = replaced
        self.authority = authority
    }
}
