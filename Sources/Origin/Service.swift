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
    /// How long the end may take, in milliseconds after `beginStop`; by default what a disk is given.
    /// - Parameter atOnce: whether a signal has ordered a stop at once.
    func stopMilliseconds(atOnce: Bool) -> Int
    /// The sentence about what is left undone if the end takes longer; nil if nothing is lost.
    var stopLoss: String? { get }
}

extension Service {
    package func stopMilliseconds(atOnce: Bool) -> Int { atOnce ? 1_000 : 5_000 }
}
