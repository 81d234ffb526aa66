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
    package var isRenewalOrdered = false

    package init() {}

    /// When something is to be done for the host.
    /// - Parameter validity: of its certificate; nil if it has none.
    package func due(_ validity: RenewalSchedule.Validity?) -> Int {
        if isRenewalOrdered { return 0 }
        guard let validity else { return nextTry ?? 0 }
        let renewal = min(renewAt ?? .max, validity.lastCall)
        return failures > 0 ? max(renewal, nextTry ?? 0) : renewal
    }

    /// The challenges of the next attempt, the preferred one first: the one that has succeeded, or
    /// `http-01`; after a failure the other one.
    package var nextChallenges: [ChallengeType] {
        let last = challenge ?? .http
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
package struct OrderPace: Hashable, Sendable {
    /// When the allowance is whole again, in milliseconds of a monotonic clock.
    private var wholeAt = Int.min

    package init() {}

    /// When the next order may begin.
    package func next(now: Int) -> Int {
        let owed = max(0, (wholeAt == .min ? now : wholeAt) - now)
        return now + max(0, owed - (Self.burst - 1) * Self.pauseMilliseconds)
    }

    /// Notes an order.
    package mutating func note(now: Int) {
        wholeAt = max(wholeAt, now) + Self.pauseMilliseconds
    }

    static let burst = 20
    static let pauseMilliseconds = 40_000
}
