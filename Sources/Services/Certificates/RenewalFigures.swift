import Certificates
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
    }

    package struct Host: Sendable {
        package let name: String
        /// The time of the certificate's renewal, in seconds since 1970; nil before there is one.
        package let renewAt: Int?
        /// Attempts that have failed since the last that has succeeded.
        package let failures: Int
        /// The URL of the directory of the authority that has issued it; nil if there is none.
        package let authority: String?
    }

    package var current: Figures { figures.withLock { $0 } }

    func set(_ entries: [RenewalPlan.Entry], _ known: [String: AutomaticHost]) {
        let hosts = entries.map { entry in
            let isIssued = entry.validity != nil
            return Host(
                name: entry.host,
                renewAt: entry.validity.flatMap {
                    entry.record.renewalTime($0, now: Clock.unixSeconds)
                },
                failures: entry.record.failures,
                authority: isIssued ? known[entry.host]?.issuer(entry.record) : nil)
        }
        figures.withLock { $0.hosts = hosts }
    }

    func set(obstacle: String?) { figures.withLock { $0.obstacle = obstacle } }

    func count(isIssued: Bool) {
        figures.withLock { figures in
            if isIssued { figures.issued += 1 } else { figures.failed += 1 }
        }
    }
}
