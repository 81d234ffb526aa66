import Diagnostics

/// The remarks on the cells of a row: the first of them, and how many more there are. A row can have as many as cells,
/// and an import keeps those of thousands of rows at once.
struct RowNotes {
    private var first = [PointedFault]()
    private var others = 0

    /// - Parameter note: made only if it is kept.
    mutating func append(_ note: @autoclosure () -> PointedFault) {
        guard first.count < Self.kept else {
            others += 1
            return
        }
        first.append(note())
    }

    var all: [PointedFault] {
        guard others > 0 else { return first }
        return first + [
            PointedFault("", .wrongValue, "\(others) more cells of the line have remarks")
        ]
    }

    private static let kept = 20
}
