import Diagnostics
import EventLog
import Files
import Logging
import Origin
import SiteConfiguration
import Sockets

/// Replaces what is served, or leaves it as it is and says why.
struct Reloading {
    private let source: SnapshotSource
    private let server: OriginServer
    private let log: AccessLogOutput
    private let manager: ServiceManager?
    private let events: Logger
    private let memory = MemoryLimits()
    /// What was said of the last attempt, if it was refused.
    private var refusal: [Diagnostic]?

    init(
        _ source: SnapshotSource, _ server: OriginServer, _ log: AccessLogOutput,
        _ manager: ServiceManager?, _ events: Logger
    ) {
        self.source = source
        self.server = server
        self.log = log
        self.manager = manager
        self.events = events
    }

    /// Why a reload is tried.
    enum Reason: String {
        case ordered, changed
        /// Time has passed since one was refused, or since certificates were found unusable.
        /// Nobody hears of it when that goes on.
        case retried
    }

    mutating func reload(_ watch: inout InputWatch, _ reason: Reason) {
        let began = Clock.monotonicMicroseconds
        if reason != .retried { try? manager?.notify("RELOADING=1", "MONOTONIC_USEC=\(began)") }
        guard hasMemory(for: server.snapshot.value) else { return refuse(reason, [lackOfMemory]) }
        // An order to stop waits for its end.
        var attempt = manager.extendingTimeout { source.attempt(after: server.snapshot.value) }
        if let fault = attempt.snapshot?.environment.accessLog.findFault() {
            attempt.diagnostics.append(fault.diagnostic)
            attempt.snapshot = nil
        }
        watch.follow(attempt)
        guard let snapshot = attempt.snapshot else { return refuse(reason, attempt.diagnostics) }
        // What could not be read a minute ago cannot be read now.
        if reason == .retried, server.reloads.isLastGood,
            snapshot.hasOutdatedCertificates(now: Clock.unixSeconds),
            snapshot.certificateFaults == server.snapshot.value.certificateFaults
        {
            return
        }
        events.report(attempt.diagnostics)
        refusal = nil
        publish(snapshot, hash: attempt.hash, reason, began)
    }

    /// Whether there is memory for another one beside it.
    private func hasMemory(for snapshot: Snapshot) -> Bool {
        let (bytes, room) = (snapshot.rebuildBytes, memory.room())
        return hasFreeMemory(bytes: bytes) && room.map { $0.freeBytes >= bytes } != false
    }

    private func publish(_ snapshot: Snapshot, hash: String, _ reason: Reason, _ began: Int) {
        server.publish(snapshot)
        let before = server.reloads.hash
        server.reloads.succeed(hash: hash, now: Clock.unixSeconds)
        log.reopen(snapshot.environment.accessLog.destination)
        let elapsed = (Clock.monotonicMicroseconds - began) / 1000
        let name = snapshot.environment.name
        var metadata = members(reason)
        metadata["environment"] = .string(name)
        metadata["milliseconds"] = .stringConvertible(elapsed)
        metadata["previous_hash"] = .string(before)
        let change = before == hash ? "as before" : "after \(before.prefix(12))"
        events.info("reloaded \(name): \(served) \(change), \(elapsed) ms", metadata: metadata)
        for limit in Limit.allCases where limit.isFixedAtStart { compare(limit) }
        try? manager?.notify("READY=1", "STATUS=serving \(name), \(served)")
        snapshot.layOutPages()
    }

    /// Says of a limit that it would be another if the origin were started now.
    private func compare(_ limit: Limit) {
        let (now, next) = (server.startLimits[limit], server.limits[limit])
        guard now != next else { return }
        events.report(
            Diagnostic(
                .warning, "restart-needed", at: nil, "limits.\(limit.rawValue) stays \(now)",
                advice: "the configuration says \(next); it holds from the next start on"))
    }

    private mutating func refuse(_ reason: Reason, _ diagnostics: [Diagnostic]) {
        guard reason != .retried || diagnostics != refusal else { return }
        refusal = diagnostics
        events.report(diagnostics)
        server.reloads.fail()
        var metadata = members(reason)
        metadata["errors"] = .stringConvertible(diagnostics.count { $0.severity == .error })
        events.report(
            Diagnostic(
                .error, "reload-refused", at: nil, "not reloaded; still serving \(served)",
                advice: "mend what is said above; it is then taken over by itself"), metadata)
        try? manager?.notify("READY=1", "STATUS=reload refused; still serving \(served)")
    }

    /// Half of a reload could not be undone: where there is no memory, Swift ends the process.
    private var lackOfMemory: Diagnostic {
        Diagnostic(
            .error, "out-of-memory", at: nil,
            "no memory is left to read the configuration and its files anew",
            advice:
                "those who are connected are served; see process_resident_memory_bytes, and the "
                + "limits that this process was started with")
    }

    private var served: String {
        let hash = server.reloads.hash.prefix(12)
        return "generation \(server.reloads.generation)"
            + (hash.isEmpty ? "" : ", configuration \(hash)")
    }

    private func members(_ reason: Reason) -> Logger.Metadata {
        [
            "generation": .stringConvertible(server.reloads.generation),
            "hash": .string(server.reloads.hash), "reason": .string(reason.rawValue),
        ]
    }
}
