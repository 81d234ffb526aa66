import Diagnostics
import LinkIndex
import Synchronization

/// The sum over all links that this process answers with, made a part at a time.
final class IndexSum: Sendable {
    private let index: LinkIndex
    private let members: [(key: String, value: JSONText)]
    private let state = Mutex((part: 0, sum: UInt64(0)))

    /// Some milliseconds of a million links.
    private static let partsAtOnce = 16

    /// - Parameter members: of the answer, besides the sum.
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
        guard let sum else {
            var response = APIResponse(200)
            response.rest = UnfinishedAnswer { [self] _ throws(Problem) in step() }
            return response
        }
        let digits = String(sum, radix: 16)
        let zeros = String(repeating: "0", count: 16 - digits.utf8.count)
        let found = JSONText.object([
            ("generation", .number(index.generation)), ("slugs", .number(index.count)),
            ("hash", .string(zeros + digits)),
        ])
        return APIResponse(200, .object(members + [("index", found)]))
    }
}
