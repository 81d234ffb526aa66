/// Finds out whether a node is notified of what others change, by the changes that it finds when it asks.
///
/// A notification of its own would show nothing: a pool that takes any session for each transaction passes on what
/// comes with an answer, and that does.
struct NotificationWatch {
    /// Whether notifications arrive; nil until another node has changed something.
    private(set) var isNotified: Bool?
    private var session = 0
    /// Whether one has come that was not looked at yet.
    private var isHeard = false
    /// The time since which a change is known without one.
    private(set) var silentSince: Int?
    /// The questions since the last such change that one came before, and such changes since one has come.
    private var heard = 0
    private var lost = 0

    /// A notification of another node's change has come.
    mutating func hear() { isHeard = true }

    /// The database was asked for changes.
    /// - Parameters:
    ///   - isChanged: whether others have changed something.
    ///   - session: the number of the connection. What was changed before the first question was perhaps before it listened.
    ///   - now: in milliseconds.
    mutating func note(isChanged: Bool, session: Int, at now: Int) {
        defer { isHeard = false }
        guard session == self.session else {
            (self.session, silentSince) = (session, nil)
            return
        }
        if isHeard {
            (heard, lost, silentSince) = (heard + 1, 0, nil)
            if isNotified == nil || heard >= Self.heardLeast { isNotified = true }
        } else if let since = silentSince {
            guard now - since >= Self.silentMilliseconds else { return }
            (heard, lost, silentSince) = (0, lost + 1, nil)
            if lost >= Self.lostLeast { isNotified = false }
        } else if isChanged {
            silentSince = now
        }
    }

    /// A notification comes some milliseconds after its change.
    private static let silentMilliseconds = 2_000
    /// Somebody may have changed rows by hand, and notified nobody.
    private static let lostLeast = 2
    /// Where they do not arrive, some do by chance, with the answer to a statement.
    private static let heardLeast = 10
}
