internal import Files
package import LinkIndex
internal import SQLite

/// The links of an environment in an SQLite database, and the index that answers them.
///
/// It belongs to one thread and has the only connection to the file, because SQLite before 3.51.3
/// can damage a database that two connections write at the same instant.
package final class LinkStore {
    /// All links, with the changes of every commit so far.
    package private(set) var index = LinkIndex()
    let file: StoreFile
    /// Changes of the open transaction, for the index.
    private var changes = [LinkChange]()
    /// The slugs that it adds.
    var written = [SlugKey: String]()
    /// The numbers of collections that were looked up.
    var collectionNumbers = [String: Int]()
    /// The memory of searches in the index.
    var lookup = LinkLookup()
    /// Counts changes of tokens: who has read them before a change must read them again. A change
    /// that was taken back counts, too.
    package internal(set) var tokenChanges = 0
    /// Counts of the answers that are kept for requests that can be repeated.
    var keptAnswers = KeptAnswers()
    private var generation = 0
    /// Whether a change of this process has begun a part of the history.
    private var hasBegunHistory = false
    /// The reason for which the store cannot be changed: its file was damaged or written by others, or
    /// the last transaction failed. Nil after one that did not.
    package var failure: StoreError? { file.fault ?? lastFailure }
    private var lastFailure: StoreError?
    /// The names of the collections that the index has by their numbers.
    package private(set) var names = [UInt32: CollectionName]()
    /// The greatest identity.
    private(set) var lastID: LinkID?
    /// Links of the file that are not answered.
    package private(set) var unanswered = UnansweredLinks()
    /// The highest number of a link.
    private var lastRow = 0
    /// By which the file of visits knows that it counts the links of this store, and not those of
    /// another one that have the same numbers; empty if it could not be written.
    package private(set) var identity = [UInt8]()

    /// Opens the store at `path`, or creates it, and reads its links.
    /// - Throws: why it cannot be used. A file that is no store, or damaged, is left as it is.
    package init(_ path: String) throws(StoreError) {
        file = try StoreFile(
            path, .links, settings: Self.settings, schema: Self.allTables, upgrade: Self.upgrade)
        try load()
        identity = ownIdentity()
        file.noteRead()
    }

    package var path: String { file.path }
    var database: SQLiteDatabase { file.database }

    /// Checkpoints what is left, so that the file alone has everything.
    package func close() throws(StoreError) { try file.close() }

    /// The version of the tables that were upgraded when it was opened; nil if none were.
    package var upgradedFrom: Int? { file.upgradedFrom }

    /// Checks that the file is whole; `failure` says so if it is not. This reads all of it, so it comes
    /// when its links are answered.
    package func check() {
        do throws(StoreError) {
            try file.checkServed()
        } catch {
            lastFailure = error
        }
    }

    /// Reads all links into the index.
    private func load() throws(StoreError) {
        try checkTables()
        generation = try sqlite { () throws(SQLiteError) in
            try number("SELECT generation FROM store")
        }
        guard 0..<Self.generationsEnd ~= generation else {
            throw .isDamaged(path: path, "its generation is \(generation)")
        }
        var loading = LinkLoading()
        try sqlite { () throws(SQLiteError) in
            try loading.read(database)
            let last = try database.prepare(
                "SELECT uid FROM link WHERE length(uid) = 16 ORDER BY uid DESC LIMIT 1")
            lastID = try last.step() ? LinkID(last.bytes(0)) : nil
            // Its cache has read every page.
            try database.execute("PRAGMA shrink_memory")
        }
        (unanswered, lastRow, names) = (loading.unanswered, loading.lastRow, loading.names)
        index = loading.index(generation)
    }

    private func checkTables() throws(StoreError) {
        for name in Self.tables {
            let count = try sqlite { () throws(SQLiteError) in
                try number("SELECT count(*) FROM sqlite_schema WHERE name = '\(name)'")
            }
            if count == 0 { throw .isDamaged(path: path, "its table \(name) is missing") }
        }
    }

    func noteName(_ collection: String) {
        let name = CollectionName(collection)
        names[name.number] = name
    }

    /// No store has so many changes.
    private static let generationsEnd = 1 << 53

    // MARK: Statements

    func prepared(_ sql: String) throws(SQLiteError) -> SQLiteStatement { try file.prepared(sql) }

    func number(_ sql: String) throws(SQLiteError) -> Int { try file.number(sql) }

    func sqlite<Value>(
        _ body: () throws(SQLiteError) -> Value
    ) throws(StoreError) -> Value {
        try file.sqlite(body)
    }

    // MARK: Transactions

    /// Runs `body` as one transaction, which takes the next generation. After it, the index has
    /// every change; if it fails, nothing has changed. In an open transaction, it is a part of that.
    package func transaction<Value>(
        _ body: (_ generation: Int) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        if database.isInTransaction { return try body(generation + 1) }
        do throws(StoreError) {
            let value = try commit(body)
            // Also a commit that changes no link can be followed by a checkpoint, which writes the file.
            file.noteWritten()
            lastFailure = nil
            return value
        } catch {
            rollBack()
            if error != .refused { lastFailure = error }
            throw error
        }
    }

    private func commit<Value>(
        _ body: (_ generation: Int) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        try file.checkPresence()
        try sqlite { () throws(SQLiteError) in try database.execute("BEGIN IMMEDIATE") }
        (changes, written) = ([], [:])
        let next = generation + 1
        try sqlite { () throws(SQLiteError) in
            try prepared("UPDATE store SET generation = ?").run(.integer(next))
        }
        let value = try body(next)
        guard !changes.isEmpty else {
            // Nothing of a link was changed, so the generation stays.
            try sqlite { () throws(SQLiteError) in
                try prepared("UPDATE store SET generation = ?").run(.integer(generation))
                try database.execute("COMMIT")
            }
            return value
        }
        try sqlite { () throws(SQLiteError) in
            if !hasBegunHistory { try beginHistory(at: next) }
            try database.execute("COMMIT")
        }
        (generation, hasBegunHistory) = (next, true)
        index = index.changed(changes, generation: next)
        return value
    }

    private func rollBack() {
        (changes, written, collectionNumbers) = ([], [:], [:])
        if database.isInTransaction { try? database.execute("ROLLBACK") }
        // What did not fit into SQLite's cache is in the log, and what a full disk cut off.
        file.noteWritten()
    }

    /// Notes a change of the index by the open transaction.
    func note(_ change: LinkChange) { changes.append(change) }

    /// Gives no new link a number up to this one: in a copy from before, they would be given to
    /// other links.
    package func skipNumbers(to number: Int) {
        lastRow = max(lastRow, min(number, Int(LinkRecord.idMax) / 2))
    }

    private func ownIdentity() -> [UInt8] {
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

    /// Checks that the file is what it was; `failure` says so if it is not.
    package func checkFile() {
        do throws(StoreError) {
            try file.checkPresence()
        } catch {
            lastFailure = error
        }
    }

    /// Notes an identity that was given elsewhere: those that are made from now on come after it, as they do after
    /// the next start.
    func note(_ id: LinkID) {
        let isLast = lastID.map { $0.bytes.lexicographicallyPrecedes(id.bytes) } ?? true
        if isLast { lastID = id }
    }

    /// The number of a new link. SQLite's own choice would follow a row of any number.
    func makeRow() -> Int {
        lastRow += 1
        return lastRow
    }

    /// An identity that comes after all that were made before, so that lists have them in the order
    /// in which they were made, also after the clock was set back.
    /// - Parameter milliseconds: since 1970.
    package func makeID(
        milliseconds: Int, _ random: inout some RandomNumberGenerator
    ) -> LinkID {
        // Random bits cost more than everything else, and identities are no secrets.
        if let next = lastID?.successor, next.milliseconds >= milliseconds {
            lastID = next
            return next
        }
        let id = LinkID(milliseconds: milliseconds, random: &random)
        lastID = id
        return id
    }
}
