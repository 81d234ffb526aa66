/// Values of a MaxMind DB (version 2.0 of its specification): the data behind the tree, or the metadata. A value begins with a
/// control byte, whose upper three bits are its type and whose lower five bits are its size. Nothing is trusted: each read is checked
/// against the end, and each value that is read counts.
struct DataSection {
    /// Those of the whole file.
    private let bytes: [UInt8]
    /// Of the section. Pointers count from its beginning.
    private let range: Range<Int>
    /// The values that may still be read.
    private(set) var valuesLeft: Int
    private let valuesMax: Int

    init(_ bytes: [UInt8], _ range: Range<Int>, valuesMax: Int) {
        (self.bytes, self.range) = (bytes, range)
        (valuesLeft, self.valuesMax) = (valuesMax, valuesMax)
    }

    /// The number of bytes.
    var count: Int { range.count }
    /// The place in the file of the first one.
    var firstByte: Int { range.lowerBound }

    /// The types of values. A later version may have others.
    enum Kind: UInt8 {
        case pointer = 1
        case text, double, blob, uint16, uint32, map, int32, uint64, uint128, array
        case boolean = 14
        case float
    }

    /// A value whose control bytes were read.
    struct Value {
        let kind: Kind
        /// The bytes of its content; of a map or an array, the number of what is in it; of a boolean, what it is; of a pointer, the
        /// place in the section.
        let size: Int
        /// Where its content begins, in the file.
        let start: Int
    }

    // MARK: One value

    /// Reads the control bytes of a value.
    /// - Parameter place: in the file; afterwards that of its content, or behind a pointer.
    private mutating func begin(_ place: inout Int) throws(CountryFileError) -> Value {
        guard valuesLeft > 0 else { throw .isTangled(valuesMax: valuesMax) }
        valuesLeft -= 1
        let first = place
        let control = try byte(&place)
        var type = control >> 5
        if type == 0 {
            let more = try byte(&place)
            guard more <= UInt8.max - 7 else { throw .value(offset: first, .isUnknown) }
            type = more + 7
        }
        guard let kind = Kind(rawValue: type) else { throw .value(offset: first, .isUnknown) }
        if kind == .pointer {
            let target = try pointer(control, &place)
            return Value(kind: kind, size: target, start: place)
        }
        var size = Int(control & 31)
        switch size {
        case 29: size = 29 + (try number(1, &place))
        case 30: size = 285 + (try number(2, &place))
        case 31: size = 65_821 + (try number(3, &place))
        default: break
        }
        guard kind.allows(size) else { throw .value(offset: first, .hasWrongSize) }
        if kind.hasContent, size > range.upperBound - place { throw .value(offset: first, .isCut) }
        return Value(kind: kind, size: size, start: place)
    }

    /// The place in the section to which a pointer leads.
    private func pointer(_ control: UInt8, _ place: inout Int) throws(CountryFileError) -> Int {
        let high = Int(control & 7)
        return switch control >> 3 & 3 {
        case 0: high << 8 + (try number(1, &place))
        case 1: 2_048 + high << 16 + (try number(2, &place))
        case 2: 526_336 + high << 24 + (try number(3, &place))
        default: try number(4, &place)
        }
    }

    private func byte(_ place: inout Int) throws(CountryFileError) -> UInt8 {
        guard range.contains(place) else { throw .value(offset: place, .isCut) }
        defer { place += 1 }
        return bytes[place]
    }

    /// A number of at most eight bytes, the most significant first.
    private func number(_ count: Int, _ place: inout Int) throws(CountryFileError) -> Int {
        var number: UInt64 = 0
        for _ in 0..<count { number = number << 8 | UInt64(try byte(&place)) }
        return Int(clamping: number)
    }

    // MARK: Values one after the other

    /// Reads a value, or the one to which a pointer leads.
    /// - Parameter place: in the file; afterwards that of the value's content.
    /// - Returns: the value, and the place behind the pointer; nil where there is none.
    private mutating func resolve(
        _ place: inout Int
    ) throws(CountryFileError) -> (value: Value, next: Int?) {
        let first = place
        let value = try begin(&place)
        guard value.kind == .pointer else { return (value, nil) }
        let next = place
        guard value.size < range.count else { throw .value(offset: first, .leadsOutside) }
        place = range.lowerBound + value.size
        let target = try begin(&place)
        guard target.kind != .pointer else { throw .value(offset: first, .leadsToPointer) }
        return (target, next)
    }

    /// Goes behind a value, whatever it has in it. Pointers in it are not followed.
    private mutating func skip(_ place: inout Int) throws(CountryFileError) {
        // Each takes a byte at least, so that this ends.
        var left = 1
        while left > 0 {
            left -= 1
            let value = try begin(&place)
            switch value.kind {
            case .map: left += 2 * value.size
            case .array: left += value.size
            default: place = value.end
            }
        }
    }

    /// Calls `body` with the key and the place of each value of a map, until it returns true.
    /// - Parameter place: of the map, or of a pointer to it, in the file.
    /// - Returns: false if there is no map.
    mutating func forEachMember(
        at place: Int,
        _ body: (inout DataSection, _ key: Range<Int>, _ place: Int) throws(CountryFileError) ->
            Bool
    ) throws(CountryFileError) -> Bool {
        var place = place
        let map = try resolve(&place).value
        guard map.kind == .map else { return false }
        for _ in 0..<map.size {
            let first = place
            var inside = place
            let (key, next) = try resolve(&inside)
            guard key.kind == .text else { throw .value(offset: first, .isUnknown) }
            place = next ?? key.end
            if try body(&self, key.start..<key.end, place) { return true }
            try skip(&place)
        }
        return true
    }

    /// Whether a key is this word.
    func isKey(_ key: Range<Int>, _ word: [UInt8]) -> Bool {
        key.count == word.count && bytes[key].elementsEqual(word)
    }

    /// The text at a place, or where a pointer there leads; nil for what is none.
    mutating func text(at place: Int) throws(CountryFileError) -> ArraySlice<UInt8>? {
        var place = place
        let value = try resolve(&place).value
        return value.kind == .text ? bytes[value.start..<value.end] : nil
    }

    /// The number at a place that is not negative; nil for what is none.
    mutating func number(at place: Int) throws(CountryFileError) -> Int? {
        var place = place
        let value = try resolve(&place).value
        switch value.kind {
        case .uint16, .uint32, .uint64:
            var start = value.start
            return try number(value.size, &start)
        default: return nil
        }
    }
}

extension DataSection.Value {
    /// The place behind its content; of a pointer, behind the pointer.
    fileprivate var end: Int { kind.hasContent ? start + size : start }
}

extension DataSection.Kind {
    /// Whether bytes of its size follow.
    fileprivate var hasContent: Bool {
        switch self {
        case .pointer, .map, .array, .boolean: false
        default: true
        }
    }

    fileprivate func allows(_ size: Int) -> Bool {
        switch self {
        case .double: size == 8
        case .float: size == 4
        case .uint16: size <= 2
        case .uint32, .int32: size <= 4
        case .uint64: size <= 8
        case .uint128: size <= 16
        case .boolean: size <= 1
        case .pointer, .text, .blob, .map, .array: true
        }
    }
}
