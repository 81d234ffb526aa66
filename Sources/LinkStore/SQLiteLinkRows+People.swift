internal import SQLite

extension SQLiteLinkRows {
    /// The tables that version 4 has besides: the people of the console, their sign-in links and their sessions.
    static let people = """
        CREATE TABLE person (
          id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, role TEXT NOT NULL, collections TEXT,
          created INTEGER NOT NULL, created_by TEXT NOT NULL) STRICT;
        CREATE TABLE sign_in (
          hash BLOB PRIMARY KEY, person INTEGER NOT NULL REFERENCES person, expires INTEGER NOT NULL)
          STRICT, WITHOUT ROWID;
        CREATE TABLE session (
          hash BLOB PRIMARY KEY, person INTEGER NOT NULL REFERENCES person, began INTEGER NOT NULL,
          used INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        """

    /// The tables that version 5 has besides: passkeys of people, and the challenges that they have not answered yet.
    static let passkeys = """
        CREATE TABLE passkey (
          id BLOB PRIMARY KEY, person INTEGER NOT NULL REFERENCES person, key BLOB NOT NULL,
          counter INTEGER NOT NULL, name TEXT NOT NULL, created INTEGER NOT NULL, used INTEGER)
          STRICT, WITHOUT ROWID;
        CREATE INDEX passkey_person ON passkey (person);
        CREATE TABLE challenge (
          hash BLOB PRIMARY KEY, person INTEGER NOT NULL, expires INTEGER NOT NULL)
          STRICT, WITHOUT ROWID;
        """

    private func run(_ sql: String, _ values: SQLiteValue...) throws(StoreError) {
        try sqlite { () throws(SQLiteError) in try prepared(sql).run(values) }
    }

    /// The results of a query, each made of its row.
    private func rows<Row>(
        _ sql: String, _ values: [SQLiteValue] = [], _ row: (SQLiteStatement) -> Row
    ) throws(StoreError) -> [Row] {
        try sqlite { () throws(SQLiteError) in
            let statement = try prepared(sql)
            defer { statement.reset() }
            try statement.begin(values)
            var rows = [Row]()
            while try statement.step() { rows.append(row(statement)) }
            return rows
        }
    }

    /// A person of a row's first columns.
    private static func person(_ row: SQLiteStatement) -> StoredPerson {
        StoredPerson(
            name: row.text(1), role: PersonRole(rawValue: row.text(2)) ?? .viewer,
            collections: row.optionalText(3).map(collectionNames), created: row.integer(4),
            createdBy: row.text(5), id: row.integer(0))
    }

    private static let columns = "p.id, p.name, p.role, p.collections, p.created, p.created_by"
}

/// The names that a column has, with a space between them.
package func collectionNames(_ text: String) -> [String] {
    text.utf8.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
}

extension SQLiteLinkRows: PersonRows {
    func people() throws(StoreError) -> [StoredPerson] {
        try rows("SELECT \(Self.columns) FROM person p ORDER BY name", [], Self.person)
    }

    func person(_ id: Int) throws(StoreError) -> StoredPerson? {
        try rows(
            "SELECT \(Self.columns) FROM person p WHERE p.id = ?", [.integer(id)], Self.person
        ).first
    }

    func person(named name: String) throws(StoreError) -> StoredPerson? {
        try rows(
            "SELECT \(Self.columns) FROM person p WHERE p.name = ?", [.text(name)], Self.person
        ).first
    }

    func put(_ person: StoredPerson) throws(StoreError) {
        try run(
            """
            INSERT INTO person VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE
            SET name = excluded.name, role = excluded.role, collections = excluded.collections
            """, .integer(person.id),
            .text(person.name), .text(person.role.rawValue),
            .optional(person.collections?.joined(separator: " ")), .integer(person.created),
            .text(person.createdBy))
    }

    func removePerson(_ id: Int) throws(StoreError) {
        try removeSignIns(of: id)
        try removeSessions(of: id)
        try run("DELETE FROM passkey WHERE person = ?", .integer(id))
        try removeChallenges(of: id)
        try run("DELETE FROM person WHERE id = ?", .integer(id))
        try run("DELETE FROM idempotency WHERE actor = ?", .integer(StoredPerson.actor(of: id)))
    }

    func addSignIn(_ hash: [UInt8], of person: Int, until end: Int) throws(StoreError) {
        try run(
            "INSERT INTO sign_in VALUES (?, ?, ?)", .blob(hash), .integer(person), .integer(end))
    }

