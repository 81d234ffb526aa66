internal import Files
internal import SQLite

/// The kinds of Waymark's database files.
package enum StoreKind: Sendable {
    case links
    case visits

    /// Waymark's numbers for them: `WMLK` and `WMVS`.
    var applicationID: Int {
        switch self {
        case .links: 0x574D_4C4B
        case .visits: 0x574D_5653
        }
    }

    /// The version of the tables.
    var schemaVersion: Int {
        switch self {
        case .links: 2
        case .visits: 3
        }
    }

    /// The name of the kind for people.
    var words: String {
        switch self {
        case .links: "store of links"
        case .visits: "file of visits"
        }
    }
}

/// Moves a closed file out of the way of another one.
/// - Returns: its path there.
func moveAside(_ path: String) throws(StoreError) -> String {
    let aside = freeName(for: path)
    do throws(FileError) {
        try moveFile(path, to: aside)
    } catch {
        throw StoreError(error, path: path)
    }
    return aside
}

/// A name that no file has, for one that is replaced.
func freeName(for path: String) -> String {
    var (name, number) = (path + ".replaced", 1)
    while FileStamp(of: name) != nil {
        number += 1
        name = "\(path).replaced-\(number)"
    }
    return name
}

/// A database file of Waymark, with the only connection to it, and locks that keep other processes
/// out, under whatever name they find the file. SQLite before 3.51.3 can damage a database that two connections write at the same instant.
final class StoreFile {
    let path: String
    let database: SQLiteDatabase
    /// Of a file beside it, which versions before this one lock.
    private let nameLock: FileLock
    /// Of the file itself. It is released after the database is closed, because a process that closes a
    /// file loses all its locks of it (fcntl(2)).
    private let fileLock: FileLock
    private let identity: FileIdentity?
    /// The file after this process has written it, and its header.
    private var stamp: FileStamp?
    private var header = [UInt8]()
    /// True after another program was seen to have written into the file.
    private var isOverwritten = false
    private var statements = [String: SQLiteStatement]()

    /// Opens a file, or creates it with the tables of `schema`, and checks it.
    /// - Parameter upgrade: makes the tables of a version before into those.
    /// - Throws: why it cannot be used. A file that is something else, or damaged, is left as it is.
    init(
        _ path: String, _ kind: StoreKind, settings: String, schema: String,
        upgrade: ((_ version: Int) -> String)? = nil
    ) throws(StoreError) {
        self.path = path
        do throws(FileError) {
            nameLock = try FileLock(path: path + ".lock")
            // Only its owner can read it; SQLite's own files beside it get the same permission.
            _ = try createFile(path, [], mode: 0o600)
            fileLock = try FileLock(of: path)
        } catch {
            throw StoreError(error, path: path)
        }
        do throws(SQLiteError) {
            database = try SQLiteDatabase(path, .readWrite)
        } catch {
            throw StoreError(error, path: path)
        }
        identity = FileIdentity(of: path)
        guard fileLock.isOf(path) else { throw .isGone(path: path) }
        try sqlite { () throws(SQLiteError) in
            try database.execute(
                """
                PRAGMA busy_timeout = 5000; PRAGMA trusted_schema = OFF;
                PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY;
                """)
        }
        try checkKind(kind)
        try sqlite { () throws(SQLiteError) in
            try database.execute("PRAGMA journal_mode = WAL")
            try database.execute(settings)
            let version = try number("PRAGMA user_version")
            guard version < kind.schemaVersion else { return }
            // In one transaction.
            try database.execute(
                """
                BEGIN IMMEDIATE; \(version > 0 ? upgrade?(version) ?? schema : schema)
                PRAGMA application_id = \(kind.applicationID);
                PRAGMA user_version = \(kind.schemaVersion); COMMIT
                """)
        }
        noteWritten()
    }

    /// Checkpoints what is left, so that the file alone has everything.
    func close() throws(StoreError) {
        statements = [:]
        guard !isOverwritten else { return }
        try sqlite { () throws(SQLiteError) in
            try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }

    private func checkKind(_ kind: StoreKind) throws(StoreError) {
        let (found, tables) = try sqlite { () throws(SQLiteError) in
            (
                try number("PRAGMA application_id"),
                try number("SELECT count(*) FROM sqlite_schema")
            )
        }
        guard found == kind.applicationID || (found == 0 && tables == 0) else {
            throw .isForeign(path: path, kind)
        }
        let version = try sqlite { () throws(SQLiteError) in try number("PRAGMA user_version") }
        guard version <= kind.schemaVersion else {
            throw .isNewer(path: path, schema: version, kind)
        }
        // The tables of a damaged file are left as they are.
        if version > 0, version < kind.schemaVersion { try check() }
    }

    /// Checks that the file is whole, which reads all of it.
    func check() throws(StoreError) {
        let fault = try sqlite { () throws(SQLiteError) in
            let found = try text("PRAGMA quick_check(1)")
            try database.execute("PRAGMA shrink_memory")
            return found
        }
        guard fault == "ok" else { throw .isDamaged(path: path, fault) }
    }

    /// Checks that the file is where it was: what is written to a file without a name is lost at
    /// the next start.
    func checkPresence() throws(StoreError) {
        try checkContent()
        guard let now = FileStamp(of: path), now.identity == identity else {
            throw .isGone(path: path)
        }
        guard let stamp, now != stamp else { return }
        guard fileLock.readBeginning(Self.headerBytes) == header else {
            isOverwritten = true
            // It would be written into the other content, now or at the next start.
            database.keepLog()
            try? moveFile(path + "-wal", to: path + "-wal.replaced")
            throw .isOverwritten(path: path)
        }
        self.stamp = now
    }

    /// Checks that nobody was seen to write into the file; it may have no name any more.
    func checkContent() throws(StoreError) {
        if isOverwritten { throw .isOverwritten(path: path) }
    }

    /// Remembers what the file is after a commit, by which others are noticed: SQLite writes into it
    /// only then. Its header changes with each content.
    func noteWritten() {
        let now = FileStamp(of: path)
        guard now != stamp, now?.identity == identity, !isOverwritten else { return }
        (stamp, header) = (now, fileLock.readBeginning(Self.headerBytes))
    }

    private static let headerBytes = 100

    // MARK: Statements

    func prepared(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
        if let statement = statements[sql] { return statement }
        let statement = try database.prepare(sql)
        statements[sql] = statement
        return statement
    }

    func number(_ sql: String) throws(SQLiteError) -> Int {
        let statement = try database.prepare(sql)
        return try statement.step() ? statement.integer(0) : 0
    }

    private func text(_ sql: String) throws(SQLiteError) -> String {
        let statement = try database.prepare(sql)
        return try statement.step() ? statement.text(0) : ""
    }

    func sqlite<Value>(
        _ body: () throws(SQLiteError) -> Value
    ) throws(StoreError) -> Value {
        do throws(SQLiteError) {
            return try body()
        } catch {
            throw StoreError(error, path: path)
        }
    }
}
