public import Synchronization

/// Counters that one thread changes and any thread can read: relaxed loads and stores, which cost
/// as much as plain ones. They wrap around, so that a gauge can decrease.
@safe
public final class CounterCells: Sendable {
    public let count: Int
    // The pointer never changes, and points to atomic numbers, so any thread can read them.
    @usableFromInline nonisolated(unsafe) let cells: UnsafeMutablePointer<Atomic<UInt64>>

    /// Cells with the value 0.
    public init(count: Int) {
        self.count = count
        unsafe cells = .allocate(capacity: count)
        for index in 0..<count { unsafe (cells + index).initialize(to: Atomic(0)) }
    }

    deinit {
        unsafe cells.deinitialize(count: count)
        unsafe cells.deallocate()
    }

    /// Adds to a cell; only for the counting thread.
    @inlinable
    public func add(_ amount: Int, at index: Int) {
        precondition(index >= 0 && index < count)
        let before = unsafe cells[index].load(ordering: .relaxed)
        unsafe cells[index].store(before &+ UInt64(truncatingIfNeeded: amount), ordering: .relaxed)
    }

    /// The value of a cell.
    public subscript(index: Int) -> UInt64 {
        precondition(index >= 0 && index < count)
        return unsafe cells[index].load(ordering: .relaxed)
    }
}
