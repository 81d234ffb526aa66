import Diagnostics
import EventLog
import Files
import Logging
import Origin
import SiteConfiguration
import Sockets

/// Replaces what is served, or leaves it as it is and says why.
struct Reloading {
    private let server: OriginServer
    private let log: AccessLogOutput
    private let events: Logger
    private let memory = MemoryLimits()
    /// Since when attempts were postponed, in milliseconds of the monotonic clock.
    private var postponedSince: Int?
    /// What was said of the last attempt, if it was refused.
    private var refusal: [Diagnostic]?

    init(_ server: OriginServer, _ log: AccessLogOutput, _ events: Logger) {
        self.server = server
        self.log = log
        self.events = events
    }

    /// Why a reload is tried, and when it began, in microseconds of the monotonic clock.
    struct Order: Sendable {
        let reason: Reason
        let began = Clock.monotonicMicroseconds
    }

    enum Reason: String {
        case ordered, changed
        /// Time has passed since one was refused, or since certificates were found unusable.
        /// Nobody hears of it when that goes on.
        case retried
    }

    /// What the service manager hears: assignments, none when nobody asked for the reload.
    typealias Told = [String]

    /// Begins a reload.
    func begin(_ order: Order) -> Told {
        order.reason == .retried ? [] : ["RELOADING=1", "MONOTONIC_USEC=\(order.began)"]
    }

    /// Publishes what was built, or says why it cannot be.
    mutating func finish(_ order: Order, _ attempt: SnapshotAttempt) -> Told {
        if attempt.isPostponed { return postpone(order.reason, attempt.diagnostics) }
        postponedSince = nil
        guard let snapshot = attempt.snapshot else {
            return refuse(order.reason, attempt.diagnostics)
        }
        // What could not be read a minute ago cannot be read now.
        if order.reason == .retried, server.reloads.isLastGood,
            snapshot.hasOutdatedCertificates(now: Clock.unixSeconds),
            snapshot.certificateFaults == server.snapshot.value.certificateFaults
        {
            return []
        }
        events.report(attempt.diagnostics)
        refusal = nil
        return publish(snapshot, hash: attempt.hash, order)
    }

    /// Refuses a reload where no memory is left for another snapshot: half of one could not be
    /// undone, as Swift ends the process. Nil where there is memory.
    mutating func refuseForMemory(_ order: Order) -> Told? {
        hasMemory(for: server.snapshot.value) ? nil : refuse(order.reason, [lackOfMemory])
    }

    /// Whether there is memory for another one beside it.
    private func hasMemory(for snapshot: Snapshot) -> Bool {
        let (bytes, room) = (snapshot.rebuildBytes, memory.room())
        return hasFreeMemory(bytes: bytes) && room.map { $0.freeBytes >= bytes } != false
    }

    private func publish(_ snapshot: Snapshot, hash: String, _ order: Order) -> Told {
        server.publish(snapshot)
        let before = server.reloads.hash
        server.reloads.succeed(hash: hash, now: Clock.unixSeconds)
        log.reopen(snapshot.environment.accessLog.destination)
        let elapsed = (Clock.monotonicMicroseconds - order.began) / 1000
        let name = snapshot.environment.name
        var metadata = members(order.reason)
        metadata["environment"] = .string(name)
        metadata["milliseconds"] = .stringConvertible(elapsed)
        metadata["previous_hash"] = .string(before)
        let change = before == hash ? "as before" : "after \(before.prefix(12))"
        events.info("reloaded \(name): \(served) \(change), \(elapsed) ms", metadata: metadata)
        for limit in Limit.allCases where limit.isFixedAtStart { compare(limit) }
        snapshot.layOutPages()
        return ["READY=1", "STATUS=serving \(name), \(served)"]
    }

    /// Says of a limit that it would be another if the origin were started now.
    private func compare(_ limit: Limit) {
        let (now, next) = (server.startLimits[limit], server.limits[limit])
        guard now != next else { return }
        events.report(
            Diagnostic(
                .warning, .restartNeeded, at: nil, "limits.\(limit.rawValue) stays \(now)",
                advice: "the configuration says \(next); it holds from the next start on"))
    }

    /// What was read while files changed is not served. It is read again by itself, so it is no
    /// fault, unless it goes on for long.
    private mutating func postpone(_ reason: Reason, _ diagnostics: [Diagnostic]) -> Told {
        let now = Clock.monotonicMilliseconds
        let since = postponedSince ?? now
        if now - since >= postponedMilliseconds { return refuse(.retried, diagnostics) }
        guard postponedSince == nil else { return [] }
        postponedSince = now
        events.report(
            Diagnostic(
                .warning, .reloadPostponed, at: nil,
                "not reloaded yet, files are changing; still serving \(served)",
                advice: diagnostics.last.map { "\($0.message); \($0.advice ?? "")" }),
            members(reason))
        return ["READY=1", "STATUS=reload postponed; still serving \(served)"]
    }

    private mutating func refuse(_ reason: Reason, _ diagnostics: [Diagnostic]) -> Told {
        guard reason != .retried || diagnostics != refusal else { return [] }
        refusal = diagnostics
        events.report(diagnostics)
        server.reloads.fail()
        var metadata = members(reason)
        metadata["errors"] = .stringConvertible(diagnostics.count { $0.severity == .error })
        events.report(
            Diagnostic(
                .error, .reloadRefused, at: nil, "not reloaded; still serving \(served)",
                advice: "mend what is said above; it is then taken over by itself"), metadata)
        return ["READY=1", "STATUS=reload refused; still serving \(served)"]
    }

    private var lackOfMemory: Diagnostic {
        Diagnostic(
            .error, .outOfMemory, at: nil,
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

/// Files that change for so long are a fault.
private let postponedMilliseconds = 60_000
