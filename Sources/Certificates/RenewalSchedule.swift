/// When certificates are renewed, and when a failed attempt is repeated: functions of times in
/// seconds since 1970, and of a random number from 0 to 1 that is drawn once and kept, so that many
/// certificates are not renewed at the same moment.
package enum RenewalSchedule {
    /// A period of validity.
    package struct Validity: Hashable, Sendable {
        package let notBefore, notAfter: Int

        package init(notBefore: Int, notAfter: Int) {
            self.notBefore = notBefore
            self.notAfter = notAfter
        }

        package var seconds: Int { max(0, notAfter - notBefore) }
        /// From here on, nothing that an authority suggests is waited for.
        package var lastCall: Int { notAfter - seconds / 20 }
    }

    /// The time that an authority suggests (RFC 9773 §4.1).
    package struct Window: Hashable, Sendable {
        package let start, end: Int

        /// Nil if it ends before it begins.
        package init?(start: Int, end: Int) {
            guard start < end else { return nil }
            self.start = start
            self.end = end
        }
    }

    /// Without a suggestion: after two thirds of the validity, or a half if it is shorter than ten
    /// days, one hundredth of it earlier or later.
    package static func renewalTime(of validity: Validity, random: Double) -> Int {
        let seconds = validity.seconds
        let middle = seconds < 10 * 86_400 ? seconds / 2 : seconds * 2 / 3
        let shift = Double(seconds) / 50 * (random - 0.5)
        return validity.notBefore + middle + Int(shift)
    }

    /// Within a suggested window: in its first half, so that attempts that are repeated are still
    /// within it, where authorities limit nothing.
    package static func renewalTime(in window: Window, random: Double) -> Int {
        window.start + Int(Double(window.end - window.start) / 2 * random)
    }

    /// The next attempt after so many that have failed: in 1, 10 and 100 minutes, and then once a
    /// day; and never before the time that the authority names. What needs somebody's hand is tried
    /// once a day from the beginning.
    package static func retryTime(
        failures: Int, isPassing: Bool, notBefore named: Int?, now: Int, random: Double
    ) -> Int {
        let minutes = [1, 10, 100]
        let pause =
            isPassing && (1...minutes.count).contains(failures)
            ? minutes[failures - 1] * 60 : 86_400
        let spread = Double(pause) * 0.2 * (random - 0.5)
        return max(now + pause + Int(spread), named ?? 0)
    }

    /// The earliest time to renew a certificate after it was issued, if nobody orders it: a tenth of
    /// its life, and at most a day. So a window that is over when it is suggested, or a clock that is
    /// wrong, does not renew again and again.
    package static func earliestRenewal(of validity: Validity, issued time: Int) -> Int {
        time + min(86_400, validity.seconds / 10)
    }

    /// The earliest time to order a certificate in the place of one that was lost.
    package static func earliestReplacement(issued time: Int) -> Int { time + 3_600 }

    /// When the authority is asked again for its window (RFC 9773 §4.3.3): at the time that it
    /// names, between a minute and a day from now; else in six hours.
    package static func nextInquiry(named: Int?, now: Int) -> Int {
        named.map { min(max($0, now + 60), now + 86_400) } ?? now + 6 * 3_600
    }
}

