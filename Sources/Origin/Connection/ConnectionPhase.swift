/// The phase of a connection, each with a time limit, but for `waiting`: that ends by itself.
///
/// Every transition is in `next`, every time in `setDeadline`; nothing else changes either.
///
///     opening ──request bytes──► head ──► content ──► answer written ──► idle
///        │                         │         │               │
///        │                         │         ├─► handling ───┤
///        │                         │         │    share over ├─► waiting ──► as before
///        └── too late ─────────────┴─────────┴── 408 ────────┤
///                                              socket full ──┴─► writing ──► as before
///     anything refused, the last answer ──► lingering ──► closed
enum ConnectionPhase: UInt8, Sendable, CaseIterable {
    /// The handshake, and the wait for the first request.
    case opening
    case idle
    /// A request's head, or its content, has begun.
    case head, content
    /// A request waits for its handler: to take content, or to give a part of the answer.
    case handling
    /// Requests that have come wait until other connections had their turn; nothing is read.
    case waiting
    /// The socket takes no more for now; until it does, nothing is read.
    case writing
    /// The last answer is sent. What still comes is thrown away until the peer closes, so that
    /// the kernel does not reset the connection before the peer has read the answer.
    case lingering
    case closed

    /// An event of a connection that may change its phase.
    enum Event: CaseIterable, Sendable {
        /// The socket did not take everything.
        case outputBlocked
        /// The handler has to do something next.
        case handlerAwaited
        /// The connection has had its share of the loop's time, and has not answered all requests.
        case turnAwaited
        /// A request's content has not come whole.
        case contentIncomplete
        /// A request's head has not come whole.
        case headIncomplete
        /// Every request that has come is answered.
        case answered
        /// The handshake is complete, and nothing was asked yet.
        case established
        /// Nothing was asked yet.
        case unasked
        /// The last answer was sent.
        case finished
        /// Nothing more can be sent or received.
        case ended
    }

    /// The phase that follows an event; nil where the event cannot come. One turn can take several
    /// requests, so an event names where the turn has ended, whatever was between.
    @inline(__always)
    func next(_ event: Event) -> ConnectionPhase? {
        switch (self, event) {
        case (_, .ended): .closed
        // Nothing begins after the last answer.
        case (.closed, _): nil
        case (_, .finished): .lingering
        case (.lingering, _): nil
        case (_, .outputBlocked): .writing
        case (_, .handlerAwaited): .handling
        case (_, .turnAwaited): .waiting
        case (_, .contentIncomplete): .content
        case (_, .headIncomplete): .head
        case (_, .answered): .idle
        // A request has begun, so something was asked.
        case (.content, .established), (.content, .unasked): nil
        case (.handling, .established), (.handling, .unasked): nil
        // A request was answered before the others had to wait.
        case (.waiting, .established), (.waiting, .unasked): nil
        // The socket was full during a handshake, or an empty line has come whole.
        case (_, .established): .idle
        // A handshake that is complete stays complete.
        case (.idle, .unasked): nil
        case (.opening, .unasked), (.head, .unasked), (.writing, .unasked): .opening
        }
    }

    /// Whether the last answer was sent, so that nothing more begins.
    @inline(__always)
    var isLast: Bool { rawValue >= ConnectionPhase.lingering.rawValue }

    /// Whether an answer is under way, which the end of the connection would cut off.
    var isAnswering: Bool {
        switch self {
        case .head, .content, .handling, .waiting, .writing: true
        case .opening, .idle, .lingering, .closed: false
        }
    }

    /// Whether a peer that does nothing is at fault, so that the end of its time is counted.
    var canTimeOut: Bool {
        switch self {
        case .opening, .idle, .head, .content, .handling, .writing: true
        case .waiting, .lingering, .closed: false
        }
    }

    /// Less for a connection whose end matters less: first come those that have their last answer,
    /// then those that are idle, that are silent or slow to ask, and that are slow to read.
    var importance: Int {
        switch self {
        case .closed, .lingering: 0
        case .idle: 1
        case .opening, .head, .content: 2
        case .handling, .waiting, .writing: 3
        }
    }
}
