import Diagnostics
import EventLog
import Logging
import Origin
import Services
import Snapshots
import Sockets

/// Warns of certificates that end soon, and of a country file that has become old, while nothing is reloaded: each time that
/// there is something new to say, which is once a day for certificates, and on their last two days once an hour.
struct ExpiryWatch {
    private var said: [Diagnostic] = []
    private var generation = 0
    /// In milliseconds of the monotonic clock.
    private(set) var lookAt = 0

    /// A start and a reload have said themselves what there is.
    mutating func look(_ server: OriginServer, _ events: Logger) {
        let now = Clock.monotonicMilliseconds
        guard now >= lookAt else { return }
        lookAt = now + lookMilliseconds
        let findings = server.snapshot.expiryFindings(now: Clock.unixSeconds)
        if server.reloads.generation == generation, findings != said {
            events.report(findings.filter { !said.contains($0) }.map(OldPlaces(server).hiding))
        }
        (said, generation) = (findings, server.reloads.generation)
    }
}

private let lookMilliseconds = 60_000
