private import CSQLite

/// The version of SQLite.
package var sqliteVersion: String { unsafe String(cString: sqlite3_libversion()) }

/// A connection to an SQLite database. It belongs to one thread.
@safe
package final class SQLiteDatabase {
    let handle: OpaquePointer

    /// The way in which a database is opened.
    package enum Mode {
        case readWrite
        /// The same, and an empty database is created if there is none.
        case create
        /// Nothing is locked, written or looked at besides the file, which must not change meanwhile.
        case immutable
    }

    /// Opens a database. SQLite reads the file only when a statement needs it, so a file that is no
    /// database is refused later.
    package init(_ path: String, _ mode: Mode) throws(SQLiteError) {
        var handle: OpaquePointer?
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        // Otherwise `:memory:` and `file:` at its beginning would have a meaning of their own.
        var name = path.utf8.first == UInt8(ascii: "/") ? path : "./" + path
        switch mode {
        case .readWrite: flags |= SQLITE_OPEN_READWRITE
        case .create: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        case .immutable:
            flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            // What has a meaning in a URI is escaped.
            let escaped = name.unicodeScalars.map { scalar in
                switch scalar {
                case "%": "%25"
                case "?": "%3F"
                case "#": "%23"
                default: String(scalar)
                }
            }
            name = "file:\(escaped.joined())?immutable=1"
        }
        let status = unsafe sqlite3_open_v2(name, &handle, flags, nil)
        guard status == SQLITE_OK, let opened = unsafe handle else {
            let error = unsafe SQLiteError(code: status, handle)
            unsafe sqlite3_close_v2(handle)
            throw error
        }
        unsafe self.handle = opened
    }

    deinit { unsafe sqlite3_close_v2(handle) }

    /// Runs statements that have no parameters, one after the other, and ignores their rows.
    package func execute(_ sql: String) throws(SQLiteError) {
        let status = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard status == SQLITE_OK else { throw unsafe SQLiteError(code: status, handle) }
    }

    /// A statement that can be run many times.
    package func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
        var statement: OpaquePointer?
        let status = unsafe sqlite3_prepare_v3(
            handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard status == SQLITE_OK, let prepared = unsafe statement else {
            throw unsafe SQLiteError(code: status, handle)
        }
        return unsafe SQLiteStatement(prepared, self)
    }

    /// The rows that the last statement changed.
    package var changes: Int { unsafe Int(sqlite3_changes64(handle)) }

    /// The number of the row that was inserted last.
    package var lastRowID: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

    /// The pages that were written since this was asked, also those for which the disk had no room.
    package func takeWrittenPages() -> Int {
        var (pages, highest) = (CInt(0), CInt(0))
        _ = unsafe sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_WRITE, &pages, &highest, 1)
        return Int(pages)
    }

    /// Leaves what the log of transactions has there when the database is closed.
    package func keepLog() { _ = unsafe waymark_keep_log(handle) }

    /// Whether a transaction is open: SQLite itself ends one after some errors.
    package var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }
}

/// A value that is bound to a parameter.
package enum SQLiteValue: Sendable {
    case null
    case integer(Int)
    case text(String)
    case blob([UInt8])

    /// 1 or 0.
    package static func boolean(_ isTrue: Bool) -> SQLiteValue { .integer(isTrue ? 1 : 0) }
}
