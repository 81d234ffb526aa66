/// Reads the binary form of a property list, `bplist00`. Objects refer to each other by number, so
/// a small list can stand for an endless one: depth, values and bytes of texts are bounded.
struct BinaryPropertyList {
    private let bytes: [UInt8]
    private let offsetBytes: Int
    private let numberBytes: Int
    private let objects: Int
    private let table: Int
    private var valuesLeft = AppFileLimits.valuesMax
    private var textBytesLeft = AppFileLimits.documentBytesMax

    static func read(_ bytes: [UInt8]) throws(FormatFault) -> PropertyList {
        guard bytes.count <= AppFileLimits.documentBytesMax, bytes.starts(with: "bplist00".utf8),
            let trailer = bytes.part(bytes.count - 32, 32).map({ Array($0) }),
            let objects = trailer.big(8, at: 8), let top = trailer.big(8, at: 16),
            let table = trailer.big(8, at: 24),
            (1...8).contains(trailer[6]), (1...8).contains(trailer[7])
        else { throw damaged }
        var reader = BinaryPropertyList(
            bytes: bytes, offsetBytes: Int(trailer[6]), numberBytes: Int(trailer[7]),
            objects: objects, table: table)
        return try reader.object(top, depth: 0)
    }

    private init(bytes: [UInt8], offsetBytes: Int, numberBytes: Int, objects: Int, table: Int) {
        self.bytes = bytes
        self.offsetBytes = offsetBytes
        self.numberBytes = numberBytes
        self.objects = objects
        self.table = table
    }

    private static let damaged = FormatFault("is a damaged binary property list")

    private func place(of number: Int) throws(FormatFault) -> Int {
        let (distance, overflows) = number.multipliedReportingOverflow(by: offsetBytes)
        let (entry, overflowsToo) = table.addingReportingOverflow(distance)
        guard number < objects, !overflows, !overflowsToo,
            let offset = bytes.big(offsetBytes, at: entry), offset >= 8, offset < bytes.count
        else { throw Self.damaged }
        return offset
    }

    private mutating func object(_ number: Int, depth: Int) throws(FormatFault) -> PropertyList {
        guard depth < AppFileLimits.depthMax, valuesLeft > 0 else {
            throw FormatFault(
                "is a binary property list with more than \(AppFileLimits.valuesMax) values, or "
                    + "values nested more than \(AppFileLimits.depthMax) deep")
        }
        valuesLeft -= 1
        let offset = try place(of: number)
        let (kind, low) = (bytes[offset] >> 4, Int(bytes[offset] & 0x0F))
        switch kind {
        case 0x0:
            return PropertyList(low == 8 ? .boolean(false) : low == 9 ? .boolean(true) : .other)
        case 0x1:
            // A negative number has eight bytes, or sixteen; no key that is read has one.
            guard low <= 4, bytes.part(offset + 1, 1 << low) != nil else { throw Self.damaged }
            return PropertyList(bytes.big(1 << low, at: offset + 1).map { .number($0) } ?? .other)
        case 0x2, 0x3, 0x8: return PropertyList(.other)
        case 0x4: return PropertyList(.data(try content(offset, low, unit: 1)))
        case 0x5:
            return PropertyList(
                .string(String(decoding: try content(offset, low, unit: 1), as: UTF8.self)))
        case 0x6: return PropertyList(.string(try wideText(offset, low)))
        case 0xA:
            let (first, count) = try size(offset, low)
            return PropertyList(.array(try objects(first, count, depth)))
        case 0xD: return try dictionary(offset, low, depth)
        default: throw Self.damaged
        }
    }

    /// The beginning of an object's content, and its size in units.
    private func size(_ offset: Int, _ low: Int) throws(FormatFault) -> (first: Int, count: Int) {
        guard low == 15 else { return (offset + 1, low) }
        guard let marker = bytes.big(1, at: offset + 1), marker >> 4 == 1, marker & 0x0F <= 3,
            let count = bytes.big(1 << (marker & 0x0F), at: offset + 2), count <= bytes.count
        else { throw Self.damaged }
        return (offset + 2 + 1 << (marker & 0x0F), count)
    }

    private mutating func content(
        _ offset: Int, _ low: Int, unit: Int
    ) throws(FormatFault) -> [UInt8] {
        let (first, count) = try size(offset, low)
        // `count` is at most the size of the list.
        guard let content = bytes.part(first, count * unit) else { throw Self.damaged }
        textBytesLeft -= content.count
        guard textBytesLeft >= 0 else {
            throw FormatFault(
                "is a binary property list that stands for more than "
                    + "\(AppFileLimits.documentBytesMax) bytes")
        }
        return Array(content)
    }

    private mutating func wideText(_ offset: Int, _ low: Int) throws(FormatFault) -> String {
        let content = try content(offset, low, unit: 2)
        let units = stride(from: 0, to: content.count, by: 2).map {
            UInt16(content[$0]) << 8 | UInt16(content[$0 + 1])
        }
        return String(decoding: units, as: UTF16.self)
    }

    private mutating func objects(
        _ first: Int, _ count: Int, _ depth: Int
    ) throws(FormatFault) -> [PropertyList] {
        guard bytes.part(first, count * numberBytes) != nil else { throw Self.damaged }
        var items = [PropertyList]()
        for index in 0..<count {
            guard let number = bytes.big(numberBytes, at: first + index * numberBytes) else {
                throw Self.damaged
            }
            items.append(try object(number, depth: depth + 1))
        }
        return items
    }

    private mutating func dictionary(
        _ offset: Int, _ low: Int, _ depth: Int
    ) throws(FormatFault) -> PropertyList {
        let (first, count) = try size(offset, low)
        let keys = try objects(first, count, depth)
        let values = try objects(first + count * numberBytes, count, depth)
        var members = [[UInt8]: PropertyList]()
        for (key, value) in zip(keys, values) {
            guard let name = key.text else { throw Self.damaged }
            guard members.updateValue(value, forKey: Array(name.utf8)) == nil else {
                throw FormatFault("is a binary property list that repeats a key")
            }
        }
        return PropertyList(.dictionary(members))
    }
}
