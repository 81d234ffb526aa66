/// The times at which certificates are renewed, and failed attempts repeated: functions of times in
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

        /// The alarm about an end that nobody has prevented; nil if it is not near. What an
        /// authority suggests is no reason for an alarm before `lastCall`.
        /// - Parameter isLate: whether it should have been renewed by now.
        package func alarm(isLate: Bool, now: Int) -> ExpiryAlarm? {
            let left = notAfter - now
            if left <= 0 { return .ended }
            if left < seconds / 50 { return .imminent }
            if left < seconds / 20 { return .near }
            return isLate && left < seconds / 10 ? .late : nil
        }

        /// The times at which `alarm` may change.
        var alarmTimes: [Int] { [10, 20, 50].map { notAfter - seconds / $0 + 1 } + [notAfter] }

        /// Whether a renewal that is due goes before first certificates: in the last quarter of the life,
        /// or the last hour.
        func endsSoon(now: Int) -> Bool { notAfter - now < max(seconds / 4, 3_600) }

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
    /// day; and not before the time that the authority names, as far as the life that is left allows.
    /// What needs somebody's hand is tried once a day from the beginning.
    /// - Parameters:
    ///   - named: with whether it is of a limit.
    ///   - validity: of the certificate that is there; nil if there is none.
    package static func retryTime(
        failures: Int, isPassing: Bool, notBefore named: (time: Int, isLimit: Bool)?,
        _ validity: Validity?, now: Int, random: Double
    ) -> Int {
        let minutes = [1, 10, 100]
        let pause =
            isPassing && (1...minutes.count).contains(failures)
            ? minutes[failures - 1] * 60 : 86_400
        let usual = pause + Int(Double(pause) * 0.2 * (random - 0.5))
        let asked = named.map { min($0.time - now, $0.isLimit ? limitSecondsMax : daySeconds) } ?? 0
        return now + min(max(usual, asked), waitSecondsMax(validity, now: now))
    }

    /// The longest wait between two attempts: a twentieth of a certificate's life, and a quarter of
    /// what is left of it. Neither an authority that is out of order nor a limit of its makes a
    /// certificate end without another attempt.
    package static func waitSecondsMax(_ validity: Validity?, now: Int) -> Int {
        guard let validity else { return limitSecondsMax }
        let left = validity.notAfter - now
        let most = min(validity.seconds / 20, limitSecondsMax)
        guard left > 0 else { return max(waitSecondsMin, min(most, daySeconds)) }
        return max(waitSecondsMin, validity.seconds / 2_000, min(most, left / 4))
    }

    private static let waitSecondsMin = 5
    private static let daySeconds = 86_400
    /// The limits of authorities are of a week at most.
    private static let limitSecondsMax = 7 * 86_400

    /// The earliest time to renew a certificate after it was issued, if nobody orders it: a tenth of
    /// its life, and at most a day. So a window that is over when it is suggested, or a clock that is
    /// wrong, does not renew again and again.
    package static func earliestRenewal(of validity: Validity, issued time: Int) -> Int {
        time + min(86_400, validity.seconds / 10)
    }

    /// The earliest time to order a certificate in the place of one that was lost: at once, and if the
    /// next one is lost, too, in an hour, and then every other day, because authorities issue few for
    /// the same names (Let's Encrypt: five, and then one in 34 hours).
    /// - Parameter replacements: how many were issued in a row in the place of others.
    package static func earliestReplacement(issued time: Int, replacements: Int) -> Int {
        switch replacements {
        case 0: time
        case 1: time + 3_600
        default: time + 2 * daySeconds
        }
    }

    /// The time at which the authority is asked again for its window (RFC 9773 §4.3.3): the one
    /// that it names, between a minute and a day from now; else in six hours.
    package static func nextInquiry(named: Int?, now: Int) -> Int {
        named.map { min(max($0, now + 60), now + 86_400) } ?? now + 6 * 3_600
    }
}

/// The level of an alarm about a certificate's end: the nearer, the more often.
package enum ExpiryAlarm: Int, Hashable, Sendable, CaseIterable {
    /// Less than a tenth of the life is left, a twentieth, a fiftieth, or nothing.
    case late, near, imminent, ended

    /// The time until it is said again.
    package var pauseSeconds: Int {
        switch self {
        case .late: 86_400
        case .near: 21_600
        case .imminent, .ended: 3_600
        }
    }
}
