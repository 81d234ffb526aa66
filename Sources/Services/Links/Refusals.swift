import Sockets
import Synchronization

/// The requests that were refused for the same reason, which the log has once a minute.
final class Refusals: Sendable {
    let state = Mutex((count: 0, quietUntil: 0))

    /// Notes one.
    /// - Returns: the number of those that the log is to have now; nil if it is not to have them yet.
    func note() -> Int? {
        let now = Clock.monotonicMilliseconds
        return state.withLock { state in
            state.count += 1
            guard now >= state.quietUntil else { return nil }
            defer { state = (0, now + Self.quietMilliseconds) }
            return state.count
        }
    }

    private static let quietMilliseconds = 60_000
}
