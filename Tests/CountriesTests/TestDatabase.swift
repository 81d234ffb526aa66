/// A file in the format MaxMind DB, made by the rules of its specification.
struct TestDatabase {
    indirect enum Value {
        case text(String)
        case map([(key: String, value: Value)])
        case array([Value])
        case number(UInt64, type: UInt8)
        case boolean(Bool)
        /// To a place in the data, with so many bytes, of one to four.
        case pointer(Int, bytes: Int)
        case raw([UInt8])
    }

    enum Record: Equatable {
        case nothing
        case node(Int)
        /// A place in the data.
        case data(Int)
    }

    var recordBits = 24
    let isV6: Bool
    var nodes: [(left: Record, right: Record)] = [(.nothing, .nothing)]
    var data = [UInt8]()
    /// Others than the usual ones.
    var metadata = [String: Value?]()

    init(isV6: Bool = true, recordBits: Int = 24) {
        (self.isV6, self.recordBits) = (isV6, recordBits)
    }

    /// Adds a value to the data.
    /// - Returns: its place there.
    mutating func add(_ value: Value) -> Int {
        defer { data += Self.bytes(of: value) }
        return data.count
    }

    /// Adds a record of GeoLite2's form.
    mutating func add(country: String) -> Int {
        add(.map([("country", .map([("iso_code", .text(country))]))]))
    }

    /// Adds a network, which replaces those before in it.
    /// - Parameter length: of all 128 bits, also of a network of IPv4.
    mutating func add(_ high: UInt64, _ low: UInt64, length: Int, _ record: Record) {
        let bits = (0..<length).map { place -> Bool in
            let (word, bit) = place < 64 ? (high, 63 - place) : (low, 127 - place)
            return (word >> UInt64(bit)) & 1 == 1
        }
        let own = isV6 ? bits : Array(bits.dropFirst(96))
        var node = 0
        for bit in own.dropLast() {
            switch self[node, bit] {
            case .node(let next): node = next
            case let before:
                nodes.append((before, before))
                self[node, bit] = .node(nodes.count - 1)
                node = nodes.count - 1
            }
        }
        self[node, own[own.count - 1]] = record
    }

    /// Adds a network of IPv4.
    mutating func add(v4 address: UInt32, length: Int, _ record: Record) {
        add(0, UInt64(address), length: 96 + length, record)
    }

    private subscript(_ node: Int, _ bit: Bool) -> Record {
        get { bit ? nodes[node].right : nodes[node].left }
        set { if bit { nodes[node].right = newValue } else { nodes[node].left = newValue } }
    }

    // MARK: Bytes

    static let mark: [UInt8] = [0xAB, 0xCD, 0xEF] + Array("MaxMind.com".utf8)

    var bytes: [UInt8] {
        var bytes = [UInt8]()
        for node in nodes {
            let (left, right) = (number(of: node.left), number(of: node.right))
            switch recordBits {
            case 28:
                bytes += Self.bytes(left, 3)
                bytes.append(UInt8((left >> 24) << 4 | right >> 24))
                bytes += Self.bytes(right, 3)
            default: bytes += Self.bytes(left, recordBits / 8) + Self.bytes(right, recordBits / 8)
            }
        }
        var members: [String: Value?] = [
            "binary_format_major_version": .number(2, type: 5),
            "record_size": .number(UInt64(recordBits), type: 5),
            "node_count": .number(UInt64(nodes.count), type: 6),
            "ip_version": .number(isV6 ? 6 : 4, type: 5),
            "build_epoch": .number(1_700_000_000, type: 9),
            "database_type": .text("Test-Country"),
            "languages": .array([.text("en")]), "description": .map([("en", .text("Test"))]),
        ]
        for (key, value) in metadata { members[key] = value }
        let all = members.sorted { $0.key < $1.key }.compactMap { key, value in
            value.map { (key: key, value: $0) }
        }
        return bytes + [UInt8](repeating: 0, count: 16) + data + Self.mark
            + Self.bytes(of: .map(all))
    }

    private func number(of record: Record) -> Int {
        switch record {
        case .nothing: nodes.count
        case .node(let node): node
        case .data(let place): nodes.count + 16 + place
        }
    }

    private static func bytes(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    private static func control(_ type: UInt8, _ size: Int) -> [UInt8] {
        let (first, more): (Int, [UInt8]) =
            switch size {
            case ..<29: (size, [])
            case ..<285: (29, bytes(size - 29, 1))
            case ..<65_821: (30, bytes(size - 285, 2))
            default: (31, bytes(size - 65_821, 3))
            }
        let low = UInt8(first)
        return (type < 8 ? [type << 5 | low] : [low, type - 7]) + more
    }

    static func bytes(of value: Value) -> [UInt8] {
        switch value {
        case .text(let text): return control(2, text.utf8.count) + text.utf8
        case .map(let members):
            return control(7, members.count)
                + members.flatMap { bytes(of: .text($0.key)) + bytes(of: $0.value) }
        case .array(let values): return control(11, values.count) + values.flatMap(bytes(of:))
        case .number(let number, let type):
            let count = (64 - number.leadingZeroBitCount + 7) / 8
            return control(type, count) + bytes(Int(truncatingIfNeeded: number), count)
        case .boolean(let flag): return control(14, flag ? 1 : 0)
        case .pointer(let place, let count):
            let own = place - [0, 2_048, 526_336, 0][count - 1]
            let high = count == 4 ? 0 : own >> (8 * count)
            return [0x20 | UInt8(count - 1) << 3 | UInt8(high)] + bytes(own, count)
        case .raw(let bytes): return bytes
        }
    }
}
