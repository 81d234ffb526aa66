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

    /// The counts of several times together.
    package static func joined(_ all: [PackedCounts]) -> PackedCounts {
        var rows = [(key: Int, count: Int)]()
        for counts in all {
            counts.forEach { link, kind, count in rows.append((link << 8 | Int(kind), count)) }
        }
        rows.sort { $0.key < $1.key }
        var (counts, last) = (PackedCounts(), (key: 0, count: 0))
        func end() {
            guard last.key > 0 else { return }
            counts.append(
                link: last.key >> 8, kind: UInt8(truncatingIfNeeded: last.key), count: last.count)
        }
        for row in rows {
            if row.key == last.key {
                last.count &+= row.count
            } else {
                end()
                last = row
            }
        }
        end()
        return counts.trimmed
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
