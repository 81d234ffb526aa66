import Memory

/// The times at which connections must be looked at again, in slots of one second: a fixed ring of
/// lists that are linked through arrays, so that setting and clearing a timer costs no allocation.
///
/// Timers are lazy. A connection moves its own deadline freely and tells the wheel only when it
/// becomes earlier; when a slot comes up, the loop asks each connection in it for its deadline
/// and puts those that are not due back.
struct TimerWheel: ~Copyable {
    static let slotCount = 128

    /// For each slot its first connection, or -1.
    private var heads = FixedArray(repeating: Int32(-1), count: slotCount)
    private var next: FixedArray<Int32>
    private var previous: FixedArray<Int32>
    /// For each connection the second at which its slot comes up, or 0.
    private var seconds: FixedArray<Int>
    /// The last second whose slot was emptied.
    private var current: Int

    init(capacity: Int, nowSeconds: Int) {
        next = FixedArray(repeating: -1, count: capacity)
        previous = FixedArray(repeating: -1, count: capacity)
        seconds = FixedArray(repeating: 0, count: capacity)
        current = nowSeconds
    }

    /// Sees to it that `index` comes up at or before the end of the second of `milliseconds`.
    @inline(__always)
    mutating func schedule(_ index: Int, milliseconds: Int) {
        // The slot that it is in comes up early enough, as it does after nearly every turn.
        guard seconds[index] == 0 || milliseconds < (seconds[index] - 1) * 1000 else { return }
        let due = min(max(milliseconds / 1000 + 1, current + 1), current + Self.slotCount - 1)
        guard seconds[index] != due else { return }
        cancel(index)
        let slot = due % Self.slotCount
        let first = heads[slot]
        next[index] = first
        previous[index] = -1
        if first >= 0 { previous[Int(first)] = Int32(index) }
        heads[slot] = Int32(index)
        seconds[index] = due
    }

    mutating func cancel(_ index: Int) {
        guard seconds[index] != 0 else { return }
        let (before, after) = (previous[index], next[index])
        if before >= 0 {
            next[Int(before)] = after
        } else {
            heads[seconds[index] % Self.slotCount] = after
        }
        if after >= 0 { previous[Int(after)] = before }
        seconds[index] = 0
    }

    /// Takes one connection whose slot has come up by `nowSeconds`, or nil when there is none.
    mutating func takeDue(nowSeconds: Int) -> Int? {
        while current <= nowSeconds {
            let first = heads[current % Self.slotCount]
            if first >= 0, seconds[Int(first)] <= nowSeconds {
                cancel(Int(first))
                return Int(first)
            }
            guard current < nowSeconds else { return nil }
            current += 1
        }
        return nil
    }
}
