/// Reads the DER form of entitlements, which iOS 15 and later take from a signature (Apple, "Using
/// the latest code signature format"): version 1 of pairs of a key and a value.
struct EntitlementsDER {
    private let bytes: [UInt8]
    private var valuesLeft = AppFileLimits.valuesMax

    static func read(_ bytes: [UInt8]) throws(FormatFault) -> PropertyList {
        var reader = EntitlementsDER(bytes: bytes)
        let whole = try reader.element(at: 0, end: bytes.count)
        guard whole.tag == 0x70, whole.content.upperBound == bytes.count else { throw damaged }
        let version = try reader.element(at: whole.content.lowerBound, end: bytes.count)
        guard version.tag == 0x02, bytes[version.content].elementsEqual([1]) else { throw damaged }
        let list = try reader.element(
            at: version.content.upperBound, end: whole.content.upperBound)
        guard list.content.upperBound == whole.content.upperBound else { throw damaged }
        return try reader.value(list, depth: 0)
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private static let damaged = FormatFault("has a signature with damaged entitlements (DER)")

    /// The element at an offset, its length definite (X.690 §10.1).
    private func element(
        at offset: Int, end: Int
    ) throws(FormatFault) -> (tag: UInt8, content: Range<Int>) {
        guard let tag = bytes.big(1, at: offset), let short = bytes.big(1, at: offset + 1) else {
            throw Self.damaged
        }
        var (start, length) = (offset + 2, short)
        if short >= 0x80 {
            let digits = short & 0x7F
            guard (1...4).contains(digits), let long = bytes.big(digits, at: start) else {
                throw Self.damaged
            }
            (start, length) = (start + digits, long)
        }
        guard length <= end - start else { throw Self.damaged }
        return (UInt8(tag), start..<(start + length))
    }

    private mutating func value(
        _ element: (tag: UInt8, content: Range<Int>), depth: Int
    ) throws(FormatFault) -> PropertyList {
        guard depth < AppFileLimits.depthMax, valuesLeft > 0 else { throw Self.damaged }
        valuesLeft -= 1
        let content = bytes[element.content]
        switch element.tag {
        case 0x01: return PropertyList(.boolean(content.first != 0))
        case 0x02:
            return PropertyList(
                Array(content).big(content.count, at: 0).map { .number($0) } ?? .other)
        case 0x04: return PropertyList(.data(Array(content)))
        case 0x0C:
            guard let text = String(validating: content, as: UTF8.self) else { throw Self.damaged }
            return PropertyList(.string(text))
        case 0x30:
            var items = [PropertyList]()
            var offset = element.content.lowerBound
            while offset < element.content.upperBound {
                let item = try self.element(at: offset, end: element.content.upperBound)
                items.append(try value(item, depth: depth + 1))
                offset = item.content.upperBound
            }
            return PropertyList(.array(items))
        case 0xB0, 0x31: return try dictionary(element.content, depth)
        default: throw Self.damaged
        }
    }

    private mutating func dictionary(
        _ range: Range<Int>, _ depth: Int
    ) throws(FormatFault) -> PropertyList {
        var members = [[UInt8]: PropertyList]()
        var offset = range.lowerBound
        while offset < range.upperBound {
            let pair = try element(at: offset, end: range.upperBound)
            offset = pair.content.upperBound
            guard pair.tag == 0x30 else { throw Self.damaged }
            let key = try element(at: pair.content.lowerBound, end: offset)
            guard key.tag == 0x0C else { throw Self.damaged }
            let value = try element(at: key.content.upperBound, end: offset)
            guard value.content.upperBound == offset,
                members.updateValue(
                    try self.value(value, depth: depth + 1), forKey: Array(bytes[key.content]))
                    == nil
            else { throw Self.damaged }
        }
        return PropertyList(.dictionary(members))
    }
}
