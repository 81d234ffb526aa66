import AccessLog
import ClientAddress
import HTTPMessages
import Memory
import SiteConfiguration
import Sockets
import TLS

// What is recorded of a connection's requests: counters, and a line of the access log for each
// answer, once the socket has taken it or the connection has ended.

extension Connection {
    /// Begins the record of a request; its head, if it could be read, is in the context's input.
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

    /// Records an answer that was written whole.
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

    /// Keeps what will be recorded of a request whose answer takes more than one turn: by then its
    /// head is no longer in the input.
    mutating func keepUnfinished(_ context: inout LoopContext) {
        guard unfinished == nil else { return }
        let said =
            context.log.exchange.saysIdentifier
            ? Array(context.log.line.notes[context.log.exchange.identifier]) : nil
        guard isRecorded(context) else {
            return unfinished = .unrecorded(saidIdentifier: said)
        }
        let tally = makeTally(&context)
        var line: KeptLine?
        if context.log.isOn {
            let entry = makeEntry(tally, &context)
            line = context.log.keep(entry, context.input.storage, now: Clock.monotonicMicroseconds)
        }
        unfinished = UnfinishedRequest(
            tally: tally, line: line, saidIdentifier: said, beganMicroseconds: beganMicroseconds,
            isRecorded: true)
        context.counters?.countInFlight(1)
    }

    private mutating func recordUnfinished(
        _ result: Written, _ reason: AbortReason?, _ context: inout LoopContext
    ) {
        guard let request = unfinished else { return }
        unfinished = nil
        guard request.isRecorded else { return }
        let elapsed = Clock.monotonicMicroseconds - request.beganMicroseconds
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

    /// Publishes the lines of answers that the socket has taken, and keeps those of the others.
    mutating func settleDrafts(_ context: inout LoopContext) {
        if unsent.isEmpty, phase != .closed {
            context.log.publish()
        } else {
            let taken = handedBytes - (unsent.count - unsentStart)
            context.log.takeBack(takenUpTo: taken, into: &untakenAnswers)
        }
    }

    /// Records answers that took more than one turn, now that the socket has taken them whole.
    mutating func recordTaken(_ context: inout LoopContext) {
        recordUntaken(takenUpTo: handedBytes, &context)
        guard let result = longAnswer else { return }
        longAnswer = nil
        record(result, &context)
        context.log.publish()
    }

    /// Records answers that are cut off because the connection ends. What the kernel still holds
    /// of them may never arrive, and is not counted.
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

    /// Records that the connection has ended. A request whose content did not come whole was not
    /// answered, and has no line.
    mutating func recordEnd(_ context: inout LoopContext) {
        recordAborted(&context)
        if unfinished?.isRecorded == true { context.counters?.countInFlight(-1) }
        unfinished = nil
        // Behind a proxy that has said nothing, or something else, no handshake has begun.
        if tls != nil, !isHandshaken, !awaitsProxyHeader {
            context.counters?.countHandshakeError(handshakeError)
        }
        if listener != .admin { context.counters?.countPhase(countedPhase, nil) }
        context.admission?.leave(position)
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
}
