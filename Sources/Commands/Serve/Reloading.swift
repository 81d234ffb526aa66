import Answering
import Diagnostics
import EventLog
import Files
import Logging
import Origin
import Services
import SiteConfiguration
import Snapshots
import Sockets

/// Replaces what is served, or keeps it and logs why.
struct Reloading {
    private let server: OriginServer
    private let log: AccessLogOutput
    private let events: Logger
    private let memory = MemoryLimits()
    /// The time since which attempts are postponed, in milliseconds of the monotonic clock.
    private var postponedSince: Int?
    /// The last attempt, if it was refused.
    private var refusal: Refusal?

    init(_ server: OriginServer, _ log: AccessLogOutput, _ events: Logger) {
        self.server = server
        self.log = log
        self.events = events
    }

    /// A refused attempt.
    private struct Refusal {
        let diagnostics: [Diagnostic]
        /// Of all that was read but certificates, which are taken over all the same; nil if it is not
        /// known.
        let stamps: Inputs.Stamps?

        /// Whether an attempt is refused because nothing has changed since.
        func explains(_ reason: Reason, _ now: Inputs.Stamps?) -> Bool {
            guard let now else { return reason == .retried }
            return reason != .ordered && now == stamps
        }
    }

    /// The reason for a reload, and its beginning in microseconds of the monotonic clock.
    struct Order: Sendable {
        let reason: Reason
        let began = Clock.monotonicMicroseconds
    }

    typealias Reason = ReloadAttempt.Reason

    /// Assignments for the service manager; none if the reload was not ordered.
    typealias Notifications = [String]

    /// Begins a reload.
    func begin(_ order: Order) -> Notifications {
        order.reason == .retried ? [] : ["RELOADING=1", "MONOTONIC_USEC=\(order.began)"]
    }

    /// Publishes what was built, or logs why it failed.
    mutating func finish(_ order: Order, _ attempt: SnapshotAttempt) -> Notifications {
        defer { if let renewed = attempt.renewed { takeCertificates(of: renewed, order) } }
        if attempt.isPostponed { return postpone(order.reason, attempt.diagnostics) }
        postponedSince = nil
        guard let snapshot = attempt.snapshot else {
            return refuse(order.reason, attempt.diagnostics, withoutCertificates(attempt.stamps))
        }
        // A file that could not be read a minute ago still cannot be read.
        if order.reason == .retried, server.reloads.isLastGood,
            snapshot.hasOutdatedCertificates(now: Clock.unixSeconds),
            snapshot.certificateFaults == server.snapshot.certificateFaults,
            snapshot.siteFaults == server.snapshot.siteFaults
        {
            return []
        }
        events.report(attempt.diagnostics)
        refusal = nil
        server.reloads.note(.taken, order.reason, attempt.diagnostics, now: Clock.unixSeconds)
        return publish(snapshot, hash: attempt.hash?.text ?? "", order)
    }

    /// Serves other certificates; all else is as before.
    private func takeCertificates(of renewed: Snapshot, _ order: Order) {
        let changes = renewed.certificateChanges(since: server.snapshot)
        server.publish(renewed)
        events.report(renewed.warnings.map(\.withoutPlace))
        let facts = [
            ("other certificates are served for", changes.replaced),
            ("no certificate is served any more for", changes.lost),
        ]
        .filter { !$0.1.isEmpty }
        .map { fact, hosts in
            let more = hosts.count > namesMax ? " and \(hosts.count - namesMax) more" : ""
            return "\(fact) \(hosts.prefix(namesMax).joined(separator: ", "))\(more)"
        }
        let text = facts.joined(separator: ", and ")
        events.info(
            "\(text); all else stays, because the configuration was not reloaded",
            metadata: members(order.reason))
    }

    /// The memory that is lacking for another snapshot beside the one that is served, because Swift would end the process in the
    /// middle of it; nil if there is enough.
    var lack: String? {
        let snapshot = server.snapshot
        let bytes = snapshot.sites.rebuildBytes + snapshot.countries.rebuildBytes
        // To read the limits needs memory, too.
        guard hasFreeMemory(bytes: bytes) else { return lackOfMemory(asked: bytes) }
        guard let room = memory.room(toTake: bytes, giveBack: returnFreeMemory),
            room.freeBytes < bytes
        else { return nil }
        return lackOfMemory(asked: bytes, left: room.freeBytes, of: room.limitBytes)
    }

