import ClientAddress
import Memory

/// The number of connections of each network: a hash table of fixed size, whose entries are linked
/// and stay where they are, so that each connection can remember its own. A network without
/// connections has no entry. Nothing is allocated after `init`.
struct AddressTable: ~Copyable {
    /// For each bucket its first entry, or -1.
    private var buckets: FixedArray<Int32>
    private var entries: FixedArray<Entry>
    private var firstFree: Int32 = -1
    /// Entries from here on have never been used.
    private var unused: Int32 = 0

    /// A network's connections; `next` leads to another of its bucket, or to the next free entry.
    private struct Entry: BitwiseCopyable {
        var network = IPAddress(high: 0, low: 0)
        var all: Int32 = 0
        var overLimit: Int32 = 0
        var next: Int32 = -1
    }

    /// - Parameter capacity: of connections, which is as many networks as there can be.
    init(capacity: Int) {
        entries = FixedArray(repeating: Entry(), count: capacity)
        buckets = FixedArray(repeating: -1, count: powerOfTwo(atLeast: capacity))
    }

    /// The number of the network's connections, and of those that are over a limit.
    func count(_ network: IPAddress) -> (all: Int, overLimit: Int) {
        let index = find(network, in: bucket(network))
        return index < 0
            ? (0, 0) : (Int(entries[Int(index)].all), Int(entries[Int(index)].overLimit))
    }

    /// Counts a connection and returns the place of its network, which it has until it leaves.
    mutating func enter(_ network: IPAddress, isOverLimit: Bool) -> Int32 {
        let bucket = bucket(network)
        var index = find(network, in: bucket)
        if index < 0 {
            index = takeFree()
            entries[Int(index)] = Entry(network: network, next: buckets[bucket])
            buckets[bucket] = index
        }
        entries[Int(index)].all += 1
        if isOverLimit { entries[Int(index)].overLimit += 1 }
        return index
    }

    /// A connection has gone that was counted at this place.
    mutating func leave(_ index: Int32, isOverLimit: Bool) {
        entries[Int(index)].all -= 1
        if isOverLimit { entries[Int(index)].overLimit -= 1 }
        guard entries[Int(index)].all == 0 else { return }
        unlink(index)
        entries[Int(index)].next = firstFree
        firstFree = index
    }

    /// With a seed of this process, so that an attacker cannot choose addresses that meet in one
    /// bucket.
    private func bucket(_ network: IPAddress) -> Int {
        var hasher = Hasher()
        hasher.combine(network)
        return hasher.finalize() & (buckets.count - 1)
    }

    private func find(_ network: IPAddress, in bucket: Int) -> Int32 {
        var index = buckets[bucket]
        while index >= 0, entries[Int(index)].network != network {
            index = entries[Int(index)].next
        }
        return index
    }

    private mutating func takeFree() -> Int32 {
        guard firstFree >= 0 else {
            defer { unused += 1 }
            return unused
        }
        defer { firstFree = entries[Int(firstFree)].next }
        return firstFree
    }

    private mutating func unlink(_ index: Int32) {
        let (bucket, next) = (bucket(entries[Int(index)].network), entries[Int(index)].next)
        guard buckets[bucket] != index else {
            buckets[bucket] = next
            return
        }
        var before = buckets[bucket]
        while entries[Int(before)].next != index { before = entries[Int(before)].next }
        entries[Int(before)].next = next
    }
}
