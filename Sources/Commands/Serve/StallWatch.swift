import Diagnostics
import EventLog
import Logging
import Origin
import Sockets

/// Logs loops that hang, before the service manager kills the process because its watchdog gets no
/// message.
struct StallWatch {
    private let watchdog: Watchdog?
    private var rounds = 0
    private var isStalled = false
    /// In milliseconds of the monotonic clock.
    private(set) var lookAt = Int.max

    init(_ watchdog: Watchdog?) {
        self.watchdog = watchdog
        if let watchdog { lookAt = Clock.monotonicMilliseconds + watchdog.patienceMilliseconds / 2 }
    }

    mutating func look(_ events: Logger) {
        guard let watchdog, Clock.monotonicMilliseconds >= lookAt else { return }
        let half = watchdog.patienceMilliseconds / 2
        lookAt = Clock.monotonicMilliseconds + half
        let wasStalled = isStalled
        isStalled = watchdog.rounds == rounds
        rounds = watchdog.rounds
        switch (wasStalled, isStalled) {
        case (false, true):
            events.report(
                Diagnostic(
                    .error, .watchdog, at: nil, "a loop has not run for \(half) ms",
                    advice: "it does not answer requests; the service manager kills this process "
                        + "when it has not run for \(watchdog.patienceMilliseconds) ms"),
                ["milliseconds": .stringConvertible(half)])
        case (true, false): events.info("all loops run again")
        default: break
        }
    }
}
