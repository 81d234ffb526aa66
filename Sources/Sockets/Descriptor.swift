internal import Glibc

/// An open file descriptor; closed exactly once, when its owner goes.
package struct Descriptor: ~Copyable, Sendable {
    package let number: CInt

    init(_ number: CInt) { self.number = number }

    // close(2) is not tried again after EINTR: on Linux the descriptor is gone by then.
    deinit { close(number) }
}
