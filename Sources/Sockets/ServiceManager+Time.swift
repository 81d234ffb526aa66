// Tells a service manager that a long start, reload or stop is still in progress. Otherwise it
// would kill the process after the unit's timeout.

/// Extends the service manager's timeout while a long step is in progress.
package struct TimeExtension {
    private let manager: ServiceManager?
    private let interval: Int
    /// In milliseconds of the monotonic clock.
    private let until: Int
    /// The time of the next call of `extend`, by the same clock.
    package private(set) var next: Int

    /// - Parameters:
    ///   - most: the total time in milliseconds; a step that takes longer hangs, and should be
    ///   killed.
    ///   - interval: the time between two messages, in milliseconds.
    ///   - isUrgent: if false, no message is sent for a step that ends within the interval.
    package init(
        _ manager: ServiceManager?, atMost most: Int, every interval: Int = 5000,
        isUrgent: Bool = false
    ) {
        let now = Clock.monotonicMilliseconds
        self.manager = manager
        self.interval = interval
        until = now + most
        next = manager == nil ? .max : isUrgent ? now : now + interval
    }

    /// Extends the timeout to `patienceMilliseconds` from now, if a message is due.
    package mutating func extend() {
        let now = Clock.monotonicMilliseconds
        guard now >= next else { return }
        guard now < until else { return next = .max }
        next = now + interval
        try? manager?.notify("EXTEND_TIMEOUT_USEC=\(Self.patienceMilliseconds * 1000)")
    }

    /// The timeout that each message sets.
    package static var patienceMilliseconds: Int { 15_000 }
}
