/// A thread beside the loops that lives as long as the process: the store of links, visits,
/// certificates, checks.
///
/// The supervisor ends all of them in the same way, and waits for none longer than it may take: a
/// thread that a disk or a server holds must not keep the process alive.
package protocol Service: AnyObject, Sendable {
    /// Lets the thread end. Returns at once; callable more than once, on any thread.
    func beginStop()
    /// Whether the thread has ended. Callable on any thread.
    var hasStopped: Bool { get }
    /// How long the end may take, in milliseconds after `beginStop`; what is lost if it takes longer.
    /// - Parameter atOnce: whether a signal has ordered a stop at once.
    func stopLimits(atOnce: Bool) -> StopLimits
}

/// What a stop grants to a service.
package struct StopLimits: Equatable, Sendable {
    package let milliseconds: Int
    /// The sentence about what a stop leaves undone when the time is over; nil if nothing is lost.
    package let loss: String?

    package init(milliseconds: Int, loss: String? = nil) {
        (self.milliseconds, self.loss) = (milliseconds, loss)
    }
}
