package import Diagnostics
package import Sockets
import Synchronization

/// A thread beside the loops that lives as long as the process: the access log, the store of links,
/// visits, certificates, checks.
///
/// The supervisor ends all of them in the same way, and waits for none longer than it may take: a
/// thread that a disk or a server holds must not keep the process alive.
package protocol Service: AnyObject, Sendable {
    var thread: ServiceThread { get }
    /// Lets the thread end. Returns at once; callable more than once, on any thread.
    /// - Parameter atOnce: whether a signal has ordered a stop at once.
    func beginStop(atOnce: Bool)
    /// The milliseconds that the end may take after `beginStop`; by default what a disk is given.
    func stopMilliseconds(atOnce: Bool) -> Int
    /// The event that names what is lost if the thread does not end in time; nil if nothing is
    /// lost.
    var stopLoss: Diagnostic? { get }
}

extension Service {
    package func beginStop(atOnce: Bool) { thread.beginStop() }
    /// Whether the thread has ended. Callable on any thread.
    package var hasStopped: Bool { thread.hasEnded }
    package func stopMilliseconds(atOnce: Bool) -> Int { atOnce ? 1_000 : 5_000 }

    /// An event about a loss.
    func loss(_ fact: String) -> Diagnostic { Diagnostic(.error, .abandoned, at: nil, fact) }
}

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
    func start(
        name: String, _ body: @escaping @Sendable () -> Void
    ) throws(SystemError) {
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
        while !isEnding { wakeup.wait(atMost: turn(), noticing: directories) }
    }

    /// Whether the thread is to end.
    var isEnding: Bool { isOrdered.load(ordering: .acquiring) }
    var hasEnded: Bool { end.withLock(\.hasCome) }

    func beginStop() {
        isOrdered.store(true, ordering: .releasing)
        wakeup.wake()
    }
}
