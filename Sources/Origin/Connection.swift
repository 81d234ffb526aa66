import AccessLog
import ClientAddress
import HTTPMessages
import Memory
import SiteConfiguration
import Sockets
import TLS

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
    // MARK: Which connection it is

    let socket: Socket
    let listener: ListenerKind
    /// Tells this connection from an earlier one in the same slot of the loop's slab.
    let generation: UInt32
    /// Where it is counted, and whether it is a guest.
    var position: Admission.Position
    /// The client's address: the peer's, or the one that the PROXY protocol names.
    var sender: IPAddress
    /// Whether the client speaks TLS with this origin, or with a trusted proxy.
    var isSecure: Bool
    /// Whether the header of the PROXY protocol is still to come; its bytes gather in `pending`.
    var awaitsProxyHeader: Bool

    // MARK: Phase and deadline

    var phase = Phase.opening
    /// The phase that the counters know.
    var countedPhase = Phase.opening
    /// When the connection expires, in milliseconds of the monotonic clock. `expire` decides what
    /// that means in the phase that it is in.
    var deadline: Int
    /// The socket takes no more for now; until it does, nothing is read.
    var isBlocked = false
    /// The peer sends nothing more (a half-close); what it has sent is still answered.
    var hasEnded = false
    /// No further request is answered; the connection closes once its output has been sent.
    var isEnding = false
    var requests = 0
    /// `requests` when the deadline was set: each request has its own time.
    var requestsBefore = 0
    /// Bytes of content that had come, or bytes of the answer that were left, when the wait for
    /// progress began.
    var progressMark = 0
    /// When all of the content must have come, or enough of the answer have been taken.
    var progressUntil = 0

    // MARK: TLS

    var tls: TLSSession?
    /// When the TLS session had its last turn, and whether it keeps its buffers for the next.
    var lastTurn = 0
    var isWarm = false
    /// Whether the client sent a server name (SNI).
    var hasServerName = false
    /// The number of the certificate that it is answered with; 0 without TLS.
    var certificateNumber = 0
    var isHandshaken = false
    /// Why the handshake failed, if the connection ends before it is complete.
    var handshakeError = HandshakeError.closed
    /// What lines of the access log say of the handshake, once one was written.
    var handshake: HandshakeNote?

    // MARK: Input

    /// Decrypted bytes of requests that were not answered yet; before a handshake, bytes that may
    /// be a method in its place.
    var pending = [UInt8]()
    /// Reads the content of the current request, which is discarded.
    var content: ContentReader?
    /// Whether that request is a HEAD: its response has no content, whatever its status.
    var isHeadRequest = false
    /// The answer to that request, which is sent once the content has come.
    var answerAfterContent: WaitingAnswer?

    // MARK: Output

    /// Bytes that the socket did not take, from `unsentStart` on.
    var unsent = [UInt8]()
    var unsentStart = 0
    /// How many bytes were ever handed to the socket, those in `unsent` included.
    var handedBytes = 0
    /// The part of a long body that is still to be written; it holds its snapshot's bytes.
    var body: (bytes: [UInt8], range: Range<Int>)?

    // MARK: For the access log and the counters

    /// When the first byte of the current request came.
    var beganMicroseconds = 0
    /// When the last bytes came.
    var receivedMicroseconds = 0
    /// A request whose answer takes more than one turn.
    var unfinished: UnfinishedRequest?
    /// The result of an answer whose body is still being written.
    var longAnswer: Written?
    /// Answers that were written, and that the socket has not taken whole.
    var untakenAnswers = [UntakenAnswer]()
    /// Why the connection ends, for answers that are not finished then.
    var abortReason = AbortReason.reset

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
        _ socket: consuming Socket, _ listener: ListenerKind, _ position: Admission.Position,
        generation: UInt32, _ context: inout LoopContext
    ) throws(OpenSSLError) {
        self.listener = listener
        self.position = position
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
        if !isBlocked {
            // What came in time may not have been read, where the loop or the process stood still.
            readable(&context)
            guard phase != .closed, deadline <= context.milliseconds else { return }
        }
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

    // MARK: The end of a turn

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
        let isWarmed = keepOrReleaseBuffers(context.milliseconds, hasRoom: hasRoom)
        return TurnEnd(
            isClosed: false, isBlocked: isBlocked, isWarmed: isWarmed, deadline: deadline)
    }

    /// Names the phase that the turn ended in, and when it must have ended.
    mutating func settle(_ context: inout LoopContext) {
        let before = phase
        guard before != .closed, before != .lingering, !awaitsProxyHeader else { return }
        if isBlocked {
            phase = .writing
        } else if content != nil {
            phase = .content
        } else if !pending.isEmpty, tls == nil || isHandshaken {
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
