internal import Synchronization

/// Numbers that one thread counts in and any thread may read at any time: relaxed loads and stores,
/// which cost what those of plain numbers do. They wrap around, so that a gauge may go down.
@safe
package final class CounterCells: Sendable {
    package let count: Int
    // The pointer never changes, and behind it are atomic numbers: any thread may read them.
    private nonisolated(unsafe) let cells: UnsafeMutablePointer<Atomic<UInt64>>

    /// Cells that are all 0.
    package init(count: Int) {
        self.count = count
        unsafe cells = .allocate(capacity: count)
        for index in 0..<count { unsafe (cells + index).initialize(to: Atomic(0)) }
    }

    deinit {
        unsafe cells.deinitialize(count: count)
        unsafe cells.deallocate()
    }

    /// Adds to a cell; for the one thread that counts.
    package func add(_ amount: Int, at index: Int) {
        precondition(index >= 0 && index < count)
        let before = unsafe cells[index].load(ordering: .relaxed)
        unsafe cells[index].store(
            before &+ UInt64(truncatingIfNeeded: amount), ordering: .relaxed)
    }

    /// What a cell holds.
    package subscript(index: Int) -> UInt64 {
        precondition(index >= 0 && index < count)
        return unsafe cells[index].load(ordering: .relaxed)
    }
}
