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

    /// The counts of several times together, each sum of them as large as it is.
    package static func joined(_ all: [PackedCounts]) -> PackedCounts {
        var rows = all.map { Rows(bytes: $0.bytes) }
        for place in rows.indices { rows[place].advance() }
        var joined = PackedCounts()
        while let key = rows.lazy.map(\.key).min(), key < Rows.endKey {
            var sum = 0
            for place in rows.indices where rows[place].key == key {
                sum += rows[place].count
                rows[place].advance()
            }
            joined.append(key >> 8 - joined.lastLink)
            joined.bytes.append(UInt8(truncatingIfNeeded: key))
            joined.append(sum)
            joined.lastLink = key >> 8
        }
        return joined.trimmed
    }

    /// A walk through the counts of a time.
    private struct Rows {
        let bytes: [UInt8]
        private var place = 0
        /// The link and the kind of the count at which it is.
        private(set) var key = 0
        private(set) var count = 0

        /// Behind the last count.
        static let endKey = Int.max

        init(bytes: [UInt8]) { self.bytes = bytes }

        mutating func advance() {
            guard place < bytes.count else { return key = Self.endKey }
            var next = place
            let link = key >> 8 + PackedCounts.number(bytes.span, &next)
            key = link << 8 | Int(bytes[next])
            next += 1
            count = PackedCounts.number(bytes.span, &next)
            place = next
        }
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
