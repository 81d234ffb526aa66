import Certificates
import Diagnostics
import Sockets
import Synchronization

/// Figures of automatic certificates for metrics. The service's thread writes them, any reads them.
package final class RenewalFigures: Sendable {
    private let figures = Mutex(Figures())

    package struct Figures: Sendable {
        package var hosts = [Host]()
        package var issued = 0
        package var failed = 0
        /// The reason why this process requests no certificates, or cannot record what has come of that, in
        /// words; nil if there is none.
        package var obstacle: String?
        /// The time at which the hosts were looked at, in seconds since 1970; nil before.
        package var seen: Int?
    }

    package struct Host: Sendable {
        package let name: String
        /// The time of the certificate's renewal, in seconds since 1970; nil before there is one.
        package let renewAt: Int?
        /// Attempts that have failed since the last that has succeeded.
        package let failures: Int
        /// The URL of the directory of the authority that has issued it; nil if there is none.
        package let authority: String?
        /// The fault of the last attempt that has failed, and its time; nil after one that has succeeded.
        package let lastFault: String?
        package let lastFaultTime: Int?
        /// The next attempt after a failure, or for a host without a certificate; nil if none is awaited.
        package let nextTry: Int?
        /// The reason why it waits together with others, and the end of that; nil if it does not.
        package let pause: (reason: String, until: Int)?
    }

    package var current: Figures { figures.withLock { $0 } }

    func set(_ plan: RenewalPlan, _ known: [String: AutomaticHost]) {
        let now = Moment.now
        let hosts = plan.entries.map { entry in
            let isIssued = entry.validity != nil
            let record = entry.record
            let isAwaited = record.failures > 0 || entry.usableValidity == nil
            return Host(
                name: entry.host,
                renewAt: entry.validity.flatMap { record.renewalTime($0, now: now.seconds) },
                failures: record.failures,
                authority: isIssued ? known[entry.host]?.issuer(record) : nil,
                lastFault: record.lastFault, lastFaultTime: record.lastFaultTime,
                nextTry: isAwaited
                    ? max(
                        plan.due(entry, now: now.seconds, milliseconds: now.milliseconds),
                        now.seconds) : nil,
                pause: isAwaited
                    ? plan.pause(of: entry, now: now.seconds).map {
                        (reason: $0.reason, until: $0.until(for: entry.subject))
                    } : nil)
        }
        figures.withLock { ($0.hosts, $0.seen) = (hosts, now.seconds) }
    }

    /// Notes how the hosts are, unless that was done a short time ago, and why nothing is requested.
    func look(at plan: RenewalPlan, _ known: [String: AutomaticHost], _ obstacle: Diagnostic?) {
        let held = plan.entries.first(where: \.record.isHeldBack)?.record.lastFault
        let seen = figures.withLock { figures in
            figures.obstacle = obstacle?.severity == .error ? obstacle?.message : held
            return figures.seen
        }
        // What another process does, its records say, which are read again with another configuration or when it ends.
        guard obstacle == nil, !known.isEmpty else { return }
        if abs(Clock.unixSeconds - (seen ?? 0)) >= Self.lookSeconds { set(plan, known) }
    }

    private static let lookSeconds = 10

    func count(isIssued: Bool) {
        figures.withLock { figures in
            if isIssued { figures.issued += 1 } else { figures.failed += 1 }
        }
    }
}
