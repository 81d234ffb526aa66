internal import Synchronization

/// Bytes on their way from one thread to one other, in order, without a lock: a ring of fixed size
/// in which neither side waits for the other. What does not fit is refused, and the caller counts.
@safe
package final class ByteRing: Sendable {
    package let capacity: Int
    private nonisolated(unsafe) let storage: UnsafeMutableRawPointer
    /// How many bytes were ever put in, and how many taken out.
    private let written = Atomic<Int>(0)
    private let taken = Atomic<Int>(0)

    /// - Parameter capacity: in bytes, a power of two.
    package init(capacity: Int) {
        precondition(capacity > 0 && capacity & (capacity - 1) == 0)
        self.capacity = capacity
        // Pages that nothing was written to cost nothing.
        unsafe storage = .allocate(byteCount: capacity, alignment: 64)
    }

    deinit { unsafe storage.deallocate() }

    /// How many bytes wait to be taken; another thread may change it at any time.
    package var count: Int {
        let end = written.load(ordering: .acquiring)
        return end - taken.load(ordering: .acquiring)
    }

    /// Puts in a part of `source`, all of it or nothing; for the one thread that writes.
    /// - Returns: false when there is no room.
    package func append(_ source: [UInt8], _ range: Range<Int>) -> Bool {
        precondition(range.lowerBound >= 0 && range.upperBound <= source.count)
        let end = written.load(ordering: .relaxed)
        let room = capacity - (end - taken.load(ordering: .acquiring))
        guard range.count <= room else { return false }
        let start = end & (capacity - 1)
        let first = min(range.count, capacity - start)
        unsafe source.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            let from = unsafe base + range.lowerBound
            unsafe (storage + start).copyMemory(from: from, byteCount: first)
            unsafe storage.copyMemory(from: from + first, byteCount: range.count - first)
        }
        written.store(end + range.count, ordering: .releasing)
        return true
    }

    /// Takes out what waits, as far as `target` has places for it, and returns how many bytes that
    /// were; for the one thread that reads.
    package func take(into target: inout [UInt8], atMost most: Int) -> Int {
        let start = taken.load(ordering: .relaxed)
        let waiting = written.load(ordering: .acquiring) - start
        let count = min(waiting, most, target.count)
        guard count > 0 else { return 0 }
        let place = start & (capacity - 1)
        let first = min(count, capacity - place)
        unsafe target.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            unsafe base.copyMemory(from: storage + place, byteCount: first)
            unsafe (base + first).copyMemory(from: storage, byteCount: count - first)
        }
        taken.store(start + count, ordering: .releasing)
        return count
    }
}
