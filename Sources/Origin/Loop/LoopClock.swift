import Sockets
import Synchronization

/// The monotonic time that loops live by: the machine's, unless it is stopped. A test of a limit of
/// time stops it and moves it on, so that the limit ends when the test says so, however busy the
/// machine is.
package final class LoopClock: Sendable {
    /// Microseconds; negative while the clock runs.
    private let stoppedAt: Atomic<Int>

    /// The machine's clock.
    package init() { stoppedAt = Atomic(-1) }

    /// A clock that stands still from now on.
    package static func stopped() -> LoopClock {
        let clock = LoopClock()
        clock.stoppedAt.store(Clock.monotonicMicroseconds, ordering: .relaxed)
        return clock
    }

    /// Moves a stopped clock on; loops see it in their next turn.
    package func advance(milliseconds: Int) {
        stoppedAt.wrappingAdd(milliseconds * 1000, ordering: .relaxed)
    }

    /// Microseconds of a clock that never goes back.
    @inline(__always)
    var microseconds: Int {
        let stopped = stoppedAt.load(ordering: .relaxed)
        return stopped < 0 ? Clock.monotonicMicroseconds : stopped
    }
}
