internal import Files
internal import SQLite

/// The writes of other programs to a database file, in spite of its locks. They are noticed by what each write changes, and not by
/// sizes: the times of the file and of its log of transactions, and the version that SQLite gives to the content.
struct ForeignWrites {
    /// How many were noticed, from 1 on.
    private(set) var count = 0
    private var known: Content?

    private struct Content: Equatable {
        let file: FileStamp?
        let log: FileStamp?
        /// It stays at commits of the own connection.
        let version: Int?

        init(_ file: StoreFile) {
            self.file = FileStamp(of: file.path)
            log = FileStamp(of: file.path + "-wal")
            version = try? file.dataVersion()
        }
    }

    /// Looks at a file before it is read, or written by this process.
    mutating func look(at file: StoreFile) {
        let now = Content(file)
        guard now != known else { return }
        known = now
        count += 1
        // Pages in memory would hide what was written.
        try? file.database.execute("PRAGMA shrink_memory")
    }

    /// Notes what this process has written to a file. Before that, it may have waited for another connection to commit.
    mutating func noteOwn(_ file: StoreFile) {
        let now = Content(file)
        if now.version != known?.version { count += 1 }
        known = now
    }
}

extension StoreFile {
    fileprivate func dataVersion() throws(SQLiteError) -> Int {
        let statement = try prepared("PRAGMA data_version")
        defer { statement.reset() }
        return try statement.step() ? statement.integer(0) : 0
    }
}