    private func publish(_ snapshot: Snapshot, hash: String, _ order: Order) -> Notifications {
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
        compareStores(snapshot.environment.store?.path)
        snapshot.beginPreparing(hasRoom: memory.hasRoom)
        return ["READY=1", "STATUS=serving \(name), \(served)"]
    }

    /// Warns about a limit that takes effect only at the next start.
    private func compare(_ limit: Limit) {
        let (now, next) = (server.startLimits[limit], server.limits[limit])
        guard now != next else { return }
        events.report(
            Diagnostic(
                .warning, .restartNeeded, at: nil, "limits.\(limit.rawValue) stays \(now)",
                advice: "the configuration has \(next), which takes effect at the next start"))
    }

    /// Warns about another store: the visits that loops have counted are of the links of this one.
    private func compareStores(_ next: String?) {
        let now = server.links?.path
        guard now != next else { return }
        events.report(
            Diagnostic(
                .warning, .restartNeeded, at: nil,
                now.map { "the store stays \(quoted($0))" } ?? "no store of links is opened",
                advice: (next.map { "the configuration has \(quoted($0))" }
                    ?? "the configuration has none")
                    + ", which takes effect at the next start"))
    }

    /// A snapshot of changing files is not served. It is read again, so this is a fault only if it
    /// lasts long.
    private mutating func postpone(_ reason: Reason, _ diagnostics: [Diagnostic]) -> Notifications {
        let now = Clock.monotonicMilliseconds
        let since = postponedSince ?? now
        if now - since >= postponedMilliseconds { return refuse(.retried, diagnostics) }
        server.reloads.note(.postponed, reason, diagnostics, now: Clock.unixSeconds)
        guard postponedSince == nil else { return [] }
        postponedSince = now
        events.report(
            Diagnostic(
                .warning, .reloadPostponed, at: nil,
                "not reloaded yet, because files are changing; still serving \(served)",
                advice: diagnostics.last.map { "\($0.message); \($0.advice ?? "")" }),
            members(reason))
        return ["READY=1", "STATUS=reload postponed; still serving \(served)"]
    }

    /// The stamps of all files but the certificates of what is served.
    private func withoutCertificates(_ stamps: Inputs.Stamps) -> Inputs.Stamps {
        let certificates = server.snapshot.environment.sites.flatMap(\.certificates)
        let paths = Set(certificates.flatMap { [$0.certificate.path, $0.key.path] })
        return stamps.filter { !paths.contains(String(decoding: $0.key, as: UTF8.self)) }
    }

    /// - Parameter stamps: of all that was read but certificates; nil if that is not known.
    private mutating func refuse(
        _ reason: Reason, _ diagnostics: [Diagnostic], _ stamps: Inputs.Stamps? = nil
    ) -> Notifications {
        let ready = ["READY=1", "STATUS=reload refused; still serving \(served)"]
        server.reloads.note(.refused, reason, diagnostics, now: Clock.unixSeconds)
        let before = refusal
        refusal = Refusal(diagnostics: diagnostics, stamps: stamps ?? before?.stamps)
        if let before, before.explains(reason, stamps) {
            // A certificate was renewed, or time has passed: the rest was said.
            let known = Set(before.diagnostics)
            // How much memory is lacking changes from one attempt to the next.
            let wasForMemory = known.contains { $0.rule == .outOfMemory }
            events.report(
                diagnostics.filter {
                    !known.contains($0) && !(wasForMemory && $0.rule == .outOfMemory)
                })
            return reason == .retried ? [] : ready
        }
        events.report(diagnostics)
        server.reloads.fail()
        var metadata = members(reason)
        metadata["errors"] = .stringConvertible(diagnostics.count { $0.severity == .error })
        let isForMemory = diagnostics.contains { $0.rule == .outOfMemory }
        events.report(
            Diagnostic(
                .error, .reloadRefused, at: nil, "not reloaded; still serving \(served)",
                advice: isForMemory
                    ? "waymark tries again by itself, and at HUP"
                    : "fix the errors above; waymark then reloads by itself"), metadata)
        return ready
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

extension Diagnostic {
    /// - Parameter lack: how much is lacking.
    static func noMemoryToReload(_ lack: String) -> Diagnostic {
        Diagnostic(
            .error, .outOfMemory, at: nil,
            "there is no memory to read the configuration and its files again: \(lack)",
            advice: "raise the limit (the container's, MemoryMax=, LimitDATA=, ulimit -v); "
                + "connected clients are served")
    }
}

/// The number of hosts that a line names.
private let namesMax = 8
/// Files that change for longer are a fault.
private let postponedMilliseconds = 60_000
