internal import Files
internal import SQLite

/// A file of a store that another one is to replace. The one before is kept beside it, and can be put back.
struct StoreReplacement {
    /// The path of the file before; nil if there was none.
    private(set) var kept: String?
    private let path: String
    private let draft: String
    private let hasLog: Bool
    private var isDone = false

    /// Keeps the file at `path` under another name, too.
    init(of path: String, by draft: String) throws(StoreError) {
        (self.path, self.draft) = (path, draft)
        // What its log has belongs to the file that is kept.
        _ = try? SQLiteDatabase(path, .readWrite).execute("PRAGMA wal_checkpoint(TRUNCATE)")
        let aside = Self.name(for: path)
        hasLog = (FileStamp(of: path + "-wal")?.bytes ?? 0) > 0
        do throws(FileError) {
            if hasLog { try Self.keep(path + "-wal", as: aside + "-wal") }
            guard FileStamp(of: path) != nil else { return }
            try Self.keep(path, as: aside)
            kept = aside
        } catch {
            if hasLog { removeFile(aside + "-wal") }
            throw StoreError(error, path: path)
        }
    }

    /// The name has one of the two contents at each moment.
    mutating func carryOut() throws(StoreError) {
        removeFile(path + "-wal")
        removeFile(path + "-shm")
        do throws(FileError) {
            try moveFile(draft, to: path)
            isDone = true
            try synchronizeDirectory(StoreBackup.directory(of: path))
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Puts the file before back in its place.
    func undo() {
        guard let kept else {
            if isDone { removeFile(path) }
            return
        }
        if FileIdentity(of: kept) == FileIdentity(of: path) {
            removeFile(kept)
        } else {
            try? moveFile(kept, to: path)
        }
        if hasLog { try? moveFile(kept + "-wal", to: path + "-wal") }
    }

    private static func keep(_ path: String, as other: String) throws(FileError) {
        guard FileIdentity(of: other) != FileIdentity(of: path) else { return }
        try keepFile(path, as: other)
    }

    /// A name that no file has, or that an interrupted restore has given to this very file.
    private static func name(for path: String) -> String {
        let (own, log) = (FileIdentity(of: path), FileIdentity(of: path + "-wal"))
        func isFree(_ name: String, _ file: FileIdentity?) -> Bool {
            let other = FileIdentity(of: name)
            return other == nil || other == file
        }
        var (name, number) = (path + ".replaced", 1)
        while !isFree(name, own) || !isFree(name + "-wal", log) {
            number += 1
            name = "\(path).replaced-\(number)"
        }
        return name
    }
}
