/// What a service manager must hear, in its order. A manager that is busy gets it a little later;
/// whoever tells it never waits.
package struct ManagerMessages {
    private let manager: ServiceManager?
    private let patienceMilliseconds: Int
    private var waiting = [[String]]()
    /// When the first of those that wait is given up, in milliseconds of the monotonic clock.
    private var givenUpAt = Int.max
    /// When `send` should be called next, by the same clock.
    package private(set) var retryAt = Int.max

    /// - Parameters:
    ///   - manager: nil hears nothing.
    ///   - patienceMilliseconds: after so long a message is lost that the manager does not take,
    ///     and so are those behind it, which would be about something else by then.
    package init(_ manager: ServiceManager?, patienceMilliseconds: Int = 5000) {
        self.manager = manager
        self.patienceMilliseconds = patienceMilliseconds
    }

    /// Adds a message of assignments, such as `READY=1`; `send` sends it.
    package mutating func add(_ assignments: [String]) { waiting.append(assignments) }

    /// Sends what the manager takes; waits for nothing.
    /// - Throws: when the manager cannot be spoken with, or was busy for so long.
    package mutating func send() throws(SystemError) {
        let now = Clock.monotonicMilliseconds
        while let message = waiting.first {
            do {
                try manager?.send(message)
                waiting.removeFirst()
                givenUpAt = .max
            } catch {
                if givenUpAt == .max { givenUpAt = now + patienceMilliseconds }
                if error.isTimeOver, now < givenUpAt {
                    retryAt = now + retryMilliseconds
                    return
                }
                forget()
                throw error
            }
        }
        forget()
    }

    private mutating func forget() {
        waiting = []
        (givenUpAt, retryAt) = (.max, .max)
    }
}

private let retryMilliseconds = 50
