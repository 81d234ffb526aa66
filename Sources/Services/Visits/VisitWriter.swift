package import LinkStore
package import Visits

/// The counts that are not in the database of visits yet. They are written once, whatever fails
/// afterwards.
package struct VisitWriter: ~Copyable {
    package var batch = VisitBatch()
    /// Counts of which nobody knows whether they were written, until somebody does. What comes meanwhile is in
    /// another batch: these are added once, or not at all.
    private var sent = VisitBatch()
    /// Of the counts that were sent: the database knows by it that it has them.
    private var id = Int.random(in: 1 ... .max)
    /// The hour that is being counted, in hours since 1970.
    private var hour = -1

    package init() {}

    /// Whether nothing is left to be written.
    package var isEmpty: Bool { batch.isEmpty && sent.isEmpty }

    /// The counted visits that are not in the database, or of which nobody knows whether they are.
    package var waiting: Int { Self.sum(batch) + unknown }

    /// Those of which nobody knows it.
    package var unknown: Int { Self.sum(sent) }

    private static func sum(_ batch: borrowing VisitBatch) -> Int {
        var sum = 0
        batch.counts.forEach { sum += Int($0.count) }
        return sum
    }

    /// The file is opened again.
    package mutating func begin() { hour = -1 }

    /// Writes the batch. What was written before begins to be moved to the tables when its hour is
    /// over, or when it is much.
    /// - Parameter isLast: whether nothing will be moved any more.
    package mutating func write(
        to store: any CountedVisits, hour: Int, isLast: Bool
    ) throws(StoreError) {
        if !isEmpty {
            // Somebody may have removed the file while it is open.
            try store.checkPresence()
            if store.hasRoom || isLast {
                if !sent.isEmpty { try send(to: store) }
                if !batch.isEmpty {
                    swap(&batch, &sent)
                    try send(to: store)
                }
            }
        }
        guard !isLast, self.hour != hour || store.isHeavy else { return }
        try store.beginMoving()
        self.hour = hour
    }

    private mutating func send(to store: any CountedVisits) throws(StoreError) {
        try store.add(sent, id: id)
        sent = VisitBatch()
        id = .random(in: 1 ... .max)
    }
}
