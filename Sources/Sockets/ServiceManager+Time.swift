// How a service manager learns that a start or a stop takes long and still goes on: it would end
// the process when the time that its unit allows is over.

extension ServiceManager {
    /// Has the manager wait for `patienceMilliseconds` from now, if it would wait less.
    package func extendTimeout() {
        notifyWithoutWaiting("EXTEND_TIMEOUT_USEC=\(Self.patienceMilliseconds * 1000)")
    }

    /// How long the manager waits for the next such message, and how often it gets one.
    package static var patienceMilliseconds: Int { 15_000 }
    package static var extensionMilliseconds: Int { 5000 }
}

extension ServiceManager? {
    /// Does what may take long, and has the manager wait for it meanwhile.
    /// - Parameters:
    ///   - interval: between two messages, in milliseconds.
    ///   - most: for so many milliseconds; what takes longer hangs, and shall be ended.
    package func extendingTimeout<Result>(
        each interval: Int = ServiceManager.extensionMilliseconds, atMost most: Int = 600_000,
        _ body: () -> Result
    ) -> Result {
        guard let manager = self, let end = try? Wakeup() else { return body() }
        defer { end.wake() }
        // Without the thread the unit's own time has to do.
        try? startThread(name: "waymark-start") {
            guard var poller = try? Poller(eventsPerTurnMax: 1),
                (try? end.register(with: poller, token: 0)) != nil
            else { return }
            var left = most
            while left > 0, poller.wait(milliseconds: interval) == 0 {
                manager.extendTimeout()
                left -= interval
            }
        }
        return body()
    }
}
