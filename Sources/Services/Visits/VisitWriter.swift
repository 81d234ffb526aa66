package import LinkStore
package import Visits

/// The counts that are not in the file of visits yet. They are written once, whatever fails
/// afterwards.
package struct VisitWriter: ~Copyable {
    package var batch = VisitBatch()
    /// Of the batch: the file knows by it that it has the batch, if nobody knows whether it was
    /// written.
    private var id = Int.random(in: 1 ... .max)
    /// The hour that is being counted, in hours since 1970.
    private var hour = -1

    package init() {}

    /// The file is opened again.
    package mutating func begin() { hour = -1 }

    /// Writes the batch. What was written before begins to be moved to the tables when its hour is
    /// over, or when it is much.
    /// - Parameter isLast: whether nothing will be moved any more.
    package mutating func write(to store: VisitStore, hour: Int, isLast: Bool) throws(StoreError) {
        if !batch.isEmpty {
            // Somebody may have removed the file while it is open.
            try store.checkPresence()
            if store.hasRoom || isLast {
                try store.add(batch, id: id)
                batch = VisitBatch()
                id = .random(in: 1 ... .max)
            }
        }
        guard !isLast, self.hour != hour || store.isHeavy else { return }
        try store.beginMoving()
        self.hour = hour
    }
}
