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

/// One client's connection. Its methods run on its loop's thread and borrow the loop's bench;
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
    var handed = 0
    /// A body of which a part is still to be written; it holds its snapshot's bytes.
    var body: (bytes: [UInt8], range: Range<Int>)?
    /// When the first byte of the request at hand was there, in microseconds.
    var began = 0
    /// A request whose answer takes more than a turn, as log and counters will tell it.
    var held: HeldRequest?
    var longAnswer: Written?
    /// Answers that went out together, of which the socket did not take all.
    var owed = [OwedAnswer]()
    /// Why the connection ends, for answers that are not over then.
    var cut = Cut.reset
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
        generation: UInt32, _ bench: inout Bench
    ) throws(OpenSSLError) {
        self.listener = listener
        self.place = place
        self.generation = generation
        deadline = bench.deadline(seconds: bench.limits.handshakeSeconds)
        sender = IPAddress(high: socket.peer.high, low: socket.peer.low)
        isSecure = listener == .https
        awaitsProxyHeader = bench.proxies.expectsProxyHeader && listener != .admin
        self.socket = socket
        if isGuest { hurry(&bench) }
        guard listener == .https, let context = bench.snapshot.tls else { return }
        tls = try TLSSession(context, over: bench.transport)
    }

    // MARK: Events

    /// Does what the socket is ready for, and says whether that was to write.
    mutating func advance(_ bench: inout Bench) -> Bool {
        guard isBlocked else {
            readable(&bench)
            return false
        }
        writable(&bench)
        return true
    }

    /// Reads what has come, and answers it.
    mutating func readable(_ bench: inout Bench) {
        var reads = 0
        while reads < bench.limits.readsPerTurnMax, !isBlocked, phase != .closed {
            reads += 1
            let outcome = phase == .lingering ? discard(&bench) : receive(&bench)
            if phase != .lingering, !awaitsProxyHeader { answerAll(&bench) }
            if outcome == .ended { endOfInput(&bench) }
            guard outcome == .more else { break }
        }
        settle(&bench)
    }

    /// Goes on where the socket was full.
    mutating func writable(_ bench: inout Bench) {
        guard sendUnsent(&bench), continueBody(&bench) else { return settle(&bench) }
        isBlocked = false
        tellTaken(&bench)
        if isEnding {
            sayGoodbye(&bench)
        } else {
            // Requests may have come before the answer was taken.
            takePending(&bench)
            answerAll(&bench)
            if hasEnded, !isBlocked { endOfInput(&bench) }
        }
        settle(&bench)
    }

    /// The deadline has passed.
    mutating func expire(_ bench: inout Bench) {
        if phase == .content || phase == .writing, keepsPace(&bench) { return }
        noteTimeout(&bench)
        switch phase {
        case .head, .content:
            takePending(&bench)
            if content == nil {
                // Only to know its method.
                _ = try? bench.reader.read(bench.input.storage, 0..<bench.input.count)
            }
            refuse(.requestTimeout, nil, at: 0, &bench)
            flush(&bench)
        case .idle: sayGoodbye(&bench)
        case .opening where awaitsProxyHeader: expireProxyHeader(&bench)
        case .opening where listener != .https || tls?.isEstablished == true:
            sayGoodbye(&bench)
        case .opening, .writing, .lingering, .closed:
            // The kernel would go on with what it holds of an answer, for whoever takes nothing.
            if phase == .writing { socket.resetWhenClosed() }
            (handshakeError, cut) = (.timeout, .timeout)
            phase = .closed
        }
        settle(&bench)
    }

    /// Answers what has already come, then ends the connection unless a request is under way. A
    /// client that has not asked anything yet connected a moment ago, and is about to.
    mutating func drain(_ bench: inout Bench) {
        if !isBlocked { readable(&bench) }
        switch phase {
        case .idle where requests > 0:
            sayGoodbye(&bench)
            settle(&bench)
        case .idle, .opening:
            deadline = min(deadline, bench.deadline(seconds: bench.limits.lingerSeconds))
        case .head, .content, .writing, .lingering, .closed: break
        }
    }

    /// Whether nobody waits for it: it has asked nothing for a second.
    func isSpare(_ bench: inout Bench) -> Bool {
        phase == .idle && listener != .admin
            && deadline - bench.milliseconds < (bench.limits.idleSeconds - 1) * 1000
    }

    /// Ends an idle connection in favour of another, unless a request has just come.
    mutating func retire(_ bench: inout Bench) {
        readable(&bench)
        guard phase == .idle else { return }
        sayGoodbye(&bench)
        settle(&bench)
    }

    /// The time to stop is over: whatever is under way ends with a reset.
    /// - Returns: whether a request was.
    mutating func cutOff() -> Bool {
        switch phase {
        case .head, .content, .writing:
            socket.resetWhenClosed()
            cut = .stop
            return true
        case .opening, .idle, .lingering, .closed: return false
        }
    }

    // MARK: Ending

    /// Ends a turn, and says what the loop must know of it.
    mutating func endTurn(_ bench: inout Bench, hasRoom: Bool) -> TurnEnd {
        guard phase != .closed else {
            // Nothing of it may reach whoever is next.
            bench.output.removeAll()
            bench.transport.removeOutgoing()
            return TurnEnd(isClosed: true, isBlocked: false, isWarmed: false, deadline: 0)
        }
        if countedPhase != phase {
            if listener != .admin { bench.counters?.countPhase(countedPhase, phase) }
            countedPhase = phase
        }
        let isWarmed = rest(bench.milliseconds, hasRoom: hasRoom)
        return TurnEnd(
            isClosed: false, isBlocked: isBlocked, isWarmed: isWarmed, deadline: deadline)
    }

    /// Says that nothing more will be sent, and waits a little for the peer to see it.
    mutating func sayGoodbye(_ bench: inout Bench) {
        isEnding = true
        tls?.close(over: &bench.transport)
        sendOutgoing(&bench)
        guard !isBlocked, phase != .closed else { return }
        socket.finishSending()
        phase = .lingering
        deadline = bench.deadline(seconds: bench.limits.lingerSeconds)
        pending = []
    }

    /// Nothing more can be done for it.
    mutating func endWithoutMemory(_ bench: inout Bench) {
        (phase, cut) = (.closed, .error)
        bench.counters?.countRejected(.memory)
        bench.note(.memory, turnedAway: 1)
    }

    /// Names the phase that the turn ended in, and when it must have ended.
    mutating func settle(_ bench: inout Bench) {
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
        beginWait(&bench)
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
