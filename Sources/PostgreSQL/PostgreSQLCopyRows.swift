/// Rows for a COPY in binary form. Columns of integers must be of `bigint`.
package struct PostgreSQLCopyRows: Sendable {
    private(set) var bytes: [UInt8]
    /// The number of rows.
    package private(set) var count = 0

    package init() { bytes = PostgreSQLCopyReader.signature + [UInt8](repeating: 0, count: 8) }

    package mutating func add(_ values: [PostgreSQLValue]) {
        bytes.append(bigEndian: Int16(clamping: values.count))
        for value in values { bytes.append(field: value) }
        count += 1
    }

    /// Takes what is there, so that the next rows follow it.
    mutating func takePiece() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    mutating func end() { bytes.append(bigEndian: Int16(-1)) }

    var byteCount: Int { bytes.count }
}
