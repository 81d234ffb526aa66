import Diagnostics
import Origin
import SiteConfiguration
import Sockets

/// Replaces what is served, or leaves it as it is and says why.
struct Reloading {
    private let source: SnapshotSource
    private let server: OriginServer
    private let log: AccessLogOutput
    private let manager: ServiceManager?
    /// What was said of the last attempt, if it was refused.
    private var refusal: [Diagnostic]?

    init(
        _ source: SnapshotSource, _ server: OriginServer, _ log: AccessLogOutput,
        _ manager: ServiceManager?
    ) {
        self.source = source
        self.server = server
        self.log = log
        self.manager = manager
    }

    /// Why a reload is tried.
    enum Reason {
        case ordered, changed
        /// Time has passed since one was refused. Nobody hears of it when that goes on.
        case retried
    }

    mutating func reload(_ watch: inout InputWatch, _ reason: Reason) {
        let began = Clock.monotonicMicroseconds
        if reason != .retried { manager?.notify("RELOADING=1", "MONOTONIC_USEC=\(began)") }
        var attempt = source.attempt()
        if let fault = attempt.snapshot?.environment.accessLog.findFault() {
            attempt.diagnostics.append(fault.diagnostic)
            attempt.snapshot = nil
        }
        watch.follow(attempt)
        if let snapshot = attempt.snapshot {
            attempt.diagnostics.print()
            publish(snapshot, hash: watch.hash, began)
        } else if reason != .retried || attempt.diagnostics != refusal {
            attempt.diagnostics.print()
            refuse()
        }
        refusal = attempt.snapshot == nil ? attempt.diagnostics : nil
    }

    private func publish(_ snapshot: Snapshot, hash: String, _ began: Int) {
        server.publish(snapshot)
        server.reloads.succeed(hash: hash, now: Clock.unixSeconds)
        log.reopen(snapshot.environment.accessLog.destination)
        let elapsed = (Clock.monotonicMicroseconds - began) / 1000
        let name = snapshot.environment.name
        printMessage("waymark: reloaded \(name): \(served), \(elapsed) ms")
        for limit in Limit.allCases where limit.isFixedAtStart { compare(limit) }
        manager?.notify("READY=1", "STATUS=serving \(name), \(served)")
    }

    /// Says of a limit that it would be another if the origin were started now.
    private func compare(_ limit: Limit) {
        let (now, next) = (server.startLimits[limit], server.limits[limit])
        guard now != next else { return }
        printMessage(
            "waymark: warning: limits.\(limit.rawValue) stays \(now) [restart-needed]\n"
                + "    the configuration says \(next); it holds from the next start on")
    }

    private func refuse() {
        server.reloads.fail()
        printMessage("waymark: error: not reloaded; still serving \(served) [reload-refused]")
        manager?.notify("READY=1", "STATUS=reload refused; still serving \(served)")
    }

    private var served: String {
        let hash = server.reloads.hash.prefix(12)
        return "generation \(server.reloads.generation)"
            + (hash.isEmpty ? "" : ", configuration \(hash)")
    }
}
