/// Reads the fields of a message one after the other (Protocol Buffers, "Encoding").
struct ProtoFields {
    /// A field: its number in the message, and its value.
    struct Field {
        let number: Int
        /// The value of a number; 0 for other fields, and for numbers beyond `Int`.
        let value: Int
        /// The bytes of a text or a message; empty for a number.
        let range: Range<Int>
    }

    private let bytes: [UInt8]
    private var offset: Int
    private let end: Int

    /// - Parameter range: of the message; within the bytes.
    init(_ bytes: [UInt8], _ range: Range<Int>) {
        (self.bytes, offset, end) = (bytes, range.lowerBound, range.upperBound)
    }

    static let damaged = FormatFault("has a damaged message in it")

    /// The next field; nil at the end.
    mutating func next() throws(FormatFault) -> Field? {
        guard offset < end else { return nil }
        let key = try number()
        let field = Int(key >> 3)
        switch key & 7 {
        case 0:
            let value = Int(exactly: try number()) ?? 0
            return Field(number: field, value: value, range: offset..<offset)
        case 1: try skip(8)
        case 2:
            guard let length = Int(exactly: try number()), length <= end - offset else {
                throw Self.damaged
            }
            let range = offset..<(offset + length)
            offset += length
            return Field(number: field, value: 0, range: range)
        case 5: try skip(4)
        default: throw Self.damaged
        }
        return Field(number: field, value: 0, range: offset..<offset)
    }

    private mutating func skip(_ size: Int) throws(FormatFault) {
        guard size <= end - offset else { throw Self.damaged }
        offset += size
    }

    /// A number of at most 64 bits, seven in each byte.
    private mutating func number() throws(FormatFault) -> UInt64 {
        var (value, shift) = (UInt64(0), UInt64(0))
        while offset < end, shift < 64 {
            let byte = bytes[offset]
            offset += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
            shift += 7
        }
        throw Self.damaged
    }
}

extension [UInt8] {
    /// The last field of a number in a message, as the last one counts; nil if there is none.
    func field(_ number: Int, in range: Range<Int>) throws(FormatFault) -> ProtoFields.Field? {
        var (fields, found) = (ProtoFields(self, range), ProtoFields.Field?.none)
        while let field = try fields.next() {
            if field.number == number { found = field }
        }
        return found
    }

    /// The text of a range.
    func text(_ range: Range<Int>) -> String { String(decoding: self[range], as: UTF8.self) }
}
