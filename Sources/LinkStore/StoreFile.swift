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
        case .links: 5
        case .visits: 4
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
    while FileStamp(of: name) != nil || isSymbolicLink(name) {
        number += 1
        name = "\(path).replaced-\(number)"
    }
    return name
}

/// A database file of Waymark, with the only connection to it, and locks that keep other processes
/// out, under whatever name they find the file. SQLite before 3.51.3 can damage a database that two
/// connections write at the same instant.
final class StoreFile {
    let path: String
    private let kind: StoreKind
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
    /// The log of transactions after this process has written it.
    private var log: FileStamp?
    /// The reason for which nothing is written until the file is opened again, whatever becomes of it:
    /// it is damaged, or another program has written it. Nil while there is none.
    private(set) var fault: StoreError?
    /// The version of the tables that were upgraded when it was opened; nil if none were.
    private(set) var upgradedFrom: Int?
    /// True once its content is in memory, so that a fault from now on is one of a served file.
    private var isRead = false
    private var statements = [String: SQLiteStatement]()

    /// Opens a file, or creates it with the tables of `schema`, and checks it.
    /// - Parameter upgrade: makes the tables of a version before into those.
    /// - Throws: why it cannot be used. A file that is something else, or damaged, is left as it is.
    init(
        _ path: String, _ kind: StoreKind, settings: String, schema: String,
        upgrade: ((_ version: Int) -> String)? = nil
    ) throws(StoreError) {
        (self.path, self.kind) = (path, kind)
        if let kind = otherKindOfFile(at: path) { throw .isNoFile(path: path, kind) }
        let others = kind == .links ? Self.others(of: path) : []
        if (FileStamp(of: path)?.bytes ?? 0) == 0, let other = others.first {
            throw .isMissing(path: path, beside: other)
        }
        do throws(FileError) {
            nameLock = try FileLock(path: path + ".lock", purpose: "")
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
        guard fileLock.isOf(path) else {
            throw .cannotOpen(path: path, "it was replaced while it was opened")
        }
        try sqlite { () throws(SQLiteError) in
            try database.execute(
                """
                PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY;
                """)
        }
        let isAlone = try sqlite { () throws(SQLiteError) in try keepOthersOut() }
        try checkKind(kind, beside: others.last)
        try sqlite { () throws(SQLiteError) in
            try database.execute("PRAGMA journal_mode = WAL")
            try database.execute(settings)
            let version = try number("PRAGMA user_version")
            if isAlone { removeFile(path + "-shm") }
            guard version < kind.schemaVersion else { return }
            if version > 0 { upgradedFrom = version }
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

    /// Locks the file against other programs, so that SQLite shares no memory through a file beside it:
    /// where a full disk cannot back a page of that, the kernel ends the process. A program that has the
    /// file open already, such as an idle shell of sqlite3, does not keep links from being answered.
    /// - Returns: whether the file is locked.
    private func keepOthersOut() throws(SQLiteError) -> Bool {
        try database.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA busy_timeout = 500")
        defer { try? database.execute("PRAGMA busy_timeout = 5000") }
        do throws(SQLiteError) {
            _ = try number("PRAGMA schema_version")
            return true
        } catch {
            guard error.kind == .busy else { throw error }
            try database.execute("PRAGMA locking_mode = NORMAL")
            return false
        }
    }

    /// Checkpoints what is left, so that the file alone has everything, unless that would write what
    /// others have made of its log.
    func close() throws(StoreError) {
        statements = [:]
        do throws(StoreError) {
            try checkPresence()
        } catch .isGone where fileLock.isNameless && kind == .links {
            try keepAside()
        } catch .isGone where hasLog {
            // Under its other name.
        } catch {
            return database.keepLog()
        }
        try checkpoint()
    }

    private func checkpoint() throws(StoreError) {
        try sqlite { () throws(SQLiteError) in
            try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }

    /// Copies the content of a file without a name, which would be lost with the process. Without room for that, the log
    /// of transactions is put aside.
    /// - Throws: always: where the content is now, or why there is no copy.
    private func keepAside() throws(StoreError) {
        database.keepLog()
        // No visits of this name are taken for those of the copy.
        let aside = path + StoreReplacement.ending(for: [path, path + ".visits"])
        // Another process that ends now may have a copy there.
        var isOurs = false
        do throws(StoreError) {
            do throws(FileError) {
                isOurs = try createFile(aside, [], mode: 0o600)
            } catch {
                throw StoreError(error, path: aside)
            }
            try sqlite { () throws(SQLiteError) in
                try database.prepare("VACUUM INTO ?").run(.text(aside))
            }
        } catch {
            if isOurs { removeFile(aside) }
            // A log that stays would be written into the file that is there now.
            if hasLog { try? moveFile(path + "-wal", to: aside + "-wal") }
            throw error
        }
        if hasLog { try checkpoint() }
        throw .isKept(path: path, kept: aside)
    }

    /// The files beside a store, with content, that are there only where the store was: its log of
    /// transactions, and the visits of its links.
    private static func others(of path: String) -> [String] {
        ["-wal", ".visits"].map { path + $0 }.filter { (FileStamp(of: $0)?.bytes ?? 0) > 0 }
    }

    private func checkKind(_ kind: StoreKind, beside other: String?) throws(StoreError) {
        let (found, tables) = try sqlite { () throws(SQLiteError) in
            (try number("PRAGMA application_id"), try number("SELECT count(*) FROM sqlite_schema"))
        }
        guard found == kind.applicationID || (found == 0 && tables == 0) else {
            throw .isForeign(path: path, kind)
        }
        let version = try sqlite { () throws(SQLiteError) in try number("PRAGMA user_version") }
        guard version <= kind.schemaVersion else {
            throw .isNewer(path: path, schema: version, kind)
        }
        guard version > 0 || tables == 0 else {
            throw .isDamaged(path: path, "its version is \(version), and it has \(tables) tables")
        }
        if tables == 0, let other, other == path + ".visits" {
            throw .isMissing(path: path, beside: other)
        }
        // The tables of a damaged file are left as they are.
        if version > 0, version < kind.schemaVersion { try check() }
    }

    /// Checks that the file is whole, which reads all of it. Nothing is written to a damaged one whose
    /// content is in memory.
    func checkServed() throws(StoreError) {
        do throws(StoreError) {
            try check()
        } catch .isDamaged(_, let reason) where isRead {
            throw giveUp(.wasDamaged(path: path, reason))
        }
    }

    /// Checks that the file is whole, which reads all of it.
    func check() throws(StoreError) {
        let found: String
        do throws(SQLiteError) {
            found = try text("PRAGMA quick_check(1)")
            try database.execute("PRAGMA shrink_memory")
        } catch {
            throw StoreError(error, path: path)
        }
        guard found == "ok" else { throw .isDamaged(path: path, found) }
    }

    /// Notes that the content of the file is in memory now.
    func noteRead() {
        isRead = true
        noteWritten()
    }

    // MARK: Other programs

    /// Checks that the file is where it was, and that nobody else has written it or its log of
    /// transactions: what is written to a file without a name is lost at the next start, as is what
    /// follows in a log that is not SQLite's.
    func checkPresence() throws(StoreError) {
        if let fault { throw fault }
        guard let now = FileStamp(of: path), now.identity == identity else {
            throw .isGone(path: path)
        }
        if let stamp, now.content != stamp.content { try checkContent(now, stamp) }
        stamp = now
        if !hasLog { throw giveUp(.isOverwritten(path: path + "-wal")) }
    }

    /// Looks at a file that another program has written, or touched.
    private func checkContent(_ now: FileStamp, _ before: FileStamp) throws(StoreError) {
        guard fileLock.readBeginning(Self.headerBytes) == header else {
            // It would be written into the other content at the next start.
            try? moveFile(path + "-wal", to: path + "-wal.replaced")
            throw giveUp(.isOverwritten(path: path))
        }
        guard now.bytes == before.bytes else {
            throw giveUp(
                .wasDamaged(path: path, "it has \(now.bytes) bytes, and had \(before.bytes)"))
        }
        // Of pages in memory, it would not see what became of them.
        try? database.execute("PRAGMA shrink_memory")
        try checkServed()
    }

    /// Whether the log of transactions is as this process has left it.
    private var hasLog: Bool {
        guard let log else { return true }
        return FileStamp(of: path + "-wal")?.content == log.content
    }

    private func giveUp(_ fault: StoreError) -> StoreError {
        self.fault = fault
        database.keepLog()
        return fault
    }

    /// Remembers what the file and its log are after a transaction, by which others are noticed:
    /// SQLite writes only then. The header of the file changes with each content.
    func noteWritten() {
        let now = FileStamp(of: path)
        guard fault == nil, now?.identity == identity else { return }
        if now != stamp { (stamp, header) = (now, fileLock.readBeginning(Self.headerBytes)) }
        let log = FileStamp(of: path + "-wal")
        if self.log == nil || log?.identity == self.log?.identity { self.log = log }
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

    /// Lets SQLite do something. That it finds the file damaged is remembered.
    func sqlite<Value>(_ body: () throws(SQLiteError) -> Value) throws(StoreError) -> Value {
        do throws(SQLiteError) {
            return try body()
        } catch {
            if isRead, error.isOfContent {
                throw fault ?? giveUp(.wasDamaged(path: path, error.description))
            }
            throw StoreError(error, path: path)
        }
    }
}

extension FileStamp {
    /// The values that only a writer changes, and not who gives the file another name or owner.
    fileprivate var content: Content {
        Content(
            identity: identity, bytes: bytes, modified: modified, nanoseconds: modifiedNanoseconds)
    }

    fileprivate struct Content: Equatable {
        let identity: FileIdentity
        let bytes: Int
        let modified: Int
        let nanoseconds: Int
    }
}

extension SQLiteError {
    /// Whether the content of the file is the reason: also that a table is missing, because
    /// statements name those that were made with the file.
    fileprivate var isOfContent: Bool {
        switch kind {
        case .damaged, .notADatabase: true
        case .other:
            ["table", "column"].contains { description.utf8.starts(with: "no such \($0)".utf8) }
        default: false
        }
    }
}
