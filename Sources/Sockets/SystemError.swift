internal import Glibc

/// A failed system call and its error number.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    package let call: String
    package let number: CInt

    /// The error of the system call on the line above, whose error number is still set.
    init(_ call: StaticString) {
        number = errno
        self.call = call.description
    }

    /// The error of a call that returns the error number.
    init(_ call: StaticString, number: CInt) {
        self.number = number
        self.call = call.description
    }

    /// A library that sets no error number could not allocate memory.
    package static var exhausted: SystemError { SystemError("malloc", number: ENOMEM) }

    package var description: String {
        let reason = unsafe String(cString: strerror(number))
        return "\(call): \(reason) (error \(number))"
    }

    package var isAddressInUse: Bool { number == EADDRINUSE }
    package var isPermissionDenied: Bool { number == EACCES || number == EPERM }
    package var isAddressUnavailable: Bool { number == EADDRNOTAVAIL || number == EAFNOSUPPORT }
    /// This process or the system has no descriptor left.
    package var isOutOfDescriptors: Bool { number == EMFILE || number == ENFILE }
    /// The call's time is over (SO_RCVTIMEO, SO_SNDTIMEO), or the network's timeout.
    package var isTimeOver: Bool { [EAGAIN, EINPROGRESS, ETIMEDOUT].contains(number) }
    package var isRefused: Bool { number == ECONNREFUSED }
    /// This machine has no route to the address.
    package var isUnreachable: Bool {
        [ENETUNREACH, EHOSTUNREACH, EADDRNOTAVAIL, EAFNOSUPPORT, ENETDOWN].contains(number)
    }
    /// A file that is to be run is no program that the system knows.
    package var isFormat: Bool { number == ENOEXEC }
    package var isReset: Bool { number == ECONNRESET || number == EPIPE }
    /// The peer has ended the connection where it must not end.
    package static var connectionReset: SystemError { SystemError("recv", number: ECONNRESET) }
    /// There are no descriptors or no memory; the call may succeed after connections have ended.
    package var isExhaustion: Bool { [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(number) }
}
