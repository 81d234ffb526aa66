internal import Glibc

/// The signals that the origin answers.
package enum Signal: CInt, CaseIterable, Sendable {
    case terminate = 15
    case interrupt = 2
    case hangUp = 1
    case quit = 3
    /// SIGUSR1.
    case userOne = 10

    /// Keeps these signals, and SIGPIPE, from interrupting any thread started after this call, so
    /// that `next` can take them one at a time.
    package static func hold() {
        var set = mask
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        signal(SIGPIPE, SIG_IGN)
    }

    /// Waits for the next of these signals, at most `milliseconds` (nil: for ever); nil when the
    /// time is over.
    package static func next(milliseconds: Int? = nil) -> Signal? {
        var set = mask
        while true {
            let number: CInt
            if let milliseconds {
                var time = timespec(
                    tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
                number = unsafe sigtimedwait(&set, nil, &time)
            } else {
                number = unsafe sigwaitinfo(&set, nil)
            }
            if number > 0 { return Signal(rawValue: number) }
            if errno == EAGAIN { return nil }
        }
    }

    private static var mask: sigset_t {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for signal in allCases { unsafe sigaddset(&set, signal.rawValue) }
        return set
    }
}
