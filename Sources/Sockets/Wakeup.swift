private import CLinux
internal import Glibc

/// Lets any thread end another's wait: add its descriptor to that thread's poller (eventfd(2)).
package final class Wakeup: Sendable {
    private let descriptor: Descriptor

    /// Begins quiet.
    package init() throws(SystemError) {
        let number = waymark_eventfd()
        guard number >= 0 else { throw SystemError("eventfd") }
        descriptor = Descriptor(number)
    }

    /// Ends the poller's wait; may be called on any thread, and any number of times.
    package func wake() {
        var one: UInt64 = 1
        _ = unsafe write(descriptor.number, &one, MemoryLayout<UInt64>.size)
    }

    /// Takes all wake-ups that have come; later ones end the wait again.
    package func clear() {
        var count: UInt64 = 0
        _ = unsafe read(descriptor.number, &count, MemoryLayout<UInt64>.size)
    }

    /// Lets `wake` end the waits of this poller; the event carries the token.
    package func register(with poller: borrowing Poller, token: UInt64) throws(SystemError) {
        try poller.add(descriptor, .reading, token: token)
    }
}
