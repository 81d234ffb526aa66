internal import Glibc

/// A system call that failed: which, and the error number that it left.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    package let call: String
    package let number: CInt

    /// Names the call that failed on the line above, whose error number is still there.
    init(_ call: StaticString) {
        number = errno
        self.call = call.description
    }

    /// For calls that return the error number.
    init(_ call: StaticString, number: CInt) {
        self.number = number
        self.call = call.description
    }

    /// Memory ran out in a library that keeps no error number.
    package static var exhausted: SystemError { SystemError("malloc", number: ENOMEM) }

    package var description: String {
        let reason = unsafe String(cString: strerror(number))
        return "\(call): \(reason) (error \(number))"
    }

    package var isAddressInUse: Bool { number == EADDRINUSE }
    package var isPermissionDenied: Bool { number == EACCES || number == EPERM }
    package var isAddressUnavailable: Bool {
        number == EADDRNOTAVAIL || number == EAFNOSUPPORT
    }
    /// This process, or the system, has no descriptor left.
    package var isOutOfDescriptors: Bool { number == EMFILE || number == ENFILE }
    /// The time that the call might take is over (SO_RCVTIMEO, SO_SNDTIMEO), or the network's is.
    package var isTimeOver: Bool { [EAGAIN, EINPROGRESS, ETIMEDOUT].contains(number) }
    /// Out of descriptors or memory: the call may succeed when connections have ended.
    package var isExhaustion: Bool {
        [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(number)
    }
}
