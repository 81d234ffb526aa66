import Answering
import AccessLog
import ClientAddress
import HTTPMessages
import Memory
import SiteConfiguration
import Snapshots
import Sockets
import TLS

/// One client's connection: a channel, a timer, the requests that come through the channel, and
/// their records. Its methods run on its loop's thread with the parts that the loop lends it.
/// Between two turns it holds only what is unfinished.
struct Connection: ~Copyable {
    // MARK: Which connection it is

    let listener: ListenerKind
    /// Tells this connection from an earlier one in the same slot of the loop's slab.
    let generation: UInt32
    /// That slot.
    var slot: UInt32 = 0
    /// Its place in the counts, and the limit that it is over.
    var ticket: Admission.Ticket
    /// The client's address: the peer's, or the one that the PROXY protocol names.
    var sender: IPAddress

    // MARK: State

    var channel: Channel
    var timer: ConnectionTimer
    var records = ConnectionRecords()
    /// The phase that the counters know.
    private var countedPhase = ConnectionPhase.opening
    var closing = Closing.open

    // MARK: Requests

    var requests = 0
    /// The time at which the last bytes came, in microseconds of the monotonic clock.
    var receivedMicroseconds = 0
    /// Whether the client speaks TLS with this origin, or with a trusted proxy.
    var isSecure: Bool
    /// The facts from earlier requests that answers depend on.
    var past = Responder.Client.Past()
    /// The number of the certificate that the client is answered with.
    var certificateNumber = 0
    var exchange: Exchange
    /// Bytes that have come and were not taken yet: of the header of the PROXY protocol, of a
    /// method in the place of a handshake, or decrypted ones of requests.
    var pending = [UInt8]()
    /// The bytes held at the end of its last turn, for which there was memory.
    var heldBytes = 0

    init(
        _ socket: consuming Socket, _ listener: ListenerKind, _ ticket: Admission.Ticket,
        generation: UInt32, _ loop: inout LoopParts
    ) throws(OpenSSLError) {
        self.listener = listener
        self.ticket = ticket
        self.generation = generation
        timer = ConnectionTimer(isOverLimit: ticket.limit != .none, loop.turn)
        sender = IPAddress(high: socket.peer.high, low: socket.peer.low)
        isSecure = listener == .https
        exchange =
            loop.turn.settings.proxies.expectsProxyHeader && listener != .admin
            ? .proxyHeader : .head
        channel = try Channel(socket, listener == .https ? loop.snapshot.tls : nil, loop.wire)
    }

    var deadline: Int { timer.deadline }

    /// Whether it is over a limit: its first request is answered, and it is closed.
    var isOverLimit: Bool { ticket.limit != .none }

    /// Whether another request would be answered.
    var takesRequests: Bool { !closing.isLastAnswer && !isClosed }

    /// Whether nothing more can be sent or received.
    var isClosed: Bool { timer.phase == .closed || channel.failure != nil }

    // MARK: Events

    /// Does what the socket is ready for, and returns what was waited for.
    mutating func advance(_ loop: inout LoopParts) -> Channel.Interest {
        guard channel.isBlocked else {
            readable(&loop)
            return .reading
        }
        let interest = channel.interest
        switch interest {
        case .handler, .turn:
            // An event may be of a time when something else was waited for.
            channel.noticeReset()
            settle(&loop.turn)
        case .reading, .writing:
            if exchange.isHandled { resumeHandled(&loop) } else { writable(&loop) }
        }
        return interest
    }

    /// Reads what has come, and answers it.
    mutating func readable(_ loop: inout LoopParts) {
        var reads = 0
        while reads < loop.turn.settings.limits.readsPerTurnMax, !channel.isBlocked, !isClosed {
            reads += 1
            let outcome =
                timer.phase == .lingering ? discard(&loop.wire, &loop.turn) : receive(&loop)
            if timer.phase != .lingering, !exchange.isProxyHeader { answerAll(&loop) }
            if outcome == .ended { endOfInput(&loop.wire, &loop.turn) }
            guard outcome == .more else { break }
        }
        settle(&loop.turn)
    }

    /// Goes on where the socket was full.
    private mutating func writable(_ loop: inout LoopParts) {
        guard channel.resume(&loop.wire, loop.turn.settings.limits) else {
            return settle(&loop.turn)
        }
        records.publishTaken(&loop.recorder, &channel)
        if closing.isLastAnswer {
            closeGracefully(&loop.wire, &loop.turn)
            settle(&loop.turn)
        } else {
            // Requests may have come before the answer was taken.
            answerPending(&loop)
        }
    }

