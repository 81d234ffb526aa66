/// Reads the CBOR (RFC 8949) that authenticators write: definite lengths, the shortest form of each number, and maps
/// without duplicate keys (CTAP 2.1 §8). Anything else is refused.
struct CBORReader {
    /// An item. Tags, floating-point numbers and the simple values besides these are in nothing that is read here.
    indirect enum Item: Equatable, Sendable {
        case integer(Int)
        case bytes([UInt8])
        case text(String)
        case array([Item])
        case map([Key: Item])
        case boolean(Bool)
        case null
    }

    enum Key: Hashable, Sendable {
        case integer(Int)
        case text(String)
    }

    /// The reason is of no use to anybody: an authenticator that writes something else cannot be mended here.
    struct Fault: Error {}

    private let input: [UInt8]
    private(set) var offset: Int
    /// An attestation has four levels: itself, its statement, a list of certificates, a certificate.
    private static let depthMax = 8

    init(_ input: [UInt8], at offset: Int = 0) { (self.input, self.offset) = (input, offset) }

    /// Whether all of the input was read.
    var isAtEnd: Bool { offset == input.count }

    mutating func item(depth: Int = 0) throws(Fault) -> Item {
        guard depth < Self.depthMax else { throw Fault() }
        let (type, value) = try head()
        switch type {
        case 0: return .integer(value)
        case 1: return .integer(-1 - value)
        case 2: return .bytes(try take(value))
        case 3:
            let bytes = try take(value)
            guard let text = String(validating: bytes, as: UTF8.self) else { throw Fault() }
            return .text(text)
        case 4:
            try expect(value)
            var items = [Item]()
            for _ in 0..<value { items.append(try item(depth: depth + 1)) }
            return .array(items)
        case 5: return .map(try members(value, depth: depth + 1))
        case 7 where value == 20: return .boolean(false)
        case 7 where value == 21: return .boolean(true)
        case 7 where value == 22: return .null
        default: throw Fault()
        }
    }

    private mutating func members(_ count: Int, depth: Int) throws(Fault) -> [Key: Item] {
        try expect(count)
        var members = [Key: Item]()
        for _ in 0..<count {
            let key: Key
            switch try item(depth: depth) {
            case .integer(let number): key = .integer(number)
            case .text(let text): key = .text(text)
            default: throw Fault()
            }
            guard members.updateValue(try item(depth: depth), forKey: key) == nil else {
                throw Fault()
            }
        }
        return members
    }

    /// The type of an item, and its number or length, up to 32 bits.
    private mutating func head() throws(Fault) -> (type: UInt8, value: Int) {
        let first = try take(1)[0]
        let (type, short) = (first >> 5, Int(first & 31))
        // Simple values have no number after them.
        guard short >= 24 else { return (type, short) }
        guard type != 7, short <= 26 else { throw Fault() }
        let bytes = try take(1 << (short - 24))
        let value = bytes.reduce(0) { $0 << 8 | Int($1) }
        let least = [24, 1 << 8, 1 << 16][short - 24]
        guard value >= least else { throw Fault() }
        return (type, value)
    }

    /// Each item has at least one byte, so what says to be longer than the rest is not begun.
    private func expect(_ count: Int) throws(Fault) {
        guard count <= input.count - offset else { throw Fault() }
    }

    private mutating func take(_ count: Int) throws(Fault) -> [UInt8] {
        guard count <= input.count - offset else { throw Fault() }
        defer { offset += count }
        return Array(input[offset..<offset + count])
    }
}

extension CBORReader.Item {
    var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
    var integer: Int? { if case .integer(let number) = self { number } else { nil } }

    subscript(_ key: Int) -> CBORReader.Item? {
        if case .map(let members) = self { members[.integer(key)] } else { nil }
    }

    subscript(_ key: String) -> CBORReader.Item? {
        if case .map(let members) = self { members[.text(key)] } else { nil }
    }
}
