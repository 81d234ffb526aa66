import AccessLog
import ClientAddress
import HTTPMessages
import Memory
import SiteConfiguration
import Sockets
import TLS

// What the log hears of a connection's requests: a line for each answer, when it is over.

extension Connection {
    /// Notes that a request begins; its head, if it could be read, is in the context's input.
    mutating func beginExchange(_ head: RequestHead?, at start: Int, _ context: inout LoopContext) {
        guard context.isObserved else { return }
        var exchange = Exchange(head: head, start: start)
        switch head?.method {
        case nil, .get, .head: break
        default: exchange.outcome = .method
        }
        exchange.client = sender
        if head == nil, context.log.isOn {
            exchange.identifier = context.log.line.noteIdentifier()
            exchange.saysIdentifier =
                listener != .admin && context.proxies.trusted.contain(sender)
        }
        context.log.exchange = exchange
    }

    /// Tells of an answer that was written whole.
    mutating func record(_ result: Written, _ context: inout LoopContext) {
        if unfinished != nil { return recordUnfinished(result, nil, &context) }
        guard isRecorded(context) else { return }
        let now = Clock.monotonicMicroseconds
        let tally = makeTally(&context)
        context.counters?.count(tally, result, microseconds: now - beganMicroseconds)
        let end = handedBytes + context.output.count
        guard context.log.isOn else { return context.log.note(end: end) }
        let told = AccessResult(
            status: result.status, bytes: result.bytes, microseconds: now - beganMicroseconds,
            outcome: tally.outcome.name)
        let entry = makeEntry(tally, &context)
        context.log.write(entry, told, context.input.storage, now: now, end: end)
    }

    /// Keeps what can be told of a request whose answer is not over, as its head will be gone.
    mutating func keepUnfinished(_ context: inout LoopContext) {
        guard unfinished == nil else { return }
        guard isRecorded(context) else { return unfinished = .untold }
        let tally = makeTally(&context)
        var line: KeptLine?
        if context.log.isOn {
            let entry = makeEntry(tally, &context)
            line = context.log.keep(entry, context.input.storage, now: Clock.monotonicMicroseconds)
        }
        let said =
            context.log.exchange.saysIdentifier
            ? Array(context.log.line.notes[context.log.exchange.identifier]) : nil
        unfinished = UnfinishedRequest(tally: tally, line: line, saidIdentifier: said, isRecorded: true)
        context.counters?.countInFlight(1)
    }

    private mutating func recordUnfinished(_ result: Written, _ reason: AbortReason?, _ context: inout LoopContext) {
        guard let request = unfinished else { return }
        unfinished = nil
        guard request.isRecorded else { return }
        let elapsed = Clock.monotonicMicroseconds - beganMicroseconds
        context.counters?.countInFlight(-1)
        context.counters?.count(request.tally, result, microseconds: elapsed)
        if let reason { context.counters?.countAborted(reason) }
        let end = handedBytes + context.output.count
        guard let line = request.line else { return context.log.note(end: end) }
        let told = AccessResult(
            status: result.status, bytes: result.bytes, microseconds: elapsed,
            outcome: request.tally.outcome.name)
        context.log.write(line, told, aborted: reason?.name, end: end)
    }

    /// Lets the log have the lines of answers that the socket has taken, and keeps the others'.
    mutating func settleDrafts(_ context: inout LoopContext) {
        if unsent.isEmpty, phase != .closed {
            context.log.publish()
        } else {
            let taken = handedBytes - (unsent.count - unsentStart)
            context.log.takeBack(takenUpTo: taken, into: &untakenAnswers)
        }
    }

    /// Tells of answers that took more than a turn, now that the socket has taken them whole.
    mutating func recordTaken(_ context: inout LoopContext) {
        recordUntaken(takenUpTo: handedBytes, &context)
        guard let result = longAnswer else { return }
        longAnswer = nil
        record(result, &context)
        context.log.publish()
    }

    /// Tells of answers that end here, because the connection does. What the kernel still holds
    /// of them may never arrive, and does not count.
    private mutating func recordAborted(_ context: inout LoopContext) {
        guard longAnswer != nil || !untakenAnswers.isEmpty else { return }
        let left = unsent.count - unsentStart + socket.untakenBytes
        recordUntaken(takenUpTo: handedBytes - left, &context)
        guard var result = longAnswer else { return }
        longAnswer = nil
        result.bytes = max(0, result.bytes - (body?.range.count ?? 0) - left)
        recordUnfinished(result, abortReason, &context)
        context.log.publish()
    }

    private mutating func recordUntaken(takenUpTo taken: Int, _ context: inout LoopContext) {
        for answer in untakenAnswers {
            let isAborted = answer.end > taken
            if isAborted { context.counters?.countAborted(abortReason) }
            guard let (line, whole) = answer.told else { continue }
            var result = whole
            if isAborted { result.bytes = max(0, result.bytes - (answer.end - taken)) }
            context.log.write(line, result, aborted: isAborted ? abortReason.name : nil, end: 0)
        }
        context.log.publish()
        untakenAnswers = []
    }

