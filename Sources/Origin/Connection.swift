import AccessLog
import ClientAddress
import HTTPMessages
import Memory
import SiteConfiguration
import Sockets
import TLS

/// Which listener a connection came from.
enum ListenerKind: String, CaseIterable, Sendable {
    case https, http, admin

    var index: Int {
        switch self {
        case .https: 0
        case .http: 1
        case .admin: 2
        }
    }

    var isAdmin: Bool { if case .admin = self { true } else { false } }
}

/// One client's connection. Its methods run on its loop's thread and borrow the loop's context;
/// between two turns it holds only what is unfinished: a piece of a request, or bytes that the
/// socket did not take.
///
/// What moves it:
///
///     opening ──request bytes──► head ──► content ──► answer written ──► idle
///        │                         │         │               │
///        └── too late ─────────────┴─────────┴── 408 ────────┤
///                                              socket full ──┴─► writing ──► as before
///     anything refused, the last answer ──► lingering ──► closed
struct Connection: ~Copyable {
    let socket: Socket
    let listener: ListenerKind
    /// Tells this connection from one that had its place before it.
    let generation: UInt32
    /// Where it is counted, and whether it is one too many.
    var place: Admission.Place
    var tls: TLSSession?

    var phase = Phase.opening
    /// When something must have happened, in milliseconds of the monotonic clock.
    var deadline: Int
    /// The socket takes no more for now; until it does, nothing is read.
    var isBlocked = false
    var requests = 0
    /// When the TLS session had its last turn, and whether it keeps its buffers for the next.
    var lastTurn = 0
    var isWarm = false
    /// Whether the client asked for a server by name.
    var hasServerName = false
    /// `requests` when the deadline was set: each request has its own time.
    var requestsBefore = 0

    /// Decrypted bytes of requests that were not answered yet.
    var pending = [UInt8]()
    /// The content that is being thrown away, and what follows it.
    var content: ContentReader?
    /// Whether that content is a HEAD's, whose response has none, whatever becomes of it.
    var isHeadRequest = false
    var answerAfterContent: WaitingAnswer?

    /// Bytes for the socket, from `unsentStart` on.
    var unsent = [UInt8]()
    var unsentStart = 0
    /// How many bytes were ever handed to the socket, or wait for it.
    var handedBytes = 0
    /// A body of which a part is still to be written; it holds its snapshot's bytes.
    var body: (bytes: [UInt8], range: Range<Int>)?
    /// When the first byte of the request at hand was there, in microseconds.
    var beganMicroseconds = 0
    /// A request whose answer takes more than a turn, as log and counters will tell it.
    var unfinished: UnfinishedRequest?
    var longAnswer: Written?
    /// Answers that went out together, of which the socket did not take all.
    var untakenAnswers = [UntakenAnswer]()
    /// Why the connection ends, for answers that are not over then.
    var abortReason = AbortReason.reset
    var handshake: HandshakeNote?
    var isHandshaken = false
    /// Why the handshake did not come to its end, if it did not.
    var handshakeError = HandshakeError.closed
    /// The phase that the counters know.
    var countedPhase = Phase.opening
    /// What had come of the request's content, or was left of the answer, when the wait for more
    /// began; and when all of the content must have come, or enough of the answer be taken.
    var progressMark = 0
    var progressUntil = 0
    /// Whether the header of the PROXY protocol is still to come; its bytes gather in `pending`.
    var awaitsProxyHeader: Bool
    /// Who is connected, or whom the PROXY protocol names.
    var sender: IPAddress
    /// Whether the client speaks TLS with this origin, or with a trusted proxy.
    var isSecure: Bool
    /// The peer sends nothing more; what it has sent is still answered.
    var hasEnded = false
    /// Nothing more is answered once what is written has been sent.
    var isEnding = false

    enum Phase: UInt8, Sendable, CaseIterable {
        /// The handshake, and the wait for the first request.
        case opening
        case idle
        /// A request's head, or its content, has begun.
        case head, content
        case writing
        /// The last answer is sent; what still comes is thrown away until the peer closes, so
        /// that the kernel does not tell it of a reset before it has read the answer.
        case lingering
        case closed
    }

    init(
        _ socket: consuming Socket, _ listener: ListenerKind, _ place: Admission.Place,
        generation: UInt32, _ context: inout LoopContext
    ) throws(OpenSSLError) {
        self.listener = listener
        self.place = place
        self.generation = generation
        deadline = context.deadline(seconds: context.limits.handshakeSeconds)
        sender = IPAddress(high: socket.peer.high, low: socket.peer.low)
        isSecure = listener == .https
        awaitsProxyHeader = context.proxies.expectsProxyHeader && listener != .admin
        self.socket = socket
        if isGuest { hurry(&context) }
        guard listener == .https, let settings = context.snapshot.tls else { return }
        tls = try TLSSession(settings, over: context.transport)
    }

    // MARK: Events

    /// Does what the socket is ready for, and says whether that was to write.
    mutating func advance(_ context: inout LoopContext) -> Bool {
        guard isBlocked else {
            readable(&context)
            return false
        }
        writable(&context)
        return true
    }

    /// Reads what has come, and answers it.
    mutating func readable(_ context: inout LoopContext) {
        var reads = 0
        while reads < context.limits.readsPerTurnMax, !isBlocked, phase != .closed {
            reads += 1
            let outcome = phase == .lingering ? discard(&context) : receive(&context)
            if phase != .lingering, !awaitsProxyHeader { answerAll(&context) }
            if outcome == .ended { endOfInput(&context) }
            guard outcome == .more else { break }
        }
        settle(&context)
    }

