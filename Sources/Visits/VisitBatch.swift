/// What all loops have counted, until it is written.
package struct VisitBatch: Sendable {
    package private(set) var counts = [VisitKey: Int]()
    package private(set) var visitors = [LinkDay: Set<UInt32>]()
    package private(set) var referrers = [LinkDay: [String: Int]]()
    package private(set) var misses = [Miss: Int]()
    /// What was added since somebody has taken this.
    package private(set) var totals = VisitTotals()
    private var size = 0

    package struct Miss: Hashable, Sendable {
        /// The number of the collection's name.
        package var collection: UInt32
        package var hour: Int
        package var path: String
    }

    /// With nothing.
    package init() {}

    package var isEmpty: Bool { size == 0 }

    /// How many different counts wait at most: while the file cannot be written, there may be
    /// others than before for a long time.
    package static let sizeMax = 400_000

    package mutating func add(_ key: VisitKey, _ count: Int) {
        totals.counts[Int(key.visitClass.rawValue)] += count
        guard counts[key] != nil || takeRoom(count) else { return }
        counts[key, default: 0] += count
    }

    package mutating func add(_ day: LinkDay, visitor hash: UInt32) {
        guard visitors[day]?.contains(hash) != true, takeRoom(1) else { return }
        visitors[day, default: []].insert(hash)
    }

    package mutating func add(_ day: LinkDay, referrer host: String, _ count: Int) {
        guard referrers[day]?[host] != nil || takeRoom(count) else { return }
        referrers[day, default: [:]][host, default: 0] += count
    }

    package mutating func addMiss(
        _ collection: UInt32, _ hour: Int, _ path: String, _ count: Int
    ) {
        totals.misses += count
        let miss = Miss(collection: collection, hour: hour, path: Self.folded(path))
        guard misses[miss] != nil || takeRoom(count) else { return }
        misses[miss, default: 0] += count
    }

    /// Counts what found no room in a loop's table.
    package mutating func drop(_ count: Int) { totals.dropped += count }

    package mutating func takeTotals() -> VisitTotals {
        defer { totals = VisitTotals() }
        return totals
    }

    private mutating func takeRoom(_ count: Int) -> Bool {
        guard size < Self.sizeMax else {
            drop(count)
            return false
        }
        size += 1
        return true
    }

    /// Paths that only programs ask for, which look for holes in other software, are one path.
    private static func folded(_ path: String) -> String {
        let bytes = Array(path.utf8)
        for mark in scannerMarks
        where bytes.indices.contains(where: { start in
            bytes[start...].starts(with: mark)
        }) {
            return scanners
        }
        return path
    }

    /// What paths of scanners are counted as.
    package static let scanners = "(scanners)"
    private static let scannerMarks = [".php", "/wp-", "/.", ".asp", ".cgi", ".env", ".git"].map {
        Array($0.utf8)
    }
}

/// How many requests were counted, whatever becomes of the counts.
package struct VisitTotals: Sendable {
    /// For each class of visits.
    package var counts = [Int](repeating: 0, count: VisitClass.allCases.count)
    /// For paths that are of no link.
    package var misses = 0
    /// What found no room.
    package var dropped = 0

    package init() {}

    package mutating func add(_ other: VisitTotals) {
        for index in counts.indices { counts[index] += other.counts[index] }
        misses += other.misses
        dropped += other.dropped
    }
}
