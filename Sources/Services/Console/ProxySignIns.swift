import Synchronization

/// The people whom a proxy has signed in on this node, so that the audit has them once in a while and not with each
/// request.
final class ProxySignIns: Sendable {
    /// The times that the audit has, in seconds since 1970, by the numbers of people.
    private let noted = Mutex([Int: Int]())
    /// As long as a session is at most.
    private static let seconds = 43_200

    /// Whether the audit has no sign-in of the person that is young enough; it is assumed to have one then.
    func isNew(_ person: Int, at now: Int) -> Bool {
        noted.withLock { noted in
            if let before = noted[person], abs(now - before) < Self.seconds { return false }
            noted[person] = now
            return true
        }
    }
}
