@testable import PostgreSQL
import TestSupport
import Testing

@Suite struct `Rows of a COPY` {
    private static let rows: [[PostgreSQLValue]] = [
        [.integer(1), .text("a"), .null], [], [.blob([0, 255]), .boolean(true)], [.text("")],
        [.integer(.min), .text("ü"), .blob([UInt8](repeating: 3, count: 300))],
    ]

    private static func written() -> [UInt8] {
        var rows = PostgreSQLCopyRows()
        for row in Self.rows { rows.add(row) }
        rows.end()
        return rows.takePiece()
    }

    private static func read(_ pieces: [ArraySlice<UInt8>]) throws -> (
        rows: [[[UInt8]?]], isWhole: Bool
    ) {
        var (reader, rows) = (PostgreSQLCopyReader(), [[[UInt8]?]]())
        for piece in pieces {
            reader.add(Array(piece).span)
            while try reader.next() {
                rows.append(
                    (0..<reader.fieldCount).map { reader.isNull($0) ? nil : reader.bytes($0) })
            }
        }
        return (rows, reader.hasEnded)
    }

    @Test func `they are read as they were written, wherever pieces end`() throws {
        let bytes = Self.written()
        let expected = try Self.read([bytes[...]])
        #expect(expected.isWhole && expected.rows.count == Self.rows.count)
        #expect(expected.rows[0] == [[0, 0, 0, 0, 0, 0, 0, 1], Array("a".utf8), nil])
        #expect(expected.rows[4][2]?.count == 300)
        for width in 1...40 {
            let pieces = stride(from: 0, to: bytes.count, by: width).map {
                bytes[$0..<min($0 + width, bytes.count)]
            }
            let found = try Self.read(pieces)
            #expect(found.rows == expected.rows && found.isWhole)
        }
    }

    @Test func `an end within them is no end`() throws {
        let bytes = Self.written()
        for count in 0..<bytes.count {
            #expect(try !Self.read([bytes[..<count]]).isWhole)
        }
    }

    @Test func `a column that did not come is null, and a row has a limit`() throws {
        var reader = PostgreSQLCopyReader()
        reader.add(Self.written().span)
        #expect(try reader.next() && reader.isNull(3) && reader.integer(4) == 0)
        func read(_ length: Int) throws -> Bool {
            var (bytes, reader) = (Self.written().prefix(19) + [0, 1], PostgreSQLCopyReader())
            for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: length >> shift)) }
            reader.add(Array(bytes).span)
            return try reader.next()
        }
        #expect(try !read(PostgreSQLCopyReader.rowBytesMax - 6))
        let error = #expect(throws: PostgreSQLError.self) {
            try read(PostgreSQLCopyReader.rowBytesMax - 5)
        }
        #expect(error?.fault == .away)
    }

    @Test(arguments: [(64, true), (65, false), (32_767, false)])
    func `a row has as many columns as tables have`(count: Int, isRow: Bool) throws {
        let nulls = [UInt8](repeating: 0xFF, count: 4 * count)
        var reader = PostgreSQLCopyReader()
        reader.add(
            Array(Self.written().prefix(19) + [UInt8(count >> 8), UInt8(count & 255)] + nulls).span)
        guard isRow else {
            #expect(throws: PostgreSQLError.self) { try reader.next() }
            return
        }
        #expect(try reader.next() && reader.fieldCount == count && reader.isNull(0))
    }

    @Test(arguments: [
        ("a", "a"), ("\n\n a\nb", " a"), ("a\n", "a"), ("", "no reason was given"),
        ("\n\n", "no reason was given"),
        (String(repeating: "a", count: 1_001), String(repeating: "a", count: 1_000)),
    ])
    func `of a server's words, one line is shown`(words: String, line: String) {
        #expect(oneLine(words) == line)
    }

    @Test func `other bytes are an error, and no trap`() throws {
        var random = SplitMix(seed: 7)
        let bytes = Self.written()
        for _ in 0..<5_000 {
            var damaged = bytes
            for _ in 0...Int(random.next() % 3) {
                damaged[Int(random.next() % UInt64(damaged.count))] = UInt8(
                    truncatingIfNeeded: random.next())
            }
            _ = try? Self.read([damaged[...]])
        }
        #expect(throws: PostgreSQLError.self) { try Self.read([Array("PGCOPX".utf8)[...]]) }
        let start = Array(bytes[..<19])
        for wrong: [UInt8] in [[0xFF, 0xFE], [0, 1, 0xFF, 0xFF, 0xFF, 0xFE]] {
            #expect(throws: PostgreSQLError.self) { try Self.read([(start + wrong)[...]]) }
        }
    }
}
