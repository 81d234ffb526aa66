/// An immutable set of records, which are bytes and found by a hash. A changed table shares with the
/// one before it all records but those in the few leaves that a change touches, so that a change
/// costs the same however many records there are.
///
/// It is extendible hashing (Fagin and others, 1979): the first bits of a hash number a leaf, and a
/// leaf that is full is divided by one bit more. No bit divides records of one hash, so only
/// `sharingMax` of them find room. Finding a record reads plain memory, and neither
/// allocates nor counts references; a table that is being read must be kept by its reader.
@safe
package final class RecordTable: Sendable {
    /// The number of records.
    package let count: Int
    /// The memory of the records and of what finds them.
    package let bytes: Int
    /// The number of a hash's bits that number a leaf.
    private let bits: Int
    private let chunks: [LeafChunk]
    /// The table of each chunk, so that reading touches no object.
    // Threads can share it: only `init` writes it.
    private nonisolated(unsafe) let tables: UnsafeMutablePointer<UnsafePointer<UnsafeRawPointer>>

    /// A record that replaces another, or is added.
    package struct Change {
        /// Of the new record, and of the one that it replaces.
        let hash: UInt64
        let record: [UInt8]
        /// Whether a record with this hash is the one that is replaced.
        let replaces: (Span<UInt8>) -> Bool

        package init(hash: UInt64, record: [UInt8], replaces: @escaping (Span<UInt8>) -> Bool) {
            precondition(record.count <= RecordTable.recordBytesMax)
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
    /// The most records of a leaf, all of which a change of one of them copies.
    package static var leafRecordsMax: Int { 64 }
    /// The most records that can have one hash. So many of the longest are in one leaf, and a
    /// search compares no more.
    package static var sharingMax: Int { 4 }

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
        let leaf = unsafe LeafView(tables[number / LeafChunk.width][number % LeafChunk.width])
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

    /// The number of parts in which all records can be looked at, a part at a time.
    package var partCount: Int { chunks.count }

    /// Calls `body` with each record of a part, in no order. A record can be in several parts.
    /// - Parameter isAgain: whether also with those that a part before this one has.
    package func forEach(inPart part: Int, isAgain: Bool = true, _ body: (Span<UInt8>) -> Void) {
        // The parts that have a leaf follow one another.
        var last = isAgain || part == 0 ? nil : chunks[part - 1].leaves.last
        for leaf in chunks[part].leaves where leaf !== last {
            last = leaf
            unsafe leaf.view.forEach { _, record in unsafe body(record.span) }
        }
    }

    // MARK: Many at once

    /// Gathers records, no two of which replace one another, for a new table: without an array and a
    /// comparison for each of them.
    package struct Builder: ~Copyable {
        fileprivate var pieces = [[UInt8]]()
        fileprivate typealias Entry = (hash: UInt64, piece: UInt32, start: UInt32, count: UInt16)
        fileprivate var entries = [Entry]()
        private var piece = [UInt8]()

        package init() { piece.reserveCapacity(Self.pieceBytes) }

        /// Adds the bytes that `write` appends as one record.
        /// - Parameter write: returns the hash of the record; nil if it has appended none.
        package mutating func add(_ write: (inout [UInt8]) -> UInt64?) {
            if piece.count + RecordTable.recordBytesMax > Self.pieceBytes { endPiece() }
            let start = piece.count
            guard let hash = write(&piece) else { return }
            precondition(piece.count - start <= RecordTable.recordBytesMax)
            entries.append((hash, UInt32(pieces.count), UInt32(start), UInt16(piece.count - start)))
        }

        private mutating func endPiece() {
            pieces.append(piece)
            piece = []
            piece.reserveCapacity(Self.pieceBytes)
        }

        /// Removes the records whose hash as many others have as may share one.
        /// - Parameters:
        ///   - precedes: whether the first record stays rather than the second.
        ///   - body: is called with each that is removed.
        package mutating func removeExcess(
            _ precedes: (Span<UInt8>, Span<UInt8>) -> Bool,
            _ body: (Span<UInt8>) -> Void
        ) {
            endPiece()
            entries.sort { $0.hash < $1.hash }
            sortExcess(precedes)
            var kept = 0
            for entry in entries {
                let first = kept - RecordTable.sharingMax
                if first >= 0, entries[first].hash == entry.hash {
                    body(bytes(of: entry).span)
                } else {
                    entries[kept] = entry
                    kept += 1
                }
            }
            entries.removeLast(entries.count - kept)
        }

        private func bytes(of entry: Entry) -> ArraySlice<UInt8> {
            let start = Int(entry.start)
            return pieces[Int(entry.piece)][start..<start + Int(entry.count)]
        }

        /// Sorts the records of each hash that has some in excess.
        private mutating func sortExcess(_ precedes: (Span<UInt8>, Span<UInt8>) -> Bool) {
            var start = 0
            while start < entries.count {
                var end = start + 1
                while end < entries.count, entries[end].hash == entries[start].hash { end += 1 }
                if end - start > RecordTable.sharingMax {
                    let sorted = entries[start..<end].sorted {
                        precedes(bytes(of: $0).span, bytes(of: $1).span)
                    }
                    entries.replaceSubrange(start..<end, with: sorted)
                }
                start = end
            }
        }

        private static var pieceBytes: Int { 1 << 20 }
    }

    /// A table of the gathered records, without those that are in excess.
    package convenience init(_ builder: consuming Builder) {
        builder.removeExcess({ _, _ in false }) { _ in }
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

    /// A table with these changes, each of another record.
    /// - Returns: the table, and the numbers of the changes that it has not, because as many records
    ///   have their hash as may share one.
    package func changed(by changes: [Change]) -> (table: RecordTable, excess: [Int]) {
        guard !changes.isEmpty else { return (self, []) }
        // All new records lie in one piece of memory while the leaves are made.
        var memory = [UInt8]()
        memory.reserveCapacity(changes.reduce(0) { $0 + $1.record.count })
        for change in changes { memory += change.record }
        return unsafe memory.withUnsafeBufferPointer { memory in
            var (start, laidOut) = (0, [Leaf.Change]())
            laidOut.reserveCapacity(changes.count)
            for (index, change) in changes.enumerated() {
                let end = start + change.record.count
                unsafe laidOut.append(
                    Leaf.Change(
                        hash: change.hash, index: index,
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
    ) -> (table: RecordTable, excess: [Int]) {
        var directory = Directory(bits: bits, chunks: chunks)
        var (count, bytes, excess) = (count, bytes, [Int]())
        var start = 0
        while start < sorted.count {
            let first = sorted[start].hash
            let leaf = directory.leaf(first)
            var end = start
            while end < sorted.count, Self.isSameLeaf(sorted[end].hash, first, leaf.bits) {
                end += 1
            }
            let next = leaf.changed(by: sorted[start..<end], replaces, excess: &excess)
            count += next.reduce(0) { $0 + $1.count } - leaf.count
            bytes += next.reduce(0) { $0 + $1.bytes } - leaf.bytes
            directory.replace(leaf, at: first, with: next)
            start = end
        }
        let table = RecordTable(
            bits: directory.bits, chunks: directory.finished(), count: count, bytes: bytes)
        return (table, excess)
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
