import Diagnostics
import LinkIndex
import Synchronization
import URISyntax

/// The sum over all links that this process answers with, made a part at a time.
final class IndexSum: Sendable {
    private let index: LinkIndex
    private let members: [(key: String, value: JSONText)]
    private let state = Mutex((part: 0, sum: UInt64(0)))

    /// The parts that are added in one step, which takes some milliseconds with a million links.
    private static let partsAtOnce = 16

    /// - Parameter members: the members of the answer besides the sum.
    init(_ index: LinkIndex, beside members: [(key: String, value: JSONText)]) {
        (self.index, self.members) = (index, members)
    }

    /// Adds the next parts.
    /// - Returns: the answer; until it is whole, its `rest` goes on.
    func step() -> APIResponse {
        let sum: UInt64? = state.withLock { state in
            let end = min(state.part + Self.partsAtOnce, index.partCount)
            for part in state.part..<end { state.sum &+= index.sum(ofPart: part) }
            state.part = end
            return end == index.partCount ? state.sum : nil
        }
        guard let sum else { return .unfinished { [self] _ throws(Problem) in step() } }
        let found = JSONText.object([
            ("generation", .number(index.generation)), ("slugs", .number(index.count)),
            ("hash", .string(sum.hexadecimal)),
        ])
        return APIResponse(200, .object(members + [("index", found)]))
    }
}
