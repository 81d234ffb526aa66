private import CSQLite

/// A prepared statement and its present row.
@safe
package final class SQLiteStatement {
    private let handle: OpaquePointer
    /// A statement is only valid while its connection is open.
    private let database: SQLiteDatabase

    init(_ handle: OpaquePointer, _ database: SQLiteDatabase) {
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

    package func text(_ column: Int) -> String { String(decoding: bytes(column), as: UTF8.self) }

    /// Nil for null.
    package func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }

    private func error(_ status: Int32) -> SQLiteError {
        unsafe SQLiteError(code: status, database.handle)
    }
}
