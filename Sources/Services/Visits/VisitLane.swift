import Synchronization
package import Visits

/// The place where a loop hands over what it counts, without waiting.
package final class VisitLane: Sendable {
    private struct State: ~Copyable {
        /// An empty one, or one that was handed over.
        var table = VisitTable()
        var isFilled = false
        /// The loop's last counts, when it has ended.
        var last: VisitTable?
    }

    private let state = Mutex(State())

    /// Hands a table over and gets an empty one in its place.
    /// - Returns: false if the table before is still being read.
    package func handOver(_ table: inout VisitTable) -> Bool {
        state.withLockIfAvailable { state in
            guard !state.isFilled else { return false }
            swap(&state.table, &table)
            state.isFilled = true
            return true
        } ?? false
    }

    /// Hands over the last table of the loop.
    package func handOverLast(_ table: consuming VisitTable) {
        var table = Optional(table)
        state.withLock { state in swap(&state.last, &table) }
    }

    /// The visits that were handed over, and that nobody has taken.
    var waiting: Int {
        state.withLock { state in
            (state.isFilled ? state.table.visitCount : 0) + (state.last?.visitCount ?? 0)
        }
    }

    /// Adds what was handed over to a batch.
    func move(to batch: inout VisitBatch) {
        state.withLock { state in
            if state.isFilled {
                state.table.move(to: &batch)
                state.isFilled = false
            }
            state.last?.move(to: &batch)
            state.last = nil
        }
    }
}