/// What is remembered of a host's certificate while the process does not run.
package struct HostRecord: Hashable, Sendable {
    package var order = OrderProgress()
    /// The time at which the certificate is renewed, which was drawn once; nil if it was not drawn
    /// yet. In seconds since 1970, as all times.
    package var renewAt: Int?
    /// The window that it was drawn from; nil if the authority suggests none.
    package var window: RenewalSchedule.Window?
    /// When the authority is asked for its window again.
    package var nextInquiry: Int?
    /// The challenge that was answered last.
    package var challenge: ChallengeType?
    /// Attempts that have failed since the last that has succeeded.
    package var failures = 0
    package var nextTry: Int?
    /// In one line.
    package var lastFault: String?
    package var lastFaultTime: Int?
    package var lastSuccess: Int?
    /// Whether somebody has ordered a renewal.
    package private(set) var isRenewalOrdered = false
    /// Whether the last attempt has ended with a certificate that is not used. It is not kept: at a
    /// start, the order is tried once more.
    private var isCertificateRefused = false

    package init() {}

    /// When something is to be done for the host.
    /// - Parameters:
    ///   - validity: of its certificate; nil if it has none.
    ///   - now: what was noted later than this is of a clock that was set back, and not waited for.
    package func due(_ validity: RenewalSchedule.Validity?, now: Int) -> Int {
        if isRenewalOrdered { return 0 }
        let retry = isPast(lastFaultTime ?? 0, now) ? nextTry ?? 0 : 0
        let issued = lastSuccess.flatMap { isPast($0, now) ? $0 : nil }
        guard let validity else {
            return max(retry, issued.map(RenewalSchedule.earliestReplacement) ?? 0)
        }
        let earliest = issued.map { RenewalSchedule.earliestRenewal(of: validity, issued: $0) }
        let renewal = max(min(renewAt ?? .max, validity.lastCall), earliest ?? 0)
        return failures > 0 ? max(renewal, retry) : renewal
    }

    /// When the authority is to be asked for its window.
    package func inquiryDue(now: Int) -> Int {
        // Nothing is noted that is more than a day away, except by a clock that was set back.
        guard let nextInquiry, isPast(nextInquiry - 86_400, now) else { return 0 }
        return nextInquiry
    }

    private func isPast(_ time: Int, _ now: Int) -> Bool { time <= now + Self.clockSkewSeconds }

    private static let clockSkewSeconds = 60

    /// The challenges of the next attempt, the preferred one first: the one that has succeeded, or
    /// `http-01`; after a failure the other one.
    /// - Parameter answersHTTP: whether this origin answers plain HTTP; else `http-01` comes second.
    package func nextChallenges(answersHTTP: Bool) -> [ChallengeType] {
        let last = challenge ?? (answersHTTP ? .http : .alpn)
        let other: ChallengeType = last == .http ? .alpn : .http
        return failures == 0 ? [last, other] : [other, last]
    }

    /// Draws the time of renewal, unless it is drawn already.
    /// - Parameter random: from 0 to 1.
    package mutating func plan(_ validity: RenewalSchedule.Validity, random: Double) {
        guard renewAt == nil else { return }
        renewAt = RenewalSchedule.renewalTime(of: validity, random: random)
    }

    /// Takes what an authority suggests. Another window draws another time.
    package mutating func take(
        _ window: RenewalSchedule.Window?, next named: Int?, now: Int, random: Double
    ) {
        nextInquiry = RenewalSchedule.nextInquiry(named: named, now: now)
        guard let window, window != self.window else { return }
        self.window = window
        renewAt = RenewalSchedule.renewalTime(in: window, random: random)
    }

    /// Notes an attempt that has failed.
    package mutating func fail(_ fault: IssuanceFault, now: Int, random: Double) {
        failures += 1
        isRenewalOrdered = false
        if fault.step != .certificate { isCertificateRefused = false }
        let isPassing = fault.kind == .temporary || fault.kind == .challenge
        nextTry = RenewalSchedule.retryTime(
            failures: failures, isPassing: isPassing || fault.retryTime != nil,
            notBefore: fault.retryTime, now: now, random: random)
        (lastFault, lastFaultTime) = (fault.description, now)
    }

    /// Notes a fault that is not the host's: the authority could not be asked. Attempts that have failed
    /// are not counted, so that an outage does not end with a pause of a day.
    package mutating func wait(_ fault: IssuanceFault, until time: Int, now: Int) {
        failures = max(1, failures)
        isRenewalOrdered = false
        nextTry = time
        (lastFault, lastFaultTime) = (fault.description, now)
    }

    /// Notes that somebody has ordered a renewal, or a first certificate at once.
    package mutating func orderRenewal() {
        isRenewalOrdered = true
        // An order whose certificate was refused would give the same again.
        if failures > 0, isCertificateRefused { order.order = nil }
    }

    /// Notes that what was issued is not used. At first the order is kept, so that the same is fetched
    /// again: an answer may have been cut short, or the clock is set meanwhile. Then there is another
    /// order every other day, because authorities issue few for the same names (Let's Encrypt: five,
    /// and then one in 34 hours).
    package mutating func refuseCertificate() {
        if failures >= 3, !failures.isMultiple(of: 2) { order.order = nil }
        isCertificateRefused = true
    }

    /// Notes that there is a new certificate.
    package mutating func succeed(now: Int) {
        let challenge = challenge
        self = HostRecord()
        self.challenge = challenge
        lastSuccess = now
        nextInquiry = now
    }
}

