// People of the console, their sign-in links and their sessions. Of the secrets of links and sessions, rows have the
// SHA-256 alone. Passkeys stay when their person gets other rights: they say who it is.

extension LinkStore {
    /// All people, in the order of their names.
    package func people() throws(StoreError) -> [StoredPerson] { try rows.people() }

    /// The person of a name; nil if there is none.
    package func person(named name: String) throws(StoreError) -> StoredPerson? {
        try rows.person(named: name)
    }

    /// The sessions of people that have not ended, by the numbers of the people.
    package func uses(at now: Int) throws(StoreError) -> [Int: PersonUse] {
        var uses = [Int: PersonUse]()
        for (person, began, used) in try rows.sessions() {
            guard !StoredSession.hasEnded(began: began, used: used, at: now) else { continue }
            var use = uses[person] ?? PersonUse()
            use.sessions += 1
            use.seen = max(use.seen ?? 0, used)
            uses[person] = use
        }
        return uses
    }

    /// Stores a person who is new, or has other rights than before. The sessions and sign-in links of the rights before
    /// end. Only in a transaction.
    package func put(_ person: StoredPerson) throws(StoreError) {
        try rows.removeAll(.signIns, of: person.id)
        try rows.removeAll(.sessions, of: person.id)
        try rows.put(person)
    }

    /// Removes a person with their sessions, links and passkeys; only in a transaction.
    package func remove(_ person: StoredPerson) throws(StoreError) {
        try rows.removePerson(person.id)
    }

    // MARK: Signing in

    /// Stores a sign-in link in place of those that the person has; only in a transaction.
    package func addSignIn(
        _ hash: [UInt8], of person: StoredPerson, until end: Int
    ) throws(StoreError) {
        try rows.removeAll(.signIns, of: person.id)
        try rows.add(.signIns, hash, of: person.id, until: end)
    }

    /// Uses a sign-in link up; only in a transaction.
    /// - Returns: whose it is; nil if there is none, or its time is over.
    package func takeSignIn(_ hash: [UInt8], at now: Int) throws(StoreError) -> StoredPerson? {
        guard let (person, end) = try rows.take(.signIns, hash), now < end else { return nil }
        return try rows.person(person)
    }

    /// Begins a session; only in a transaction. Those that have ended by themselves are forgotten.
    package func beginSession(
        _ hash: [UInt8], of person: StoredPerson, at now: Int
    ) throws(StoreError) {
        try rows.removeSessions(
            usedBefore: now - StoredSession.idleSeconds, begunBefore: now - StoredSession.secondsMax
        )
        try rows.addSession(hash, of: person.id, at: now)
    }

    /// The session of a secret; nil if there is none, or it has ended.
    package func session(_ hash: [UInt8], at now: Int) throws(StoreError) -> StoredSession? {
        guard let session = try rows.session(hash), !session.hasEnded(at: now) else { return nil }
        return session
    }

    /// Notes that a session is used, at most once a minute. Without a database that can be written, nothing is noted.
    package func noteUse(of hash: [UInt8], _ session: StoredSession, at now: Int) {
        guard now - session.used >= StoredSession.noteSeconds else { return }
        _ = try? transaction { _ throws(StoreError) in try rows.noteUse(ofSession: hash, at: now) }
    }

    /// Ends a session; only in a transaction.
    package func endSession(_ hash: [UInt8]) throws(StoreError) { try rows.removeSession(hash) }

    /// Ends all sessions of a person, and what would begin another: links to sign in that were not used; only in a
    /// transaction.
    package func endSessions(of person: StoredPerson) throws(StoreError) {
        try rows.removeAll(.signIns, of: person.id)
        try rows.removeAll(.sessions, of: person.id)
    }
}
