/// Reads a leaf's memory.
@safe
struct LeafView {
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
