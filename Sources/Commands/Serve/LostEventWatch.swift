import Diagnostics
import EventLog
import Files
import Logging
import Sockets

/// Reports how many events were lost, after the reader of standard error has continued.
struct LostEventWatch {
    private var said = lostTexts
    /// In milliseconds of the monotonic clock; far in the future while nothing is lost.
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
                "\(counted(count, "event", was: "lost")), because standard error could not be "
                    + "written",
                advice: "check the program that reads it; waymark_events_dropped_total counts the "
                    + "lost events"),
            ["dropped": .stringConvertible(count)])
    }
}

private let lookMilliseconds = 1000
