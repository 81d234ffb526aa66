private import CLinux
internal import Glibc

/// Lets any thread wake another (eventfd(2)): in a poller that has registered it, or in `wait`.
package final class Wakeup: Sendable {
    private let descriptor: Descriptor

    /// A wakeup without pending wake-ups.
    package init() throws(SystemError) {
        let number = waymark_eventfd()
        guard number >= 0 else { throw SystemError("eventfd") }
        descriptor = Descriptor(number)
    }

    /// For poll(2), until it is woken.
    var number: CInt { descriptor.number }

    /// Wakes the other thread; may be called on any thread, any number of times.
    package func wake() {
        var one: UInt64 = 1
        _ = unsafe write(descriptor.number, &one, MemoryLayout<UInt64>.size)
    }

    /// Removes all pending wake-ups; later ones wake the thread again.
    package func clear() { _ = taken() }

    /// Waits for a wake-up, and removes all pending ones.
    /// - Returns: their number.
    @discardableResult
    package func wait() -> Int {
        while true {
            let count = taken()
            guard count == 0 else { return count }
            var waiting = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
            _ = unsafe poll(&waiting, 1, -1)
        }
    }

    /// Waits for a wake-up, but not longer than this, and removes all pending ones.
    /// - Parameters:
    ///   - directories: a change in one of these ends the wait, too, until it is taken.
    ///   - source: a descriptor that ends the wait, too, as long as it can be read.
    package func wait(
        atMost milliseconds: Int, noticing directories: DirectoryWatch? = nil,
        orReading source: Int? = nil
    ) {
        guard taken() == 0 else { return }
        let others = [directories?.number, source.map { CInt(clamping: $0) }].compactMap(\.self)
        let numbers = [descriptor.number] + others
        var waiting = numbers.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        _ = unsafe poll(&waiting, nfds_t(waiting.count), CInt(clamping: milliseconds))
        _ = taken()
    }

    /// Lets `wake` wake this poller; the event has the token.
    package func register(with poller: borrowing Poller, token: UInt64) throws(SystemError) {
        try poller.add(descriptor, .reading, token: token)
    }

    /// The descriptor never blocks: without pending wake-ups, the result is 0.
    private func taken() -> Int {
        var count: UInt64 = 0
        guard unsafe read(descriptor.number, &count, MemoryLayout<UInt64>.size) > 0 else {
            return 0
        }
        return Int(clamping: count)
    }
}
