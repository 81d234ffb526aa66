private import CLinux
internal import Glibc

/// The signals that the origin answers.
package enum Signal: CInt, CaseIterable, Sendable {
    case hangUp = 1
    case interrupt = 2
    case quit = 3
    case user1 = 10
    case terminate = 15
}

/// The signals that have come, one after the other, as a descriptor to wait for (signalfd(2)).
package struct SignalQueue: ~Copyable {
    private let descriptor: Descriptor

    /// Hands out what has come since `hold`, which this does too where nobody has.
    package init() throws(SystemError) {
        var mask = Self.hold()
        let number = unsafe waymark_signalfd(&mask)
        guard number >= 0 else { throw SystemError("signalfd") }
        descriptor = Descriptor(number)
    }

    /// From now on these signals interrupt neither this thread nor any that it starts, and wait for
    /// a queue. As process 1 of a container it would never hear of one that comes before. SIGPIPE
    /// is ignored, and so is SIGXFSZ, which comes with EFBIG when a file may not grow any more, and
    /// SIGUSR2, by which other servers are told to exchange their program.
    @discardableResult
    fileprivate static func hold() -> sigset_t {
        var mask = sigset_t()
        unsafe sigemptyset(&mask)
        for signal in Signal.allCases { unsafe sigaddset(&mask, signal.rawValue) }
        unsafe pthread_sigmask(SIG_BLOCK, &mask, nil)
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        signal(SIGUSR2, SIG_IGN)
        return mask
    }

    /// The next signal, or nil when none is waiting.
    package func next() -> Signal? {
        // struct signalfd_siginfo begins with the signal's number.
        var information = [UInt32](repeating: 0, count: 32)
        let count = unsafe read(descriptor.number, &information, 128)
        return count == 128 ? Signal(rawValue: CInt(information[0])) : nil
    }

    /// Lets a signal end the waits of this poller; the event carries the token.
    package func register(with poller: borrowing Poller, token: UInt64) throws(SystemError) {
        try poller.add(descriptor, .reading, token: token)
    }
}

/// Keeps signals from ending the process from now on, until a `SignalQueue` hands them out.
package func holdSignals() { SignalQueue.hold() }
