/// A part of what was counted of links, which is written as a row of bytes first, and moved to the
/// tables later. Whatever pieces there are, in any order, their sum is what is not in the tables yet.
package struct VisitPiece: Equatable, Sendable {
    /// By `VisitKey.packed`.
    package var counts = [KeyCounts.Slot]()
    /// By `LinkDay.packed` and the visitor's hash.
    package var visitors = [KeyCounts.Slot]()
    package var referrers = [Referrer]()
    /// By `LinkDay.packed` and the country's number.
    package var countries = [KeyCounts.Slot]()

    package struct Referrer: Equatable, Sendable {
        package var day: LinkDay
        package var host: String
        package var count: Int

        package init(day: LinkDay, host: String, count: Int) {
            (self.day, self.host, self.count) = (day, host, count)
        }
    }

    /// The most counts of each kind in a piece that is moved at once, which takes some milliseconds.
    package static let sizeMax = 2_048

    /// With nothing.
    package init() {}

    /// All of a batch.
    package init(_ batch: borrowing VisitBatch) {
        batch.counts.forEach { counts.append($0) }
        batch.visitors.forEach { visitors.append($0) }
        batch.countries.forEach { countries.append($0) }
        for (day, hosts) in batch.referrers {
            for (host, count) in hosts {
                referrers.append(Referrer(day: day, host: host, count: count))
            }
        }
    }

    package var isEmpty: Bool {
        counts.isEmpty && visitors.isEmpty && referrers.isEmpty && countries.isEmpty
    }

    // MARK: Bytes

    /// The numbers of counts and visitors, four bytes each; the counts with their keys in eight bytes
    /// and their counts in four; the visitors, with their hashes; and for each referrer the day, the
    /// count, the number of bytes of the host in one, and these. The countries are among the referrers, at link 0, which has
    /// none: a node of a version that knows no countries can move the piece, and nobody asks for what it makes of them. Such
    /// a host is the country's number and that of the link, with a hyphen between them.
    package var bytes: [UInt8] {
        var bytes = [UInt8]()
        bytes.reserveCapacity(
            8 + 12 * (counts.count + visitors.count) + 40 * (referrers.count + countries.count))
        bytes.append(UInt64(counts.count), bytes: 4)
        bytes.append(UInt64(visitors.count), bytes: 4)
        for slot in counts {
            bytes.append(slot.key, bytes: 8)
            bytes.append(UInt64(slot.count), bytes: 4)
        }
        for slot in visitors {
            bytes.append(slot.key, bytes: 8)
            bytes.append(UInt64(slot.number), bytes: 4)
        }
        for referrer in referrers {
            let host = referrer.host.utf8.prefix(255)
            bytes.append(referrer.day.packed, bytes: 8)
            bytes.append(UInt64(referrer.count), bytes: 4)
            bytes.append(UInt8(host.count))
            bytes += host
        }
        for slot in countries {
            let day = LinkDay(packed: slot.key)
            let host = "\(slot.number)-\(day.link)".utf8
            bytes.append(LinkDay(link: 0, day: day.day).packed, bytes: 8)
            bytes.append(UInt64(slot.count), bytes: 4)
            bytes.append(UInt8(host.count))
            bytes += host
        }
        return bytes
    }

    /// Reads `bytes`; nil for what is no piece.
    package init?(_ bytes: [UInt8]) {
        var position = 0
        func number(_ count: Int) -> UInt64? {
            guard position + count <= bytes.count else { return nil }
            defer { position += count }
            return (0..<count).reduce(0) { $0 | UInt64(bytes[position + $1]) << UInt64(8 * $1) }
        }
        guard let countCount = number(4), let visitorCount = number(4),
            12 * (countCount + visitorCount) <= UInt64(bytes.count - 8)
        else { return nil }
        for _ in 0..<countCount {
            guard let key = number(8), key != 0, let count = number(4) else { return nil }
            counts.append(KeyCounts.Slot(key: key, count: UInt32(count)))
        }
        for _ in 0..<visitorCount {
            guard let key = number(8), key != 0, let hash = number(4) else { return nil }
            visitors.append(KeyCounts.Slot(key: key, number: UInt32(hash), count: 1))
        }
        while position < bytes.count {
            guard let day = number(8), let count = number(4), let length = number(1),
                position + Int(length) <= bytes.count
            else { return nil }
            let host = bytes[position..<position + Int(length)]
            position += Int(length)
            let own = LinkDay(packed: day)
            if own.link > 0 {
                referrers.append(
                    Referrer(
                        day: own, host: String(decoding: host, as: UTF8.self), count: Int(count)))
            } else if let slot = Self.country(host, on: own.day, count: count) {
                countries.append(slot)
            }
        }
    }

    /// The count of a country, whose host has it. Others are those of a later version.
    private static func country(
        _ host: ArraySlice<UInt8>, on day: Int, count: UInt64
    ) -> KeyCounts.Slot? {
        guard let hyphen = host.firstIndex(of: UInt8(ascii: "-")),
            let number = UInt32(String(decoding: host[..<hyphen], as: UTF8.self)),
            let link = Int(String(decoding: host[(hyphen + 1)...], as: UTF8.self)),
            link > 0, link <= VisitKey.linkMax
        else { return nil }
        return KeyCounts.Slot(
            key: LinkDay(link: link, day: day).packed, number: number,
            count: UInt32(truncatingIfNeeded: count))
    }
}

extension [UInt8] {
    /// In little-endian order.
    fileprivate mutating func append(_ number: UInt64, bytes: Int) {
        for index in 0..<bytes { append(UInt8(truncatingIfNeeded: number >> UInt64(8 * index))) }
    }
}
