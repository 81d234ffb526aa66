import Diagnostics

/// A line of an import as it came.
package struct RawLine: Sendable {
    /// Of its first line in the content, from 1.
    package let number: Int
    let content: Content
    /// The place in the line at which it is refused, in characters from 1.
    var column: Int?
    /// Notes on what of the table is not kept.
    var notes = [PointedFault]()
    /// True if the content is read no further, because of this line.
    package private(set) var endsImport = false
    /// True if it has more lines.
    package private(set) var leavesRest = false

    enum Content: Sendable {
        case json([UInt8])
        case cells([String], TableHeading)
        case refused(Problem)
    }

    init(number: Int, content: Content) { (self.number, self.content) = (number, content) }

    /// The bytes of a copy of it. It takes the memory of some copies until it is written.
    package var byteCount: Int {
        switch content {
        case .json(let bytes): bytes.count + jsonValueCountMax(bytes) * Self.valueBytes
        case .cells(let cells, _):
            cells.reduce(0) { $0 + MemoryLayout<String>.size + $1.utf8.count }
        case .refused: 0
        }
    }

    /// Of a value, beside its text.
    private static let valueBytes = 8

    /// A line that is refused, and all lines after it.
    init(number: Int, ends problem: Problem, leavesRest: Bool = true) {
        self.init(number: number, content: .refused(problem))
        (endsImport, self.leavesRest) = (true, leavesRest)
    }

    mutating func end() { (endsImport, leavesRest) = (true, true) }

    /// A line that no table can have.
    init(_ fault: TableFault) {
        let problem: Problem
        if fault.kind == .recordTooLong {
            problem = Problem(.lineTooLong, fault.fact)
        } else {
            let rule: RuleName = fault.kind == .encoding ? .notUTF8 : .tableForm
            problem = .invalid([PointedFault("", rule, fault.fact, advice: fault.advice)])
        }
        self.init(number: fault.line, content: .refused(problem))
        (column, endsImport, leavesRest) = (fault.column, fault.endsTable, fault.endsTable)
    }
}
