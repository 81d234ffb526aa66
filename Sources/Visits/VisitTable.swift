/// The visits that one loop has counted since it handed over the last ones. It has a fixed size:
/// counting allocates nothing, and what finds no room is counted as dropped.
package struct VisitTable: ~Copyable, Sendable {
    private var counters: KeyCounts
    private var visitors: KeyCounts
    private var referrers: TextCounts
    /// By `LinkDay.packed` and the country's number. It takes no memory before the first country.
    private var countries = KeyCounts(slots: 0, slotsMax: 0)
    private var misses: TextCounts
    private var dropped = 0
    private var isNearlyFullOfOthers = false

    /// With nothing.
    /// - Parameter isUsed: whether anything will be counted in it; otherwise it takes no memory.
    package init(isUsed: Bool = true) {
        counters = KeyCounts(slots: isUsed ? Self.counterSlots : 0, slotsMax: 0)
        visitors = KeyCounts(slots: isUsed ? Self.visitorSlots : 0, slotsMax: 0)
        referrers = TextCounts(
            capacity: isUsed ? Self.referrersMax : 0, bytesMax: Self.referrerBytesMax)
        misses = TextCounts(capacity: isUsed ? Self.missesMax : 0, bytesMax: Self.pathBytesMax)
    }

    private static var counterSlots: Int { 4_096 }
    private static var visitorSlots: Int { 8_192 }
    private static var countrySlots: Int { 4_096 }
    private static var referrersMax: Int { 1_024 }
    private static var missesMax: Int { 512 }
    package static var referrerBytesMax: Int { 64 }
    package static var pathBytesMax: Int { 128 }

    /// True if three quarters of a part are in use.
    package var isNearlyFull: Bool { counters.isNearlyFull || isNearlyFullOfOthers }

    /// True if nothing was counted.
    package var isEmpty: Bool { counters.count == 0 && misses.count == 0 && dropped == 0 }

    /// The visits that were counted.
    package var visitCount: Int {
        var sum = 0
        counters.forEach { sum += Int($0.count) }
        return sum
    }

    // MARK: Counting

    /// Counts a request for a link.
    /// - Parameter key: of `VisitKey`.
    /// - Returns: whether it is a new count, and the table is nearly full.
    package mutating func count(_ key: UInt64) -> Bool {
        let before = counters.count
        let isCounted = counters.add(key, hash: spread(key))
        if counters.count == before, isCounted { return false }
        if !isCounted { dropped += 1 }
        return counters.isNearlyFull
    }

    /// Counts a visitor of a link, unless it was counted on this day.
    /// - Parameter hash: of `VisitSalt`.
    package mutating func countVisitor(_ day: LinkDay, hash: UInt64) {
        let own = UInt32(truncatingIfNeeded: hash >> 32)
        if !visitors.add(day.packed, own, hash: hash) { dropped += 1 }
        if visitors.isNearlyFull { isNearlyFullOfOthers = true }
    }

    /// Counts the host of a page on which a visitor followed a link.
    package mutating func countReferrer(_ day: LinkDay, _ host: Span<UInt8>) {
        if !referrers.add(day.packed, host) { dropped += 1 }
        if referrers.isNearlyFull { isNearlyFullOfOthers = true }
    }

    /// Counts the country in which somebody is who visits a link. The first one makes room for them.
    /// - Parameter country: its number.
    package mutating func countCountry(_ day: LinkDay, _ country: UInt16) {
        if !countries.hasRoom { countries = KeyCounts(slots: Self.countrySlots, slotsMax: 0) }
        let slot = KeyCounts.Slot(key: day.packed, number: UInt32(country))
        if !countries.add(slot.key, slot.number, hash: slot.hash) { dropped += 1 }
        if countries.isNearlyFull { isNearlyFullOfOthers = true }
    }

    /// Counts a path that is of no stored link.
    /// - Parameter collection: the number of its name.
    package mutating func countMiss(_ collection: UInt32, hour: Int, _ path: Span<UInt8>) {
        let number = UInt64(collection) << 32 | UInt64(truncatingIfNeeded: hour)
        if !misses.add(number, path) { dropped += 1 }
        if misses.isNearlyFull { isNearlyFullOfOthers = true }
    }

    // MARK: Handing over

    /// Moves everything to a batch.
    package mutating func move(to batch: inout VisitBatch) {
        counters.takeAll { batch.add($0) }
        visitors.takeAll { batch.add(visitor: $0) }
        referrers.takeAll { number, host, count in
            batch.add(LinkDay(packed: number), referrer: host.lowercased(), count)
        }
        countries.takeAll { batch.add(country: $0) }
        misses.takeAll { number, path, count in
            batch.addMiss(
                UInt32(truncatingIfNeeded: number >> 32), Int(number & 0xFFFF_FFFF), path, count)
        }
        batch.drop(dropped)
        dropped = 0
        isNearlyFullOfOthers = false
    }
}
