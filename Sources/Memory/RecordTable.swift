/// An immutable set of records, which are bytes and found by a hash. A changed table shares with the
/// one before it all records but those in the few leaves that a change touches, so that a change
/// costs the same however many records there are.
///
/// It is extendible hashing (Fagin and others, 1979): the first bits of a hash number a leaf, and a
/// leaf that is full is divided by one bit more. Finding a record reads plain memory, and neither
/// allocates nor counts references; a table that is being read must be kept by its reader.
@safe
package final class RecordTable: Sendable {
    /// The number of records.
    package let count: Int
    /// The memory of the records and of what finds them.
    package let bytes: Int
    /// How many bits of a hash number a leaf.
    private let bits: Int
    private let chunks: [LeafChunk]
    /// The table of each chunk, so that reading touches no object.
    // Threads can share it: only `init` writes it.
    private nonisolated(unsafe) let tables: UnsafeMutablePointer<UnsafePointer<UnsafeRawPointer>>

    /// A change of one record.
    package struct Change {
        /// Of the record that this one replaces.
        let hash: UInt64
        /// The new record; nil removes the old one.
        let record: [UInt8]?
        /// Whether a record with this hash is the one that is replaced.
        let replaces: (Span<UInt8>) -> Bool

        package init(
            hash: UInt64, record: [UInt8]?, replaces: @escaping (Span<UInt8>) -> Bool
        ) {
            precondition(record.map { $0.count <= RecordTable.recordBytesMax } ?? true)
            (self.hash, self.record, self.replaces) = (hash, record, replaces)
        }
    }

    /// An empty table.
    package convenience init() {
        self.init(bits: 0, leaves: [Leaf(bits: 0, [])], count: 0, bytes: 0)
    }

    private convenience init(bits: Int, leaves: [Leaf], count: Int, bytes: Int) {
        self.init(bits: bits, chunks: LeafChunk.chunks(leaves), count: count, bytes: bytes)
    }

    private init(bits: Int, chunks: [LeafChunk], count: Int, bytes: Int) {
        (self.bits, self.chunks, self.count, self.bytes) = (bits, chunks, count, bytes)
        unsafe tables = .allocate(capacity: chunks.count)
        for (index, chunk) in chunks.enumerated() {
            unsafe (tables + index).initialize(to: UnsafePointer(chunk.table))
        }
    }

    deinit { unsafe tables.deallocate() }

    /// The longest record.
    package static var recordBytesMax: Int { 32_768 }

    /// Copies a record into `found`.
    /// - Parameters:
    ///   - hash: of the record.
    ///   - isWanted: whether a record with this hash is the wanted one.
    /// - Returns: whether there is one.
    @inline(__always)
    package func find(
        _ hash: UInt64, into found: inout [UInt8], where isWanted: (Span<UInt8>) -> Bool
    ) -> Bool {
        let number = bits == 0 ? 0 : Int(truncatingIfNeeded: hash >> UInt64(64 - bits))
        let leaf = unsafe LeafView(
            tables[number / LeafChunk.width][number % LeafChunk.width])
        guard let record = unsafe leaf.find(hash, where: isWanted) else { return false }
        if found.count != record.count {
            found.removeAll(keepingCapacity: true)
            unsafe found.append(contentsOf: record)
        } else {
            unsafe found.withUnsafeMutableBytes { unsafe $0.copyBytes(from: record) }
        }
        return true
    }

    /// Calls `body` with each record, in no order.
    package func forEach(_ body: (Span<UInt8>) -> Void) {
        var last: Leaf?
        for leaf in chunks.lazy.flatMap(\.leaves) where leaf !== last {
            last = leaf
            unsafe leaf.view.forEach { _, record in unsafe body(record.span) }
        }
    }

    // MARK: Many at once

    /// Gathers records, no two of which replace one another, for a new table: without an array and a
    /// comparison for each of them.
    package struct Builder: ~Copyable {
        fileprivate var pieces = [[UInt8]]()
        fileprivate var entries = [(hash: UInt64, piece: UInt32, start: UInt32, count: UInt16)]()
        private var piece = [UInt8]()

        package init() { piece.reserveCapacity(Self.pieceBytes) }

        /// Adds the bytes that `write` appends as one record.
        /// - Parameter write: returns the hash of the record.
        package mutating func add(_ write: (inout [UInt8]) -> UInt64) {
            if piece.count + RecordTable.recordBytesMax > Self.pieceBytes { endPiece() }
            let start = piece.count
            let hash = write(&piece)
            precondition(piece.count - start <= RecordTable.recordBytesMax)
            entries.append(
                (hash, UInt32(pieces.count), UInt32(start), UInt16(piece.count - start)))
        }

        private mutating func endPiece() {
            pieces.append(piece)
            piece = []
            piece.reserveCapacity(Self.pieceBytes)
        }

        fileprivate mutating func finish() {
            endPiece()
            entries.sort { $0.hash < $1.hash }
        }

        private static var pieceBytes: Int { 1 << 20 }
    }

    /// A table of the gathered records.
    package convenience init(_ builder: consuming Builder) {
        builder.finish()
        let gathered = builder.entries
        // Records stay where they are until the leaves are made.
        let memory = unsafe builder.pieces.indices.map { index in
            let piece = builder.pieces[index]
            let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: piece.count)
            _ = unsafe copy.initialize(from: piece)
            builder.pieces[index] = []
            return unsafe copy
        }
        defer { unsafe memory.forEach { unsafe $0.deallocate() } }
        let entries = gathered.map { entry in
            let start = Int(entry.start)
            let record = unsafe memory[Int(entry.piece)][start..<start + Int(entry.count)]
            return unsafe Leaf.Entry(
                hash: entry.hash,
                record: UnsafeBufferPointer(UnsafeMutableBufferPointer(rebasing: record)))
        }
        let made = Leaf.divided(entries[...], bits: 0)
        let bits = made.reduce(0) { max($0, $1.bits) }
        let leaves = made.flatMap { repeatElement($0, count: 1 << (bits - $0.bits)) }
        self.init(
            bits: bits, leaves: leaves, count: made.reduce(0) { $0 + $1.count },
            bytes: made.reduce(0) { $0 + $1.bytes })
    }

    // MARK: Changing

    /// A table with these changes. Of two changes of one record, the later decides.
    package func changed(by changes: [Change]) -> RecordTable {
        guard !changes.isEmpty else { return self }
        // All new records lie in one piece of memory while the leaves are made.
        var memory = [UInt8]()
        memory.reserveCapacity(changes.reduce(0) { $0 + ($1.record?.count ?? 0) })
        for change in changes { memory += change.record ?? [] }
        return unsafe memory.withUnsafeBufferPointer { memory in
            var (start, laidOut) = (0, [Leaf.Change]())
            laidOut.reserveCapacity(changes.count)
            for (index, change) in changes.enumerated() {
                let end = start + (change.record?.count ?? 0)
                unsafe laidOut.append(
                    Leaf.Change(
                        hash: change.hash, index: index, isRemoval: change.record == nil,
                        record: UnsafeBufferPointer(rebasing: memory[start..<end])))
                start = end
            }
            laidOut.sort { ($0.hash, $0.index) < ($1.hash, $1.index) }
            return changed(by: laidOut) { index, record in changes[index].replaces(record) }
        }
    }

    /// - Parameter sorted: in the order of their hashes.
    private func changed(
        by sorted: [Leaf.Change], _ replaces: (Int, Span<UInt8>) -> Bool
    ) -> RecordTable {
        var directory = Directory(bits: bits, chunks: chunks)
        var (count, bytes) = (count, bytes)
        var start = 0
        while start < sorted.count {
            let first = sorted[start].hash
            let leaf = directory.leaf(first)
            var end = start
            while end < sorted.count, Self.isSameLeaf(sorted[end].hash, first, leaf.bits) {
                end += 1
            }
            let next = leaf.changed(by: sorted[start..<end], replaces)
            count += next.reduce(0) { $0 + $1.count } - leaf.count
            bytes += next.reduce(0) { $0 + $1.bytes } - leaf.bytes
            directory.replace(leaf, at: first, with: next)
            start = end
        }
        return RecordTable(
            bits: directory.bits, chunks: directory.finished(), count: count, bytes: bytes)
    }

    /// The leaves while they are changed: only chunks with a change are copied.
    private struct Directory {
        private(set) var bits: Int
        private var chunks: [LeafChunk]
        private var touched = [Int: [Leaf]]()

        init(bits: Int, chunks: [LeafChunk]) { (self.bits, self.chunks) = (bits, chunks) }

        func leaf(_ hash: UInt64) -> Leaf {
            let number = leafNumber(hash, bits)
            let (chunk, index) = (number / LeafChunk.width, number % LeafChunk.width)
            return touched[chunk]?[index] ?? chunks[chunk].leaves[index]
        }

        /// - Parameter hash: of a record that is in the leaf.
        mutating func replace(_ leaf: Leaf, at hash: UInt64, with next: [Leaf]) {
            let deepest = next.reduce(0) { max($0, $1.bits) }
            if deepest > bits { widen(by: deepest - bits) }
            // All numbers that begin with the leaf's own bits.
            let span = 1 << (bits - leaf.bits)
            var position = leafNumber(hash, bits) & ~(span - 1)
            for leaf in next {
                for _ in 0..<(1 << (bits - leaf.bits)) {
                    let chunk = position / LeafChunk.width
                    touched[chunk, default: chunks[chunk].leaves][position % LeafChunk.width] = leaf
                    position += 1
                }
            }
        }

        /// A leaf has more numbers when there are more bits.
        private mutating func widen(by more: Int) {
            let leaves = finished().flatMap(\.leaves).flatMap {
                repeatElement($0, count: 1 << more)
            }
            (bits, chunks, touched) = (bits + more, LeafChunk.chunks(leaves), [:])
        }

        func finished() -> [LeafChunk] {
            var chunks = chunks
            for (index, leaves) in touched { chunks[index] = LeafChunk(leaves) }
            return chunks
        }
    }

    private static func isSameLeaf(_ left: UInt64, _ right: UInt64, _ bits: Int) -> Bool {
        bits == 0 || (left ^ right) >> UInt64(64 - bits) == 0
    }
}

