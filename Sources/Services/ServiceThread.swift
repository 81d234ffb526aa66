package import Sockets
import Synchronization

/// The thread of a service. It sleeps until its next turn is due, unless another thread wakes it
/// earlier: with news, or with the order to end.
package final class ServiceThread: Sendable {
    /// Ends the thread's wait.
    package let wakeup: Wakeup
    private let end = Mutex(End())
    private let isOrdered = Atomic<Bool>(false)

    private struct End: Sendable {
        var hasCome = false
        var listener: Wakeup?
    }

    init() throws(SystemError) { wakeup = try Wakeup() }

    /// Starts the thread, which ends with `body`.
    func start(name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
        try startThread(name: name) { [self] in
            body()
            end.withLock { end in
                end.hasCome = true
                return end.listener
            }?.wake()
        }
    }

    /// Wakes the thread that waits for this one to end, when it has ended.
    package func tellEnd(to listener: Wakeup) { end.withLock { $0.listener = listener } }

    /// Takes turns on the thread until it is to end.
    /// - Parameters:
    ///   - directories: a change in one of them ends a wait, too.
    ///   - turn: does the work that is due, and returns the longest wait, in milliseconds.
    func takeTurns(noticing directories: DirectoryWatch? = nil, _ turn: () -> Int) {
        takeTurns(noticing: directories) { Rest(milliseconds: turn()) }
    }

    /// A wait between two turns.
    struct Rest {
        let milliseconds: Int
        /// A descriptor that ends it, too, when it can be read.
        var source: Int?
    }

    func takeTurns(noticing directories: DirectoryWatch? = nil, _ turn: () -> Rest) {
        while !isEnding {
            let rest = turn()
            wakeup.wait(atMost: rest.milliseconds, noticing: directories, orReading: rest.source)
        }
    }

    /// Whether the thread is to end.
    var isEnding: Bool { isOrdered.load(ordering: .acquiring) }
    var hasEnded: Bool { end.withLock(\.hasCome) }

    func beginStop() {
        isOrdered.store(true, ordering: .releasing)
        wakeup.wake()
    }
}
