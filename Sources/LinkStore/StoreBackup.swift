internal import Files
internal import SQLite
private import Visits

/// Copies of a store of links and of its visits. A file has its name when it is complete, checked and
/// on the disk: whatever ends the process before leaves a draft, which the next backup removes.
package struct StoreBackup {
    /// The reason for which the visits are in no copy; nil if they are in one.
    package let visitsError: StoreError?

    /// Writes copies of links, at `path`, and of visits, at `path.visits`. Only their owner can read
    /// them, as the store itself.
    /// - Parameter visits: nil where none are counted.
    /// - Throws: why there is no copy of the links.
    package init(of store: LinkStore, _ visits: SharedVisits?, to path: String) throws(StoreError) {
        Self.removeDrafts(of: store.path)
        var visitsError: StoreError?
        if let visits {
            do throws(StoreError) {
                try Self.write(path + ".visits") { draft throws(StoreError) in
                    try visits.use { file throws(StoreError) in try file.copy(to: draft) }
                }
            } catch {
                visitsError = error
            }
        }
        // Last, so that nothing is taken for a whole backup that is none.
        do throws(StoreError) {
            try Self.write(path) { draft throws(StoreError) in try store.copy(to: draft) }
        } catch {
            if visitsError == nil { removeFile(path + ".visits") }
            throw error
        }
        self.visitsError = visitsError
    }

    /// A path for a copy that no file has: of two in one millisecond, the later one gets the next name.
    /// - Parameters:
    ///   - second: the path's beginning, with the time to the second.
    ///   - milliseconds: of that second.
    package static func freePath(_ second: String, milliseconds: Int) -> String {
        let paths = (milliseconds..<milliseconds + 1_000).lazy.map { number in
            "\(second).\(String(number % 1_000 + 1_000).dropFirst())Z.backup"
        }
        return paths.first { FileStamp(of: $0) == nil } ?? paths[0]
    }

    /// Removes what backups of a store have begun and not completed.
    static func removeDrafts(of path: String) {
        let directory = parentDirectory(of: path)
        let name = path.utf8.split(separator: UInt8(ascii: "/")).last.map { String($0) ?? "" } ?? ""
        for entry in (try? namesOfFiles(in: directory)) ?? []
        where entry.utf8.starts(with: "\(name).".utf8) && isDraft(entry) {
            removeFile("\(directory)/\(entry)")
        }
    }

    /// Whether it is a draft, SQLite's journal of one, or a file that was to get its name, which has
    /// the number of a process.
    private static func isDraft(_ name: String) -> Bool {
        var rest = Array(name.utf8)
        func drops(_ ending: String) -> Bool {
            guard rest.suffix(ending.utf8.count).elementsEqual(ending.utf8) else { return false }
            rest.removeLast(ending.utf8.count)
            return true
        }
        if drops(".new") {
            while let last = rest.last, 0x30...0x39 ~= last { rest.removeLast() }
            guard drops(".") else { return false }
        } else {
            _ = drops("-journal")
        }
        return drops(draftEnding)
    }

    static let draftEnding = ".part"

    /// Lets `fill` write into an empty file, and gives it its name when it is whole.
    static func write(
        _ path: String, _ fill: (String) throws(StoreError) -> Void
    ) throws(StoreError) {
        let draft = path + draftEnding
        removeFile(draft)
        do throws(FileError) {
            guard FileStamp(of: path) == nil else {
                throw .system("there is a file of this name already")
            }
            // SQLite writes into an empty file, and would give its own the usual permission.
            _ = try createFile(draft, [], mode: 0o600)
        } catch {
            throw StoreError(error, path: path)
        }
        do throws(StoreError) {
            try fill(draft)
            try check(draft)
            try finish(draft, path)
        } catch {
            removeFile(draft)
            removeFile(draft + "-journal")
            throw error
        }
    }

    private static func finish(_ draft: String, _ path: String) throws(StoreError) {
        do throws(FileError) {
            try synchronizeFile(draft)
            try moveFile(draft, to: path)
            try synchronizeDirectory(parentDirectory(of: path))
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Checks that a file is whole.
    static func check(_ path: String) throws(StoreError) {
        let found: String
        do throws(SQLiteError) {
            let check = try SQLiteDatabase(path, .readWrite).prepare("PRAGMA quick_check(1)")
            found = try check.step() ? check.text(0) : ""
        } catch {
            throw StoreError(error, path: path)
        }
        guard found == "ok" else { throw .isDamaged(path: path, found) }
    }
}

extension LinkStore {
    /// Writes a consistent, compact copy to a file that does not exist yet, and checks it.
    package func backup(to path: String) throws(StoreError) {
        _ = try StoreBackup(of: self, nil, to: path)
    }

    func copy(to path: String) throws(StoreError) {
        checkFile()
        try rows.copy(of: self, to: path)
    }
}

extension VisitStore {
    /// Copies everything except the keys of days and the hashes of visitors, which are to be gone
    /// after 48 hours: a backup has only numbers.
    package func copy(to path: String) throws(StoreError) {
        let pieces = allPieces().compactMap { piece -> [UInt8]? in
            var piece = piece
            piece.visitors = []
            return piece.isEmpty ? nil : piece.bytes
        }
        try tables.copy(to: path, pieces)
    }
}

extension VisitTables {
    fileprivate func copy(to path: String, _ pieces: [[UInt8]]) throws(StoreError) {
        try file.sqlite { () throws(SQLiteError) in
            try file.database.prepare("ATTACH DATABASE ? AS copy").run(.text(path))
        }
        defer { try? file.database.execute("DETACH DATABASE copy") }
        try file.sqlite { () throws(SQLiteError) in
            // It is synchronized when it is complete.
            try file.database.execute(
                "PRAGMA copy.journal_mode = OFF; PRAGMA copy.synchronous = OFF")
            let tables = try rows(
                "SELECT name, sql FROM main.sqlite_schema WHERE type = 'table'", []
            ) {
                (name: $0.text(0), sql: $0.text(1))
            }
            try file.database.execute("BEGIN")
            do throws(SQLiteError) {
                for table in tables {
                    let words = "CREATE TABLE "
                    try file.database.execute(
                        "\(words)copy.\(String(table.sql.utf8.dropFirst(words.utf8.count)) ?? "")")
                    let columns = table.name == "visitor" ? "day, link, count, NULL" : "*"
                    guard table.name != "salt", table.name != "piece" else { continue }
                    try file.database.execute(
                        "INSERT INTO copy.\(table.name) SELECT \(columns) FROM main.\(table.name)")
                }
                let insertion = try file.database.prepare(
                    "INSERT INTO copy.piece (bytes) VALUES (?)")
                for bytes in pieces { try insertion.run(.blob(bytes)) }
                let kind = StoreKind.visits
                try file.database.execute(
                    """
                    PRAGMA copy.application_id = \(kind.applicationID);
                    PRAGMA copy.user_version = \(kind.schemaVersion); COMMIT
                    """)
            } catch {
                if file.database.isInTransaction { try? file.database.execute("ROLLBACK") }
                throw error
            }
        }
    }
}
