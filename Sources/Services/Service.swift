package import Diagnostics

/// A thread beside the loops that lives as long as the process: the access log, the store of links,
/// visits, certificates, checks.
///
/// The supervisor ends all of them in the same way, and waits for none longer than it may take: a
/// thread that a disk or a server holds must not keep the process alive.
package protocol Service: AnyObject, Sendable {
    var thread: ServiceThread { get }
    /// Lets the thread end. Returns at once; callable more than once, on any thread.
    /// - Parameter atOnce: whether a signal has ordered a stop at once.
    func beginStop(atOnce: Bool)
    /// The milliseconds that the end may take after `beginStop`; by default what a disk is given.
    func stopMilliseconds(atOnce: Bool) -> Int
    /// The event that names what is lost if the thread does not end in time; nil if nothing is
    /// lost.
    var stopLoss: Diagnostic? { get }
}

extension Service {
    package func beginStop(atOnce: Bool) { thread.beginStop() }
    /// Whether the thread has ended. Callable on any thread.
    package var hasStopped: Bool { thread.hasEnded }
    package func stopMilliseconds(atOnce: Bool) -> Int { atOnce ? 1_000 : 5_000 }

    /// An event about a loss.
    func loss(_ fact: String) -> Diagnostic { Diagnostic(.error, .abandoned, at: nil, fact) }
}
