private import Memory

/// Counts by a key that is not 0 and a number beside it: open addressing in plain memory, sixteen
/// bytes a count. Where it may not grow, counting allocates nothing.
package struct KeyCounts: ~Copyable, Sendable {
    private var slots: FixedArray<Slot>
    /// The most slots that there can be.
    private let slotsMax: Int
    /// The number of different counts.
    package private(set) var count = 0

    /// A count; its key is 0 where there is none.
    package struct Slot: BitwiseCopyable, Equatable, Sendable {
        package var key: UInt64 = 0
        package var number: UInt32 = 0
        package var count: UInt32 = 0

        package init(key: UInt64 = 0, number: UInt32 = 0, count: UInt32 = 0) {
            (self.key, self.number, self.count) = (key, number, count)
        }
    }

    /// With nothing.
    /// - Parameters:
    ///   - slots: how many it begins with: a power of two, or 0 if it is not used.
    ///   - slotsMax: how many it may come to have.
    package init(slots count: Int, slotsMax: Int) {
        slots = FixedArray(repeating: Slot(), count: count)
        self.slotsMax = slotsMax
    }

    /// False if it is not used.
    package var hasRoom: Bool { slots.count > 0 }

    /// True if three quarters of the slots are in use.
    package var isNearlyFull: Bool { 4 * count >= 3 * slots.count }

    /// Adds to a count. The position is searched from the bits of `hash`.
    /// - Returns: false if there is no room for another count.
    @inline(__always)
    package mutating func add(
        _ key: UInt64, _ number: UInt32 = 0, hash: UInt64, _ more: UInt32 = 1
    ) -> Bool {
        var index = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while true {
            let slot = slots[index]
            if slot.key == key, slot.number == number {
                slots[index].count = slot.count &+ more
                return true
            }
            if slot.key == 0 { break }
            index = (index + 1) & (slots.count - 1)
        }
        return insert(Slot(key: key, number: number, count: more), at: index, hash)
    }

    @inline(never)
    private mutating func insert(_ slot: Slot, at index: Int, _ hash: UInt64) -> Bool {
        if slots.count < slotsMax, isNearlyFull {
            grow()
            return add(slot.key, slot.number, hash: hash, slot.count)
        }
        // A free one is left, so that each search ends.
        guard count < slots.count - 1 else { return false }
        slots[index] = slot
        count += 1
        return true
    }

    private mutating func grow() {
        var next = KeyCounts(slots: 2 * slots.count, slotsMax: slotsMax)
        forEach { slot in
            _ = next.add(slot.key, slot.number, hash: slot.hash, slot.count)
        }
        swap(&self, &next)
    }

    /// The count of a key and a number; 0 if there is none.
    package func count(_ key: UInt64, _ number: UInt32 = 0, hash: UInt64) -> Int {
        var index = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[index].key != 0 {
            let slot = slots[index]
            if slot.key == key, slot.number == number { return Int(slot.count) }
            index = (index + 1) & (slots.count - 1)
        }
        return 0
    }

    /// Calls `body` with each count, in no order.
    package func forEach(_ body: (Slot) -> Void) {
        guard count > 0 else { return }
        for index in 0..<slots.count where slots[index].key != 0 { body(slots[index]) }
    }

    /// All counts in the order of their keys and numbers.
    package func sorted() -> [Slot] {
        var all = [Slot]()
        all.reserveCapacity(count)
        forEach { all.append($0) }
        all.sort { ($0.key, $0.number) < ($1.key, $1.number) }
        return all
    }

    /// Calls `body` with each count, and forgets them.
    package mutating func takeAll(_ body: (Slot) -> Void) {
        guard count > 0 else { return }
        for index in 0..<slots.count where slots[index].key != 0 {
            body(slots[index])
            slots[index] = Slot()
        }
        count = 0
    }
}

extension KeyCounts.Slot {
    /// The hash that says where a search for it begins.
    package var hash: UInt64 { spread(key ^ UInt64(number) << 13) }
}

/// The multiplication spreads numbers that follow one another.
@inline(__always)
package func spread(_ key: UInt64) -> UInt64 { (key &* 0x9E37_79B9_7F4A_7C15) &>> 40 }
