package import Visits

/// Sums of the visits of one link, or of all together, by one or two properties.
package struct VisitSums {
    private let link: Int
    private let hours: Range<Int>
    private let groups: VisitGroups
    private var sums = [VisitRowGroups: VisitStore.Row]()

    /// - Parameter hours: since 1970.
    package init(of link: Int, _ hours: Range<Int>, by groups: VisitGroups) {
        (self.link, self.hours, self.groups) = (link, hours, groups)
    }

    /// Adds a count of a table.
    package mutating func add(_ kind: UInt8, _ hour: Int, _ count: Int) {
        let key = VisitKey(link: link, hour: hour, kind: kind)
        guard let own = groups.groups(of: key) else { return }
        sums[own, default: VisitStore.Row(group: own.first, second: own.second)]
            .counts[key.visitClass, default: 0] += Self.bounded(count)
    }

    /// Adds a count that waits, if it is the link's.
    package mutating func add(_ slot: KeyCounts.Slot) {
        let key = VisitKey(packed: slot.key)
        guard key.link == link, hours.contains(key.hour) else { return }
        add(key.kind, key.hour, Int(slot.count))
    }

    /// A count of a table. Only another program writes one that is so large that sums could overflow.
    package static func bounded(_ count: Int) -> Int { min(max(count, 0), 1 << 40) }

    /// In the order of their groups.
    package var rows: [VisitStore.Row] { sums.sorted { $0.key < $1.key }.map(\.value) }

    /// The numbers of visitors by day.
    /// - Parameters:
    ///   - known: of tables.
    ///   - waiting: hashes that are in no table yet.
    ///   - first: the day from which on hashes are kept.
    package static func visitors(
        _ known: [(day: Int, count: Int, sketch: VisitorSketch?)], _ waiting: [Int: [UInt32]],
        from first: Int
    ) -> [Int: Int] {
        var counts = Dictionary(known.map { ($0.day, $0.count) }, uniquingKeysWith: max)
        let sketches = Dictionary(
            known.map { ($0.day, $0.sketch) }, uniquingKeysWith: { first, _ in first })
        for (day, hashes) in waiting where day >= first {
            counts[day] = visitors(counts[day] ?? 0, sketches[day].flatMap(\.self), hashes)
        }
        return counts
    }

    /// The number of visitors of a link on a day, of which some are in no table yet.
    /// - Parameters:
    ///   - count: of the table.
    ///   - sketch: of the table; nil for none.
    ///   - waiting: hashes that are in no table yet.
    package static func visitors(
        _ count: Int, _ sketch: VisitorSketch?, _ waiting: [UInt32]
    ) -> Int {
        guard !waiting.isEmpty else { return count }
        var sketch = sketch ?? VisitorSketch()
        for hash in waiting { _ = sketch.add(hash) }
        // Where the hashes of a number are gone, it is at least that.
        return max(sketch.count, count)
    }
}
