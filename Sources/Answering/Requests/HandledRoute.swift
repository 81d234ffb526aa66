/// A handler of requests, and its way of taking their content. Content beyond a limit is answered with 413.
package struct HandledRoute: Sendable {
    /// The handler's way of taking content.
    package enum Content: Sendable {
        case none
        /// It begins when all of the content has come.
        case whole(bytesMax: Int)
        /// It begins at once, and takes pieces. While it takes none, the client has to wait. Nil
        /// sets no limit.
        case streamed(bytesMax: Int?)
        /// None is asked for, and none is waited for: the handler answers at once. If the content
        /// has not come with the head, the connection ends with the answer.
        case refused
    }

    package let content: Content
    /// Whether the handler answers a request whose content stops coming
    /// (`HandledRequest.Content.stalled`); if not, the answer is 408, and the request is cancelled.
    package let answersStalls: Bool
    /// The types of problem details that are sent in place of the handler (RFC 9457 §3.1.1), by their
    /// statuses: content that it does not see, and time that is over.
    package let problemTypes: [Int: String]
    /// The request has begun, its content has come, its answer has room again, or it is cancelled.
    /// A request whose content is taken whole begins when all of its content has come.
    let advance: @Sendable (HandledRequest) -> Void

    package init(
        _ content: Content, answersStalls: Bool = false, problemTypes: [Int: String] = [:],
        advance: @escaping @Sendable (HandledRequest) -> Void
    ) {
        (self.content, self.answersStalls, self.advance) = (content, answersStalls, advance)
        self.problemTypes = problemTypes
    }

    /// The most bytes of content. Content without a limit still has one, so that sums of sizes
    /// cannot overflow.
    package var bytesMax: Int {
        switch content {
        case .none: 0
        case .whole(let most): most
        case .streamed(let most): most ?? Int.max >> 8
        // It is of no interest.
        case .refused: Int.max >> 8
        }
    }

    package var isStreamed: Bool { if case .streamed = content { true } else { false } }
    package var isRefused: Bool { if case .refused = content { true } else { false } }
    /// Whether the handler begins before all of the content has come.
    var beginsAtOnce: Bool { isStreamed || isRefused }
}