private func leafNumber(_ hash: UInt64, _ bits: Int) -> Int {
    bits == 0 ? 0 : Int(truncatingIfNeeded: hash >> UInt64(64 - bits))
}

/// A part of the leaves, so that a change copies few references.
@safe
private final class LeafChunk: Sendable {
    static let width = 256

    static func chunks(_ leaves: [Leaf]) -> [LeafChunk] {
        stride(from: 0, to: leaves.count, by: width).map {
            LeafChunk(Array(leaves[$0..<min($0 + width, leaves.count)]))
        }
    }

    let leaves: [Leaf]
    // Threads can share it: only `init` writes it, and `leaves` keeps alive what it points to.
    nonisolated(unsafe) let table: UnsafeMutablePointer<UnsafeRawPointer>

    init(_ leaves: [Leaf]) {
        self.leaves = leaves
        unsafe table = .allocate(capacity: leaves.count)
        for (index, leaf) in leaves.enumerated() {
            unsafe (table + index).initialize(to: leaf.memory)
        }
    }

    deinit { unsafe table.deallocate() }
}

/// Records whose hashes begin with the same bits, in one piece of memory: the number of records, the
/// slots, then the records, each with its hash's second word and its length.
@safe
private final class Leaf: Sendable {
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
            unsafe target.storeBytes(
                of: UInt16(record.count), toByteOffset: 8, as: UInt16.self)
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
        let isRemoval: Bool
        let record: UnsafeBufferPointer<UInt8>
    }

    /// One leaf, or several, in the order of their hashes, if they would be too large for one.
    /// - Parameters:
    ///   - changes: in the order of their hashes, and those of one hash as they were made.
    ///   - replaces: whether a change is of this record.
    func changed(
        by changes: ArraySlice<Change>, _ replaces: (Int, Span<UInt8>) -> Bool
    ) -> [Leaf] {
        var entries = [Entry]()
        entries.reserveCapacity(count + changes.count)
        var next = changes.startIndex
        // The leaf's records are in the order of their hashes, too.
        unsafe view.forEach { hash, record in
            while next < changes.endIndex, changes[next].hash < hash {
                add(next, of: changes, to: &entries, replaces)
                next += 1
            }
            var (same, isGone) = (next, false)
            while same < changes.endIndex, changes[same].hash == hash {
                isGone = unsafe isGone || replaces(changes[same].index, record.span)
                same += 1
            }
            if !isGone { unsafe entries.append(Entry(hash: hash, record: record)) }
        }
        for index in next..<changes.endIndex { add(index, of: changes, to: &entries, replaces) }
        return Self.divided(entries[...], bits: bits)
    }

    /// Adds the record of a change, unless a later one replaces it.
    private func add(
        _ index: Int, of changes: ArraySlice<Change>, to entries: inout [Entry],
        _ replaces: (Int, Span<UInt8>) -> Bool
    ) {
        let change = changes[index]
        guard !change.isRemoval else { return }
        let isReplaced = changes[(index + 1)...].prefix { $0.hash == change.hash }
            .contains { unsafe replaces($0.index, change.record.span) }
        if !isReplaced { unsafe entries.append(Entry(hash: change.hash, record: change.record)) }
    }

    /// - Parameter entries: in the order of their hashes.
    static func divided(_ entries: ArraySlice<Entry>, bits: Int) -> [Leaf] {
        let bytes = entries.reduce(0) { unsafe $0 + LeafView.room($1.record.count) }
        guard entries.count > recordsMax || bytes > bytesMax else {
            return [Leaf(bits: bits, entries)]
        }
        let bit = UInt64(1) << UInt64(63 - bits)
        let middle = entries.firstIndex { $0.hash & bit != 0 } ?? entries.endIndex
        return divided(entries[..<middle], bits: bits + 1)
            + divided(entries[middle...], bits: bits + 1)
    }

    /// A change of one record copies its leaf: few microseconds.
    private static let recordsMax = 64
    /// Positions are 16 bits, in units of eight bytes.
    private static let bytesMax = 393_216
}

