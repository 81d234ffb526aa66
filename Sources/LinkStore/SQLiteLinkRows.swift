internal import Files
internal import SQLite

/// The rows of a store in an SQLite database, which belongs to one process. It has the only connection to the
/// file, because SQLite before 3.51.3 can damage a database that two connections write at the same instant.
final class SQLiteLinkRows {
    let file: StoreFile
    var collections = [String: Int]()
    /// Whether a change of this process has begun a part of the history.
    private var hasBegunHistory = false
    /// The generation before the open transaction.
    private var generation = 0
    /// The reason for which there is no index of notes; nil if there is one.
    private(set) var noteFault: StoreError?
    private(set) var statementFailure: StoreError?

    /// Opens the store at `path`, or creates it.
    /// - Throws: why it cannot be used. A file that is no store, or damaged, is left as it is.
    init(_ path: String) throws(StoreError) {
        file = try StoreFile(
            path, .links, settings: Self.settings, schema: Self.allTables, upgrade: Self.upgrade)
        do throws(StoreError) {
            try file.sqlite { () throws(SQLiteError) in
                defer { file.noteWritten() }
                try makeNoteIndex()
            }
        } catch {
            // Its links are answered, and notes are read without it.
            noteFault = error
        }
    }

    var database: SQLiteDatabase { file.database }

    // MARK: Statements

    func prepared(_ sql: String) throws(SQLiteError) -> SQLiteStatement { try file.prepared(sql) }

    func number(_ sql: String) throws(SQLiteError) -> Int { try file.number(sql) }

    func read<Result>(
        _ sql: String, _ values: [SQLiteValue], _ make: (SQLiteStatement) -> Result?
    ) throws(StoreError) -> [Result] {
        try sqlite { () throws(SQLiteError) in
            let statement = try prepared(sql)
            defer { statement.reset() }
            try statement.begin(values)
            var results = [Result]()
            while try statement.step() {
                if let result = make(statement) { results.append(result) }
            }
            return results
        }
    }

    func change<Result>(
        _ sql: String, _ values: [SQLiteValue], _ make: (SQLiteStatement) -> Result?
    ) throws(StoreError) -> [Result] {
        try read(sql, values, make)
    }

    func write(_ sql: String, _ values: [SQLiteValue]) throws(StoreError) {
        try sqlite { () throws(SQLiteError) in try prepared(sql).run(values) }
    }

    func write(anyRows sql: String, _ values: [SQLiteValue]) throws(StoreError) {
        try write(sql, values)
    }

    func remove(
        from table: String, where condition: String, _ values: [SQLiteValue]
    ) throws(StoreError) {
        try write("DELETE FROM \(table) WHERE \(condition)", values)
    }

    func sqlite<Value>(_ body: () throws(SQLiteError) -> Value) throws(StoreError) -> Value {
        // Some failures end the transaction by themselves. What came after them would be kept without it.
        if let statementFailure { throw statementFailure }
        let isPart = database.isInTransaction
        do throws(StoreError) {
            return try file.sqlite(body)
        } catch {
            if isPart { statementFailure = statementFailure ?? error }
            throw error
        }
    }
}

extension SQLiteLinkRows: LinkRows {
    static var prefix: String { "" }
    static func byteCount(of column: String) -> String { "length(CAST(\(column) AS BLOB))" }

    var isShared: Bool { false }
    var newsSource: Int? { nil }

    var path: String { file.path }
    var software: String? { "SQLite \(sqliteVersion)" }
    var fault: StoreError? { file.fault }
    var upgradedFrom: Int? { file.upgradedFrom }

    func noteRead() { file.noteRead() }
    func checkServed() throws(StoreError) { try file.checkServed() }
    func checkPresence() throws(StoreError) { try file.checkPresence() }
    /// Checkpoints what is left, so that the file alone has everything.
    func close() throws(StoreError) { try file.close() }

