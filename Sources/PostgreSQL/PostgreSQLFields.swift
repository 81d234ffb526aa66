/// The columns of a row in PostgreSQL's binary form, by their numbers from 0.
package protocol PostgreSQLFields {
    /// The number of columns.
    var fieldCount: Int { get }
    /// Calls `body` with the bytes of a column; returns nil for null, and for a column that the server has
    /// not sent.
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

    package func text(_ column: Int) -> String { String(decoding: bytes(column), as: UTF8.self) }

    /// Nil for null.
    package func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }
}
