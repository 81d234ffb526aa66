import Files
import Synchronization

/// The part that new connections may take of the memory that a container, or a unit, allows: asked
/// by all loops for each connection, and seldom of the kernel.
final class MemoryBudget: Sendable {
    private let limits: MemoryLimits
    private let state = Mutex(State())

    private struct State: Sendable {
        /// The bytes that the kernel stated last, less those that were taken since.
        var leftBytes = 0
        /// Nil where there is no limit now.
        var limitBytes: Int?
        /// In milliseconds of the monotonic clock.
        var goodUntil = 0
    }

    /// Nil where nothing can limit.
    init?(_ limits: MemoryLimits) {
        guard !limits.isEmpty else { return nil }
        self.limits = limits
    }

    /// The narrowest limit, as it was last read.
    var limitBytes: Int? { state.withLock { $0.limitBytes } }

    /// Takes a number of bytes; false where there is not enough memory.
    func take(_ bytes: Int, milliseconds: Int) -> Bool {
        state.withLock { state in
            if milliseconds >= state.goodUntil || state.leftBytes < bytes {
                let room = limits.room(toTake: bytes)
                state.limitBytes = room?.limitBytes
                state.leftBytes = room?.takeableBytes ?? .max
                state.goodUntil = milliseconds + goodMilliseconds
            }
            guard state.leftBytes >= bytes else { return false }
            state.leftBytes -= bytes
            return true
        }
    }
}

/// The time for which the kernel's figures are good, unless they are used up before.
private let goodMilliseconds = 1000
