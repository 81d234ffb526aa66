internal import Files
internal import SQLite

/// The tokens of a backup that is restored. Those that were removed since then, as the store in whose place it
/// comes knows, stay removed.
package struct RestoredTokens: Equatable, Sendable {
    /// The number of those that are valid again.
    package private(set) var count = 0
    /// The time at which the last of them was made, in seconds since 1970; nil for none.
    package private(set) var lastMade: Int?
    /// Those that stay removed.
    package private(set) var removed = [RemovedToken]()
    /// Whether it is known which were removed: not without the store before, nor where it is another one or
    /// cannot be read.
    package private(set) var knowsRemovals = false

    /// A token that stays removed.
    package struct RemovedToken: Hashable, Sendable {
        package let name: String
        /// The last characters of its secret.
        package let ending: String
    }

    /// - Parameters:
    ///   - draft: the copy of the backup, which is changed.
    ///   - path: of the store that it is to replace.
    init(_ draft: String, replacing path: String) throws(StoreError) {
        let before = TokensBefore(path)
        do throws(SQLiteError) {
            let database = try SQLiteDatabase(draft, .readWrite)
            try database.execute("PRAGMA journal_mode = MEMORY; BEGIN")
            if let before, !before.identity.isEmpty, before.identity == ownIdentity(of: database) {
                knowsRemovals = true
                try remove(from: database, before)
            }
            // People sign in again. A version before 4 has none, and one before 5 no challenges.
            for table in ["sign_in", "session", "challenge"] {
                try? database.execute("DELETE FROM \(table)")
            }
            let left = try database.prepare("SELECT count(*), max(created) FROM token")
            if try left.step() { (count, lastMade) = (left.integer(0), left.optionalInteger(1)) }
            left.reset()
            try database.execute("COMMIT")
        } catch {
            throw StoreError(error, path: draft)
        }
        do throws(FileError) {
            try synchronizeFile(draft)
        } catch {
            throw StoreError(error, path: draft)
        }
    }

    private mutating func remove(
        from database: SQLiteDatabase, _ before: TokensBefore
    ) throws(SQLiteError) {
        let tokens = try database.prepare("SELECT id, hash, name, ending FROM token ORDER BY id")
        var numbers = [Int]()
        while try tokens.step() {
            // A higher number was never given there.
            guard tokens.integer(0) <= before.lastNumber, !before.hashes.contains(tokens.bytes(1))
            else { continue }
            numbers.append(tokens.integer(0))
            removed.append(RemovedToken(name: tokens.text(2), ending: tokens.text(3)))
        }
        for number in numbers {
            try database.prepare("DELETE FROM token WHERE id = ?").run(.integer(number))
            try database.prepare("DELETE FROM idempotency WHERE actor = ?").run(.integer(number))
        }
        // A number is never used again. Version 1 has no such table.
        try? database.prepare("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'token'")
            .run(.integer(before.lastNumber))
    }
}

/// The tokens of a store that is to be replaced, which is only read.
private struct TokensBefore {
    let identity: [UInt8]
    /// The highest number that was given to a token.
    let lastNumber: Int
    let hashes: Set<[UInt8]>

    /// Nil if they cannot be read.
    init?(_ path: String) {
        guard FileStamp(of: path) != nil else { return nil }
        do throws(SQLiteError) {
            let database = try SQLiteDatabase(path, .readWrite)
            // Neither memory that is shared through a file nor a checkpoint: if nothing is replaced, the files
            // stay as they are.
            try database.execute("PRAGMA locking_mode = EXCLUSIVE")
            database.keepLog()
            identity = ownIdentity(of: database)
            let last = try database.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'token'")
            guard try last.step() else { return nil }
            lastNumber = last.integer(0)
            let tokens = try database.prepare("SELECT hash FROM token")
            var hashes = Set<[UInt8]>()
            while try tokens.step() { hashes.insert(tokens.bytes(0)) }
            self.hashes = hashes
        } catch {
            return nil
        }
    }
}

/// The identity of a store, which its copies keep; empty if it has none.
func ownIdentity(of database: SQLiteDatabase) -> [UInt8] {
    do throws(SQLiteError) {
        let row = try database.prepare("SELECT bytes FROM identity")
        return try row.step() ? row.bytes(0) : []
    } catch {
        return []
    }
}
