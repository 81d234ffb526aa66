internal import Glibc

/// An open file descriptor, closed exactly once, at the end of its owner's life.
package struct Descriptor: ~Copyable, Sendable {
    package let number: CInt

    init(_ number: CInt) { self.number = number }

    // close(2) is not retried after EINTR, because Linux has already released the descriptor.
    deinit { close(number) }
}
