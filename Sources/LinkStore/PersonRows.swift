/// The rows of the console's people, their sign-in links, sessions and passkeys, as `LinkStore` needs them of a database.
/// Functions that change rows are called in a transaction only.
package protocol PersonRows: AnyObject {
    /// All people, in the order of their names.
    func people() throws(StoreError) -> [StoredPerson]
    func person(_ id: Int) throws(StoreError) -> StoredPerson?
    func person(named name: String) throws(StoreError) -> StoredPerson?
    /// Adds a person; one with the same number is replaced.
    func put(_ person: StoredPerson) throws(StoreError)
    /// Removes a person, if there is one, with their links, sessions and passkeys.
    func removePerson(_ id: Int) throws(StoreError)

    func addSignIn(_ hash: [UInt8], of person: Int, until end: Int) throws(StoreError)
    /// Removes a sign-in link.
    /// - Returns: whose it was, and its end.
    func takeSignIn(_ hash: [UInt8]) throws(StoreError) -> (person: Int, end: Int)?
    func removeSignIns(of person: Int) throws(StoreError)

    /// All sessions, also those that have ended.
    func sessions() throws(StoreError) -> [(person: Int, began: Int, used: Int)]
    func session(_ hash: [UInt8]) throws(StoreError) -> StoredSession?
    func addSession(_ hash: [UInt8], of person: Int, at now: Int) throws(StoreError)
    func noteUse(ofSession hash: [UInt8], at now: Int) throws(StoreError)
    func removeSession(_ hash: [UInt8]) throws(StoreError)
    func removeSessions(of person: Int) throws(StoreError)
    /// Removes those that were used, or have begun, up to these times.
    func removeSessions(usedBefore used: Int, begunBefore began: Int) throws(StoreError)

    /// The passkeys of a person, the oldest first.
    func passkeys(of person: Int) throws(StoreError) -> [StoredPasskey]
    func passkey(_ id: [UInt8]) throws(StoreError) -> StoredPasskey?
    func add(_ passkey: StoredPasskey) throws(StoreError)
    func noteUse(ofPasskey id: [UInt8], counter: Int, at now: Int) throws(StoreError)
    func removePasskey(_ id: [UInt8]) throws(StoreError)

    func addChallenge(_ hash: [UInt8], of person: Int, until end: Int) throws(StoreError)
    /// Removes a challenge.
    /// - Returns: who was to answer it, and its end.
    func takeChallenge(_ hash: [UInt8]) throws(StoreError) -> (person: Int, end: Int)?
    func removeChallenges(endedBefore now: Int) throws(StoreError)
    func removeChallenges(of person: Int) throws(StoreError)
    func challengeCount() throws(StoreError) -> Int
}
