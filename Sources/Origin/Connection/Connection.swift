import Answering
import AccessLog
import ClientAddress
import HTTPMessages
import Memory
import SiteConfiguration
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
    /// How it is counted, and the limit that it is over.
    private(set) var ticket: Admission.Ticket
    /// The client's address: the peer's, or the one that the PROXY protocol names.
    var sender: IPAddress
    /// Whether the header of the PROXY protocol is still to come; its bytes gather in `pending`.
    private var awaitsProxyHeader: Bool

    // MARK: State

    var channel: Channel
    var timer: ConnectionTimer
    var records = ConnectionRecords()
    /// The phase that the counters know.
    private var countedPhase = ConnectionPhase.opening
    /// Why the connection ends, for answers that are not finished then.
    var abortReason: AbortReason?

    // MARK: Requests

    private var requests = 0
    /// When the last bytes came, in microseconds of the monotonic clock.
    var receivedMicroseconds = 0
    /// The peer sends nothing more (a half-close); what it has sent is still answered.
    var hasEnded = false
    /// No further request is answered; the connection closes once its output has been sent.
    var isEnding = false
    /// Whether the client speaks TLS with this origin, or with a trusted proxy.
    var isSecure: Bool
    /// What answers depend on of earlier requests.
    var past = Responder.Client.Past()
    /// The number of the certificate that the client is answered with.
    private var certificateNumber = 0
    /// Decrypted bytes of requests that were not answered yet; before a handshake, bytes that may
    /// be a method in its place.
    private var pending = [UInt8]()
    /// Reads the content of the current request, which is discarded.
    var content: ContentReader?
    /// Whether that request is a HEAD: its response has no content, whatever its status.
    var isHeadRequest = false
    /// The answer to that request, which is sent once the content has come.
    private var answerAfterContent: WaitingAnswer?
    /// The current request, where a handler answers it. Its content is kept.
    var handling: Handling?

    /// An answer that was decided before its request's content has come. By then the loop has read
    /// other requests, and there may be another snapshot.
    ///
    /// A class, because few connections have one, and each would have room for it.
    private final class WaitingAnswer {
        /// Without ranges of the input.
        let answer: Answer
        let ending: Ending
        /// The one that the answer's ranges are ranges of.
        let site: PreparedSite

        init(_ answer: consuming Answer, _ ending: Ending, _ site: PreparedSite) {
            (self.answer, self.ending, self.site) = (answer, ending, site)
        }
    }

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
        awaitsProxyHeader = loop.turn.settings.proxies.expectsProxyHeader && listener != .admin
        channel = try Channel(
            socket, listener == .https ? loop.snapshot.tls : nil, loop.wire)
    }

    var deadline: Int { timer.deadline }

    /// Whether it is over a limit: its first request is answered, and it is closed.
    var isOverLimit: Bool { ticket.limit != .none }

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
        if handling == nil { writable(&loop) } else { resumeHandled(&loop) }
        return interest
    }

    /// Reads what has come, and answers it.
    mutating func readable(_ loop: inout LoopParts) {
        var reads = 0
        while reads < loop.turn.settings.limits.readsPerTurnMax, !channel.isBlocked, !isClosed {
            reads += 1
            let outcome = timer.phase == .lingering ? discard(&loop) : receive(&loop)
            if timer.phase != .lingering, !awaitsProxyHeader { answerAll(&loop) }
            if outcome == .ended { endOfInput(&loop) }
            guard outcome == .more else { break }
        }
        settle(&loop)
    }

    /// Goes on where the socket was full.
    private mutating func writable(_ loop: inout LoopParts) {
        guard channel.resume(&loop.wire, loop.turn.settings.limits) else { return settle(&loop) }
        records.publishTaken(&loop.recorder, channel)
        if isEnding {
            closeGracefully(&loop)
        } else {
            // Requests may have come before the answer was taken.
            takePending(&loop.input)
            answerAll(&loop)
            if hasEnded, !channel.isBlocked { endOfInput(&loop) }
        }
        settle(&loop)
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
            if content == nil {
                // Only to know its method.
                _ = try? loop.input.reader.read(
                    loop.input.buffer.storage, 0..<loop.input.buffer.count)
            }
            refuse(.requestTimeout, nil, at: 0, &loop)
            flush(&loop)
        case .handling:
            refuseHandled(.serviceUnavailable, nil, &loop)
            if !isEnding, !isClosed {
                takePending(&loop.input)
                answerAll(&loop)
            } else {
                flush(&loop)
            }
        case .idle: closeGracefully(&loop)
        case .opening where awaitsProxyHeader: expireProxyHeader(&loop)
        case .opening where listener != .https || channel.isEstablished: closeGracefully(&loop)
        case .opening, .writing, .lingering, .closed:
            // The kernel would go on with what it holds of an answer that the peer does not take.
            if timer.phase == .writing { channel.resetWhenClosed() }
            if !channel.isHandshaken { channel.failHandshake(.timeout) }
            abortReason = .timeout
            timer.close()
        }
        settle(&loop)
    }

    /// Answers what has already come, then ends the connection unless a request is under way. A
    /// client that has not asked anything yet connected a moment ago, and is about to.
    mutating func drain(_ loop: inout LoopParts) {
        if !channel.isBlocked { readable(&loop) }
        switch timer.phase {
        case .idle where requests > 0:
            closeGracefully(&loop)
            settle(&loop)
        case .idle, .opening: timer.shorten(to: loop.turn.settings.limits.lingerSeconds, loop.turn)
        case .head, .content, .handling, .writing, .lingering, .closed: break
        }
    }

    /// Ends an idle connection in favour of another, unless a request has just come.
    mutating func retire(_ loop: inout LoopParts) {
        readable(&loop)
        guard timer.phase == .idle else { return }
        closeGracefully(&loop)
        settle(&loop)
    }

    /// The time to stop is over: whatever is under way ends with a reset.
    /// - Returns: whether a request was.
    mutating func cutOff() -> Bool {
        guard timer.phase.isAnswering else { return false }
        channel.resetWhenClosed()
        abortReason = .stop
        return true
    }

    /// Whether it may be closed in favour of another one: it was asked nothing for a second.
    func isSpare(_ turn: borrowing Turn) -> Bool {
        timer.phase == .idle && listener != .admin
            && deadline - turn.milliseconds < (turn.settings.limits.idleSeconds - 1) * 1000
    }

    /// Less for a connection whose end matters less: first come those that have their last answer,
    /// then those that are idle, that are silent or slow to ask, and that are slow to read; of each
    /// kind first the one that has been so for the longest time.
    var importance: (kind: Int, since: Int) {
        let kind =
            switch timer.phase {
            case .closed, .lingering: 0
            case .idle: 1
            case .opening, .head, .content: 2
            case .handling, .writing: 3
            }
        return (kind, deadline)
    }

    // MARK: The end of a turn

    /// Ends a turn, and says what the loop must know of it.
    @inline(__always)
    mutating func endTurn(_ loop: inout LoopParts, hasRoom: Bool) -> TurnEnd {
        guard timer.phase != .closed else {
            // Nothing of it may reach the next connection.
            loop.writer.output.removeAll()
            loop.wire.transport.removeOutgoing()
            return TurnEnd(isClosed: true, isWarmed: false)
        }
        if countedPhase != timer.phase {
            if listener != .admin {
                loop.recorder.counters?.countPhase(countedPhase, timer.phase)
            }
            countedPhase = timer.phase
        }
        let isWarmed = channel.keepOrReleaseBuffers(
            loop.turn.milliseconds, isBusy: requests > 1, hasRoom: hasRoom)
        return TurnEnd(isClosed: false, isWarmed: isWarmed)
    }

    mutating func releaseIdleBuffers(_ milliseconds: Int) -> Bool {
        channel.releaseIdleBuffers(milliseconds)
    }

    /// Names what the turn has come to, from which the phase and the deadline follow.
    mutating func settle(_ loop: inout LoopParts) {
        if channel.failure != nil { return timer.close() }
        guard !awaitsProxyHeader else { return }
        let event: ConnectionPhase.Event =
            if channel.isBlocked {
                channel.isHeld ? .handlerAwaited : .outputBlocked
            } else if content != nil {
                .contentIncomplete
            } else if !pending.isEmpty, !channel.speaksTLS || channel.isHandshaken {
                .headIncomplete
            } else if requests > 0 {
                .answered
            } else if channel.isEstablished {
                .established
            } else {
                .unasked
            }
        guard timer.apply(event, requests: requests) else { return }
        timer.setDeadline(isOverLimit: isOverLimit, progress: progress, loop.turn)
    }

    /// What the time for content, and for an answer to be taken, depends on.
    @inline(__always)
    private var progress: Int {
        switch timer.phase {
        case .content: content?.takenBytes ?? 0
        case .handling: handling?.steps ?? 0
        case .writing: channel.untakenBytes
        case .opening, .idle, .head, .lingering, .closed: 0
        }
    }

    /// Records that the connection has ended.
    mutating func recordEnd(_ loop: inout LoopParts) {
        var reason = abortReason ?? .reset
        if handling != nil { cancelHandled() }
        if abortReason == nil, case .encryption = channel.failure { reason = .error }
        if abortReason == nil, case .file = channel.failure { reason = .error }
        if abortReason == nil, case .memory = channel.failure { reason = .error }
        records.end(reason, &loop.recorder, channel)
        // Behind a proxy that has sent nothing, or something else, no handshake has begun.
        if channel.speaksTLS, !channel.isHandshaken, !awaitsProxyHeader {
            loop.recorder.counters?.countHandshakeError(channel.handshakeError)
        }
        if listener != .admin { loop.recorder.counters?.countPhase(countedPhase, nil) }
        loop.gate.leave(ticket)
    }

    // MARK: Receiving

    /// Fills the loop's input with what was left over and what has come.
    private mutating func receive(_ loop: inout LoopParts) -> Channel.Received {
        if awaitsProxyHeader { return receiveProxyHeader(&loop) }
        receivedMicroseconds = loop.turn.microseconds
        if pending.isEmpty, content == nil { records.began = receivedMicroseconds }
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
    private mutating func decrypt(
        _ range: Range<Int>, _ loop: inout LoopParts
    ) -> Channel.Received {
        if !channel.isHandshaken, let received = receivePlain(range, &loop) { return received }
        let received = channel.decrypt(range, into: &loop.input.buffer, &loop.wire)
        if !channel.isHandshaken, let parameters = channel.finishHandshake() {
            loop.recorder.counters?.countHandshake(
                isTLS13: parameters.isTLS13, isResumed: parameters.isResumed)
        }
        if case .memory = channel.failure { noteMemoryShortage(&loop) }
        return received
    }

    /// Throws away what comes after the last answer, undecrypted.
    private mutating func discard(_ loop: inout LoopParts) -> Channel.Received {
        loop.wire.received.removeAll()
        return channel.receive(
            into: &loop.wire.received, atMost: loop.turn.settings.limits.receiveBytesMax)
    }

    mutating func endOfInput(_ loop: inout LoopParts) {
        guard !isClosed else { return }
        // The peer may wait for the answers to what it has sent (a half-close).
        if channel.isBlocked {
            hasEnded = true
        } else {
            if timer.phase != .lingering { closeGracefully(&loop) }
            // The close_notify of TLS waits for room in the socket, too.
            if !channel.isBlocked { timer.close() }
        }
    }

    // MARK: Answering

    /// Answers every whole request in the loop's input, in order, and keeps the rest.
    mutating func answerAll(_ loop: inout LoopParts) {
        var start = 0
        while !isEnding, !channel.isBlocked, !isClosed {
            do {
                guard try answerNext(&start, &loop) else { break }
            } catch {
                refuse(error.status, error.kind, at: start, &loop)
            }
        }
        if isEnding || isClosed { start = loop.input.buffer.count }
        keep(start, &loop)
        flush(&loop)
    }

    /// Takes one step: a head, or a piece of content. False when more must come.
    private mutating func answerNext(
        _ start: inout Int, _ loop: inout LoopParts
    ) throws(MessageError) -> Bool {
        let end = loop.input.buffer.count
        if content != nil {
            if handling != nil { return try receiveHandled(&start, &loop) }
            start += try content?.take(loop.input.buffer.storage, start..<end) ?? 0
            guard content?.isFinished == true else { return false }
            finishContent(&loop)
            return true
        }
        guard start < end else { return false }
        guard let head = try loop.input.reader.read(loop.input.buffer.storage, start..<end) else {
            // Behind an empty line no request may ever come: none has begun.
            start += RequestReader.emptyLineBytes(loop.input.buffer.storage, start..<end)
            return false
        }
        start += head.length
        requests += 1
        begin(head, &loop)
        // What stands after it came with its end, however long its own pieces took.
        records.began = receivedMicroseconds
        return true
    }

    /// Answers a request whose head is whole, at once or after its content.
    private mutating func begin(_ head: RequestHead, _ loop: inout LoopParts) {
        clearIdentifier(&loop)
        var answer: Answer
        if listener == .admin {
            answer = loop.admin.answer(head, loop.input, loop.snapshot, loop.turn)
        } else {
            prepareClient(head, &loop)
            answer = loop.responder.answer(
                head, loop.input.buffer.storage, loop.input.reader.fields, loop.client,
                at: loop.turn.unixSeconds)
            if loop.responder.siteNumber != loop.writer.siteNumber { loop.followSite() }
        }
        if case .later(let inquiry, let isHead) = answer {
            if case .handled(let request) = inquiry { return beginHandled(request, head, &loop) }
            answer = loop.answer(inquiry, isHead: isHead)
        }
        let ending = ending(after: head, loop)
        if case .closes = ending, head.expectation == .other {
            loop.responder.summary.outcome = .refused
            return write(
                .status(.expectationFailed, isHead: head.method.isHead), .closes, &loop)
        }
        if isOverLimit {
            if !loop.responder.isAlwaysAnswered(
                head, loop.input.buffer.storage, loop.input.reader.fields, loop.client)
            {
                answer = limited(isHead: head.method.isHead, &loop)
            }
            return write(answer, .closes, &loop)
        }
        guard head.hasContent else { return write(answer, ending, &loop) }
        // What is of no site has nothing to wait for.
        guard loop.responder.siteNumber != nil else { return write(answer, .closes, &loop) }
        beginContent(head, answer, ending, &loop)
    }

    /// What the response to a request says about its connection.
    @inline(__always)
    func ending(after head: RequestHead, _ loop: borrowing LoopParts) -> Ending {
        guard head.isPersistent, !loop.turn.isDraining,
            requests < loop.turn.settings.limits.requestsPerConnectionMax
        else { return .closes }
        return head.isHTTP10 ? .staysForHTTP10 : .stays
    }

    /// The answer to a request over a connection beyond a limit.
    func limited(isHead: Bool, _ loop: inout LoopParts) -> Answer {
        loop.recorder.counters?.countLimited(ticket.limit)
        loop.responder.summary.outcome = .limited
        return .status(
            ticket.limit == .address ? .tooManyRequests : .serviceUnavailable, isHead: isHead)
    }

    /// Lets the response carry no request id, until the request is identified.
    @inline(__always)
    private func clearIdentifier(_ loop: inout LoopParts) {
        if !loop.writer.requestIdentifier.isEmpty { loop.writer.setRequestIdentifier([]) }
    }

    /// Notes what an answer depends on of its connection, and whose request it is.
    @inline(__always)
    private mutating func prepareClient(_ head: RequestHead, _ loop: inout LoopParts) {
        if requests == 1 {
            past.hasServerName = channel.hasServerName
            certificateNumber = channel.certificate?.number ?? 0
        }
        if loop.client.certificateNumber != certificateNumber {
            loop.client.certificate = channel.certificate
            loop.client.certificateNumber = certificateNumber
        }
        loop.client.past = past
        isSecure = listener == .https
        if loop.identifiesRequests {
            loop.recorder.current = RequestRecord(head: head)
            isSecure = loop.identify(sender, isSecure: isSecure)
        }
        loop.client.isSecure = isSecure
    }

    /// Answers a request with content once that has come, unless it is refused at once.
    ///
    /// This function and the others that are never inlined are seldom needed: within their callers
    /// they would make every request save more registers.
    @inline(never)
    private mutating func beginContent(
        _ head: RequestHead, _ answer: consuming Answer, _ ending: Ending, _ loop: inout LoopParts
    ) {
        let reader: ContentReader
        do {
            reader = try ContentReader(head.framing, limits: loop.turn.settings.limits.request)
        } catch {
            loop.responder.summary.refuse(error.status, error.kind)
            return write(.status(error.status, isHead: head.method.isHead), .closes, &loop)
        }
        if head.expectation == .continuing {
            // The content would change nothing, so it is not asked for. It may be under way all
            // the same: the connection must close (RFC 9110 §10.1.1).
            switch head.method {
            case .get, .head: break
            default: return write(answer, .closes, &loop)
            }
            loop.writer.output.append("HTTP/1.1 100 Continue\r\n\r\n")
        }
        keepRecord(&loop)
        isHeadRequest = head.method.isHead
        timer.hasEndlessContent = false
        content = reader
        answerAfterContent = WaitingAnswer(
            loop.writer.detached(answer, from: loop.input.buffer.storage), ending,
            loop.responder.site)
    }

    @inline(never)
    private mutating func finishContent(_ loop: inout LoopParts) {
        content = nil
        guard let waiting = answerAfterContent else { return }
        answerAfterContent = nil
        loop.writer.setRequestIdentifier(records.unfinishedIdentifier[...])
        loop.writer.use(waiting.site)
        // The origin may have been told to stop since the head came.
        write(waiting.answer, loop.turn.isDraining ? .closes : waiting.ending, &loop)
        loop.followSite()
        // A request that is pipelined after the content came with the content's end.
        records.began = receivedMicroseconds
    }

    /// Answers a malformed or incomplete request, and ends the connection.
    /// - Parameters:
    ///   - fault: what is wrong with it; nil where it did not come in time.
    ///   - start: where in the loop's input the malformed head begins.
    @inline(never)
    private mutating func refuse(
        _ status: Status, _ fault: MessageError.Kind?, at start: Int, _ loop: inout LoopParts
    ) {
        if handling != nil { return refuseHandled(status, fault, &loop) }
        var isHead = isHeadRequest
        if content == nil {
            isHead = loop.input.reader.method.isHead
            beginMalformed(at: start, RequestSummary(refusedWith: status, fault), &loop)
        } else {
            loop.writer.setRequestIdentifier(records.unfinishedIdentifier[...])
            records.refuseUnfinished(Outcome(refusedWith: status), fault)
        }
        loop.responder.forgetSite()
        if loop.responder.siteNumber != loop.writer.siteNumber { loop.followSite() }
        write(.status(status, isHead: isHead), .closes, &loop)
    }

    /// Begins the record of a request whose head could not be read.
    private mutating func beginMalformed(
        at start: Int, _ summary: RequestSummary, _ loop: inout LoopParts
    ) {
        clearIdentifier(&loop)
        loop.responder.summary = summary
        loop.recorder.current = RequestRecord()
        loop.recorder.current.start = start
        loop.recorder.current.client = sender
        guard loop.recorder.writesLines else { return }
        loop.recorder.current.identifier = loop.recorder.makeIdentifier()
        if listener != .admin, loop.turn.settings.proxies.trusted.contain(sender) {
            loop.sendIdentifier()
        }
    }

    /// Writes an answer, and makes room for the next.
    mutating func write(
        _ answer: consuming Answer, _ ending: Ending, _ loop: inout LoopParts
    ) {
        let rest = loop.writer.write(
            answer, ending, isSecure: isSecure, loop.input.buffer.storage)
        if case .closes = ending { isEnding = true }
        if !rest.isEmpty {
            let result = Written(
                status: loop.writer.lastStatus.rawValue,
                bytes: loop.writer.lastContentBytes + rest.count)
            channel.beginBody(loop.writer.takeBody(), rest)
            channel.write(&loop.writer.output, &loop.wire)
            guard channel.continueBody(&loop.wire, loop.turn.settings.limits) else {
                keepRecord(&loop)
                return records.begin(result)
            }
            record(result, &loop)
        } else if isRecorded(loop.recorder) || records.hasUnfinished {
            let result = Written(
                status: loop.writer.lastStatus.rawValue, bytes: loop.writer.lastContentBytes)
            record(result, &loop)
        }
        if loop.writer.output.room < loop.turn.settings.answerBytesMax
            || loop.recorder.draftCount == draftsMax
        {
            flush(&loop)
        }
    }

    /// Keeps what of the loop's input was not answered.
    @inline(__always)
    private mutating func keep(_ start: Int, _ loop: inout LoopParts) {
        let rest = start..<loop.input.buffer.count
        if rest.isEmpty {
            if !pending.isEmpty { pending = [] }
        } else if rest.count != pending.count || start > 0 {
            guard hasFreeMemory(bytes: 2 * rest.count) else {
                abortReason = .error
                timer.close()
                return noteMemoryShortage(&loop)
            }
            pending = Array(loop.input.buffer.storage[rest])
        }
    }

    private func noteMemoryShortage(_ loop: inout LoopParts) {
        loop.recorder.counters?.countRejected(.memory)
        loop.gate.report(.memory, turnedAway: 1, loop.turn)
    }

    // MARK: Recording

    private func isRecorded(_ recorder: borrowing RequestRecorder) -> Bool {
        recorder.isOn && listener != .admin
    }

    mutating func record(_ result: Written, _ loop: inout LoopParts) {
        guard records.hasUnfinished || isRecorded(loop.recorder) else { return }
        takeSummary(&loop)
        records.finish(
            result, end: channel.handedBytes + loop.writer.output.count, &loop.recorder,
            &loop.visits, &loop.responder.visitors, loop.input, channel)
    }

    /// A client whose network has asked for too many unknown slugs learns nothing more by this
    /// connection. A proxy's connection is of many clients.
    @inline(__always)
    private mutating func takeSummary(_ loop: inout LoopParts) {
        guard loop.takeSummary(), loop.recorder.current.client == sender else { return }
        past.isGuesser = true
    }

    mutating func keepRecord(_ loop: inout LoopParts) {
        takeSummary(&loop)
        records.keep(
            identifier: loop.writer.requestIdentifier, isRecorded: listener != .admin,
            &loop.recorder, &loop.visits, &loop.responder.visitors, loop.input, channel)
    }

    // MARK: Sending

    /// Sends what the loop has gathered for this connection.
    mutating func flush(_ loop: inout LoopParts) {
        if !isClosed { flushOutput(&loop) }
        guard loop.recorder.draftCount > 0 else { return }
        let isTaken = channel.hasSentAll && !isClosed
        records.settle(&loop.recorder, takenUpTo: isTaken ? nil : channel.sentBytes)
    }

    @inline(__always)
    private mutating func flushOutput(_ loop: inout LoopParts) {
        channel.write(&loop.writer.output, &loop.wire)
        if channel.speaksTLS {
            // TLS's close_notify goes out with the last answer.
            if isEnding, !channel.isBlocked, !isClosed { channel.writeClose(&loop.wire) }
            channel.sendRecords(&loop.wire)
        }
        if isEnding, !channel.isBlocked, timer.phase != .lingering, !isClosed {
            closeGracefully(&loop)
        }
    }

    /// Says that nothing more will be sent, and waits a little for the peer to see it.
    private mutating func closeGracefully(_ loop: inout LoopParts) {
        isEnding = true
        channel.writeClose(&loop.wire)
        channel.sendRecords(&loop.wire)
        guard !channel.isBlocked, !isClosed else { return }
        channel.finishSending()
        timer.finish(loop.turn)
        pending = []
    }
}

