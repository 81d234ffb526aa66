import Synchronization

/// The people whom a proxy has signed in on this node, so that the audit has them once in a while and not with each
/// request.
final class ProxySignIns: Sendable {
    /// The times that the audit has, in seconds since 1970, by the numbers of people.
    private let noted = Mutex([Int: Int]())
    /// As long as a session is at most.
    private static let seconds = 43_200

    /// Whether the audit lacks a sign-in of the person that is young enough.
    func isNew(_ person: Int, at now: Int) -> Bool {
        noted.withLock { $0[person].map { abs(now - $0) >= Self.seconds } ?? true }
    }

    /// Remembers that the audit has one.
    func note(_ person: Int, at now: Int) { noted.withLock { $0[person] = now } }
}
