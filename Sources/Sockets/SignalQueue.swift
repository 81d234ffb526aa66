private import CLinux
internal import Glibc

/// The signals that the origin handles.
package enum Signal: CInt, CaseIterable, Sendable {
    case hangUp = 1
    case interrupt = 2
    case quit = 3
    case user1 = 10
    case terminate = 15
}

/// The signals that have arrived, in order, as a descriptor (signalfd(2)).
package struct SignalQueue: ~Copyable {
    private let descriptor: Descriptor

    /// Takes the signals that have arrived since `hold`, which it also calls.
    package init() throws(SystemError) {
        var mask = Self.hold()
        let number = unsafe waymark_signalfd(&mask)
        guard number >= 0 else { throw SystemError("signalfd") }
        descriptor = Descriptor(number)
    }

    /// From now on, these signals do not interrupt this thread or the threads that it starts, but
    /// wait for a queue. Process 1 of a container would otherwise lose a signal that arrives
    /// earlier. SIGPIPE is ignored. So are SIGXFSZ, which comes with EFBIG when a file has reached
    /// its maximum size, and SIGUSR2, with which other servers exchange their program.
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

    /// The next signal, or nil if none waits.
    package func next() -> Signal? {
        // struct signalfd_siginfo begins with the signal's number.
        var information = [UInt32](repeating: 0, count: 32)
        let count = unsafe read(descriptor.number, &information, 128)
        return count == 128 ? Signal(rawValue: CInt(information[0])) : nil
    }

    /// Lets a signal wake this poller; the event has the token.
    package func register(with poller: borrowing Poller, token: UInt64) throws(SystemError) {
        try poller.add(descriptor, .reading, token: token)
    }
}

/// Prevents signals from ending the process, until a `SignalQueue` takes them.
package func holdSignals() { SignalQueue.hold() }
