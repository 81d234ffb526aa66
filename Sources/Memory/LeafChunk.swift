func leafNumber(_ hash: UInt64, _ bits: Int) -> Int {
    bits == 0 ? 0 : Int(truncatingIfNeeded: hash >> UInt64(64 - bits))
}

/// A part of the leaves, so that a change copies few references.
@safe
final class LeafChunk: Sendable {
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
