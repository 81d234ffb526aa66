import HTTPMessages
import Memory
import Sockets
import TLS

/// Which listener a connection came from.
enum ListenerKind: Sendable {
    case https, http, admin
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
    private var tls: TLSSession?

    private(set) var phase = Phase.opening
    /// When something must have happened, in milliseconds of the monotonic clock.
    private(set) var deadline: Int
    private(set) var interest = Poller.Interest.reading
    private var requests = 0
    /// `requests` when the deadline was set: each request has its own time.
    private var requestsBefore = 0

    /// Decrypted bytes of requests that were not answered yet.
    private var pending = [UInt8]()
    /// How far into `pending` the end of a head was looked for.
    private var scanned = 0
    /// The content that is being thrown away, and what follows it.
    private var content: ContentReader?
    private var answerAfterContent: (answer: Answer, ending: Ending)?

    /// Bytes for the socket, from `unsentStart` on.
    private var unsent = [UInt8]()
    private var unsentStart = 0
    /// A body of which a part is still to be written; it holds its snapshot's bytes.
    private var body: (bytes: [UInt8], range: Range<Int>)?
    /// Nothing more is answered once what is written has been sent.
    private var isEnding = false

    enum Phase: Sendable {
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
        _ socket: consuming Socket, _ listener: ListenerKind, generation: UInt32,
        _ bench: inout Bench
    ) throws(OpenSSLError) {
        self.socket = socket
        self.listener = listener
        self.generation = generation
        deadline = bench.deadline(seconds: bench.limits.handshakeSeconds)
        guard listener == .https, let context = bench.snapshot.tls else { return }
        tls = try TLSSession(context, over: bench.transport)
    }

    // MARK: Events

    /// Reads what has come, and answers it.
    mutating func readable(_ bench: inout Bench) {
        var reads = 0
        while reads < bench.limits.readsPerTurnMax, interest == .reading, phase != .closed {
            reads += 1
            let outcome = phase == .lingering ? discard(&bench) : receive(&bench)
            if phase != .lingering { answerAll(&bench) }
            if outcome == .ended { endOfInput(&bench) }
            guard outcome == .more else { break }
        }
        settle(&bench)
    }

    /// Goes on where the socket was full.
    mutating func writable(_ bench: inout Bench) {
        guard sendUnsent(&bench), continueBody(&bench) else { return settle(&bench) }
        interest = .reading
        if isEnding {
            sayGoodbye(&bench)
        } else {
            // Requests may have come before the answer was taken.
            bench.input.removeAll()
            bench.input.append(pending, 0..<pending.count)
            answerAll(&bench)
        }
        settle(&bench)
    }

    /// The deadline has passed.
    mutating func expire(_ bench: inout Bench) {
        switch phase {
        case .head, .content:
            write(.status(.requestTimeout, isHead: false), .closes, &bench)
            flush(&bench)
        case .idle: sayGoodbye(&bench)
        case .opening where listener != .https || tls?.isEstablished == true:
            sayGoodbye(&bench)
        case .opening, .writing, .lingering, .closed: phase = .closed
        }
        settle(&bench)
    }

    /// Answers what has already come, then ends the connection unless a request is under way.
    mutating func drain(_ bench: inout Bench) {
        if interest == .reading { readable(&bench) }
        guard phase == .idle || phase == .opening else { return }
        sayGoodbye(&bench)
        settle(&bench)
    }

    // MARK: Reading

    private enum Received { case nothing, some, more, ended }

    /// Fills the bench's input with what was left over and what has come.
    private mutating func receive(_ bench: inout Bench) -> Received {
        bench.input.removeAll()
        bench.input.append(pending, 0..<pending.count)
        guard tls != nil else { return receivePlain(&bench) }
        bench.received.removeAll()
        var transfer = Transfer.blocked
        _ = bench.received.fill { target, room in
            transfer = socket.receive(into: &target, room)
            if case .moved(let count) = transfer { return count }
            return 0
        }
        guard case .moved(let count) = transfer else { return ended(transfer) }
        return decrypt(count, &bench)
    }

    private mutating func receivePlain(_ bench: inout Bench) -> Received {
        var transfer = Transfer.blocked
        let most = bench.limits.receiveBytesMax
        _ = bench.input.fill { target, room in
            transfer = socket.receive(
                into: &target, room.lowerBound..<min(room.upperBound, room.lowerBound + most))
            if case .moved(let count) = transfer { return count }
            return 0
        }
        guard case .moved(let count) = transfer else { return ended(transfer) }
        return count == most ? .more : .some
    }

    /// Throws away what comes after the last answer, undecrypted.
    private mutating func discard(_ bench: inout Bench) -> Received {
        bench.received.removeAll()
        var transfer = Transfer.blocked
        _ = bench.received.fill { target, room in
            transfer = socket.receive(into: &target, room)
            return 0
        }
        guard case .moved(let count) = transfer else { return ended(transfer) }
        return count == bench.limits.receiveBytesMax ? .more : .some
    }

