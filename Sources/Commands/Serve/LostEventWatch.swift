import Diagnostics
import EventLog
import Files
import Logging
import Sockets

/// Reports how many events of the log were lost, once its reader takes events again.
struct LostEventWatch {
    private var said = lostTexts
    /// In milliseconds of the monotonic clock; far away while nothing is lost.
    private(set) var lookAt = Int.max

    mutating func look(_ events: Logger) {
        let lost = lostTexts
        guard lost != said else { return lookAt = .max }
        let now = Clock.monotonicMilliseconds
        guard standardErrorHasRoom else {
            if lookAt <= now || lookAt == .max { lookAt = now + lookMilliseconds }
            return
        }
        let count = lost - said
        said = lost
        lookAt = .max
        events.report(
            Diagnostic(
                .warning, .eventsLost, at: nil,
                "\(counted(count, "event", was: "lost")): standard error took nothing for a while",
                advice: "look at the program that reads it; waymark_events_dropped_total counts "
                    + "them"),
            ["dropped": .stringConvertible(count)])
    }
}

private let lookMilliseconds = 1000
