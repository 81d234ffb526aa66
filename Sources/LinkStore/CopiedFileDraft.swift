private import Diagnostics
internal import Files
internal import SQLite

/// The files that a copy of a store is written into. They have their names when the copy is complete and was
/// compared; before, they are drafts, which another attempt goes on with.
package final class CopiedFileDraft {
    package let path: String
    private let state: CopiedState
    private let locks: StoreLocks
    private var links: SQLiteDatabase?
    private var visits: SQLiteDatabase?
    /// Whether the copy is there already under its name, so that there is nothing to copy.
    package private(set) var isComplete = false
    /// The numbers of links and aliases that another attempt has left.
    package private(set) var done = (links: 0, aliases: 0)

    private var draft: String { path + Self.ending }
    private var visitsDraft: String { path + Self.ending + ".visits" }
    private static let ending = ".copying"

    /// - Parameter state: of the store that is copied.
    /// - Throws: why nothing can be copied there, such as that other links are.
    package init(_ path: String, _ state: CopiedState) throws(StoreError) {
        (self.path, self.state) = (path, state)
        for name in [path, path + ".visits"] {
            if let kind = otherKindOfFile(at: name) { throw .isNoFile(path: name, kind) }
            if isSymbolicLink(name) { throw .isNoFile(path: name, "a symbolic link") }
        }
        locks = try StoreLocks(path)
        try look()
        if isComplete { try open(path, path + ".visits") } else { try resume() }
    }

    /// Looks at what has the name already.
    private func look() throws(StoreError) {
        guard let stamp = FileStamp(of: path), stamp.bytes > 0 else {
            guard FileStamp(of: path + ".visits") == nil || FileStamp(of: draft) != nil else {
                throw .isMissing(path: path, beside: path + ".visits")
            }
            return
        }
        if let fault = findStoreFault(path) { throw fault }
        let (found, links, tokens, people): (CopiedState, Int, Int, Int)
        do throws(SQLiteError) {
            let database = try SQLiteDatabase(path, .readWrite)
            found = try CopiedState(database)
            links = try database.number("SELECT count(*) FROM link")
            tokens = try database.number("SELECT count(*) FROM token")
            // A file of a version before has none.
            people = (try? database.number("SELECT count(*) FROM person")) ?? 0
        } catch {
            throw StoreError(error, path: path)
        }
        isComplete = found.key == state.key
        guard isComplete || links == 0 && tokens == 0 && people == 0 else {
            throw .notCopied(
                "\(quoted(path)) has \(links) links, \(tokens) tokens and \(people) people already",
                advice: "name a file that does not exist")
        }
    }

    /// Opens the drafts of another attempt if it has copied the same links, or begins new ones.
    private func resume() throws(StoreError) {
        if FileStamp(of: draft) != nil {
            try open(draft, visitsDraft)
            let key = try sqlite { () throws(SQLiteError) in
                guard let rows = try? links?.prepare("SELECT state, links, aliases FROM copying"),
                    try rows.step()
                else { return "" }
                done = (rows.integer(1), rows.integer(2))
                return rows.text(0)
            }
            if key == state.key { return }
            done = (0, 0)
            (links, visits) = (nil, nil)
        }
        for name in [draft, visitsDraft] {
            for part in ["", "-wal", "-shm", "-journal"] { removeFile(name + part) }
            do throws(FileError) {
                _ = try createFile(name, [], mode: 0o600)
                try giveFile(name, toOwnerOf: parentDirectory(of: path))
            } catch {
                throw StoreError(error, path: name)
            }
        }
        try open(draft, visitsDraft)
        try sqlite { () throws(SQLiteError) in
            try visits?.execute("BEGIN; \(VisitTables.schema); COMMIT")
            try links?.execute("BEGIN; \(SQLiteLinkRows.allTables)")
            try links?.execute(
                """
                CREATE TABLE copying (state TEXT NOT NULL, links INTEGER NOT NULL,
                  aliases INTEGER NOT NULL) STRICT; DELETE FROM history
                """)
            try links?.prepare("INSERT INTO copying VALUES (?, 0, 0)").run(.text(state.key))
            try links?.execute("COMMIT")
        }
    }

    private func open(_ path: String, _ visitsPath: String) throws(StoreError) {
        try sqlite { () throws(SQLiteError) in
            links = try SQLiteDatabase(path, .readWrite)
            if isComplete {
                let hasVisits = FileStamp(of: visitsPath) != nil
                visits = hasVisits ? try SQLiteDatabase(visitsPath, .readWrite) : nil
                return
            }
            visits = try SQLiteDatabase(visitsPath, .create)
            // A power cut is the end of a draft, which is compared before it has its name.
            for database in [links, visits] {
                try database?.execute(
                    """
                    PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL;
                    PRAGMA synchronous = OFF; PRAGMA cache_size = -262144
                    """)
            }
        }
    }

    // MARK: Rows

    /// Begins a transaction in which rows are added to a table.
    /// - Parameter isAnew: whether those that are there are removed.
    package func begin(_ table: CopiedTable, anew isAnew: Bool) throws(StoreError)
        -> CopiedInsertion
    {
        guard let database = table.isOfVisits ? visits : links else { throw .refused }
        return try sqlite { () throws(SQLiteError) in
            try database.execute("BEGIN")
            if isAnew { try database.execute("DELETE FROM \(table.file)") }
            return CopiedInsertion(try database.prepare(table.fileInsertion), table)
        }
    }

    /// Ends the transaction, with the numbers of links and aliases that are there then.
    package func commit(
        _ table: CopiedTable, _ done: (links: Int, aliases: Int)
    ) throws(StoreError) {
        try sqlite { () throws(SQLiteError) in
            if table.isOfVisits {
                try visits?.execute("COMMIT")
            } else {
                try links?.execute(
                    """
                    UPDATE copying SET links = \(done.links), aliases = \(done.aliases); COMMIT
                    """)
            }
        }
        self.done = done
    }

    package func sum(of table: CopiedTable) throws(StoreError) -> CopiedSum {
        guard let database = table.isOfVisits ? visits : links else { return CopiedSum() }
        return try CopiedRows(database, table, path: path).sum(table)
    }

    private func sqlite<Value>(
        _ body: () throws(SQLiteError) -> Value
    ) throws(StoreError) -> Value {
        do throws(SQLiteError) {
            return try body()
        } catch {
            throw StoreError(error, path: draft)
        }
    }

    // MARK: The end

    /// Writes what else belongs to the store, checks the files, and gives them their names.
    package func finish() throws(StoreError) {
        guard !isComplete else { return }
        try sqlite { () throws(SQLiteError) in
            try visits?.execute("BEGIN")
            try visits?.prepare("UPDATE state SET links = ?, store = ?")
                .run(.integer(state.lastLink), .blob(state.identity))
            try visits?.execute(Self.ending(.visits))
            try links?.execute(
                """
                BEGIN; UPDATE store SET generation = \(state.generation);
                INSERT OR IGNORE INTO history VALUES (0, randomblob(8));
                DELETE FROM sqlite_sequence WHERE name = 'token';
                INSERT INTO sqlite_sequence (name, seq) VALUES ('token', \(state.lastToken));
                CREATE TABLE identity (one INTEGER PRIMARY KEY CHECK (one = 1), bytes BLOB NOT NULL)
                  STRICT;
                DROP TABLE copying
                """)
            try links?.prepare("INSERT INTO identity VALUES (1, ?)").run(.blob(state.identity))
            try links?.execute(Self.ending(.links))
        }
        (links, visits) = (nil, nil)
        // Links last, so that nothing is taken for a whole store that is none.
        for (file, name) in [(visitsDraft, path + ".visits"), (draft, path)] {
            try StoreBackup.check(file)
            do throws(FileError) {
                try synchronizeFile(file)
                // Of a store without links that is replaced.
                for part in ["-wal", "-shm"] { removeFile(name + part) }
                try moveFile(file, to: name)
                try synchronizeDirectory(parentDirectory(of: path))
            } catch {
                throw StoreError(error, path: name)
            }
        }
    }

    private static func ending(_ kind: StoreKind) -> String {
        """
        PRAGMA application_id = \(kind.applicationID); PRAGMA user_version = \(kind.schemaVersion);
        COMMIT; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE
        """
    }
}