    private mutating func ended(_ transfer: Transfer) -> Received {
        switch transfer {
        case .blocked, .moved: return .nothing
        case .ended: return .ended
        case .lost:
            phase = .closed
            return .nothing
        }
    }

    /// Hands what was received to the TLS session; its plaintext goes to the bench's input.
    private mutating func decrypt(_ count: Int, _ bench: inout Bench) -> Received {
        var state = TLSReading.State.needsInput
        _ = bench.input.fill { target, room in
            guard
                let reading = tls?.read(
                    bench.received.storage, 0..<count, into: &target, room, over: &bench.transport)
            else { return 0 }
            state = reading.state
            return reading.filled
        }
        switch state {
        case .needsInput:
            return count == bench.limits.receiveBytesMax ? .more : .some
        case .closed: return .ended
        case .full, .failed:
            // Full cannot be: the input has room for more than one read can decrypt to.
            sendOutgoing(&bench)
            phase = .closed
            return .nothing
        }
    }

    private mutating func endOfInput(_ bench: inout Bench) {
        guard phase != .closed else { return }
        // The peer may wait for the answers to what it has sent (a half-close).
        if interest == .writing {
            isEnding = true
        } else {
            if phase != .lingering { sayGoodbye(&bench) }
            phase = .closed
        }
    }

    // MARK: Answering

    /// Answers every whole request in the bench's input, in order, and keeps the rest.
    private mutating func answerAll(_ bench: inout Bench) {
        var start = 0
        while !isEnding, interest == .reading, phase != .closed {
            do {
                guard try answerNext(&start, &bench) else { break }
            } catch {
                write(.status(error.status, isHead: false), .closes, &bench)
            }
        }
        if isEnding || phase == .closed { start = bench.input.count }
        keep(start, &bench)
        flush(&bench)
    }

    /// Takes one step: a head, or a piece of content. False when more must come.
    private mutating func answerNext(
        _ start: inout Int, _ bench: inout Bench
    ) throws(MessageError) -> Bool {
        let end = bench.input.count
        if content != nil {
            start += try content?.take(bench.input.storage, start..<end) ?? 0
            guard content?.isFinished == true else { return false }
            finishContent(&bench)
            return true
        }
        guard start < end,
            let head = try bench.reader.read(
                bench.input.storage, start..<end, scanned: &scanned)
        else { return false }
        scanned = 0
        start += head.length
        requests += 1
        try begin(head, &bench)
        return true
    }

    /// Answers a request whose head is whole, at once or after its content.
    private mutating func begin(
        _ head: RequestHead, _ bench: inout Bench
    ) throws(MessageError) {
        let hasServerName = tls?.hasServerName ?? false
        let answer = bench.answer(head, via: listener, hasServerName: hasServerName)
        var ending = Ending.closes
        if head.isPersistent, !bench.isDraining, requests < bench.limits.requestsPerConnectionMax {
            ending = head.isHTTP10 ? .staysForHTTP10 : .stays
        }
        guard head.framing != .none else { return write(answer, ending, &bench) }
        let reader = try ContentReader(head.framing, limits: bench.limits.request)
        if head.expectsContinue {
            // Content that would change nothing is not asked for; without it the connection
            // cannot go on, as it may be under way all the same (RFC 9110 §10.1.1).
            guard head.method == .get || head.method == .head else {
                return write(answer, .closes, &bench)
            }
            bench.output.append("HTTP/1.1 100 Continue\r\n\r\n")
        }
        content = reader
        answerAfterContent = (answer, ending)
    }

    private mutating func finishContent(_ bench: inout Bench) {
        content = nil
        guard let (answer, ending) = answerAfterContent else { return }
        answerAfterContent = nil
        write(answer, ending, &bench)
    }

    /// Writes an answer into the bench's output, and makes room there for the next.
    private mutating func write(_ answer: Answer, _ ending: Ending, _ bench: inout Bench) {
        let rest = bench.write(answer, ending)
        if case .closes = ending { isEnding = true }
        if !rest.isEmpty {
            body = (bench.bytes, rest)
            encryptOutput(&bench)
            guard continueBody(&bench) else { return }
        }
        if bench.output.room < answerBytesMax + bench.limits.copiedBodyBytesMax { flush(&bench) }
    }

    /// Keeps what of the bench's input was not answered.
    private mutating func keep(_ start: Int, _ bench: inout Bench) {
        let rest = start..<bench.input.count
        if rest.isEmpty {
            if !pending.isEmpty { pending = [] }
        } else if rest.count != pending.count || start > 0 {
            pending = Array(bench.input.storage[rest])
        }
    }

