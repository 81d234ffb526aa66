internal import Glibc

/// The answer to a statement, with its rows.
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

    /// The statement as the server has understood it, with the number of changed rows: ROLLBACK also for a COMMIT of what
    /// has failed.
    var command: String {
        unsafe library.commandStatus(answer).map { unsafe String(cString: $0) } ?? ""
    }

    /// The server's refusal; the connection has failed if there is no code.
    var error: PostgreSQLError {
        func field(_ name: UInt8) -> String? {
            unsafe library.resultField(answer, CInt(name)).map { unsafe String(cString: $0) }
        }
        return PostgreSQLError(
            code: field(UInt8(ascii: "C")), constraint: field(UInt8(ascii: "n")),
            oneLine(field(UInt8(ascii: "M")) ?? "the server has closed the connection"))
    }

    /// The number of bytes of the answer's messages, about (PostgreSQL's chapter 55).
    package var messageBytes: Int {
        var bytes = Self.messageBytes + command.utf8.count
        for column in 0..<columns {
            let name = unsafe library.columnName(answer, CInt(column))
            bytes += Self.columnBytes + (unsafe name.map { unsafe Int(strlen($0)) } ?? 0)
        }
        for row in 0..<count {
            bytes += Self.rowBytes
            for column in 0..<columns {
                bytes += 4 + (unsafe Int(library.valueLength(answer, CInt(row), CInt(column))))
            }
        }
        for field in Self.errorFields {
            guard let text = unsafe library.resultField(answer, CInt(field)) else { continue }
            bytes += 2 + (unsafe Int(strlen(text)))
        }
        return bytes
    }

    /// The bytes of the messages that each answer has: ParseComplete, BindComplete, RowDescription, CommandComplete and
    /// ReadyForQuery.
    private static let messageBytes = 33
    private static let columnBytes = 19
    private static let rowBytes = 7
    private static let errorFields = Array("SVCMDHPpqWstcdnFLR".utf8)

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
        // A server decides how many there are.
        guard column < columns else { return nil }
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
