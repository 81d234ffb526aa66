internal import Synchronization

/// Bytes on their way from one thread to one other, in order, without a lock: a ring of fixed size
/// in which neither side waits for the other. What does not fit is refused, and the caller counts.
@safe
package final class ByteRing: Sendable {
    package let capacity: Int
    // The writer touches only what was taken, the reader only what was written; the numbers below,
    // stored with `releasing` and read with `acquiring`, hand the bytes from one to the other.
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
        unsafe storage.bindMemory(to: UInt8.self, capacity: capacity)
    }

    deinit { unsafe storage.deallocate() }

    /// How many bytes wait to be taken; another thread may change it at any time.
    package var count: Int {
        let end = written.load(ordering: .acquiring)
        return end - taken.load(ordering: .acquiring)
    }

    /// Puts in a text that the reader does not see yet, after so many bytes of such texts; for the
    /// one thread that writes.
    /// - Returns: false when there is no room.
    package func draft(_ text: borrowing TextBuffer, behind drafted: Int) -> Bool {
        let end = written.load(ordering: .relaxed) + drafted
        let room = capacity - (end - taken.load(ordering: .acquiring))
        guard text.count <= room else { return false }
        let position = end & (capacity - 1)
        let first = min(text.count, capacity - position)
        unsafe (storage + position).copyMemory(from: text.start, byteCount: first)
        if first < text.count {
            unsafe storage.copyMemory(from: text.start + first, byteCount: text.count - first)
        }
        return true
    }

    /// Shows the reader the first `count` bytes that it has not seen yet.
    /// - Returns: how many waited for it before.
    @discardableResult package func publish(_ count: Int) -> Int {
        let end = written.load(ordering: .relaxed)
        written.store(end + count, ordering: .releasing)
        return end - taken.load(ordering: .relaxed)
    }

    /// A copy of bytes that the reader does not see yet, by their place after those that it does;
    /// for the one thread that writes.
    package func drafted(_ range: Range<Int>) -> [UInt8] {
        precondition(range.lowerBound >= 0 && range.upperBound <= capacity)
        let start = written.load(ordering: .relaxed)
        return range.map { index in
            unsafe storage.load(
                fromByteOffset: (start + index) & (capacity - 1), as: UInt8.self)
        }
    }

    /// Hands out bytes that wait, as many as lie in one piece and at most so many, and takes out as
    /// many of them as `body` says that it has used; for the one thread that reads.
    /// - Returns: how many that were; 0 when nothing waits.
    package func consume<Failure: Error>(
        atMost most: Int, _ body: (Span<UInt8>) throws(Failure) -> Int
    ) throws(Failure) -> Int {
        let start = taken.load(ordering: .relaxed)
        let position = start & (capacity - 1)
        let waiting = written.load(ordering: .acquiring) - start
        let count = min(waiting, most, capacity - position)
        guard count > 0 else { return 0 }
        let piece = unsafe UnsafeBufferPointer(
            start: (storage + position).assumingMemoryBound(to: UInt8.self), count: count)
        let used = try body(unsafe piece.span)
        precondition(used >= 0 && used <= count)
        taken.store(start + used, ordering: .releasing)
        return used
    }
}