/// Reads a leaf's memory.
@safe
private struct LeafView {
    let memory: UnsafeRawPointer

    init(_ memory: UnsafeRawPointer) { unsafe self.memory = memory }

    static var headerBytes: Int { 8 }
    /// A hash and a length.
    static var recordHeaderBytes: Int { 10 }
    static func room(_ bytes: Int) -> Int { (recordHeaderBytes + bytes + 7) & ~7 }
    /// The bits after those that can number a leaf.
    static func tag(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash & 0xFFFF) }
    static func slot(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 16) & (slots - 1) }
    /// Twice as many as records at most, and the same in each leaf: where a search begins is known
    /// before anything of the leaf is read.
    static var slots: Int { 128 }

    @inline(__always)
    func find(_ hash: UInt64, where isWanted: (Span<UInt8>) -> Bool) -> UnsafeBufferPointer<UInt8>?
    {
        var slot = Self.slot(hash)
        while true {
            let word = unsafe memory.load(
                fromByteOffset: Self.headerBytes + 4 * slot, as: UInt32.self)
            // There is a free slot in every leaf.
            guard word != 0 else { return nil }
            if word >> 16 == Self.tag(hash) {
                let position = unsafe memory + 8 * Int(word & 0xFFFF)
                if unsafe position.load(as: UInt64.self) == hash {
                    let record = unsafe self.record(at: position)
                    if unsafe isWanted(record.span) { return unsafe record }
                }
            }
            slot = (slot + 1) & (Self.slots - 1)
        }
    }

    func forEach(_ body: (UInt64, UnsafeBufferPointer<UInt8>) -> Void) {
        let count = unsafe Int(memory.load(as: UInt32.self))
        var position = unsafe memory + ((Self.headerBytes + 4 * Self.slots + 7) & ~7)
        for _ in 0..<count {
            let record = unsafe self.record(at: position)
            unsafe body(position.load(as: UInt64.self), record)
            unsafe position += Self.room(record.count)
        }
    }

    private func record(at position: UnsafeRawPointer) -> UnsafeBufferPointer<UInt8> {
        unsafe UnsafeBufferPointer<UInt8>(
            start: (position + Self.recordHeaderBytes).assumingMemoryBound(to: UInt8.self),
            count: Int(position.load(fromByteOffset: 8, as: UInt16.self)))
    }
}
