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
    /// - Parameter ending: of that name (`ending(for:)`).
    init(of path: String, by draft: String, ending: String) throws(StoreError) {
        (self.path, self.draft) = (path, draft)
        // What its log has belongs to the file that is kept.
        _ = try? SQLiteDatabase(path, .readWrite).execute("PRAGMA wal_checkpoint(TRUNCATE)")
        let aside = path + ending
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
            try synchronizeDirectory(parentDirectory(of: path))
        } catch {
            throw error == .noPermission
                ? StoreError(error, path: path) : .failed("\(path) cannot be replaced: \(error)")
        }
    }

    /// Puts the file before back in its place.
    /// - Returns: whether it is there.
    func undo() -> Bool {
        guard let kept else {
            if isDone { removeFile(path) }
            return !isDone || FileStamp(of: path) == nil
        }
        do throws(FileError) {
            try Self.putBack(kept, as: path)
            if hasLog { try Self.putBack(kept + "-wal", as: path + "-wal") }
            return true
        } catch {
            return false
        }
    }

    /// Puts the files before back in their places.
    /// - Returns: the error, or what could not be put back after it.
    static func undo(_ replacements: [StoreReplacement], after error: StoreError) -> StoreError {
        let left = replacements.reversed().filter { !$0.undo() }
        return left.isEmpty
            ? error
            : .isLeftReplaced(
                left.map { ReplacedFile(path: $0.path, kept: $0.kept) }, error.words.fact)
    }

    private static func putBack(_ kept: String, as path: String) throws(FileError) {
        guard FileIdentity(of: kept) != FileIdentity(of: path) else { return removeFile(kept) }
        try moveFile(kept, to: path)
    }

    private static func keep(_ path: String, as other: String) throws(FileError) {
        guard FileIdentity(of: other) != FileIdentity(of: path) else { return }
        try keepFile(path, as: other)
    }

    /// An ending that makes of these paths names that no files have, or that an interrupted restore has given to
    /// these very files. It is the same for all, so that files that were replaced together are found together.
    static func ending(for paths: [String]) -> String {
        func isFree(_ ending: String) -> Bool {
            paths.allSatisfy { path in
                ["", "-wal"].allSatisfy { part in
                    let other = FileIdentity(of: path + ending + part)
                    return (other == nil || other == FileIdentity(of: path + part))
                        && !isSymbolicLink(path + ending + part)
                }
            }
        }
        var (ending, number) = (Self.word, 1)
        while !isFree(ending) {
            number += 1
            ending = "\(Self.word)-\(number)"
        }
        return ending
    }

    /// The name of the visits that were replaced with a store; nil for a path that is of no such store.
    static func visits(besides kept: String) -> String? {
        let (name, word) = (Array(kept.utf8), Array(Self.word.utf8))
        var end = name.count
        while end > 0, 0x30...0x39 ~= name[end - 1] { end -= 1 }
        if end < name.count {
            guard end > 0, name[end - 1] == UInt8(ascii: "-") else { return nil }
            end -= 1
        }
        guard name[..<end].suffix(word.count).elementsEqual(word) else { return nil }
        let store = String(decoding: name[..<(end - word.count)], as: UTF8.self)
        return store + ".visits" + String(decoding: name[(end - word.count)...], as: UTF8.self)
    }

    private static let word = ".replaced"
}
