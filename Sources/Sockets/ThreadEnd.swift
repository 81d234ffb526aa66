import Synchronization

/// The end of a thread, which others can ask for and wait for without being held by it.
package final class ThreadEnd: Sendable {
    private let isSet = Atomic<Bool>(false)
    private let wakeup: Wakeup

    /// A thread that has not ended.
    package init() throws(SystemError) { wakeup = try Wakeup() }

    /// Whether the thread has ended. Callable on any thread.
    package var isReached: Bool { isSet.load(ordering: .acquiring) }

    /// Called by the thread as its last step.
    package func reach() {
        isSet.store(true, ordering: .releasing)
        wakeup.wake()
    }

    /// Waits until the thread has ended. For one waiting thread.
    package func wait() {
        while !isReached { wakeup.wait() }
    }
}
