import Files
package import Sockets
import Synchronization

/// Events of loops and services, until a thread that may wait has written them: the reader of standard error
/// may be slow.
package final class LoopEvents: Sendable {
    private let waiting = Mutex([OriginEvent]())
    private let wakeup: Wakeup

    /// Begins with none.
    package init() throws(SystemError) { wakeup = try Wakeup() }

    /// Takes an event on any thread, and never waits: one that finds no room is lost, and
    /// counted.
    package func add(_ event: OriginEvent) {
        let hasRoom = waiting.withLock { waiting in
            guard waiting.count < eventsMax else { return false }
            waiting.append(event)
            return true
        }
        if !hasRoom { countLostText() }
        wakeup.wake()
    }

    /// Takes the events that have come since the last call.
    package func take() -> [OriginEvent] {
        wakeup.clear()
        return waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }

    /// Lets an event end the waits of this poller, which carry the token.
    package func register(with poller: borrowing Poller, token: UInt64) throws(SystemError) {
        try wakeup.register(with: poller, token: token)
    }
}

/// A loop reports the same event once in ten seconds at most, so more wait only while none is
/// taken.
private let eventsMax = 256
