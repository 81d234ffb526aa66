internal import Files
internal import SQLite

/// Puts a backup in the place of a store, while no process serves that. The files that were there are
/// kept beside it.
package struct StoreRestore {
    /// The paths of the files that were replaced.
    package private(set) var kept = [String]()
    /// True if the visits were replaced, too: the backup has some.
    package let hasVisits: Bool
    /// Links of the backup that are not answered.
    package private(set) var unanswered = UnansweredLinks()
    package let tokens: RestoredTokens

    /// The path of the visits that belong to a copy of links: beside it, as `backup.visits`, or those that
    /// were replaced with it.
    package static func visits(of backup: String) -> String {
        let own = backup + ".visits"
        guard FileStamp(of: own) == nil, let replaced = StoreReplacement.visits(besides: backup)
        else { return own }
        return replaced
    }

    /// - Parameters:
    ///   - backup: the copy of links, or a store that was replaced; its visits are beside it.
    ///   - path: of the store.
    /// - Throws: why nothing was replaced, or what was and could not be put back.
    package init(_ backup: String, to path: String) throws(StoreError) {
        // A file in the place of a link would leave the link's target, which others may keep, as it was.
        for name in [path, path + ".visits"] where isSymbolicLink(name) {
            throw .isNoFile(path: name, "a symbolic link")
        }
        let ownVisits = Self.visits(of: backup)
        hasVisits = FileStamp(of: ownVisits) != nil
        let locks = try StoreLocks(path)
        let ending = StoreReplacement.ending(for: [path, path + ".visits"])
        StoreBackup.removeDrafts(of: path)
        let links = path + ".restored" + StoreBackup.draftEnding
        let visits = path + ".restored.visits" + StoreBackup.draftEnding
        var replacements = [StoreReplacement]()
        do throws(StoreError) {
            // Both are checked, and those before are kept, before one is replaced.
            try Self.copy(backup, .links, to: links, beside: path)
            unanswered = try Self.read(links, of: backup)
            tokens = try RestoredTokens(links, replacing: path)
            if hasVisits {
                try Self.copy(ownVisits, .visits, to: visits, beside: path)
                try Self.check(visits, of: ownVisits, counts: links, of: backup)
                replacements.append(
                    try StoreReplacement(of: path + ".visits", by: visits, ending: ending))
            }
            replacements.append(try StoreReplacement(of: path, by: links, ending: ending))
            for index in replacements.indices { try replacements[index].carryOut() }
            kept = replacements.compactMap(\.kept)
        } catch {
            defer {
                removeFile(links)
                removeFile(visits)
            }
            throw StoreReplacement.undo(replacements, after: error)
        }
        withExtendedLifetime(locks) {}
    }

    /// Copies a file of the backup beside the store, and checks it.
    private static func copy(
        _ file: String, _ kind: StoreKind, to draft: String, beside path: String
    ) throws(StoreError) {
        if FileStamp(of: file) == nil { throw .cannotOpen(path: file, "\(FileError.missing)") }
        if let other = otherKindOfFile(at: file) { throw .isNoFile(path: file, other) }
        if let log = FileStamp(of: file + "-wal"), log.bytes > 0 {
            throw .failed(
                "\(file) is no backup: it was copied while it was served, and its last changes are in "
                    + "\(file)-wal")
        }
        let source: SQLiteDatabase
        let (found, version): (Int, Int)
        do throws(SQLiteError) {
            source = try SQLiteDatabase(file, .readWrite)
            found = try source.number("PRAGMA application_id")
            version = try source.number("PRAGMA user_version")
        } catch {
            throw error.kind == .notADatabase
                ? .isForeign(path: file, kind) : StoreError(error, path: file)
        }
        guard found == kind.applicationID, version > 0 else { throw .isForeign(path: file, kind) }
        guard version <= kind.schemaVersion else {
            throw .isNewer(path: file, schema: version, kind)
        }
        try checkWhole(file, source)
        do throws(FileError) {
            _ = try createFile(draft, [], mode: 0o600)
            try giveFile(draft, toOwnerOf: parentDirectory(of: path))
        } catch {
            throw StoreError(error, path: draft)
        }
        do throws(SQLiteError) {
            try source.prepare("VACUUM INTO ?").run(.text(draft))
        } catch {
            throw StoreError(error, path: file)
        }
        try StoreBackup.check(draft)
        do throws(FileError) {
            try synchronizeFile(draft)
        } catch {
            throw StoreError(error, path: draft)
        }
    }

    /// Checks that nothing of a backup is missing, its indexes included, and that nothing is behind it: the
    /// copy of a copy that was cut off, or of a file that is not only a backup, would look whole.
    private static func checkWhole(_ file: String, _ source: SQLiteDatabase) throws(StoreError) {
        let (bytes, wanted, found): (Int, Int, String)
        do throws(SQLiteError) {
            bytes = FileStamp(of: file)?.bytes ?? 0
            wanted = try source.number("PRAGMA page_count") * source.number("PRAGMA page_size")
            let row = try source.prepare("PRAGMA integrity_check(1)")
            found = try row.step() ? row.text(0) : ""
        } catch {
            throw StoreError(error, path: file)
        }
        guard bytes == wanted else {
            throw .isDamaged(path: file, "it has \(bytes) bytes, and its header says \(wanted)")
        }
        guard found == "ok" else { throw .isDamaged(path: file, found) }
    }

    /// Checks that visits are those of the links, as a start does, which would begin another file.
    private static func check(
        _ visits: String, of file: String, counts links: String, of backup: String
    ) throws(StoreError) {
        let (counted, store): ([UInt8], [UInt8])
        do throws(SQLiteError) {
            counted = try SQLiteDatabase(visits, .readWrite).bytes("SELECT store FROM state")
            let database = try SQLiteDatabase(links, .readWrite)
            let table = "SELECT count(*) FROM sqlite_schema WHERE name = 'identity'"
            store =
                try database.number(table) == 0 ? [] : database.bytes("SELECT bytes FROM identity")
        } catch {
            throw .isDamaged(path: file, error.description)
        }
        guard counted.isEmpty || store.isEmpty || counted == store else {
            throw .countsOthers(path: file, links: backup)
        }
    }

    /// Reads the links of a copy, as a start does.
    private static func read(
        _ draft: String, of backup: String
    ) throws(StoreError) -> UnansweredLinks {
        var loading = LinkLoading()
        do throws(SQLiteError) {
            let database = try SQLiteDatabase(draft, .readWrite)
            try loading.read(database)
            for table in SQLiteLinkRows.tables {
                _ = try database.prepare("SELECT * FROM \(table)")
            }
        } catch {
            throw .isDamaged(path: backup, error.description)
        }
        return loading.unanswered
    }
}

extension SQLiteDatabase {
    func number(_ sql: String) throws(SQLiteError) -> Int {
        let row = try prepare(sql)
        return try row.step() ? row.integer(0) : 0
    }

    fileprivate func bytes(_ sql: String) throws(SQLiteError) -> [UInt8] {
        let row = try prepare(sql)
        return try row.step() ? row.bytes(0) : []
    }
}