    func identity() -> [UInt8] {
        let bytes = try? sqlite { () throws(SQLiteError) in
            if try number("SELECT count(*) FROM sqlite_schema WHERE name = 'identity'") == 0 {
                try database.execute(
                    """
                    BEGIN IMMEDIATE;
                    CREATE TABLE identity (one INTEGER PRIMARY KEY CHECK (one = 1), bytes BLOB NOT NULL)
                      STRICT;
                    INSERT INTO identity VALUES (1, randomblob(16)); COMMIT
                    """)
            }
            let row = try database.prepare("SELECT bytes FROM identity")
            return try row.step() ? row.bytes(0) : []
        }
        if database.isInTransaction { try? database.execute("ROLLBACK") }
        return bytes ?? []
    }

    /// Of a file that cannot be trusted any more, the copy is made of what is in memory.
    func copy(of store: LinkStore, to path: String) throws(StoreError) {
        do throws(StoreError) {
            if let fault { throw fault }
            try sqlite { () throws(SQLiteError) in try prepared("VACUUM INTO ?").run(.text(path)) }
        } catch {
            guard fault != nil else { throw error }
            // What the attempt has left is no empty file.
            removeFile(path)
            do throws(FileError) {
                _ = try createFile(path, [], mode: 0o600)
            } catch {
                throw StoreError(error, path: path)
            }
            _ = try StoreSalvage(store, self, to: path)
        }
    }

    // MARK: Transactions

    var isInTransaction: Bool { database.isInTransaction }

    func begin(after generation: Int) throws(StoreError) -> StoreNews? {
        statementFailure = nil
        try file.checkPresence()
        try sqlite { () throws(SQLiteError) in
            try database.execute("BEGIN IMMEDIATE")
            try prepared("UPDATE store SET generation = ?").run(.integer(generation + 1))
        }
        self.generation = generation
        return nil
    }

    func commit(_ change: CommittedChange) throws(StoreError) {
        try sqlite { () throws(SQLiteError) in
            if let next = change.generation {
                if !hasBegunHistory { try beginHistory(at: next) }
            } else {
                // Nothing of a link was changed, so the generation stays.
                try prepared("UPDATE store SET generation = ?").run(.integer(generation))
            }
            try database.execute("COMMIT")
        }
        if change.generation != nil { hasBegunHistory = true }
        // Also a commit that changes no link can be followed by a checkpoint, which writes the file.
        file.noteWritten()
    }

    func takeWrittenPages() -> Int { database.takeWrittenPages() }

    func rollBack() {
        (collections, statementFailure) = ([:], nil)
        if database.isInTransaction { try? database.execute("ROLLBACK") }
        // What did not fit into SQLite's cache is in the log, and what a full disk cut off.
        file.noteWritten()
    }

    func news(after generation: Int) throws(StoreError) -> StoreNews? { nil }

    // MARK: The history

    func historyMark(at generation: Int) throws(StoreError) -> String {
        try read(
            """
            SELECT lower(hex(mark)) FROM history WHERE generation <= ?
            ORDER BY generation DESC LIMIT 1
            """, [.integer(generation)]
        ) { $0.text(0) }.first ?? ""
    }

    /// Begins a part of the history; only in a transaction.
    private func beginHistory(at generation: Int) throws(SQLiteError) {
        try prepared("INSERT OR REPLACE INTO history VALUES (?, randomblob(8))").run(
            .integer(generation))
    }

    // MARK: Links

    static let insertion = makeInsertion()

    func insert(_ link: NumberedLink, collection: Int) throws(StoreError) {
        try write(Self.insertion, Self.values(link.link, link.row, collection: collection))
    }

    func insertAliases(
        _ slugs: [String], of link: NumberedLink, collection: Int
    ) throws(StoreError) {
        for slug in slugs {
            try write(
                "INSERT INTO alias (collection, slug, link) VALUES (?, ?, ?)",
                [.integer(collection), .text(slug), .integer(link.row)])
        }
        try updateTime(of: link)
    }

    // MARK: Tokens

    func add(_ token: StoredToken, hash: [UInt8]) throws(StoreError) -> Int {
        try write(
            """
            INSERT INTO token (name, hash, ending, scopes, collections, created, created_by, expires)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """, Self.values(token, hash: hash))
        return Int(database.lastRowID)
    }

    func noteTokens() {}
}

extension SQLiteStatement: StoreRow {}
extension SQLiteValue: StoreValue {}
