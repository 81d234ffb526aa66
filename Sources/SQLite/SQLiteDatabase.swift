private import CSQLite

/// A connection to an SQLite database. It belongs to one thread.
@safe
package final class SQLiteDatabase {
    fileprivate let handle: OpaquePointer

    /// How a database is opened.
    package enum Mode {
        case readWrite
        /// The same, and an empty database is created if there is none.
        case create
    }

    /// Opens a database. SQLite reads the file only when a statement needs it, so a file that is no
    /// database is refused later.
    package init(_ path: String, _ mode: Mode) throws(SQLiteError) {
        var handle: OpaquePointer?
        var flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        if mode == .create { flags |= SQLITE_OPEN_CREATE }
        let status = unsafe sqlite3_open_v2(path, &handle, flags, nil)
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

    /// Null for nil.
    package static func optional(_ text: String?) -> SQLiteValue { text.map { .text($0) } ?? .null }
    package static func optional(_ number: Int?) -> SQLiteValue {
        number.map { .integer($0) } ?? .null
    }
}

/// A prepared statement and its present row.
@safe
package final class SQLiteStatement {
    private let handle: OpaquePointer
    /// A statement is only valid while its connection is open.
    private let database: SQLiteDatabase

    fileprivate init(_ handle: OpaquePointer, _ database: SQLiteDatabase) {
        unsafe self.handle = handle
        self.database = database
    }

    deinit { unsafe sqlite3_finalize(handle) }

    /// Runs the statement with these values to its end, and ignores its rows.
    package func run(_ values: SQLiteValue...) throws(SQLiteError) { try run(values) }

    /// The same with an array of values.
    package func run(_ values: [SQLiteValue]) throws(SQLiteError) {
        try begin(values)
        defer { reset() }
        while try step() {}
    }

    /// Begins the statement again with these values for its parameters, in their order.
    package func begin(_ values: [SQLiteValue]) throws(SQLiteError) {
        reset()
        for (offset, value) in values.enumerated() {
            let index = Int32(offset + 1)
            let status =
                switch value {
                case .null: unsafe sqlite3_bind_null(handle, index)
                case .integer(let number): unsafe sqlite3_bind_int64(handle, index, Int64(number))
                case .text(let text):
                    unsafe waymark_bind_text(handle, index, text, Int32(text.utf8.count))
                case .blob(let bytes):
                    unsafe waymark_bind_blob(handle, index, bytes, Int32(bytes.count))
                }
            guard status == SQLITE_OK else { throw error(status) }
        }
    }

    /// Goes to the next row.
    /// - Returns: whether there is one.
    package func step() throws(SQLiteError) -> Bool {
        let status = unsafe sqlite3_step(handle)
        switch status {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default:
            let error = error(status)
            reset()
            throw error
        }
    }

    /// Ends the statement, so that no transaction waits for it.
    package func reset() { unsafe sqlite3_reset(handle) }

    /// A column of the row, from 0; 0 for null.
    package func integer(_ column: Int) -> Int {
        unsafe Int(sqlite3_column_int64(handle, Int32(column)))
    }

    package func isNull(_ column: Int) -> Bool {
        unsafe sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL
    }

    /// Nil for null.
    package func optionalInteger(_ column: Int) -> Int? { isNull(column) ? nil : integer(column) }

    /// The bytes of a text or a blob; none for null.
    package func bytes(_ column: Int) -> [UInt8] {
        guard let start = unsafe sqlite3_column_blob(handle, Int32(column)) else { return [] }
        let count = unsafe Int(sqlite3_column_bytes(handle, Int32(column)))
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Appends the bytes of a text or a blob; none for null.
    package func append(_ column: Int, to bytes: inout [UInt8]) {
        guard let start = unsafe sqlite3_column_blob(handle, Int32(column)) else { return }
        let count = unsafe Int(sqlite3_column_bytes(handle, Int32(column)))
        unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(start: start, count: count))
    }

    package func text(_ column: Int) -> String {
        String(decoding: bytes(column), as: UTF8.self)
    }

    /// Nil for null.
    package func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }

    private func error(_ status: Int32) -> SQLiteError {
        unsafe SQLiteError(code: status, database.handle)
    }
}

/// Why SQLite refused an operation.
package struct SQLiteError: Error, Equatable, CustomStringConvertible {
    /// SQLite's extended result code.
    package let code: Int32
    /// SQLite's words.
    package let description: String

    fileprivate init(code: Int32, _ handle: OpaquePointer?) {
        self.code = code
        let words = unsafe sqlite3_errmsg(handle).map { unsafe String(cString: $0) }
        description = "\(words ?? "unknown error") (SQLite \(code))"
    }

    /// What kind of refusal it is.
    package enum Kind: Sendable {
        /// The file system has no room.
        case full
        case readOnly
        /// Another connection holds a lock.
        case busy
        case damaged
        /// The file is something else.
        case notADatabase
        case cannotOpen
        /// A constraint of the tables, such as a unique value.
        case constraint
        /// Reading or writing failed.
        case inputOutput
        case other
    }

    package var kind: Kind {
        switch code & 0xFF {
        case SQLITE_FULL: .full
        case SQLITE_READONLY: .readOnly
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        case SQLITE_CORRUPT: .damaged
        case SQLITE_NOTADB: .notADatabase
        case SQLITE_CANTOPEN, SQLITE_PERM: .cannotOpen
        case SQLITE_CONSTRAINT: .constraint
        case SQLITE_IOERR: .inputOutput
        default: .other
        }
    }
}
