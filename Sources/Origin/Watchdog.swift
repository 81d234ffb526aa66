package import Sockets
import Synchronization

/// Tells the service manager that the loops turn. Each loop arrives once in a round, and the last
/// to arrive sends the message: where one loop hangs, none is sent.
package final class Watchdog: Sendable {
    /// The interval at which each loop arrives, a quarter of the manager's patience: twice in half
    /// of it, as clocks are coarse.
    let milliseconds: Int
    /// The time that the manager waits before it ends this process.
    package let patienceMilliseconds: Int
    private let manager: ServiceManager
    private let loops: Atomic<Int>
    private let round = Atomic<Int>(1)
    private let arrived = Atomic<Int>(0)

    /// The rounds of a loop, as it remembers them.
    struct Patrol {
        fileprivate var round = 0
        fileprivate var next = 0
    }

    /// Nil where no manager wants to hear of it.
    package init?(_ manager: ServiceManager?, loops: Int) {
        guard let manager, let milliseconds = ServiceManager.watchdogMilliseconds else {
            return nil
        }
        self.manager = manager
        patienceMilliseconds = milliseconds
        self.milliseconds = max(1, milliseconds / 4)
        self.loops = Atomic(loops)
    }

    /// The number of the current round, from 1.
    package var rounds: Int { round.load(ordering: .relaxed) }

    /// Called by a loop in each of its turns, with the time.
    func arrive(_ patrol: inout Patrol, milliseconds now: Int) {
        guard now >= patrol.next else { return }
        let round = round.load(ordering: .acquiring)
        guard round != patrol.round else { return }
        patrol.round = round
        patrol.next = now + milliseconds
        _ = arrived.wrappingAdd(1, ordering: .acquiringAndReleasing)
        finishRound()
    }

    /// Called by a loop that ends: the others need not wait for it.
    func leave() {
        _ = loops.wrappingSubtract(1, ordering: .acquiringAndReleasing)
        finishRound()
    }

    private func finishRound() {
        let count = arrived.load(ordering: .acquiring)
        guard count > 0, count >= loops.load(ordering: .acquiring),
            arrived.compareExchange(expected: count, desired: 0, ordering: .acquiringAndReleasing)
                .exchanged
        else { return }
        round.wrappingAdd(1, ordering: .releasing)
        try? manager.notify("WATCHDOG=1")
    }
}
