/// A passkey with which a person signs in to the console (WebAuthn), without anything secret.
package struct StoredPasskey: Equatable, Sendable {
    /// By which authenticators know it.
    package var id: [UInt8]
    /// The number of the person.
    package var person: Int
    /// The public key as the authenticator has written it.
    package var key: [UInt8]
    /// The authenticator's signature counter (WebAuthn §6.1.1); 0 if it does not count.
    package var counter: Int
    /// The person's name for it.
    package var name: String
    /// Seconds since 1970.
    package var created: Int
    /// The time of the last sign-in; nil before the first.
    package var used: Int?

    package init(
        id: [UInt8], person: Int, key: [UInt8], counter: Int, name: String, created: Int,
        used: Int? = nil
    ) {
        (self.id, self.person, self.key, self.counter) = (id, person, key, counter)
        (self.name, self.created, self.used) = (name, created, used)
    }

    /// The most that a person may have.
    package static let countMax = 20
    /// The 64 UTF-16 units that a page's field takes have at most so many bytes.
    package static let nameBytesMax = 192
}

/// A number by chance that an authenticator signs, so that each of its answers is good once.
package enum PasskeyChallenge {
    package static let seconds = 300
    /// An attempt to sign in at a provider takes longer, because its pages are between.
    package static let attemptSeconds = 600
    /// The number that stands for a person where nobody has signed in yet: in the rows of attempts.
    static let attempts = -1
    /// The most that can be open at once, of all nodes together.
    static let countMax = 10_000
}

extension LinkStore {
    /// Keeps a challenge; only in a transaction.
    /// - Parameter person: the number of the person who may answer it; 0 for every person with a passkey.
    /// - Returns: false if too many are open.
    package func beginChallenge(
        _ hash: [UInt8], of person: Int, at now: Int
    ) throws(StoreError) -> Bool {
        // Each person has at most one, so that none of them fills the table.
        if person != 0 { try rows.removeAll(.challenges, of: person) }
        return try begin(hash, of: person, at: now, seconds: PasskeyChallenge.seconds)
    }

    private func begin(
        _ hash: [UInt8], of owner: Int, at now: Int, seconds: Int
    ) throws(StoreError) -> Bool {
        try rows.removeChallenges(endedBefore: now)
        guard try rows.challengeCount() < PasskeyChallenge.countMax else { return false }
        try rows.add(.challenges, hash, of: owner, until: now + seconds)
        return true
    }

    /// Keeps an attempt to sign in at a provider, which is one of the challenges, too; only in a transaction.
    /// - Returns: false if too many are open.
    package func beginAttempt(_ hash: [UInt8], at now: Int) throws(StoreError) -> Bool {
        try begin(
            hash, of: PasskeyChallenge.attempts, at: now, seconds: PasskeyChallenge.attemptSeconds)
    }

    /// Uses an attempt up; only in a transaction.
    /// - Returns: whether it was open.
    package func takeAttempt(_ hash: [UInt8], at now: Int) throws(StoreError) -> Bool {
        try takeChallenge(hash, of: PasskeyChallenge.attempts, at: now)
    }

    /// Uses a challenge up; only in a transaction.
    /// - Returns: whether it was open, and for this person.
    package func takeChallenge(
        _ hash: [UInt8], of person: Int, at now: Int
    ) throws(StoreError) -> Bool {
        guard let (owner, end) = try rows.take(.challenges, hash) else { return false }
        return owner == person && now < end
    }

    package func passkeys(of person: StoredPerson) throws(StoreError) -> [StoredPasskey] {
        try rows.passkeys(of: person.id)
    }

    /// A passkey with its person; nil if there is none.
    package func passkey(
        _ id: [UInt8]
    ) throws(StoreError) -> (passkey: StoredPasskey, person: StoredPerson)? {
        guard let passkey = try rows.passkey(id), let person = try rows.person(passkey.person)
        else { return nil }
        return (passkey, person)
    }

    /// Keeps a passkey; only in a transaction.
    /// - Returns: false if it is known already, or the person has too many.
    package func add(_ passkey: StoredPasskey) throws(StoreError) -> Bool {
        guard try rows.passkey(passkey.id) == nil,
            try rows.passkeys(of: passkey.person).count < StoredPasskey.countMax
        else { return false }
        try rows.add(passkey)
        return true
    }

    /// Notes a sign-in with a passkey; only in a transaction.
    package func noteUse(of passkey: StoredPasskey, counter: Int, at now: Int) throws(StoreError) {
        try rows.noteUse(ofPasskey: passkey.id, counter: counter, at: now)
    }

    /// Removes a passkey of a person; only in a transaction.
    /// - Returns: it; nil if the person has none such.
    package func removePasskey(
        _ id: [UInt8], of person: StoredPerson
    ) throws(StoreError) -> StoredPasskey? {
        guard let passkey = try rows.passkey(id), passkey.person == person.id else { return nil }
        try rows.removePasskey(id)
        return passkey
    }
}
