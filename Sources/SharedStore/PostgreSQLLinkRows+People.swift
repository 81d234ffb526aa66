internal import LinkStore
internal import PostgreSQL

extension PostgreSQLLinkRows: PersonRows {
    private static let columns = "p.id, p.name, p.role, p.collections, p.created, p.created_by"

    /// A person of a row's first columns.
    private static func person(_ row: PostgreSQLRow) -> StoredPerson {
        StoredPerson(
            name: row.text(1), role: PersonRole(rawValue: row.text(2)) ?? .viewer,
            collections: row.optionalText(3).map(collectionNames), created: row.integer(4),
            createdBy: row.text(5), id: row.integer(0))
    }

    func people() throws(StoreError) -> [StoredPerson] {
        try run("SELECT \(Self.columns) FROM waymark.person p ORDER BY name").rows
            .map(Self.person)
    }

    func person(_ id: Int) throws(StoreError) -> StoredPerson? {
        try run("SELECT \(Self.columns) FROM waymark.person p WHERE p.id = $1", .integer(id))
            .first.map(Self.person)
    }

    func person(named name: String) throws(StoreError) -> StoredPerson? {
        try run("SELECT \(Self.columns) FROM waymark.person p WHERE p.name = $1", .text(name))
            .first.map(Self.person)
    }

    func put(_ person: StoredPerson) throws(StoreError) {
        try write(
            """
            INSERT INTO waymark.person (id, name, role, collections, created, created_by)
            VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO UPDATE
            SET name = excluded.name, role = excluded.role, collections = excluded.collections
            """, .integer(person.id), .text(person.name), .text(person.role.rawValue),
            .optional(person.collections?.joined(separator: " ")), .integer(person.created),
            .text(person.createdBy))
    }

    func removePerson(_ id: Int) throws(StoreError) {
        try removeSignIns(of: id)
        try removeSessions(of: id)
        try remove(from: "passkey", where: "person = $1", .integer(id))
        try removeChallenges(of: id)
        try remove(from: "person", where: "id = $1", .integer(id))
        try remove(
            from: "idempotency", where: "actor = $1", .integer(StoredPerson.actor(of: id)))
    }

    // MARK: Sign-in links

    func addSignIn(_ hash: [UInt8], of person: Int, until end: Int) throws(StoreError) {
        try write(
            "INSERT INTO waymark.sign_in (hash, person, expires) VALUES ($1, $2, $3)",
            .blob(hash), .integer(person), .integer(end))
    }

    func takeSignIn(_ hash: [UInt8]) throws(StoreError) -> (person: Int, end: Int)? {
        let taken = try change(
            "DELETE FROM waymark.sign_in WHERE hash = $1 RETURNING person, expires", .blob(hash))
        return taken.first.map { (person: $0.integer(0), end: $0.integer(1)) }
    }

    func removeSignIns(of person: Int) throws(StoreError) {
        try remove(from: "sign_in", where: "person = $1", .integer(person))
    }

    // MARK: Sessions

    func sessions() throws(StoreError) -> [(person: Int, began: Int, used: Int)] {
        try run("SELECT person, began, used FROM waymark.session").rows.map {
            (person: $0.integer(0), began: $0.integer(1), used: $0.integer(2))
        }
    }

    func session(_ hash: [UInt8]) throws(StoreError) -> StoredSession? {
        let found = try run(
            """
            SELECT \(Self.columns), s.began, s.used
            FROM waymark.session s JOIN waymark.person p ON p.id = s.person WHERE s.hash = $1
            """, .blob(hash))
        return found.first.map {
            StoredSession(person: Self.person($0), began: $0.integer(6), used: $0.integer(7))
        }
    }

    func addSession(_ hash: [UInt8], of person: Int, at now: Int) throws(StoreError) {
        try write(
            "INSERT INTO waymark.session (hash, person, began, used) VALUES ($1, $2, $3, $3)",
            .blob(hash), .integer(person), .integer(now))
    }

    func noteUse(ofSession hash: [UInt8], at now: Int) throws(StoreError) {
        try write(
            anyRows: "UPDATE waymark.session SET used = greatest(used, $1) WHERE hash = $2",
            .integer(now), .blob(hash))
    }

    func removeSession(_ hash: [UInt8]) throws(StoreError) {
        try remove(from: "session", where: "hash = $1", .blob(hash))
    }

    func removeSessions(of person: Int) throws(StoreError) {
        try remove(from: "session", where: "person = $1", .integer(person))
    }

    func removeSessions(usedBefore used: Int, begunBefore began: Int) throws(StoreError) {
        try remove(
            from: "session", where: "used <= $1 OR began <= $2", .integer(used), .integer(began))
    }

    // MARK: Passkeys

    private static let passkeyColumns = "id, person, key, counter, name, created, used"

    private static func passkey(_ row: PostgreSQLRow) -> StoredPasskey {
        StoredPasskey(
            id: row.bytes(0), person: row.integer(1), key: row.bytes(2), counter: row.integer(3),
            name: row.text(4), created: row.integer(5), used: row.optionalInteger(6))
    }

    func passkeys(of person: Int) throws(StoreError) -> [StoredPasskey] {
        try run(
            """
            SELECT \(Self.passkeyColumns) FROM waymark.passkey WHERE person = $1
            ORDER BY created, id
            """, .integer(person)
        ).rows.map(Self.passkey)
    }

    func passkey(_ id: [UInt8]) throws(StoreError) -> StoredPasskey? {
        try run(
            "SELECT \(Self.passkeyColumns) FROM waymark.passkey WHERE id = $1", .blob(id)
        ).first.map(Self.passkey)
    }

    func add(_ passkey: StoredPasskey) throws(StoreError) {
        try write(
            """
            INSERT INTO waymark.passkey (id, person, key, counter, name, created)
            VALUES ($1, $2, $3, $4, $5, $6)
            """, .blob(passkey.id), .integer(passkey.person), .blob(passkey.key),
            .integer(passkey.counter), .text(passkey.name), .integer(passkey.created))
    }

    func noteUse(ofPasskey id: [UInt8], counter: Int, at now: Int) throws(StoreError) {
        try write(
            anyRows: "UPDATE waymark.passkey SET counter = $1, used = $2 WHERE id = $3",
            .integer(counter),
            .integer(now), .blob(id))
    }

    func removePasskey(_ id: [UInt8]) throws(StoreError) {
        try remove(from: "passkey", where: "id = $1", .blob(id))
    }

    func addChallenge(_ hash: [UInt8], of person: Int, until end: Int) throws(StoreError) {
        try write(
            "INSERT INTO waymark.challenge (hash, person, expires) VALUES ($1, $2, $3)",
            .blob(hash), .integer(person), .integer(end))
    }

    func takeChallenge(_ hash: [UInt8]) throws(StoreError) -> (person: Int, end: Int)? {
        let taken = try change(
            "DELETE FROM waymark.challenge WHERE hash = $1 RETURNING person, expires",
            .blob(hash))
        return taken.first.map { (person: $0.integer(0), end: $0.integer(1)) }
    }

    func removeChallenges(endedBefore now: Int) throws(StoreError) {
        try remove(from: "challenge", where: "expires <= $1", .integer(now))
    }

    func removeChallenges(of person: Int) throws(StoreError) {
        try remove(from: "challenge", where: "person = $1", .integer(person))
    }

    func challengeCount() throws(StoreError) -> Int {
        try run("SELECT count(*) FROM waymark.challenge").first?.integer(0) ?? 0
    }
}