    /// The deadline has passed.
    mutating func expire(_ loop: inout LoopParts) {
        if !channel.isBlocked {
            // What came in time may not have been read, where the loop or the process stood still.
            readable(&loop)
            guard timer.phase != .closed, deadline <= loop.turn.milliseconds else { return }
        }
        if timer.extend(progress: progress, loop.turn) { return }
        if listener != .admin { loop.recorder.counters?.countTimeout(timer.phase) }
        switch timer.phase {
        case .content where stallHandled(): break
        case .head, .content:
            takePending(&loop.input)
            if exchange.isHead {
                // Only to know its method.
                _ = try? loop.input.reader.read(
                    loop.input.buffer.storage, 0..<loop.input.buffer.count)
            }
            refuse(.requestTimeout, nil, at: 0, &loop)
            flush(&loop)
        case .handling:
            refuseHandled(.serviceUnavailable, nil, &loop)
            if takesRequests {
                takePending(&loop.input)
                answerAll(&loop)
            } else {
                flush(&loop)
            }
        case .idle: closeGracefully(&loop.wire, &loop.turn)
        case .opening where exchange.isProxyHeader: expireProxyHeader(loop.gate, loop.turn)
        case .opening where listener != .https || channel.isEstablished:
            closeGracefully(&loop.wire, &loop.turn)
        case .opening, .waiting, .writing, .lingering, .closed:
            // The kernel would go on with what it holds of an answer that the peer does not take.
            if timer.phase == .writing { channel.resetWhenClosed() }
            if !channel.isHandshaken { channel.failHandshake(.timeout) }
            abort(.timeout)
        }
        settle(&loop.turn)
    }

    /// Gives the connection up.
    mutating func abort(_ reason: AbortReason) {
        closing = .aborted(reason)
        timer.close()
    }

    /// Answers what has already come, then ends the connection unless a request is under way. A
    /// client that has not asked anything yet connected a moment ago, and is about to.
    mutating func drain(_ loop: inout LoopParts) {
        if !channel.isBlocked { readable(&loop) }
        switch timer.phase {
        case .idle where requests > 0:
            closeGracefully(&loop.wire, &loop.turn)
            settle(&loop.turn)
        case .idle, .opening: timer.shorten(to: loop.turn.settings.limits.lingerSeconds, loop.turn)
        case .head, .content, .handling, .waiting, .writing, .lingering, .closed: break
        }
    }

    /// Ends an idle connection in favour of another, unless a request has just come.
    mutating func retire(_ loop: inout LoopParts) {
        readable(&loop)
        guard timer.phase == .idle else { return }
        closeGracefully(&loop.wire, &loop.turn)
        settle(&loop.turn)
    }

    /// The time to stop is over: whatever is under way ends with a reset.
    /// - Returns: whether a request was.
    mutating func cutOff() -> Bool {
        guard timer.phase.isAnswering else { return false }
        channel.resetWhenClosed()
        closing = .aborted(.stop)
        return true
    }

    /// Whether it may be closed in favour of another one: it was asked nothing for a second.
    func isSpare(_ turn: borrowing Turn) -> Bool {
        timer.phase == .idle && listener != .admin
            && deadline - turn.milliseconds < (turn.settings.limits.idleSeconds - 1) * 1000
    }

    /// Less where the end matters less; of each kind, least for the one that has been so longest.
    var importance: (kind: Int, since: Int) { (timer.phase.importance, deadline) }

    // MARK: The end of a turn

    /// Ends a turn, and says what the loop must know of it; nil if the connection is closed.
    @inline(__always)
    mutating func endTurn(_ loop: inout LoopParts, hasRoom: Bool) -> TurnEnd? {
        var isWarmed = false
        if timer.phase != .closed {
            isWarmed = channel.keepOrReleaseBuffers(
                loop.turn.milliseconds, isBusy: requests > 1, hasRoom: hasRoom)
            holdMemory(&loop)
        }
        guard timer.phase != .closed else {
            // Nothing of it may reach the next connection.
            loop.writer.output.removeAll()
            loop.wire.transport.removeOutgoing()
            return nil
        }
        if countedPhase != timer.phase {
            if listener != .admin { loop.recorder.counters?.countPhase(countedPhase, timer.phase) }
            countedPhase = timer.phase
        }
        return TurnEnd(
            deadline: timer.deadline, interest: channel.interest, isWarmed: isWarmed)
    }

    /// Names what the turn has come to, from which the phase and the deadline follow.
    mutating func settle(_ turn: inout Turn) {
        if channel.failure != nil { return timer.close() }
        guard !timer.phase.isLast else { return }
        let event: ConnectionPhase.Event =
            if channel.isBlocked {
                channel.isHeld
                    ? .handlerAwaited : channel.awaitsTurn ? .turnAwaited : .outputBlocked
            } else if !exchange.isHead {
                // Before the header of the PROXY protocol nothing is asked.
                exchange.isProxyHeader ? .unasked : .contentIncomplete
            } else if !pending.isEmpty, !channel.speaksTLS || channel.isHandshaken {
                .headIncomplete
            } else if requests > 0 {
                .answered
            } else if channel.isHandshaken {
                .established
            } else {
                .unasked
            }
        guard timer.apply(event, requests: requests) else { return }
        timer.setDeadline(isOverLimit: isOverLimit, progress: progress, turn)
    }

