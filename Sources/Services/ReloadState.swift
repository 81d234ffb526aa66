package import Diagnostics
package import Sockets
import Synchronization

/// The results of the reloads so far; any thread may ask.
package final class ReloadState: Sendable {
    private let generations = Atomic<Int>(1)
    private let isGood = Atomic<Bool>(true)
    private let seconds: Atomic<Int>
    private let configuration = Mutex("")
    private let history = Mutex([ReloadAttempt]())
    private let readers = Mutex([Wakeup]())

    /// - Parameter now: seconds since 1970, at the start.
    package init(now: Int) { seconds = Atomic(now) }

    /// The number of configurations that have been served, the first included.
    package var generation: Int { generations.load(ordering: .acquiring) }
    /// Whether the last one that was read is the one that is served.
    package var isLastGood: Bool { isGood.load(ordering: .relaxed) }
    /// The time at which the one that is served was taken over, in seconds since 1970.
    package var lastGoodSeconds: Int { seconds.load(ordering: .relaxed) }
    /// A hash of all that the one that is served was made of: hexadecimal digits, none until it is
    /// known.
    package var hash: String {
        get { configuration.withLock { $0 } }
        set { configuration.withLock { $0 = newValue } }
    }

    /// Wakes a thread from now on whenever another configuration is served.
    package func tell(_ wakeup: Wakeup) { readers.withLock { $0.append(wakeup) } }

    /// The last attempts, the last first. Those in a row that have ended alike are one.
    package var attempts: [ReloadAttempt] { history.withLock { $0 } }

    /// Notes what has come of an attempt.
    package func note(
        _ outcome: ReloadAttempt.Outcome, _ reason: ReloadAttempt.Reason,
        _ findings: [Diagnostic], now: Int
    ) {
        var next = ReloadAttempt(outcome, reason, at: now, findings)
        history.withLock { history in
            if let last = history.first, last.outcome == outcome, outcome != .taken {
                next = ReloadAttempt(outcome, last.reason, from: last.first, at: now, findings)
                history.removeFirst()
            }
            // Nobody reads the findings of an attempt before the last.
            history = [next] + history.prefix(Self.attemptsMax - 1).map(\.withoutFindings)
        }
    }

    private static let attemptsMax = 10

    /// Another configuration is served from `now` on.
    package func succeed(hash: String, now: Int) {
        self.hash = hash
        seconds.store(now, ordering: .relaxed)
        isGood.store(true, ordering: .relaxed)
        generations.wrappingAdd(1, ordering: .releasing)
        for reader in readers.withLock({ $0 }) { reader.wake() }
    }

    /// One was refused; what was served goes on being served.
    package func fail() { isGood.store(false, ordering: .relaxed) }
}
