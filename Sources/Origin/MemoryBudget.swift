import Files
import Sockets
import Synchronization

/// The part that connections may take of the memory that a container, or a unit, allows: asked by
/// all loops for each new one, and for each that holds something unfinished, and seldom of the kernel.
final class MemoryBudget: Sendable {
    private let limits: MemoryLimits
    private let state = Mutex(State())

    private struct State: Sendable {
        /// The bytes that the kernel stated last, less those that were taken since.
        var leftBytes = 0
        /// Those beyond, which are kept for connections that are there.
        var keptBytes = 0
        /// Nil where there is no limit now.
        var limitBytes: Int?
        /// In milliseconds of the monotonic clock.
        var goodUntil = 0

        func has(_ bytes: Int, _ isConnected: Bool) -> Bool {
            leftBytes + (isConnected ? keptBytes / 2 : 0) >= bytes
        }
    }

    /// Nil where nothing can limit.
    init?(_ limits: MemoryLimits) {
        guard !limits.isEmpty else { return nil }
        self.limits = limits
    }

    /// The narrowest limit, as it was last read.
    var limitBytes: Int? { state.withLock { $0.limitBytes } }

    /// Takes a number of bytes; false where there is not enough memory.
    /// - Parameter isConnected: whether they are for a connection that is there, which may take half
    ///   of what is kept, too. The other half is for what grows before it can ask.
    func take(_ bytes: Int, isConnected: Bool = false, milliseconds: Int) -> Bool {
        state.withLock { state in
            if milliseconds >= state.goodUntil || !state.has(bytes, isConnected) {
                let room = limits.room(toTake: bytes, giveBack: returnFreeMemory)
                state.limitBytes = room?.limitBytes
                state.leftBytes = room?.takeableBytes ?? .max
                state.keptBytes = room?.keptBytes ?? 0
                state.goodUntil = milliseconds + goodMilliseconds
            }
            guard state.has(bytes, isConnected) else { return false }
            state.leftBytes -= bytes
            return true
        }
    }
}

/// The time for which the kernel's figures are good, unless they are used up before.
private let goodMilliseconds = 1000