    /// The progress in the phase, as `setDeadline` takes it.
    @inline(__always)
    private var progress: Int {
        switch timer.phase {
        case .content: exchange.takenBytes
        case .handling: exchange.steps
        case .writing: channel.untakenBytes
        case .opening, .idle, .head, .waiting, .lingering, .closed: 0
        }
    }

    /// Records that the connection has ended.
    mutating func recordEnd(_ loop: inout LoopParts) {
        cancelHandled()
        records.end(abortReason, &loop.recorder, &channel)
        // Behind a proxy that has sent nothing, or something else, no handshake has begun.
        if channel.speaksTLS, !channel.isHandshaken, !exchange.isProxyHeader {
            loop.recorder.counters?.countHandshakeError(channel.handshakeError)
        }
        if listener != .admin { loop.recorder.counters?.countPhase(countedPhase, nil) }
        loop.gate.leave(ticket)
    }

    /// The reason why an unfinished answer is cut off.
    private var abortReason: AbortReason {
        if case .aborted(let reason) = closing { return reason }
        return switch channel.failure {
        case .encryption, .file, .memory: .error
        case .lost, .handshake, nil: .reset
        }
    }

    // MARK: Receiving

    /// Fills the loop's input with what was left over and what has come.
    private mutating func receive(_ loop: inout LoopParts) -> Channel.Received {
        receivedMicroseconds = loop.turn.microseconds
        if exchange.isHead {
            if pending.isEmpty { records.began = receivedMicroseconds }
        } else if exchange.isProxyHeader {
            return receiveProxyHeader(&loop)
        }
        takePending(&loop.input)
        let most = loop.turn.settings.limits.receiveBytesMax
        guard channel.speaksTLS else {
            return channel.receive(into: &loop.input.buffer, atMost: most)
        }
        loop.wire.received.removeAll()
        let received = channel.receive(into: &loop.wire.received, atMost: most)
        guard !loop.wire.received.isEmpty else { return received }
        return decrypt(0..<loop.wire.received.count, &loop)
    }

    /// Begins the input with what was left over.
    func takePending(_ input: inout RequestInput) {
        input.buffer.removeAll()
        if !pending.isEmpty { input.buffer.append(pending, 0..<pending.count) }
    }

    /// Decrypts a part of what was received.
    mutating func decrypt(_ range: Range<Int>, _ loop: inout LoopParts) -> Channel.Received {
        if !channel.isHandshaken, let received = receivePlain(range, &loop) { return received }
        let received = channel.decrypt(range, into: &loop.input.buffer, &loop.wire)
        if !channel.isHandshaken, let parameters = channel.finishHandshake() {
            loop.recorder.counters?.countHandshake(
                isTLS13: parameters.isTLS13, isResumed: parameters.isResumed)
        }
        if case .memory = channel.failure {
            noteMemoryShortage(&loop.recorder, &loop.gate, &loop.turn)
        }
        return received
    }

    /// Throws away what comes after the last answer, undecrypted.
    private mutating func discard(_ wire: inout Wire, _ turn: inout Turn) -> Channel.Received {
        wire.received.removeAll()
        return channel.receive(into: &wire.received, atMost: turn.settings.limits.receiveBytesMax)
    }

    mutating func endOfInput(_ wire: inout Wire, _ turn: inout Turn) {
        guard !isClosed else { return }
        // The peer may wait for the answers to what it has sent (a half-close).
        if channel.isBlocked {
            if case .open = closing { closing = .inputEnded }
        } else {
            if timer.phase != .lingering { closeGracefully(&wire, &turn) }
            // The close_notify of TLS waits for room in the socket, too.
            if !channel.isBlocked { timer.close() }
        }
    }

    // MARK: Sending

    /// Sends what the loop has gathered for this connection.
    mutating func flush(_ loop: inout LoopParts) {
        if !isClosed { flushOutput(&loop.writer.output, &loop.wire, &loop.turn) }
        guard loop.recorder.draftCount > 0 else { return }
        let isTaken = channel.hasSentAll && !isClosed
        records.settle(&loop.recorder, takenUpTo: isTaken ? nil : channel.sentBytes)
    }

    @inline(__always)
    private mutating func flushOutput(
        _ output: inout ByteBuffer, _ wire: inout Wire, _ turn: inout Turn
    ) {
        channel.write(&output, &wire)
        let isLast = closing.isLastAnswer
        if channel.speaksTLS {
            // TLS's close_notify goes out with the last answer.
            if isLast, !channel.isBlocked, !isClosed { channel.writeClose(&wire) }
            channel.sendRecords(&wire)
        }
        if isLast, !channel.isBlocked, timer.phase != .lingering, !isClosed {
            closeGracefully(&wire, &turn)
        }
    }

    /// Says that nothing more will be sent, and waits a little for the peer to see it.
    mutating func closeGracefully(_ wire: inout Wire, _ turn: inout Turn) {
        closing = .lastAnswer
        channel.writeClose(&wire)
        channel.sendRecords(&wire)
        guard !channel.isBlocked, !isClosed else { return }
        channel.finishSending()
        timer.finish(turn)
        pending = []
    }
}
