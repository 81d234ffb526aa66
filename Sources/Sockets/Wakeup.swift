private import CLinux
internal import Glibc

/// Lets any thread end another's wait (eventfd(2)): in a poller that knows it, or in `wait`.
package final class Wakeup: Sendable {
    private let descriptor: Descriptor

    /// Begins quiet.
    package init() throws(SystemError) {
        let number = waymark_eventfd()
        guard number >= 0 else { throw SystemError("eventfd") }
        descriptor = Descriptor(number)
    }

    /// Ends the wait; may be called on any thread, and any number of times.
    package func wake() {
        var one: UInt64 = 1
        _ = unsafe write(descriptor.number, &one, MemoryLayout<UInt64>.size)
    }

    /// Takes all wake-ups that have come; later ones end the wait again.
    package func clear() { _ = taken() }

    /// Waits for a wake-up, and takes all that have come.
    /// - Returns: how many.
    @discardableResult
    package func wait() -> Int {
        while true {
            let count = taken()
            guard count == 0 else { return count }
            var waiting = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
            _ = unsafe poll(&waiting, 1, -1)
        }
    }

    /// Lets `wake` end the waits of this poller; the event carries the token.
    package func register(with poller: borrowing Poller, token: UInt64) throws(SystemError) {
        try poller.add(descriptor, .reading, token: token)
    }

    /// The descriptor never blocks: nothing is taken where nothing has come.
    private func taken() -> Int {
        var count: UInt64 = 0
        guard unsafe read(descriptor.number, &count, MemoryLayout<UInt64>.size) > 0 else {
            return 0
        }
        return Int(clamping: count)
    }
}
