import Diagnostics

/// The sums of an import, its last line.
package struct ImportSummary: Sendable {
    private var counts = [ImportedOutcome.Kind: Int]()
    package private(set) var refused = 0
    /// The lines that were taken with warnings, also those for which the answer had no room.
    private var warned = 0
    /// The problem that ended it before its content did.
    package var problem: APIResponse?
    private var generation = 0

    package init() {}

    package mutating func count(_ outcomes: [ImportedOutcome]) {
        if let last = outcomes.last { generation = last.generation }
        for outcome in outcomes {
            switch outcome.result {
            case .success(let done):
                counts[done.kind, default: 0] += 1
                if !outcome.shownNotes.isEmpty { warned += 1 }
            case .failure: refused += 1
            }
        }
    }

    /// - Parameters:
    ///   - isApplied: whether what it did stays. An import may have done nothing.
    ///   - isComplete: whether all of the content was read.
    package func line(isApplied: Bool, isComplete: Bool) -> [UInt8] {
        func count(_ kind: ImportedOutcome.Kind) -> JSONText { .number(counts[kind] ?? 0) }
        let done = counts.values.reduce(0, +)
        let summary = JSONText.object([
            ("lines", .number(done + refused)), ("created", count(.created)),
            ("changed", count(.changed)),
            ("unchanged", count(.unchanged)), ("refused", .number(refused)),
            ("warned", .number(warned)),
            ("applied", .boolean(isApplied && done > 0)),
            ("complete", .boolean(isComplete)),
            ("generation", .number(generation)),
        ])
        return Array((JSONText.object([("summary", summary)]).compact + "\n").utf8)
    }
}
