/// The columns of a row in PostgreSQL's binary form, by their numbers from 0.
package protocol PostgreSQLFields {
    /// The number of columns.
    var fieldCount: Int { get }
    /// Calls `body` with the bytes of a column; returns nil for null.
    func withField<Value>(_ column: Int, _ body: (Span<UInt8>) -> Value) -> Value?
}

extension PostgreSQLFields {
    package func isNull(_ column: Int) -> Bool { withField(column) { _ in } == nil }

    /// An integer of two, four or eight bytes, or a boolean; nil for null.
    package func optionalInteger(_ column: Int) -> Int? {
        withField(column) { bytes in
            if bytes.count == 1 { return Int(bytes[0]) }
            var number: UInt64 = 0
            for index in bytes.indices { number = number << 8 | UInt64(bytes[index]) }
            // The sign is that of the number as it was sent.
            let unused = UInt64(max(0, 64 - 8 * bytes.count))
            return Int(Int64(bitPattern: number << unused) >> Int64(unused))
        }
    }

    /// The same; 0 for null.
    package func integer(_ column: Int) -> Int { optionalInteger(column) ?? 0 }

    /// False for null.
    package func boolean(_ column: Int) -> Bool { integer(column) != 0 }

    /// The bytes of a text or a blob; none for null.
    package func bytes(_ column: Int) -> [UInt8] {
        var bytes = [UInt8]()
        append(column, to: &bytes)
        return bytes
    }

    /// Appends the bytes of a text or a blob; none for null.
    package func append(_ column: Int, to bytes: inout [UInt8]) {
        _ = withField(column) { field in
            bytes.reserveCapacity(bytes.count + field.count)
            for index in field.indices { bytes.append(field[index]) }
        }
    }

    package func text(_ column: Int) -> String {
        String(decoding: bytes(column), as: UTF8.self)
    }

    /// Nil for null.
    package func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }
}

/// What a statement has answered: its rows, and how many it has changed.
@safe
package final class PostgreSQLResult {
    private let library: PostgreSQLLibrary
    private let answer: OpaquePointer
    /// The number of rows.
    package let count: Int
    fileprivate let columns: Int

    init(_ library: PostgreSQLLibrary, _ answer: OpaquePointer) {
        self.library = library
        unsafe self.answer = answer
        count = unsafe Int(library.rows(answer))
        columns = unsafe Int(library.columns(answer))
    }

    deinit { unsafe library.clear(answer) }

    /// The rows that the statement has inserted, changed, deleted or copied.
    package var changes: Int {
        unsafe library.changes(answer).flatMap { unsafe Int(String(cString: $0)) } ?? 0
    }

    /// The statement as the server has understood it: ROLLBACK also for a COMMIT of what has failed.
    var command: String {
        unsafe library.commandStatus(answer).map { unsafe String(cString: $0) } ?? ""
    }

    /// What the server has refused; the connection has failed if there is no code.
    var error: PostgreSQLError {
        func field(_ name: UInt8) -> String? {
            unsafe library.resultField(answer, CInt(name)).map { unsafe String(cString: $0) }
        }
        return PostgreSQLError(
            code: field(UInt8(ascii: "C")), constraint: field(UInt8(ascii: "n")),
            oneLine(field(UInt8(ascii: "M")) ?? "the server has closed the connection"))
    }

    package subscript(row: Int) -> PostgreSQLRow {
        precondition(0..<count ~= row)
        return PostgreSQLRow(result: self, number: row)
    }

    /// The first row; nil if there is none.
    package var first: PostgreSQLRow? { count == 0 ? nil : self[0] }

    package var rows: some Sequence<PostgreSQLRow> { (0..<count).lazy.map { self[$0] } }

    fileprivate func withField<Value>(
        _ row: Int, _ column: Int, _ body: (Span<UInt8>) -> Value
    ) -> Value? {
        precondition(0..<columns ~= column)
        let (row, column) = (CInt(row), CInt(column))
        guard unsafe library.isNull(answer, row, column) == 0,
            let start = unsafe library.value(answer, row, column)
        else { return nil }
        let length = unsafe Int(library.valueLength(answer, row, column))
        let bytes = unsafe UnsafeBufferPointer(
            start: start.assumingMemoryBound(to: UInt8.self), count: length)
        return unsafe body(bytes.span)
    }
}

/// A row of a result.
package struct PostgreSQLRow: PostgreSQLFields {
    fileprivate let result: PostgreSQLResult
    fileprivate let number: Int

    package var fieldCount: Int { result.columns }

    package func withField<Value>(_ column: Int, _ body: (Span<UInt8>) -> Value) -> Value? {
        result.withField(number, column, body)
    }
}