/// Spreads the orders of one account over time: some at once, and then one after the other, so that
/// also a thousand hosts at once stay below what authorities allow an account (Let's Encrypt: 300
/// orders in three hours).
struct OrderPace: Hashable, Sendable {
    /// When the allowance is whole again, in milliseconds of a monotonic clock.
    private var wholeAt = Int.min

    /// When the next order may begin.
    func next(now: Int) -> Int {
        let owed = max(0, (wholeAt == .min ? now : wholeAt) - now)
        return now + max(0, owed - (Self.burst - 1) * Self.pauseMilliseconds)
    }

    /// Notes an order.
    mutating func note(now: Int) {
        wholeAt = max(wholeAt, now) + Self.pauseMilliseconds
    }

    static let burst = 20
    static let pauseMilliseconds = 40_000
}

/// When the orders of one account may begin: at their pace, and not before the times that its authority
/// has named for the account or a domain.
package struct OrderAllowance: Hashable, Sendable {
    private var pace = OrderPace()
    /// The authority could not be asked so often since the last certificate.
    private var failures = 0
    /// In seconds since 1970; the account, and domains whose hosts share limits.
    package private(set) var pausedUntil = 0
    private var pausedDomains = [String: Int]()

    package init() {}

    /// When something may begin for a host, in seconds since 1970.
    /// - Parameters:
    ///   - isOrdered: whether somebody has ordered it, who may have removed the cause of a pause.
    ///   - milliseconds: of a monotonic clock.
    package func next(for host: String, isOrdered: Bool, now: Int, milliseconds: Int) -> Int {
        let wait = pace.next(now: milliseconds) - milliseconds
        let paced = now + (wait + 999) / 1_000
        return isOrdered
            ? paced : max(paced, pausedUntil, pausedDomains[Self.domain(of: host)] ?? 0)
    }

    /// Notes an order.
    package mutating func note(milliseconds: Int) { pace.note(now: milliseconds) }

    /// Notes a certificate.
    package mutating func succeed() { failures = 0 }

    /// Forgets the pauses, where the settings or the clock have changed.
    package mutating func forgetPauses() {
        (failures, pausedUntil, pausedDomains) = (0, 0, [:])
    }

    /// Keeps other hosts from running into the same refusal.
    /// - Parameter random: from 0 to 1.
    package mutating func pause(
        after fault: IssuanceFault, of host: String, now: Int, random: Double
    ) {
        switch fault.step {
        case .directory, .nonce, .account:
            failures += 1
            // What passes by itself is over within hours.
            pausedUntil = RenewalSchedule.retryTime(
                failures: min(failures, 3), isPassing: fault.kind == .temporary,
                notBefore: fault.retryTime, now: now, random: random)
        case .order where fault.kind == .rateLimited:
            pausedDomains[Self.domain(of: host)] = fault.retryTime ?? now + 3_600
        case .order, .authorization, .challenge, .finalize, .certificate: break
        }
    }

    /// The last two labels of a host: about the domain that limits are counted for.
    private static func domain(of host: String) -> String {
        host.utf8.split(separator: UInt8(ascii: ".")).suffix(2)
            .map { String(decoding: $0, as: UTF8.self) }.joined(separator: ".")
    }
}
