/// The counts of links in an hour, or on a day, in few bytes. For each, in the order of links and kinds, there are the
/// difference of its link's number from that of the count before, its kind (`VisitKey.kind`) and its count. The kind is a
/// byte, and numbers are LEB128.
package struct PackedCounts: Sendable {
    private var bytes = [UInt8]()
    private var lastLink = 0

    /// Of no link.
    package init() {}

    /// The memory of the counts.
    package var byteCount: Int { bytes.count }

    /// Adds a count, unless no link that can be counted has the number: another program has written it.
    /// - Parameter link: not less than that of the count before.
    package mutating func append(link: Int, kind: UInt8, count: Int) {
        guard link >= lastLink, link <= VisitKey.linkMax else { return }
        append(link - lastLink)
        bytes.append(kind)
        append(min(max(count, 0), Self.countMax))
        lastLink = link
    }

    private mutating func append(_ number: Int) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Only another program writes a count that is so large that sums could overflow.
    package static let countMax = 1 << 40

    /// The same counts, without the memory that is kept for further ones.
    package var trimmed: PackedCounts {
        var counts = PackedCounts()
        counts.bytes.reserveCapacity(bytes.count)
        counts.bytes += bytes
        counts.lastLink = lastLink
        return counts
    }

    /// Calls `body` with the link, the kind and the count of each.
    @inline(__always)
    package func forEach(_ body: (_ link: Int, _ kind: UInt8, _ count: Int) -> Void) {
        let bytes = bytes.span
        var (place, link) = (0, 0)
        while place < bytes.count {
            link &+= Self.number(bytes, &place)
            let kind = bytes[place]
            place += 1
            body(link, kind, Self.number(bytes, &place))
        }
    }

    @inline(__always)
    private static func number(_ bytes: Span<UInt8>, _ place: inout Int) -> Int {
        let first = bytes[place]
        place += 1
        return first < 0x80 ? Int(first) : longNumber(bytes, &place, Int(first & 0x7F))
    }

    private static func longNumber(_ bytes: Span<UInt8>, _ place: inout Int, _ first: Int) -> Int {
        var (number, shift) = (first, 7)
        while true {
            let byte = bytes[place]
            place += 1
            number |= Int(byte & 0x7F) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
    }
}