    /// The connection is gone; a request whose content never came whole was not answered.
    mutating func recordEnd(_ context: inout LoopContext) {
        recordAborted(&context)
        if unfinished?.isRecorded == true { context.counters?.countInFlight(-1) }
        unfinished = nil
        // Behind a proxy that has said nothing, or something else, no handshake has begun.
        if tls != nil, !isHandshaken, !awaitsProxyHeader {
            context.counters?.countHandshakeError(handshakeError)
        }
        if listener != .admin { context.counters?.countPhase(countedPhase, nil) }
        context.admission?.leave(place)
    }

    /// Counts that the time of the connection's phase is over.
    func noteTimeout(_ context: inout LoopContext) {
        if listener != .admin { context.counters?.countTimeout(phase) }
    }

    /// Counts a handshake, once it is complete.
    mutating func noteHandshakeEnd(_ context: inout LoopContext) {
        guard let parameters = tls?.parameters else { return }
        isHandshaken = true
        context.counters?.countHandshake(
            isTLS13: parameters.isTLS13, isResumed: parameters.isResumed)
    }

    private func isRecorded(_ context: borrowing LoopContext) -> Bool {
        listener != .admin && (context.log.isOn || context.counters != nil)
    }

    /// Who asks is found out where somebody wants to know.
    private func makeTally(_ context: inout LoopContext) -> Tally {
        let exchange = context.log.exchange
        var tally = Tally(
            route: exchange.route, method: exchange.head?.method ?? .other,
            outcome: exchange.outcome)
        guard exchange.head != nil else { return tally }
        switch exchange.route {
        case .aasa, .assetlinks, .link: break
        default: guard context.log.isDetailed else { return tally }
        }
        let field = context.reader.fields.first(.userAgent) ?? 0..<0
        tally.visitor = context.visitors.find(context.input.storage, field)
        return tally
    }

    private mutating func makeEntry(_ tally: Tally, _ context: inout LoopContext) -> AccessEntry {
        var entry = AccessEntry()
        entry.client = context.log.exchange.client
        if let head = context.log.exchange.head {
            entry.requestLine = head.line
            entry.userAgent = context.reader.fields.first(.userAgent)
            entry.referer = context.reader.fields.first(.referer)
            if context.log.line.isDetailed { addDetails(tally, head, to: &entry) }
        } else {
            entry.requestLine = firstLine(context.log.exchange.start, &context)
        }
        guard context.log.line.isDetailed else { return entry }
        entry.identifier = context.log.exchange.identifier
        entry.traceParent = context.log.exchange.traceParent
        entry.peer = IPAddress(high: socket.peer.high, low: socket.peer.low)
        entry.fault = context.log.exchange.fault?.name
        entry.route = context.log.exchange.route.name
        entry.link = context.log.exchange.link
        if tls != nil { entry.handshake = noteHandshake(&context) }
        return entry
    }

    private func addDetails(_ tally: Tally, _ head: RequestHead, to entry: inout AccessEntry) {
        entry.method = head.methodName
        entry.host = head.host
        entry.path = head.path
        entry.isHTTP10 = head.isHTTP10
        entry.platform = tally.visitor.platformName
        entry.clientClass = tally.visitor.groupName
    }

    private mutating func noteHandshake(_ context: inout LoopContext) -> HandshakeNote {
        if let handshake, handshake.isLasting { return handshake }
        guard let parameters = tls?.parameters else { return .none }
        let facts = HandshakeFacts(
            version: parameters.version, cipher: parameters.cipherName,
            group: parameters.groupName, isResumed: parameters.isResumed)
        let note = context.log.line.noteHandshake(facts) { notes, place in
            tls?.copyServerName(into: &notes, at: place) ?? 0
        }
        handshake = note
        return note
    }

    /// What came in place of a request, up to the end of its first line.
    private func firstLine(_ start: Int, _ context: inout LoopContext) -> Range<Int> {
        var end = start
        while end < context.input.count, context.input.storage[end] != 0x0A,
            context.input.storage[end] != 0x0D
        {
            end += 1
        }
        return start..<end
    }
}

/// What will be told of a request when its answer is over.
struct UnfinishedRequest {
    var tally: Tally
    /// Nil where no lines are written.
    var line: KeptLine?
    /// What it is called, where its answer will say so.
    let saidIdentifier: [UInt8]?
    /// Whether anybody wants to hear of it.
    let isRecorded: Bool

    /// One of whose head nothing was kept: a log that begins before its answer is over has nothing
    /// to say of it.
    static var untold: UnfinishedRequest {
        UnfinishedRequest(tally: Tally(), line: nil, saidIdentifier: nil, isRecorded: false)
    }
}

/// An answer as far as it was written.
struct Written {
    let status: Int
    /// Of its content.
    var bytes: Int
}

/// What will be told of an answer once the socket has taken it, or the connection has ended.
struct UntakenAnswer {
    /// Where it ends among all bytes that the socket was handed.
    let end: Int
    /// Nil where no line is written.
    var told: (line: KeptLine, result: AccessResult)?
}
