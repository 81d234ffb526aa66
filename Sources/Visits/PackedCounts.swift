/// The counts of links in an hour, or on a day, in few bytes. For each, in the order of links and kinds, there are the
/// difference of its link's number from that of the count before, its kind (`VisitKey.kind`) and its count. The kind is a
/// byte, and numbers are LEB128.
package struct PackedCounts: Sendable {
    package private(set) var bytes = [UInt8]()
    private var lastLink = 0

    /// Of no link.
    package init() {}

    /// Adds a count.
    /// - Parameter link: not less than that of the count before.
    package mutating func append(link: Int, kind: UInt8, count: Int) {
        append(link - lastLink)
        bytes.append(kind)
        append(count)
        lastLink = link
    }

    private mutating func append(_ number: Int) {
        var rest = UInt64(clamping: number)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Calls `body` with the link, the kind and the count of each.
    /// - Returns: false if the bytes are no such counts; a part of them may have been read then.
    @inline(__always)
    static func forEach(_ bytes: [UInt8], _ body: (Int, UInt8, Int) -> Void) -> Bool {
        var (place, link) = (0, 0)
        while place < bytes.count {
            let difference = number(bytes, &place)
            guard difference >= 0, place < bytes.count else { return false }
            let kind = bytes[place]
            place += 1
            let count = number(bytes, &place)
            guard count >= 0 else { return false }
            link &+= difference
            body(link, kind, count)
        }
        return true
    }

    /// Reads a number of at most eight bytes.
    /// - Returns: -1 if there is none.
    @inline(__always)
    private static func number(_ bytes: [UInt8], _ place: inout Int) -> Int {
        guard place < bytes.count else { return -1 }
        let first = bytes[place]
        place += 1
        return first < 0x80 ? Int(first) : longNumber(bytes, &place, Int(first & 0x7F))
    }

    private static func longNumber(_ bytes: [UInt8], _ place: inout Int, _ first: Int) -> Int {
        var (number, shift) = (first, 7)
        while place < bytes.count, shift < 56 {
            let byte = bytes[place]
            place += 1
            number |= Int(byte & 0x7F) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
        return -1
    }
}

extension PackedCounts {
    /// Calls `body` with the link, the kind and the count of each.
    /// - Returns: false if the bytes are no such counts; a part of them may have been read then.
    package static func read(_ bytes: [UInt8], _ body: (Int, UInt8, Int) -> Void) -> Bool {
        forEach(bytes, body)
    }
}
