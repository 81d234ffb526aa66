// How a service manager learns that a start, a reload or a stop takes long and still goes on: it
// would end the process when the time that its unit allows is over.

/// Has a service manager wait, for as long as something that may take long is under way.
package struct TimeExtension {
    private let manager: ServiceManager?
    private let interval: Int
    /// In milliseconds of the monotonic clock.
    private let until: Int
    /// When `extend` should be called next, by the same clock.
    package private(set) var next: Int

    /// - Parameters:
    ///   - most: for so many milliseconds; what takes longer hangs, and shall be ended.
    ///   - interval: between two messages, in milliseconds.
    ///   - isUrgent: false sends nothing about what is over within that time.
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

    /// Has the manager wait for `patienceMilliseconds` from now, if it is time to say so again.
    package mutating func extend() {
        let now = Clock.monotonicMilliseconds
        guard now >= next else { return }
        guard now < until else { return next = .max }
        next = now + interval
        try? manager?.notify("EXTEND_TIMEOUT_USEC=\(Self.patienceMilliseconds * 1000)")
    }

    /// How long the manager waits for the next such message.
    package static var patienceMilliseconds: Int { 15_000 }
}
