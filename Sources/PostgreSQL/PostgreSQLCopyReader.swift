/// The rows of a COPY in binary form, as they come: in pieces that may end anywhere.
package struct PostgreSQLCopyReader: PostgreSQLFields {
    private var bytes = [UInt8]()
    /// The number of the bytes that were read.
    private var position = 0
    private var fields = [Range<Int>?]()
    private var state = State.header

    private enum State {
        case header, rows, end
    }

    init() {}

    /// Adds what has come.
    mutating func add(_ piece: Span<UInt8>) {
        // What was read is removed when it is most of what there is, so each byte is moved a few times.
        if position > bytes.count / 2 {
            bytes.removeSubrange(..<position)
            position = 0
        }
        for index in piece.indices { bytes.append(piece[index]) }
    }

    /// Goes to the next row.
    /// - Returns: false if it has not come as a whole, or there is none.
    /// - Throws: if it is no row.
    mutating func next() throws(PostgreSQLError) -> Bool {
        if state == .header {
            guard try readHeader() else { return false }
        }
        guard state == .rows, let count = number(at: position, bytes: 2) else { return false }
        if count == -1 {
            state = .end
            return false
        }
        // Each piece of a row that has not come as a whole is a look at all of its columns.
        guard 0...Self.columnsMax ~= count else {
            throw Self.malformed("a row of \(count) columns")
        }
        var place = position + 2
        fields.removeAll(keepingCapacity: true)
        for _ in 0..<count {
            guard let length = number(at: place, bytes: 4) else { return false }
            place += 4
            guard length >= -1 else { throw Self.malformed("a column of \(length) bytes") }
            guard place + length - position <= Self.rowBytesMax else {
                throw Self.malformed("a row of more than \(Self.rowBytesMax) bytes")
            }
            if length < 0 {
                fields.append(nil)
                continue
            }
            guard bytes.count - place >= length else { return false }
            fields.append(place..<(place + length))
            place += length
        }
        position = place
        return true
    }

    /// Whether the sender has said that there is no other row.
    var hasEnded: Bool { state == .end }

    private mutating func readHeader() throws(PostgreSQLError) -> Bool {
        let known = bytes.prefix(Self.signature.count)
        guard Self.signature.starts(with: known) else {
            throw Self.malformed("no binary form of COPY")
        }
        let start = Self.signature.count + 4
        guard let extra = number(at: start, bytes: 4) else { return false }
        guard 0...Self.extensionBytesMax ~= extra else {
            throw Self.malformed("an extension of \(extra) bytes")
        }
        guard bytes.count >= start + 4 + extra else { return false }
        position = start + 4 + extra
        state = .rows
        return true
    }

    private func number(at place: Int, bytes width: Int) -> Int? {
        guard bytes.count - place >= width else { return nil }
        let number = bytes[place..<(place + width)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return width == 2
            ? Int(Int16(truncatingIfNeeded: number)) : Int(Int32(bitPattern: number))
    }

    private static func malformed(_ what: String) -> PostgreSQLError {
        PostgreSQLError(.away, "the server has sent \(what)")
    }

    static let signature = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00]
    private static let extensionBytesMax = 65_536
    /// More than any table of Waymark has.
    static let columnsMax = 64
    /// A row may hold so much memory before it has come as a whole.
    static let rowBytesMax = 1 << 24

    // MARK: Columns

    package var fieldCount: Int { fields.count }

    package func withField<Value>(_ column: Int, _ body: (Span<UInt8>) -> Value) -> Value? {
        guard column < fields.count, let range = fields[column] else { return nil }
        return body(bytes.span.extracting(range))
    }
}