// MARK: - Plain HTTP where TLS should begin

extension Connection {
    /// Takes what is a request, or may become one, where a handshake should begin; nil leaves
    /// anything else to TLS. A client with the wrong scheme, or a load balancer with the wrong
    /// protocol, gets an answer that says so. What was kept before is in the loop's input.
    private mutating func receivePlain(
        _ range: Range<Int>, _ loop: inout LoopParts
    ) -> Channel.Received? {
        let first = loop.wire.received.storage[range.lowerBound]
        guard !loop.input.buffer.isEmpty || isCapital(first), channel.awaitsHandshake else {
            return nil
        }
        let isFirst = loop.input.buffer.isEmpty
        loop.input.buffer.append(loop.wire.received.storage, range)
        switch RequestBeginning(loop.input.buffer.storage, 0..<loop.input.buffer.count) {
        case .part: return .some
        case .method(let method):
            refusePlain(method, &loop)
            return .nothing
        case .none where isFirst:
            loop.input.buffer.removeAll()
            return nil
        case .none:
            channel.failHandshake(.notTLS)
            return .nothing
        }
    }

    /// Answers in the clear, from the method on: a request that waits for more would wait in vain.
    private mutating func refusePlain(_ method: Method, _ loop: inout LoopParts) {
        loop.recorder.counters?.countHandshakeError(.notTLS)
        channel.dropTLS()
        isSecure = false
        var summary = RequestSummary()
        (summary.outcome, summary.fault) = (.refused, .notTLS)
        beginMalformed(at: 0, summary, &loop)
        write(loop.writer.plainRequest(isHead: method.isHead), .closes, &loop)
    }
}

