// The rows of the console's people, their sign-in links, sessions and passkeys. Functions that change rows are called in
// a transaction only.

/// A table with rows of people, by its name.
enum PersonTable: String, CaseIterable {
    case signIns = "sign_in"
    case sessions = "session"
    case passkeys = "passkey"
    case challenges = "challenge"
}

extension LinkRows {
    private static var columns: String {
        "p.id, p.name, p.role, p.collections, p.created, p.created_by"
    }

    /// People of a query's first columns.
    private func people(
        _ condition: String, _ values: [Value] = []
    ) throws(StoreError) -> [StoredPerson] {
        try read(
            "SELECT \(Self.columns) FROM \(Self.prefix)person p \(condition)", values
        ) { StoredPerson($0) }
    }

    /// All people, in the order of their names.
    func people() throws(StoreError) -> [StoredPerson] { try people("ORDER BY name") }

    func person(_ id: Int) throws(StoreError) -> StoredPerson? {
        try people("WHERE p.id = $1", [.integer(id)]).first
    }

    func person(named name: String) throws(StoreError) -> StoredPerson? {
        try people("WHERE p.name = $1", [.text(name)]).first
    }

    /// Adds a person; one with the same number is replaced.
    func put(_ person: StoredPerson) throws(StoreError) {
        try write(
            """
            INSERT INTO \(Self.prefix)person (id, name, role, collections, created, created_by)
            VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO UPDATE
            SET name = excluded.name, role = excluded.role, collections = excluded.collections
            """,
            [
                .integer(person.id), .text(person.name), .text(person.role.rawValue),
                .optional(person.collections?.joined(separator: " ")), .integer(person.created),
                .text(person.createdBy),
            ])
    }

    /// Removes a person, if there is one, with their links, sessions and passkeys.
    func removePerson(_ id: Int) throws(StoreError) {
        for table in PersonTable.allCases { try removeAll(table, of: id) }
        try remove(from: "person", where: "id = $1", [.integer(id)])
        try remove(
            from: "idempotency", where: "actor = $1", [.integer(StoredPerson.actor(of: id))])
    }

    /// Removes all rows that a table has of a person.
    func removeAll(_ table: PersonTable, of person: Int) throws(StoreError) {
        try remove(from: table.rawValue, where: "person = $1", [.integer(person)])
    }

    // MARK: Sign-in links and challenges

    /// Adds a sign-in link or a challenge.
    func add(
        _ table: PersonTable, _ hash: [UInt8], of person: Int, until end: Int
    ) throws(StoreError) {
        try write(
            """
            INSERT INTO \(Self.prefix)\(table.rawValue) (hash, person, expires)
            VALUES ($1, $2, $3)
            """, [.blob(hash), .integer(person), .integer(end)])
    }

    /// Removes a sign-in link or a challenge.
    /// - Returns: whose it was, and its end; nil if there was none.
    func take(
        _ table: PersonTable, _ hash: [UInt8]
    ) throws(StoreError) -> (person: Int, end: Int)? {
        try change(
            """
            DELETE FROM \(Self.prefix)\(table.rawValue) WHERE hash = $1 RETURNING person, expires
            """, [.blob(hash)]
        ) { (person: $0.integer(0), end: $0.integer(1)) }.first
    }

    func removeChallenges(endedBefore now: Int) throws(StoreError) {
        try remove(from: "challenge", where: "expires <= $1", [.integer(now)])
    }

    func challengeCount() throws(StoreError) -> Int {
        try read("SELECT count(*) FROM \(Self.prefix)challenge", []) { $0.integer(0) }.first ?? 0
    }

    // MARK: Sessions

    /// All sessions, also those that have ended.
    func sessions() throws(StoreError) -> [(person: Int, began: Int, used: Int)] {
        try read("SELECT person, began, used FROM \(Self.prefix)session", []) {
            (person: $0.integer(0), began: $0.integer(1), used: $0.integer(2))
        }
    }

    func session(_ hash: [UInt8]) throws(StoreError) -> StoredSession? {
        try read(
            """
            SELECT \(Self.columns), s.began, s.used FROM \(Self.prefix)session s
            JOIN \(Self.prefix)person p ON p.id = s.person WHERE s.hash = $1
            """, [.blob(hash)]
        ) {
            StoredSession(person: StoredPerson($0), began: $0.integer(6), used: $0.integer(7))
        }.first
    }

    func addSession(_ hash: [UInt8], of person: Int, at now: Int) throws(StoreError) {
        try write(
            "INSERT INTO \(Self.prefix)session (hash, person, began, used) VALUES ($1, $2, $3, $3)",
            [.blob(hash), .integer(person), .integer(now)])
    }

    func noteUse(ofSession hash: [UInt8], at now: Int) throws(StoreError) {
        try write(
            anyRows: "UPDATE \(Self.prefix)session SET used = $1 WHERE used < $1 AND hash = $2",
            [.integer(now), .blob(hash)])
    }

    func removeSession(_ hash: [UInt8]) throws(StoreError) {
        try remove(from: "session", where: "hash = $1", [.blob(hash)])
    }

    /// Removes those that were used, or have begun, up to these times.
    func removeSessions(usedBefore used: Int, begunBefore began: Int) throws(StoreError) {
        try remove(
            from: "session", where: "used <= $1 OR began <= $2",
            [.integer(used), .integer(began)])
    }

    // MARK: Passkeys

    private func passkeys(
        _ condition: String, _ value: Value
    ) throws(StoreError) -> [StoredPasskey] {
        try read(
            """
            SELECT id, person, key, counter, name, created, used FROM \(Self.prefix)passkey
            WHERE \(condition)
            """, [value]
        ) { row in
            StoredPasskey(
                id: row.bytes(0), person: row.integer(1), key: row.bytes(2),
                counter: row.integer(3), name: row.text(4), created: row.integer(5),
                used: row.optionalInteger(6))
        }
    }

    /// The passkeys of a person, the oldest first.
    func passkeys(of person: Int) throws(StoreError) -> [StoredPasskey] {
        try passkeys("person = $1 ORDER BY created, id", .integer(person))
    }

    func passkey(_ id: [UInt8]) throws(StoreError) -> StoredPasskey? {
        try passkeys("id = $1", .blob(id)).first
    }

    func add(_ passkey: StoredPasskey) throws(StoreError) {
        try write(
            """
            INSERT INTO \(Self.prefix)passkey (id, person, key, counter, name, created)
            VALUES ($1, $2, $3, $4, $5, $6)
            """,
            [
                .blob(passkey.id), .integer(passkey.person), .blob(passkey.key),
                .integer(passkey.counter), .text(passkey.name), .integer(passkey.created),
            ])
    }

    func noteUse(ofPasskey id: [UInt8], counter: Int, at now: Int) throws(StoreError) {
        try write(
            "UPDATE \(Self.prefix)passkey SET counter = $1, used = $2 WHERE id = $3",
            [.integer(counter), .integer(now), .blob(id)])
    }

    func removePasskey(_ id: [UInt8]) throws(StoreError) {
        try remove(from: "passkey", where: "id = $1", [.blob(id)])
    }
}

extension StoredPerson {
    /// A person of a row's first columns.
    fileprivate init(_ row: some StoreRow) {
        self.init(
            name: row.text(1), role: PersonRole(rawValue: row.text(2)) ?? .viewer,
            collections: row.optionalText(3).map { parts(of: $0, at: " ") },
            created: row.integer(4), createdBy: row.text(5), id: row.integer(0))
    }
}
