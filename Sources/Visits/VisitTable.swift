/// The visits that one loop has counted since it handed over the last ones. It has a fixed size:
/// counting allocates nothing, and what finds no room is counted as dropped.
package struct VisitTable: ~Copyable, Sendable {
    private var counters: [Counter]
    private var counterCount = 0
    private var visitors: [Visitor]
    private var visitorCount = 0
    private var referrers: TextCounts
    private var misses: TextCounts
    private var dropped = 0
    /// Whether three quarters of a part are in use.
    package private(set) var isNearlyFull = false

    private struct Counter: Sendable {
        var key: UInt64 = 0
        var count: UInt32 = 0
    }

    private struct Visitor: Sendable {
        /// The link and the lowest 16 bits of the day.
        var key: UInt64 = 0
        var hash: UInt32 = 0
    }

    /// With nothing.
    /// - Parameter isUsed: whether anything will be counted in it; otherwise it takes no memory.
    package init(isUsed: Bool = true) {
        counters = [Counter](repeating: Counter(), count: isUsed ? Self.counterSlots : 0)
        visitors = [Visitor](repeating: Visitor(), count: isUsed ? Self.visitorSlots : 0)
        referrers = TextCounts(
            capacity: isUsed ? Self.referrersMax : 0, bytesMax: Self.referrerBytesMax)
        misses = TextCounts(capacity: isUsed ? Self.missesMax : 0, bytesMax: Self.pathBytesMax)
    }

    private static var counterSlots: Int { 4_096 }
    private static var visitorSlots: Int { 8_192 }
    private static var referrersMax: Int { 1_024 }
    private static var missesMax: Int { 512 }
    package static var referrerBytesMax: Int { 64 }
    package static var pathBytesMax: Int { 128 }

    /// Whether nothing was counted.
    package var isEmpty: Bool { counterCount == 0 && misses.count == 0 && dropped == 0 }

    // MARK: Counting

    /// Counts a request for a link.
    package mutating func count(
        _ link: Int, hour: Int, _ visitClass: VisitClass, _ outcome: VisitOutcome = .page,
        platform: UInt8 = 0
    ) {
        let packed = VisitKey(link: link, hour: hour, visitClass, outcome, platform: platform)
            .packed
        var index = Self.slot(packed, Self.counterSlots)
        while counters[index].key != packed {
            guard counters[index].key == 0 else {
                index = (index + 1) & (Self.counterSlots - 1)
                continue
            }
            guard counterCount < Self.counterSlots - 1 else { return dropped += 1 }
            counters[index].key = packed
            counterCount += 1
            if 4 * counterCount >= 3 * Self.counterSlots { isNearlyFull = true }
        }
        counters[index].count &+= 1
    }

    /// Counts a visitor of a link, unless it was counted on this day.
    /// - Parameter hash: of `VisitSalt`.
    package mutating func countVisitor(_ link: Int, day: Int, hash: UInt64) {
        let key = UInt64(truncatingIfNeeded: link) << 16 | UInt64(truncatingIfNeeded: day & 0xFFFF)
        let own = UInt32(truncatingIfNeeded: hash >> 32)
        var index = Int(truncatingIfNeeded: hash) & (Self.visitorSlots - 1)
        while visitors[index].key != 0 {
            if visitors[index].key == key, visitors[index].hash == own { return }
            index = (index + 1) & (Self.visitorSlots - 1)
        }
        guard visitorCount < Self.visitorSlots - 1 else { return dropped += 1 }
        visitors[index] = Visitor(key: key, hash: own)
        visitorCount += 1
        if 4 * visitorCount >= 3 * Self.visitorSlots { isNearlyFull = true }
    }

    /// Counts the host of a page on which a visitor followed a link.
    package mutating func countReferrer(_ link: Int, day: Int, _ host: Span<UInt8>) {
        let number =
            UInt64(truncatingIfNeeded: link) << 16 | UInt64(truncatingIfNeeded: day & 0xFFFF)
        if !referrers.add(number, host) { dropped += 1 }
        if referrers.isNearlyFull { isNearlyFull = true }
    }

    /// Counts a path that is of no stored link.
    /// - Parameter collection: the number of its name.
    package mutating func countMiss(_ collection: UInt32, hour: Int, _ path: Span<UInt8>) {
        let number = UInt64(collection) << 32 | UInt64(truncatingIfNeeded: hour)
        if !misses.add(number, path) { dropped += 1 }
        if misses.isNearlyFull { isNearlyFull = true }
    }

    /// The multiplication spreads numbers that follow one another.
    @inline(__always)
    private static func slot(_ key: UInt64, _ count: Int) -> Int {
        Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) &>> 40) & (count - 1)
    }

    // MARK: Handing over

    /// Moves everything to a batch.
    /// - Parameter hour: of now.
    package mutating func move(to batch: inout VisitBatch, hour: Int) {
        if counterCount > 0 {
            for index in counters.indices where counters[index].key != 0 {
                if let key = VisitKey(packed: counters[index].key, now: hour) {
                    batch.add(key, Int(counters[index].count))
                }
                counters[index] = Counter()
            }
        }
        if visitorCount > 0 {
            for index in visitors.indices where visitors[index].key != 0 {
                batch.add(LinkDay(visitors[index].key, hour: hour), visitor: visitors[index].hash)
                visitors[index] = Visitor()
            }
        }
        referrers.takeAll { number, host, count in
            batch.add(LinkDay(number, hour: hour), referrer: host, count)
        }
        misses.takeAll { number, path, count in
            batch.addMiss(
                UInt32(truncatingIfNeeded: number >> 32), Int(number & 0xFFFF_FFFF), path, count)
        }
        batch.drop(dropped)
        (counterCount, visitorCount, dropped) = (0, 0, 0)
        isNearlyFull = false
    }
}

/// A link on a day.
package struct LinkDay: Hashable, Sendable {
    package let link: Int
    /// Days since 1970.
    package let day: Int

    package init(link: Int, day: Int) { (self.link, self.day) = (link, day) }

    /// - Parameters:
    ///   - packed: the link, and the lowest 16 bits of the day.
    ///   - hour: of now.
    fileprivate init(_ packed: UInt64, hour: Int) {
        link = Int(packed >> 16)
        let today = hour / 24
        day = today - (today - Int(packed & 0xFFFF)) & 0xFFFF
    }
}
