internal import Synchronization

/// Passes bytes in order from one thread to another without a lock: a ring of fixed size in which
/// neither side waits for the other. Bytes that do not fit are refused.
@safe
package final class ByteRing: Sendable {
    package let capacity: Int
    // The writer touches only bytes that were taken, and the reader only bytes that were published.
    // The counters below, stored with `releasing` and read with `acquiring`, pass the bytes between
    // the two threads.
    private nonisolated(unsafe) let storage: UnsafeMutableRawPointer
    /// The number of bytes that were ever written, and that were ever taken.
    private let written = Atomic<Int>(0)
    private let taken = Atomic<Int>(0)

    /// - Parameters:
    ///   - capacity: in bytes, a power of two.
    ///   - isTouched: whether all of it uses memory from now on. Pages that were never written to use none.
    package init(capacity: Int, isTouched: Bool = false) {
        precondition(capacity > 0 && capacity & (capacity - 1) == 0)
        self.capacity = capacity
        unsafe storage = .allocate(byteCount: capacity, alignment: 64)
        unsafe storage.bindMemory(to: UInt8.self, capacity: capacity)
        if isTouched {
            unsafe storage.initializeMemory(as: UInt8.self, repeating: 0, count: capacity)
        }
    }

    deinit { unsafe storage.deallocate() }

    /// The number of bytes that wait to be taken; another thread can change it at any time.
    package var count: Int {
        let end = written.load(ordering: .acquiring)
        return end - taken.load(ordering: .acquiring)
    }

    /// Writes a text that the reader does not see yet, after `drafted` bytes of such texts. Only
    /// for the writing thread.
    /// - Returns: false if there is no room.
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

    /// Publishes the first `count` drafted bytes to the reader.
    /// - Returns: how many bytes waited before.
    @discardableResult package func publish(_ count: Int) -> Int {
        let end = written.load(ordering: .relaxed)
        written.store(end + count, ordering: .releasing)
        return end - taken.load(ordering: .relaxed)
    }

    /// A copy of drafted bytes, by their offsets after the published ones. Only for the writing
    /// thread.
    package func drafted(_ range: Range<Int>) -> [UInt8] {
        precondition(range.lowerBound >= 0 && range.upperBound <= capacity)
        let start = written.load(ordering: .relaxed)
        return range.map { index in
            unsafe storage.load(fromByteOffset: (start + index) & (capacity - 1), as: UInt8.self)
        }
    }

    /// Passes waiting bytes to `body`, as many as are contiguous, up to the limit, and removes as
    /// many as `body` returns. Only for the reading thread.
    /// - Returns: the number of removed bytes; 0 if none wait.
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
