/// A value of a statement's parameter, or of a row that is copied.
///
/// Nothing of it becomes a part of the statement's text. The server takes its type from the statement, so
/// that `$1::bigint[]` says what `integers` is.
package enum PostgreSQLValue: Sendable, Equatable {
    case null
    case integer(Int)
    case boolean(Bool)
    case text(String)
    case blob([UInt8])
    /// Arrays, for statements about many rows; nil is null.
    case integers([Int?])
    case texts([String?])
    case blobs([[UInt8]?])

    /// Null for nil.
    package static func optional(_ text: String?) -> PostgreSQLValue {
        text.map { .text($0) } ?? .null
    }
    package static func optional(_ number: Int?) -> PostgreSQLValue {
        number.map { .integer($0) } ?? .null
    }
}

/// A statement with a value for each of its parameters, `$1` and so on.
package struct PostgreSQLStatement: Sendable {
    package let sql: String
    package let values: [PostgreSQLValue]

    package init(_ sql: String, _ values: PostgreSQLValue...) { self.init(sql, values: values) }

    package init(_ sql: String, values: [PostgreSQLValue]) {
        precondition(values.count <= Self.valuesMax)
        (self.sql, self.values) = (sql, values)
    }

    /// The protocol counts no more.
    package static let valuesMax = 65_535
}

extension [UInt8] {
    /// Appends a number in the order of the network.
    mutating func append<Number: FixedWidthInteger>(bigEndian number: Number) {
        for index in 0..<(Number.bitWidth / 8) {
            append(UInt8(truncatingIfNeeded: number >> (Number.bitWidth - 8 - 8 * index)))
        }
    }

    /// Appends the number of bytes of a value, and the value: -1 for null.
    mutating func append(field value: PostgreSQLValue) {
        let place = count
        append(bigEndian: Int32(-1))
        switch value {
        case .null: return
        case .integer(let number): append(bigEndian: Int64(number))
        case .boolean(let isTrue): append(isTrue ? 1 : 0)
        case .text(let text): self += Array(text.utf8)
        case .blob(let blob): self += blob
        case .integers, .texts, .blobs: appendArray(value)
        }
        set(length: count - place - 4, at: place)
    }

    /// Appends an array of one dimension: dimensions, whether there are nulls, the number of the elements'
    /// type, their count, the first index, and the elements.
    mutating func appendArray(_ value: PostgreSQLValue) {
        let (type, elements): (UInt32, [PostgreSQLValue]) =
            switch value {
            case .integers(let numbers): (20, numbers.map(PostgreSQLValue.optional))
            case .texts(let texts): (25, texts.map(PostgreSQLValue.optional))
            case .blobs(let blobs): (17, blobs.map { $0.map { .blob($0) } ?? .null })
            default: (0, [])
            }
        append(bigEndian: Int32(1))
        append(bigEndian: Int32(elements.contains(.null) ? 1 : 0))
        append(bigEndian: type)
        append(bigEndian: Int32(clamping: elements.count))
        append(bigEndian: Int32(1))
        for element in elements { append(field: element) }
    }

    private mutating func set(length: Int, at place: Int) {
        let length = UInt32(clamping: length)
        for index in 0..<4 {
            self[place + index] = UInt8(truncatingIfNeeded: length >> UInt32(24 - 8 * index))
        }
    }
}
