/// The parameters of a statement as the protocol has them, one after the other.
struct EncodedValues {
    private(set) var bytes = [UInt8]()
    /// The place at which each begins; nil for null.
    private(set) var starts = [Int?]()
    private(set) var lengths = [CInt]()
    /// 1 for those in binary form, 0 for text, which ends with a zero byte.
    private(set) var formats = [CInt]()

    init(_ values: [PostgreSQLValue]) {
        for value in values { add(value) }
        // No part of a value, so that an empty one at the end has a place, too.
        bytes.append(0)
    }

    private mutating func add(_ value: PostgreSQLValue) {
        let start = bytes.count
        switch value {
        case .null: return end(at: nil, isBinary: false)
        // As text, because the server's type may have two, four or eight bytes.
        case .integer(let number): bytes += Array("\(number)".utf8) + [0]
        case .boolean(let isTrue): bytes += [UInt8(ascii: isTrue ? "t" : "f"), 0]
        // In binary form, so that a zero byte in it is refused, and does not end it.
        case .text(let text):
            bytes += Array(text.utf8)
            return end(at: start, isBinary: true)
        case .blob(let blob):
            bytes += blob
            return end(at: start, isBinary: true)
        case .integers, .texts, .blobs:
            bytes.appendArray(value)
            return end(at: start, isBinary: true)
        }
        end(at: start, isBinary: false)
    }

    private mutating func end(at start: Int?, isBinary: Bool) {
        starts.append(start)
        lengths.append(CInt(clamping: bytes.count - (start ?? bytes.count)))
        formats.append(isBinary ? 1 : 0)
    }
}