/// A statement that adds rows to a table of a file.
package struct CopiedInsertion {
    private let statement: SQLiteStatement
    private let columns: [CopiedTable.Column]

    fileprivate init(_ statement: SQLiteStatement, _ table: CopiedTable) {
        (self.statement, columns) = (statement, table.columns)
    }

    package func add(_ row: some CopiedRow) throws(StoreError) {
        let values = columns.enumerated().map { index, column -> SQLiteValue in
            guard !row.isNull(index) else { return .null }
            return switch column.kind {
            case .number, .flag: .integer(row.integer(index))
            case .text: .text(String(decoding: row.textBytes(index), as: UTF8.self))
            case .blob: .blob(row.blob(index))
            }
        }
        do throws(SQLiteError) {
            try statement.run(values)
        } catch {
            throw StoreError(error, path: "the copy")
        }
    }
}

extension CopiedState {
    /// Reads that of a file.
    init(_ database: SQLiteDatabase) throws(SQLiteError) {
        identity = ownIdentity(of: database)
        generation = try database.number("SELECT generation FROM store")
        lastLink = try database.number("SELECT max(id) FROM link")
        lastToken = try database.number("SELECT seq FROM sqlite_sequence WHERE name = 'token'")
        let last = try database.prepare(
            """
            SELECT lower(hex(mark)) FROM history WHERE generation <= (SELECT generation FROM store)
            ORDER BY generation DESC LIMIT 1
            """)
        mark = try last.step() ? last.text(0) : ""
    }
}