    func takeSignIn(_ hash: [UInt8]) throws(StoreError) -> (person: Int, end: Int)? {
        try rows("DELETE FROM sign_in WHERE hash = ? RETURNING person, expires", [.blob(hash)]) {
            (person: $0.integer(0), end: $0.integer(1))
        }.first
    }

    func removeSignIns(of person: Int) throws(StoreError) {
        try run("DELETE FROM sign_in WHERE person = ?", .integer(person))
    }

    func sessions() throws(StoreError) -> [(person: Int, began: Int, used: Int)] {
        try rows("SELECT person, began, used FROM session") {
            (person: $0.integer(0), began: $0.integer(1), used: $0.integer(2))
        }
    }

    func session(_ hash: [UInt8]) throws(StoreError) -> StoredSession? {
        try rows(
            """
            SELECT \(Self.columns), s.began, s.used
            FROM session s JOIN person p ON p.id = s.person WHERE s.hash = ?
            """, [.blob(hash)]
        ) {
            StoredSession(person: Self.person($0), began: $0.integer(6), used: $0.integer(7))
        }.first
    }

    func addSession(_ hash: [UInt8], of person: Int, at now: Int) throws(StoreError) {
        try run(
            "INSERT INTO session VALUES (?1, ?2, ?3, ?3)", .blob(hash), .integer(person),
            .integer(now))
    }

    func noteUse(ofSession hash: [UInt8], at now: Int) throws(StoreError) {
        try run(
            "UPDATE session SET used = max(used, ?) WHERE hash = ?", .integer(now), .blob(hash))
    }

    func removeSession(_ hash: [UInt8]) throws(StoreError) {
        try run("DELETE FROM session WHERE hash = ?", .blob(hash))
    }

    func removeSessions(of person: Int) throws(StoreError) {
        try run("DELETE FROM session WHERE person = ?", .integer(person))
    }

    func removeSessions(usedBefore used: Int, begunBefore began: Int) throws(StoreError) {
        try run(
            "DELETE FROM session WHERE used <= ? OR began <= ?", .integer(used), .integer(began))
    }

    // MARK: Passkeys

    private static func passkey(_ row: SQLiteStatement) -> StoredPasskey {
        StoredPasskey(
            id: row.bytes(0), person: row.integer(1), key: row.bytes(2), counter: row.integer(3),
            name: row.text(4), created: row.integer(5), used: row.optionalInteger(6))
    }

    func passkeys(of person: Int) throws(StoreError) -> [StoredPasskey] {
        try rows(
            "SELECT * FROM passkey WHERE person = ? ORDER BY created, id", [.integer(person)],
            Self.passkey)
    }

    func passkey(_ id: [UInt8]) throws(StoreError) -> StoredPasskey? {
        try rows("SELECT * FROM passkey WHERE id = ?", [.blob(id)], Self.passkey).first
    }

    func add(_ passkey: StoredPasskey) throws(StoreError) {
        try run(
            "INSERT INTO passkey VALUES (?, ?, ?, ?, ?, ?, NULL)", .blob(passkey.id),
            .integer(passkey.person), .blob(passkey.key), .integer(passkey.counter),
            .text(passkey.name), .integer(passkey.created))
    }

    func noteUse(ofPasskey id: [UInt8], counter: Int, at now: Int) throws(StoreError) {
        try run(
            "UPDATE passkey SET counter = ?, used = ? WHERE id = ?", .integer(counter),
            .integer(now), .blob(id))
    }

    func removePasskey(_ id: [UInt8]) throws(StoreError) {
        try run("DELETE FROM passkey WHERE id = ?", .blob(id))
    }

    func addChallenge(_ hash: [UInt8], of person: Int, until end: Int) throws(StoreError) {
        try run(
            "INSERT INTO challenge VALUES (?, ?, ?)", .blob(hash), .integer(person), .integer(end))
    }

    func takeChallenge(_ hash: [UInt8]) throws(StoreError) -> (person: Int, end: Int)? {
        try rows("DELETE FROM challenge WHERE hash = ? RETURNING person, expires", [.blob(hash)]) {
            (person: $0.integer(0), end: $0.integer(1))
        }.first
    }

    func removeChallenges(endedBefore now: Int) throws(StoreError) {
        try run("DELETE FROM challenge WHERE expires <= ?", .integer(now))
    }

    func removeChallenges(of person: Int) throws(StoreError) {
        try run("DELETE FROM challenge WHERE person = ?", .integer(person))
    }

    func challengeCount() throws(StoreError) -> Int {
        try rows("SELECT count(*) FROM challenge") { $0.integer(0) }.first ?? 0
    }
}
