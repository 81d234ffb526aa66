package import HTTPMessages
import Synchronization

/// A request that a handler answers, between the loop of its connection and the handler's threads.
/// The handler takes content and gives the answer from any thread; no function waits. Each side has
/// a buffer of bounded size: a client waits while the handler takes no content, and the handler is
/// told to wait while the client takes no part of the answer.
package final class HandledRequest: Sendable {
    package let head: HandledHead
    package let route: HandledRoute
    private let state = Mutex(State())

    /// The content that a handler finds when it takes some.
    package enum Content: Equatable, Sendable {
        case piece([UInt8])
        /// `advance` is called when more has come.
        case later
        case end
        /// The client's time is over before its content was whole. The answer is still sent.
        case stalled
        /// The client has left, or its time or the handler's is over. An answer is dropped.
        case cancelled
    }

    /// The part of the answer that is to be sent next.
    package enum Output: Sendable {
        case nothing
        /// - Parameter length: nil where the content ends with `end`.
        case head(Status, fields: [UInt8], length: Int?)
        case piece([UInt8])
        case end
        /// The handler gave up.
        case aborted
    }

    private struct State {
        var client = ""
        var isByProxy = false
        var wake: (@Sendable () -> Void)?
        var content = [UInt8]()
        var isContentWhole = false
        var isStalled = false
        var isCancelled = false
        var isRefused = false
        /// The hash of the slug that was asked for in vain.
        var missedSlug: UInt64?

        var status: Status?
        var fields = [UInt8]()
        var length: Int?
        var output = [UInt8]()
        var isHeadTaken = false
        var isFinished = false
        var isAborted = false
        /// The handler waits for room.
        var awaitsRoom = false
        /// The loop was woken, and has not come yet.
        var isAnnounced = false

        /// False where an answer has begun. A field with a control character could begin another
        /// field, so such an answer is given up, and one with too many bytes of fields.
        mutating func begin(_ status: Status, _ lines: [String]) -> Bool {
            guard self.status == nil, !isAborted else { return false }
            let isValid = lines.allSatisfy { line in
                line.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
            }
            let bytes = fieldLines(lines)
            guard isValid, bytes.count <= fieldBytesMax else {
                isAborted = true
                return false
            }
            (self.status, fields) = (status, bytes)
            return true
        }

        func hasRoom(_ route: HandledRoute) -> Bool {
            guard !isContentWhole, !isStalled, !route.isRefused else { return false }
            return !route.isStreamed || content.count < windowBytes
        }

        /// The call that wakes the loop; nil if it was made, or the request is cancelled.
        mutating func announce() -> (@Sendable () -> Void)? {
            guard !isAnnounced, !isCancelled else { return nil }
            isAnnounced = true
            return wake
        }
    }

    /// Nil where the handler leaves the request to the origin.
    package init?(_ head: HandledHead, for handler: any RequestHandler) {
        guard let route = handler.route(head) else { return nil }
        (self.head, self.route) = (head, route)
    }

    // MARK: For the handler

    /// The client's address.
    package var client: String { state.withLock { $0.client } }

    /// Whether a proxy that the configuration trusts has sent it, so that what its fields say of the client is true.
    package var isByProxy: Bool { state.withLock { $0.isByProxy } }

    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Whether the client was answered in place of the handler, because its time was over.
    package var isRefused: Bool { state.withLock { $0.isRefused } }

    /// Takes the content that has come.
    package func takeContent() -> Content {
        let (content, wake) = state.withLock { state -> (Content, (@Sendable () -> Void)?) in
            guard !state.isCancelled else { return (.cancelled, nil) }
            guard !state.content.isEmpty else {
                return (state.isContentWhole ? .end : state.isStalled ? .stalled : .later, nil)
            }
            let wake = state.isContentWhole || state.isStalled ? nil : state.announce()
            defer { state.content = [] }
            return (.piece(state.content), wake)
        }
        wake?()
        return content
    }

    /// Answers whole. Content-Length is added.
    /// - Parameter fields: lines without their ends, such as `Content-Type: text/csv`.
    package func answer(_ status: Status, _ fields: [String] = [], _ content: [UInt8] = []) {
        change { state in
            guard state.begin(status, fields) else { return }
            (state.output, state.length) = (status.hasContent ? content : [], content.count)
            state.isFinished = true
        }
    }

    /// Begins an answer whose content follows in pieces.
    /// - Parameter length: of all pieces; nil if that is not known yet.
    package func begin(_ status: Status, _ fields: [String] = [], length: Int? = nil) {
        precondition(status.hasContent, "pieces of an answer that has no content")
        change { state in if state.begin(status, fields) { state.length = length } }
    }

    /// Gives a piece of the answer that `begin` has begun.
    /// - Returns: false where there is no room for another piece, or the request is cancelled.
    ///   `advance` is called when there is, or for that.
    package func write(_ content: [UInt8]) -> Bool {
        change { state in
            guard state.status != nil, !state.isFinished, !state.isCancelled else { return false }
            state.output += content
            state.awaitsRoom = state.output.count >= windowBytes
            return !state.awaitsRoom
        }
    }

    /// Ends the answer that `begin` has begun.
    package func finish() { change { $0.isFinished = $0.status != nil } }

    /// Says that the handler is still at work on what it has taken: its time begins anew. For steps
    /// whose number the content decides, while the time of each has a bound.
    package func goOn() { change { _ in } }

    /// Gives up: the client gets 500, or a reset if the answer has begun.
    package func abort() { change { $0.isAborted = true } }

    /// Says, before the answer, that the request was for a stored link that does not exist: its
    /// network may ask for so many.
    /// - Parameter slug: its hash.
    package func noteMiss(ofSlug slug: UInt64) { state.withLock { $0.missedSlug = slug } }

    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        let (result, wake) = state.withLock { state in (body(&state), state.announce()) }
        wake?()
        return result
    }

    // MARK: For the loop

    /// Hands the request to its handler.
    /// - Parameter wake: lets the loop call `takeOutput`; called on any thread.
    package func start(
        of client: String, byProxy isByProxy: Bool = false, wake: @escaping @Sendable () -> Void
    ) {
        state.withLock { ($0.client, $0.isByProxy, $0.wake) = (client, isByProxy, wake) }
    }

    /// Hands over content that has come.
    /// - Returns: whether more may come now.
    package func receive(_ piece: [UInt8], isLast: Bool) -> Bool {
        let hasRoom = state.withLock { state in
            state.content += piece
            state.isContentWhole = isLast
            return state.hasRoom(route)
        }
        if isLast || route.beginsAtOnce { route.advance(self) }
        return hasRoom
    }

    /// Tells the handler that no more content comes.
    package func stall() {
        state.withLock { $0.isStalled = true }
        route.advance(self)
    }

    /// The hash of the slug that was asked for in vain; nil for other requests.
    package var missedSlug: UInt64? { state.withLock { $0.missedSlug } }

    /// Whether more content may come now.
    package var hasRoom: Bool { state.withLock { $0.hasRoom(route) } }

    /// The bytes that wait for the other side. Content that is taken whole asked for memory before.
    package var heldBytes: Int {
        state.withLock { $0.output.capacity + (route.isStreamed ? $0.content.capacity : 0) }
    }

    /// Whether the content has come whole.
    package var isContentWhole: Bool { state.withLock { $0.isContentWhole } }

    /// Takes what is to be sent next.
    package func takeOutput() -> Output {
        let (output, hasRoom) = state.withLock { state -> (Output, Bool) in
            if state.isAborted { return (.aborted, false) }
            if let status = state.status, !state.isHeadTaken {
                state.isHeadTaken = true
                return (.head(status, fields: state.fields, length: state.length), false)
            }
            if !state.output.isEmpty {
                defer { (state.output, state.awaitsRoom) = ([], false) }
                return (.piece(state.output), state.awaitsRoom)
            }
            if state.isFinished { return (.end, false) }
            state.isAnnounced = false
            return (.nothing, false)
        }
        if hasRoom { route.advance(self) }
        return output
    }

    /// The answer is not wanted any more. The handler is told once, unless it has answered, or was
    /// not told of the request.
    /// - Parameter isRefused: whether the client was told so.
    package func cancel(isRefused: Bool = false) {
        let isNews = state.withLock { state in
            defer {
                (state.isCancelled, state.isRefused, state.wake) = (true, isRefused, nil)
                (state.content, state.output) = ([], [])
            }
            let isKnown = state.wake != nil && (route.beginsAtOnce || state.isContentWhole)
            return isKnown && !state.isCancelled && !state.isFinished && !state.isAborted
        }
        if isNews { route.advance(self) }
    }
}

/// The most bytes of content, and of an answer, that wait for the other side.
private let windowBytes = 65_536
/// The most bytes of an answer's fields.
private let fieldBytesMax = 8192