/// Each method begins with one, and no record of TLS does.
private func isCapital(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "A") < 26 }

// MARK: - The PROXY protocol

extension Connection {
    /// Reads the header of the PROXY protocol, which stands before everything else where the
    /// configuration asks for it, and what has come after it.
    private mutating func receiveProxyHeader(_ loop: inout LoopParts) -> Channel.Received {
        receivedMicroseconds = loop.turn.microseconds
        records.began = receivedMicroseconds
        loop.input.buffer.removeAll()
        loop.wire.received.removeAll()
        loop.wire.received.append(pending, 0..<pending.count)
        let outcome = channel.receive(
            into: &loop.wire.received, atMost: loop.turn.settings.limits.receiveBytesMax)
        guard loop.wire.received.count > pending.count else { return outcome }
        let received = 0..<loop.wire.received.count
        do {
            let header = try ProxyHeader.read(
                loop.wire.received.storage.span.extracting(received),
                bytesMax: loop.turn.settings.limits.proxyHeaderBytesMax)
            guard let header else {
                pending = Array(loop.wire.received.storage[received])
                return .some
            }
            pending = []
            if let source = header.source?.address, !countAddress(source, &loop) {
                return .nothing
            }
            awaitsProxyHeader = false
            return receiveRest(header.length..<received.upperBound, &loop)
        } catch {
            loop.recorder.counters?.countRejected(.proxyHeader)
            let beginning = loop.wire.received.storage[received.prefix(reportedBytesMax)]
            loop.gate.report(
                .header("\(error)", begins: Array(beginning)), from: sender, loop.turn)
            timer.close()
            return .nothing
        }
    }

