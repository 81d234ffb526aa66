/// Messages to a service manager, in order. If the manager is busy, they are sent again later; the
/// caller never waits.
package struct ManagerMessages {
    private let manager: ServiceManager?
    private let patienceMilliseconds: Int
    private var waiting = [[String]]()
    /// The time when the first waiting message is given up, in milliseconds of the monotonic clock.
    private var givenUpAt = Int.max
    /// The time of the next call of `send`, by the same clock.
    package private(set) var retryAt = Int.max

    /// - Parameters:
    ///   - manager: nil discards all messages.
    ///   - patienceMilliseconds: the time after which an unsent message and those after it are
    ///   discarded, because they are out of date by then.
    package init(_ manager: ServiceManager?, patienceMilliseconds: Int = 5000) {
        self.manager = manager
        self.patienceMilliseconds = patienceMilliseconds
    }

    /// Adds a message with assignments such as `READY=1`; `send` sends it.
    package mutating func add(_ assignments: [String]) { waiting.append(assignments) }

    /// Sends as many messages as the manager takes, without waiting.
    /// - Throws: an error if the manager cannot be reached, or was busy for too long.
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
