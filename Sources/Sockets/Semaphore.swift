private import CLinux
internal import Glibc

/// Counts what has happened on other threads and lets one wait for it (eventfd(2)).
package final class Semaphore: Sendable {
    private let descriptor: Descriptor

    /// Begins at zero.
    package init() throws(SystemError) {
        let number = waymark_semaphore()
        guard number >= 0 else { throw SystemError("eventfd") }
        descriptor = Descriptor(number)
    }

    /// Lets one `wait` return; may be called on any thread.
    package func signal() {
        var one: UInt64 = 1
        _ = unsafe write(descriptor.number, &one, MemoryLayout<UInt64>.size)
    }

    /// Returns once for each `signal`.
    package func wait() {
        var one: UInt64 = 0
        while unsafe read(descriptor.number, &one, MemoryLayout<UInt64>.size) < 0, errno == EINTR {}
    }
}
