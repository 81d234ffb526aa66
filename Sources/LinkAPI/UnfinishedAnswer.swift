package import LinkStore

/// An answer that is made a part at a time, so that others can use the store between two parts.
package final class UnfinishedAnswer: Sendable, Equatable {
    private let part: @Sendable (LinkStore) throws(Problem) -> APIResponse

    init(_ part: @escaping @Sendable (LinkStore) throws(Problem) -> APIResponse) {
        self.part = part
    }

    /// Makes the next part.
    /// - Returns: the answer; until it is whole, its `rest` goes on.
    package func next(_ store: LinkStore) -> APIResponse {
        do throws(Problem) {
            return try part(store)
        } catch {
            return error.response
        }
    }

    package static func == (left: UnfinishedAnswer, right: UnfinishedAnswer) -> Bool {
        left === right
    }
}

extension APIResponse {
    /// An answer with nothing of it yet.
    /// - Parameter part: makes the next part.
    static func unfinished(
        _ part: @escaping @Sendable (LinkStore) throws(Problem) -> APIResponse
    ) -> APIResponse {
        var response = APIResponse(200)
        response.rest = UnfinishedAnswer(part)
        return response
    }
}