    /// Goes on where the socket was full.
    mutating func writable(_ context: inout LoopContext) {
        guard sendUnsent(&context), continueBody(&context) else { return settle(&context) }
        isBlocked = false
        recordTaken(&context)
        if isEnding {
            closeGracefully(&context)
        } else {
            // Requests may have come before the answer was taken.
            takePending(&context)
            answerAll(&context)
            if hasEnded, !isBlocked { endOfInput(&context) }
        }
        settle(&context)
    }

    /// The deadline has passed.
    mutating func expire(_ context: inout LoopContext) {
        if phase == .content || phase == .writing, keepsPace(&context) { return }
        noteTimeout(&context)
        switch phase {
        case .head, .content:
            takePending(&context)
            if content == nil {
                // Only to know its method.
                _ = try? context.reader.read(context.input.storage, 0..<context.input.count)
            }
            refuse(.requestTimeout, nil, at: 0, &context)
            flush(&context)
        case .idle: closeGracefully(&context)
        case .opening where awaitsProxyHeader: expireProxyHeader(&context)
        case .opening where listener != .https || tls?.isEstablished == true:
            closeGracefully(&context)
        case .opening, .writing, .lingering, .closed:
            // The kernel would go on with what it holds of an answer, for whoever takes nothing.
            if phase == .writing { socket.resetWhenClosed() }
            (handshakeError, abortReason) = (.timeout, .timeout)
            phase = .closed
        }
        settle(&context)
    }

    /// Answers what has already come, then ends the connection unless a request is under way. A
    /// client that has not asked anything yet connected a moment ago, and is about to.
    mutating func drain(_ context: inout LoopContext) {
        if !isBlocked { readable(&context) }
        switch phase {
        case .idle where requests > 0:
            closeGracefully(&context)
            settle(&context)
        case .idle, .opening:
            deadline = min(deadline, context.deadline(seconds: context.limits.lingerSeconds))
        case .head, .content, .writing, .lingering, .closed: break
        }
    }

    /// Whether nobody waits for it: it has asked nothing for a second.
    func isSpare(_ context: inout LoopContext) -> Bool {
        phase == .idle && listener != .admin
            && deadline - context.milliseconds < (context.limits.idleSeconds - 1) * 1000
    }

    /// Ends an idle connection in favour of another, unless a request has just come.
    mutating func retire(_ context: inout LoopContext) {
        readable(&context)
        guard phase == .idle else { return }
        closeGracefully(&context)
        settle(&context)
    }

    /// The time to stop is over: whatever is under way ends with a reset.
    /// - Returns: whether a request was.
    mutating func cutOff() -> Bool {
        switch phase {
        case .head, .content, .writing:
            socket.resetWhenClosed()
            abortReason = .stop
            return true
        case .opening, .idle, .lingering, .closed: return false
        }
    }

    // MARK: Ending

    /// Ends a turn, and says what the loop must know of it.
    mutating func endTurn(_ context: inout LoopContext, hasRoom: Bool) -> TurnEnd {
        guard phase != .closed else {
            // Nothing of it may reach whoever is next.
            context.output.removeAll()
            context.transport.removeOutgoing()
            return TurnEnd(isClosed: true, isBlocked: false, isWarmed: false, deadline: 0)
        }
        if countedPhase != phase {
            if listener != .admin { context.counters?.countPhase(countedPhase, phase) }
            countedPhase = phase
        }
        let isWarmed = rest(context.milliseconds, hasRoom: hasRoom)
        return TurnEnd(
            isClosed: false, isBlocked: isBlocked, isWarmed: isWarmed, deadline: deadline)
    }

    /// Says that nothing more will be sent, and waits a little for the peer to see it.
    mutating func closeGracefully(_ context: inout LoopContext) {
        isEnding = true
        tls?.close(over: &context.transport)
        sendOutgoing(&context)
        guard !isBlocked, phase != .closed else { return }
        socket.finishSending()
        phase = .lingering
        deadline = context.deadline(seconds: context.limits.lingerSeconds)
        pending = []
    }

    /// Nothing more can be done for it.
    mutating func endWithoutMemory(_ context: inout LoopContext) {
        (phase, abortReason) = (.closed, .error)
        context.counters?.countRejected(.memory)
        context.note(.memory, turnedAway: 1)
    }

    /// Names the phase that the turn ended in, and when it must have ended.
    mutating func settle(_ context: inout LoopContext) {
        let before = phase
        guard before != .closed, before != .lingering, !awaitsProxyHeader else { return }
        if isBlocked {
            phase = .writing
        } else if content != nil {
            phase = .content
        } else if !pending.isEmpty {
            phase = .head
        } else if requests > 0 {
            phase = .idle
        } else if tls?.isEstablished == true, before == .opening {
            phase = .idle
        }
        // Not for less: whoever sends a byte now and then waits no longer than others.
        guard phase != before || requests != requestsBefore else { return }
        requestsBefore = requests
        beginWait(&context)
    }
}

/// What a loop must know of a connection whose turn is over.
struct TurnEnd {
    let isClosed: Bool
    /// Whether it waits for the socket to take more, and not for what comes.
    let isBlocked: Bool
    /// Whether it keeps its buffers from now on.
    let isWarmed: Bool
    let deadline: Int
}
