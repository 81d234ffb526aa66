/// The counts of all loops that are not in the tables of the file yet.
package struct VisitBatch: ~Copyable, Sendable {
    /// By `VisitKey.packed`.
    package private(set) var counts: KeyCounts
    /// By `LinkDay.packed` and the visitor's hash.
    package private(set) var visitors: KeyCounts
    package private(set) var referrers = [LinkDay: [String: Int]]()
    /// By `LinkDay.packed` and the country's number.
    package private(set) var countries: KeyCounts
    package private(set) var misses = [Miss: Int]()
    /// Sums of all that was added since somebody has taken this.
    package private(set) var totals = VisitTotals()
    private var texts = 0
    private let sizeMax: Int

    package struct Miss: Hashable, Sendable {
        /// The number of the collection's name.
        package var collection: UInt32
        package var hour: Int
        package var path: String
    }

    /// With nothing.
    /// - Parameter sizeMax: how many different counts it takes; others are dropped, and counted.
    package init(sizeMax: Int = Self.sizeMax) {
        self.sizeMax = sizeMax
        counts = KeyCounts(slots: Self.slotsLeast, slotsMax: Self.slotsMost)
        visitors = KeyCounts(slots: Self.slotsLeast, slotsMax: Self.slotsMost)
        countries = KeyCounts(slots: Self.slotsLeast, slotsMax: Self.slotsMost)
    }

    /// The number of different counts.
    package var size: Int { counts.count + visitors.count + countries.count + texts }
    package var isEmpty: Bool { size == 0 }

    /// The most different counts that wait: while the file cannot be written, there may be
    /// others than before for a long time.
    package static let sizeMax = 400_000
    private static let slotsLeast = 64
    /// There is room for twice `sizeMax`, which a file can have after a crash.
    private static let slotsMost = 1 << 21

    package mutating func add(_ key: VisitKey, _ count: Int) {
        add(KeyCounts.Slot(key: key.packed, count: UInt32(clamping: count)))
    }

    /// Adds a count.
    /// - Parameter slot: its key is a `VisitKey`.
    package mutating func add(_ slot: KeyCounts.Slot) {
        let key = VisitKey(packed: slot.key)
        // Number 0 stands for all links together, whose sums are made from the others.
        guard key.link > 0 else { return }
        let visitClass = key.visitClass
        totals.counts[Int(visitClass.rawValue)] += Int(slot.count)
        if !merge(slot) { drop(Int(slot.count)) }
    }

    /// Adds a visitor, unless it is here.
    /// - Parameter slot: its key is a `LinkDay`, and its number the visitor's hash.
    package mutating func add(visitor slot: KeyCounts.Slot) {
        if !merge(visitor: slot) { drop(1) }
    }

    package mutating func add(_ day: LinkDay, referrer host: String, _ count: Int) {
        if !merge(day, referrer: host, count) { drop(count) }
    }

    /// Adds visits from a country.
    /// - Parameter slot: its key is a `LinkDay`, and its number that of the country.
    package mutating func add(country slot: KeyCounts.Slot) {
        if !merge(country: slot) { drop(Int(slot.count)) }
    }

    package mutating func addMiss(
        _ collection: UInt32, _ hour: Int, _ path: String, _ count: Int
    ) {
        totals.misses += count
        let miss = Miss(collection: collection, hour: hour, path: Self.folded(path))
        guard misses[miss] != nil || takeRoom() else { return drop(count) }
        misses[miss, default: 0] += count
    }

    /// Counts what found no room in a loop's table.
    package mutating func drop(_ count: Int) { totals.dropped += count }

    package mutating func takeTotals() -> VisitTotals {
        defer { totals = VisitTotals() }
        return totals
    }

    /// Adds what another batch has of links; the totals and misses stay there.
    package mutating func merge(_ other: borrowing VisitBatch) {
        other.counts.forEach { _ = merge($0) }
        other.visitors.forEach { _ = merge(visitor: $0) }
        other.countries.forEach { _ = merge(country: $0) }
        for (day, hosts) in other.referrers {
            for (host, count) in hosts { _ = merge(day, referrer: host, count) }
        }
    }

    private mutating func merge(_ slot: KeyCounts.Slot) -> Bool {
        let hash = slot.hash
        if size >= sizeMax, counts.count(slot.key, hash: hash) == 0 { return false }
        return counts.add(slot.key, hash: hash, slot.count)
    }

    private mutating func merge(visitor slot: KeyCounts.Slot) -> Bool {
        let hash = slot.hash
        if size >= sizeMax, visitors.count(slot.key, slot.number, hash: hash) == 0 { return false }
        return visitors.add(slot.key, slot.number, hash: hash)
    }

    private mutating func merge(country slot: KeyCounts.Slot) -> Bool {
        let hash = slot.hash
        if size >= sizeMax, countries.count(slot.key, slot.number, hash: hash) == 0 {
            return false
        }
        return countries.add(slot.key, slot.number, hash: hash, slot.count)
    }

    private mutating func merge(_ day: LinkDay, referrer host: String, _ count: Int) -> Bool {
        if referrers[day]?[host] == nil, !takeRoom() { return false }
        referrers[day, default: [:]][host, default: 0] += count
        return true
    }

    private mutating func takeRoom() -> Bool {
        guard size < sizeMax else { return false }
        texts += 1
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

    /// The path as which all paths of scanners are counted.
    package static let scanners = "(scanners)"
    private static let scannerMarks = [".php", "/wp-", "/.", ".asp", ".cgi", ".env", ".git"].map {
        Array($0.utf8)
    }
}

extension VisitBatch {
    /// The counts of links as bytes, in pieces of a bounded size and in the order of the tables.
    package func pieces() -> [VisitPiece] {
        var pieces = [VisitPiece]()
        func add<Element>(
            _ all: [Element], _ part: WritableKeyPath<VisitPiece, [Element]>
        ) {
            for start in stride(from: 0, to: all.count, by: VisitPiece.sizeMax) {
                var piece = VisitPiece()
                piece[keyPath: part] = Array(
                    all[start..<min(start + VisitPiece.sizeMax, all.count)])
                pieces.append(piece)
            }
        }
        add(counts.sorted(), \.counts)
        add(visitors.sorted(), \.visitors)
        add(countries.sorted(), \.countries)
        add(
            referrers.flatMap { day, hosts in
                hosts.map { VisitPiece.Referrer(day: day, host: $0.key, count: $0.value) }
            }.sorted { ($0.day.packed, $0.host) < ($1.day.packed, $1.host) }, \.referrers)
        return pieces
    }

    /// Adds a piece.
    package mutating func merge(_ piece: VisitPiece) {
        for slot in piece.counts { _ = merge(slot) }
        for slot in piece.visitors { _ = merge(visitor: slot) }
        for slot in piece.countries { _ = merge(country: slot) }
        for one in piece.referrers { _ = merge(one.day, referrer: one.host, one.count) }
    }
}

extension VisitBatch {
    /// The visits of all links together by day and country, in this order.
    package var countryTotals: [(day: Int, country: Int, count: Int)] {
        var totals = [UInt64: Int]()
        countries.forEach { slot in
            let day = UInt64(LinkDay(packed: slot.key).day)
            totals[day << 32 | UInt64(slot.number), default: 0] += Int(slot.count)
        }
        return totals.sorted { $0.key < $1.key }.map { key, count in
            (day: Int(key >> 32), country: Int(key & 0xFFFF_FFFF), count: count)
        }
    }
}

/// Sums of the requests that were counted, whatever becomes of the counts.
package struct VisitTotals: Sendable {
    /// For each class of visits.
    package var counts = [Int](repeating: 0, count: VisitClass.allCases.count)
    /// For paths that are of no link.
    package var misses = 0
    /// Counts for which there was no room.
    package var dropped = 0

    package init() {}

    package mutating func add(_ other: VisitTotals) {
        for index in counts.indices { counts[index] += other.counts[index] }
        misses += other.misses
        dropped += other.dropped
    }
}
