/// Values one after the other: numbers of eight bytes, and texts with their lengths. One that may be missing has a
/// byte before it that says so.
struct BaseValues {
    private(set) var bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func add(_ number: Int) { bytes.append(number, bytes: 8) }

    mutating func add(_ number: Int?) {
        bytes.append(number == nil ? 0 : 1)
        if let number { add(number) }
    }

    mutating func add(_ text: String) {
        add(text.utf8.count)
        bytes += text.utf8
    }

    mutating func add(_ text: [UInt8]?) {
        bytes.append(text == nil ? 0 : 1)
        guard let text else { return }
        add(text.count)
        bytes += text
    }

    private mutating func take(_ count: Int) throws(BaseFault) -> ArraySlice<UInt8> {
        guard count <= bytes.count - position else { throw .damaged("its head is too short") }
        defer { position += count }
        return bytes[position..<position + count]
    }

    private mutating func integer() throws(BaseFault) -> Int { try take(8).number }

    /// A number that is not negative.
    mutating func count() throws(BaseFault) -> Int {
        let count = try integer()
        guard count >= 0 else { throw .damaged("its head has the count \(count)") }
        return count
    }

    private mutating func isThere() throws(BaseFault) -> Bool { try take(1).first == 1 }

    mutating func optionalInteger() throws(BaseFault) -> Int? { try isThere() ? integer() : nil }

    mutating func optionalBytes() throws(BaseFault) -> [UInt8]? {
        try isThere() ? Array(take(count())) : nil
    }

    mutating func text() throws(BaseFault) -> String {
        String(decoding: try take(count()), as: UTF8.self)
    }

    func end() throws(BaseFault) {
        guard position == bytes.count else { throw .damaged("its head is too long") }
    }
}

extension [UInt8] {
    /// Appends a number in little-endian order.
    mutating func append(_ number: Int, bytes: Int) {
        for index in 0..<bytes { append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
    }
}

extension ArraySlice<UInt8> {
    /// The number of these bytes, at most eight, in little-endian order.
    var number: Int { reversed().reduce(0) { $0 << 8 | Int($1) } }
}