    // MARK: Sending

    /// Encrypts the bench's output and sends what the transport holds, or the output itself.
    private mutating func flush(_ bench: inout Bench) {
        guard phase != .closed else { return }
        if tls != nil {
            encryptOutput(&bench)
            sendOutgoing(&bench)
        } else if !bench.output.isEmpty {
            send(bench.output.storage, 0..<bench.output.count)
            bench.output.removeAll()
        }
        if isEnding, interest == .reading, phase != .lingering, phase != .closed {
            sayGoodbye(&bench)
        }
    }

    private mutating func encryptOutput(_ bench: inout Bench) {
        guard tls != nil, !bench.output.isEmpty else { return }
        let isWritten =
            tls?.write(bench.output.storage, 0..<bench.output.count, over: &bench.transport)
            ?? false
        bench.output.removeAll()
        if !isWritten { phase = .closed }
    }

    private mutating func sendOutgoing(_ bench: inout Bench) {
        let count = bench.transport.outgoingCount
        guard count > 0 else { return }
        send(bench.transport.outgoing, 0..<count)
        bench.transport.removeOutgoing()
    }

    /// Sends bytes, and keeps what the socket does not take.
    private mutating func send(_ bytes: [UInt8], _ range: Range<Int>) {
        guard unsentStart == unsent.count else {
            unsent += bytes[range]
            return
        }
        switch socket.send(bytes, range) {
        case .moved(let count) where count == range.count: return
        case .moved(let count): unsent = Array(bytes[range.dropFirst(count)])
        case .blocked: unsent = Array(bytes[range])
        case .ended, .lost: phase = .closed
        }
        unsentStart = 0
        interest = .writing
    }

    /// True when nothing is left of what the socket did not take.
    private mutating func sendUnsent(_ bench: inout Bench) -> Bool {
        guard unsentStart < unsent.count else { return true }
        switch socket.send(unsent, unsentStart..<unsent.count) {
        case .moved(let count):
            unsentStart += count
            deadline = bench.deadline(seconds: bench.limits.writeSeconds)
        case .blocked: break
        case .ended, .lost: phase = .closed
        }
        guard unsentStart == unsent.count else { return false }
        unsent = []
        unsentStart = 0
        return true
    }

    /// Writes pieces of a long body until the socket is full or others should have their turn.
    /// True when nothing is left of it.
    private mutating func continueBody(_ bench: inout Bench) -> Bool {
        guard let (bytes, whole) = body else { return true }
        var range = whole
        if tls == nil, !bench.output.isEmpty {
            send(bench.output.storage, 0..<bench.output.count)
            bench.output.removeAll()
        }
        let last = range.lowerBound + bench.limits.bodyBytesPerTurnMax
        interest = unsent.isEmpty ? .reading : .writing
        while !range.isEmpty, interest == .reading, range.lowerBound < last, phase != .closed {
            let piece = range.prefix(bench.limits.writeBytesMax)
            if tls == nil {
                send(bytes, piece)
            } else if tls?.write(bytes, piece, over: &bench.transport) == true {
                sendOutgoing(&bench)
            } else {
                phase = .closed
            }
            range = piece.upperBound..<range.upperBound
            deadline = bench.deadline(seconds: bench.limits.writeSeconds)
        }
        guard range.isEmpty else {
            body = (bytes, range)
            interest = .writing
            return false
        }
        body = nil
        return interest == .reading
    }

    // MARK: Ending

    /// Says that nothing more will be sent, and waits a little for the peer to see it.
    private mutating func sayGoodbye(_ bench: inout Bench) {
        isEnding = true
        tls?.close(over: &bench.transport)
        sendOutgoing(&bench)
        guard interest == .reading, phase != .closed else { return }
        socket.finishSending()
        phase = .lingering
        deadline = bench.deadline(seconds: bench.limits.lingerSeconds)
        pending = []
    }

    /// Names the phase that the turn ended in, and when it must have ended.
    private mutating func settle(_ bench: inout Bench) {
        let before = phase
        guard before != .closed, before != .lingering else { return }
        if interest == .writing {
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
        guard phase != before || phase == .idle || requests != requestsBefore else { return }
        requestsBefore = requests
        deadline = bench.deadline(seconds: seconds(phase, bench.limits))
    }

    private func seconds(_ phase: Phase, _ limits: OriginLimits) -> Int {
        switch phase {
        case .opening: limits.handshakeSeconds
        case .idle: limits.idleSeconds
        case .head: limits.headSeconds
        case .content: limits.contentSeconds
        case .writing: limits.writeSeconds
        case .lingering, .closed: limits.lingerSeconds
        }
    }
}

/// More than any answer's head can have: the longest target, and our own fields.
private let answerBytesMax = 16384
