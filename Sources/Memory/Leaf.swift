/// Records whose hashes begin with the same bits, in one piece of memory: the number of records, the
/// slots, then the records, each with its hash's second word and its length.
@safe
final class Leaf: Sendable {
    // Threads can share it: it is written before the leaf is made.
    nonisolated(unsafe) let memory: UnsafeRawPointer
    let bits: Int
    let count: Int
    let bytes: Int

    /// A record with its hash.
    @safe
    struct Entry {
        let hash: UInt64
        let record: UnsafeBufferPointer<UInt8>
    }

    init(bits: Int, _ entries: ArraySlice<Entry>) {
        (self.bits, count) = (bits, entries.count)
        let slots = LeafView.slots
        let start = (LeafView.headerBytes + 4 * slots + 7) & ~7
        bytes = entries.reduce(start) { unsafe $0 + LeafView.room($1.record.count) }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 8)
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: start)
        unsafe memory.storeBytes(of: UInt32(entries.count), as: UInt32.self)
        var position = start
        for entry in entries {
            let record = unsafe entry.record
            let hash = entry.hash
            let target = unsafe memory + position
            unsafe target.storeBytes(of: hash, as: UInt64.self)
            unsafe target.storeBytes(of: UInt16(record.count), toByteOffset: 8, as: UInt16.self)
            unsafe (target + LeafView.recordHeaderBytes).copyMemory(
                from: record.baseAddress.map { unsafe UnsafeRawPointer($0) }
                    ?? UnsafeRawPointer(target),
                byteCount: record.count)
            var slot = LeafView.slot(hash)
            while unsafe memory.load(
                fromByteOffset: LeafView.headerBytes + 4 * slot, as: UInt32.self) != 0
            {
                slot = (slot + 1) & (slots - 1)
            }
            let word = LeafView.tag(hash) << 16 | UInt32(position / 8)
            unsafe memory.storeBytes(
                of: word, toByteOffset: LeafView.headerBytes + 4 * slot, as: UInt32.self)
            position += LeafView.room(record.count)
        }
        unsafe self.memory = UnsafeRawPointer(memory)
    }

    deinit { unsafe memory.deallocate() }

    var view: LeafView { unsafe LeafView(memory) }

    /// A change of one record, whose bytes stay where they are while leaves are made.
    @safe
    struct Change {
        let hash: UInt64
        /// Its number among the changes.
        let index: Int
        let record: UnsafeBufferPointer<UInt8>
    }

    /// One leaf, or several, in the order of their hashes, if they would be too large for one.
    /// - Parameters:
    ///   - changes: in the order of their hashes.
    ///   - replaces: whether a change is of this record.
    ///   - excess: gets the numbers of changes whose hash as many records have as may share one.
    func changed(
        by changes: ArraySlice<Change>, _ replaces: (Int, Span<UInt8>) -> Bool,
        excess: inout [Int]
    ) -> [Leaf] {
        var entries = [Entry]()
        entries.reserveCapacity(count + changes.count)
        var (next, replacing) = (changes.startIndex, [Int]())
        func add(_ change: Change) {
            if replacing.contains(change.index) { return }
            let first = entries.count - RecordTable.sharingMax
            if first >= 0, entries[first].hash == change.hash {
                excess.append(change.index)
            } else {
                unsafe entries.append(Entry(hash: change.hash, record: change.record))
            }
        }
        // The leaf's records are in the order of their hashes, too.
        unsafe view.forEach { hash, record in
            while next < changes.endIndex, changes[next].hash < hash {
                add(changes[next])
                next += 1
            }
            let same = changes[next...].prefix { $0.hash == hash }
            if let change = same.first(where: { unsafe replaces($0.index, record.span) }) {
                // In its place, so that a new record of this hash does not push it out.
                unsafe entries.append(Entry(hash: hash, record: change.record))
                replacing.append(change.index)
            } else {
                unsafe entries.append(Entry(hash: hash, record: record))
            }
        }
        for change in changes[next...] { add(change) }
        return Self.divided(entries[...], bits: bits)
    }

    /// - Parameter entries: in the order of their hashes.
    static func divided(_ entries: ArraySlice<Entry>, bits: Int) -> [Leaf] {
        let bytes = entries.reduce(0) { unsafe $0 + LeafView.room($1.record.count) }
        guard entries.count > RecordTable.leafRecordsMax || bytes > bytesMax else {
            return [Leaf(bits: bits, entries)]
        }
        let bit = UInt64(1) << UInt64(63 - bits)
        let middle = entries.firstIndex { $0.hash & bit != 0 } ?? entries.endIndex
        return divided(entries[..<middle], bits: bits + 1)
            + divided(entries[middle...], bits: bits + 1)
    }

    /// Positions are 16 bits, in units of eight bytes.
    private static let bytesMax = 393_216
}