    /// Ends a connection whose header did not come in time, which is reported unless it is the
    /// origin that has no more time.
    private mutating func expireProxyHeader(_ loop: inout LoopParts) {
        timer.close()
        guard !loop.turn.isStopping else { return }
        let limits = loop.turn.settings.limits
        let seconds =
            isOverLimit
            ? min(limits.overLimitSeconds, limits.handshakeSeconds) : limits.handshakeSeconds
        loop.gate.report(.noHeader(seconds: seconds), from: sender, loop.turn)
    }

    /// Counts the connection as one of this address; false when there are too many.
    private mutating func countAddress(_ address: IPAddress, _ loop: inout LoopParts) -> Bool {
        sender = address
        // Another trusted proxy, which names its clients in each request: they share its
        // connections.
        if loop.turn.settings.proxies.header != nil,
            loop.turn.settings.proxies.trusted.contain(address)
        {
            return true
        }
        switch loop.gate.assign(ticket, to: address, loop.turn) {
        case .admitted(let assigned):
            ticket = assigned
            if isOverLimit {
                timer.shorten(to: loop.turn.settings.limits.overLimitSeconds, loop.turn)
            }
            return true
        case .refused(let reason):
            ticket.isCounted = false
            loop.recorder.counters?.countRejected(reason)
            channel.resetWhenClosed()
            timer.close()
            return false
        }
    }

    /// Takes what came together with the header: the beginning of a handshake, or of a request.
    private mutating func receiveRest(
        _ range: Range<Int>, _ loop: inout LoopParts
    ) -> Channel.Received {
        let isFull = range.upperBound == loop.turn.settings.limits.receiveBytesMax
        guard !range.isEmpty else { return isFull ? .more : .some }
        guard !channel.speaksTLS else { return decrypt(range, &loop) }
        loop.input.buffer.append(loop.wire.received.storage, range)
        return isFull ? .more : .some
    }
}

/// How many bytes of a malformed header are reported.
private let reportedBytesMax = 16

/// What a loop must know of a connection whose turn is over.
struct TurnEnd {
    let isClosed: Bool
    /// Whether it keeps its buffers from now on.
    let isWarmed: Bool
}
