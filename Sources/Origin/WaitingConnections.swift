import Memory

/// The connections whose requests wait until others had their turn, in the order in which they
/// began to wait: a ring that is linked through arrays, so that each slot is in it once at most, and
/// leaves it in constant time. A slot is in it exactly as long as its connection waits for its turn
/// (`Channel.Interest.turn`), so that the next connection in the slot is never taken for it.
struct WaitingConnections: ~Copyable {
    /// For each slot the next and the one before, or -1 where it is not in the ring. Behind the last
    /// slot stands the ring's end, whose next is the first that waits.
    private var next: FixedArray<Int32>
    private var previous: FixedArray<Int32>
    private let end: Int

    /// - Parameter capacity: the number of slots.
    init(capacity: Int) {
        next = FixedArray(repeating: -1, count: capacity + 1)
        previous = FixedArray(repeating: -1, count: capacity + 1)
        end = capacity
        next[end] = Int32(end)
        previous[end] = Int32(end)
    }

    var isEmpty: Bool { next[end] == Int32(end) }

    /// Adds a slot at the end, unless it waits already.
    mutating func add(_ slot: Int) {
        guard next[slot] < 0 else { return }
        let last = previous[end]
        (next[slot], previous[slot]) = (Int32(end), last)
        next[Int(last)] = Int32(slot)
        previous[end] = Int32(slot)
    }

    /// Takes out the slot that has waited longest.
    mutating func takeFirst() -> Int? {
        guard !isEmpty else { return nil }
        let slot = Int(next[end])
        remove(slot)
        return slot
    }

    /// Takes a slot out, if it waits.
    mutating func remove(_ slot: Int) {
        let (before, after) = (previous[slot], next[slot])
        guard after >= 0 else { return }
        next[Int(before)] = after
        previous[Int(after)] = before
        next[slot] = -1
    }
}
