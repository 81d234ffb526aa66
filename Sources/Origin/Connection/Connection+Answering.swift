import Answering
import ClientAddress
import HTTPMessages
import Memory
import SiteConfiguration
import Snapshots
import Sockets
import TLS

// What moves whole requests through a connection: from the loop's input to its output.

extension Connection {
    /// Answers the whole requests in the loop's input, in order, until the connection has had its
    /// share of the loop's time, and keeps the rest.
    mutating func answerAll(_ loop: inout LoopParts) {
        var start = 0
        while takesRequests, !channel.isBlocked {
            do {
                guard try answerNext(&start, &loop) else { break }
            } catch {
                refuse(error.status, error.kind, at: start, &loop)
            }
        }
        if !takesRequests { start = loop.input.buffer.count }
        keep(start, &loop.input, &loop.recorder, &loop.gate, &loop.turn)
        flush(&loop)
    }

    /// Takes one step: a head, or a piece of content. False when more must come.
    private mutating func answerNext(
        _ start: inout Int, _ loop: inout LoopParts
    ) throws(MessageError) -> Bool {
        guard exchange.isHead else { return try takeContent(&start, &loop) }
        let end = loop.input.buffer.count
        guard start < end else { return false }
        if start > 0, yieldTurn(&loop.turn) { return false }
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

    /// Takes content, as far as it has come. False until its request is answered.
    @inline(never)
    private mutating func takeContent(
        _ start: inout Int, _ loop: inout LoopParts
    ) throws(MessageError) -> Bool {
        switch exchange {
        case .proxyHeader, .head: return false
        case .handled(let handling):
            let count = loop.input.buffer.count - start
            let route = handling.request.route
            // Content that is handed on in pieces has a bound of its own.
            guard
                count == 0 || route.isStreamed || route.isRefused
                    || loop.gate.takeMemory(bytes: 2 * count, loop.turn)
            else {
                loop.gate.report(.memory, turnedAway: 0, loop.turn)
                refuseHandled(.serviceUnavailable, nil, &loop, isForMemory: true)
                return false
            }
            try receive(handling, &start, loop.input)
            return false
        case .content(let content):
            let range = start..<loop.input.buffer.count
            start += try content.reader.take(loop.input.buffer.storage, range)
            guard content.reader.isFinished else { return false }
            finish(content, &loop)
            return true
        }
    }

    /// Answers a request whose head is whole, at once or after its content.
    private mutating func begin(_ head: RequestHead, _ loop: inout LoopParts) {
        clearIdentifier(&loop.writer)
        if listener == .admin {
            return answer(
                head, with: loop.admin.answer(head, loop.input, loop.snapshot, loop.turn), &loop)
        }
        prepareClient(head, &loop)
        let decided = loop.responder.answer(
            head, loop.input.buffer.storage, loop.input.reader.fields, loop.client,
            at: loop.turn.unixSeconds, &loop.request.summary)
        if loop.responder.siteNumber != loop.writer.siteNumber { loop.followSite() }
        answer(head, with: decided, &loop)
    }

    /// Asks for the answer that an inquiry needs.
    @inline(never)
    private mutating func answer(
        _ head: RequestHead, after inquiry: Inquiry, isHead: Bool, _ loop: inout LoopParts
    ) {
        if case .handled(let request) = inquiry { return beginHandled(request, head, &loop) }
        answer(head, with: loop.answer(inquiry, isHead: isHead), &loop)
    }

    /// Writes the answer to a request, or waits for the request's content.
    private mutating func answer(
        _ head: RequestHead, with answer: consuming Answer, _ loop: inout LoopParts
    ) {
        if case .later(let inquiry, let isHead) = answer {
            return self.answer(head, after: inquiry, isHead: isHead, &loop)
        }
        let ending = ending(after: head, loop.turn)
        if case .closes = ending, head.expectation == .other {
            loop.request.summary.outcome = .refused
            return write(.status(.expectationFailed, isHead: head.method.isHead), .closes, &loop)
        }
        if isOverLimit {
            if !loop.responder.isAlwaysAnswered(head, loop.input.buffer.storage, loop.client) {
                answer = limited(isHead: head.method.isHead, &loop.request.summary, loop.recorder)
            }
            return write(answer, .closes, &loop)
        }
        guard head.hasContent else { return write(answer, ending, &loop) }
        // What is of no site has nothing to wait for.
        guard loop.responder.siteNumber != nil else { return write(answer, .closes, &loop) }
        beginContent(head, answer, ending, &loop)
    }

    /// The ending of the response to a request: whether its connection can carry another.
    @inline(__always)
    func ending(after head: RequestHead, _ turn: borrowing Turn) -> Ending {
        guard head.isPersistent, !turn.isDraining,
            requests < turn.settings.limits.requestsPerConnectionMax
        else { return .closes }
        return head.isHTTP10 ? .staysForHTTP10 : .stays
    }

    /// The answer to a request over a connection beyond a limit.
    func limited(
        isHead: Bool, _ summary: inout RequestSummary, _ recorder: borrowing RequestRecorder
    ) -> Answer {
        recorder.counters?.countLimited(ticket.limit)
        summary.outcome = .limited
        return .status(
            ticket.limit == .address ? .tooManyRequests : .serviceUnavailable, isHead: isHead)
    }

    /// Lets the response carry no request id, until the request is identified.
    @inline(__always)
    private func clearIdentifier(_ writer: inout ResponseWriter) {
        if !writer.requestIdentifier.isEmpty { writer.setRequestIdentifier([]) }
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
            isSecure = loop.identify(head, from: sender, isSecure: isSecure)
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
            loop.request.summary.refuse(error.status, error.kind)
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
        timer.hasEndlessContent = false
        exchange = .content(
            DiscardedContent(
                reader, isHead: head.method.isHead,
                loop.writer.detached(answer, from: loop.input.buffer.storage), ending,
                loop.responder.site))
    }

    private mutating func finish(_ content: DiscardedContent, _ loop: inout LoopParts) {
        exchange = .head
        loop.writer.setRequestIdentifier(records.unfinishedIdentifier[...])
        loop.writer.use(content.site)
        // The origin may have been told to stop since the head came.
        write(content.answer, loop.turn.isDraining ? .closes : content.ending, &loop)
        loop.followSite()
        // A request that is pipelined after the content came with the content's end.
        records.began = receivedMicroseconds
    }

    /// Answers a malformed or incomplete request, and ends the connection.
    /// - Parameters:
    ///   - fault: what is wrong with it; nil where it did not come in time.
    ///   - start: where in the loop's input the malformed head begins.
    @inline(never)
    mutating func refuse(
        _ status: Status, _ fault: MessageError.Kind?, at start: Int, _ loop: inout LoopParts
    ) {
        let isHead: Bool
        switch exchange {
        case .handled: return refuseHandled(status, fault, &loop)
        case .content(let content):
            isHead = content.isHead
            loop.writer.setRequestIdentifier(records.unfinishedIdentifier[...])
            records.refuseUnfinished(Outcome(refusedWith: status), fault)
        case .proxyHeader, .head:
            isHead = loop.input.reader.method.isHead
            beginMalformed(at: start, RequestSummary(refusedWith: status, fault), &loop)
        }
        loop.responder.forgetSite()
        loop.request.summary.site = loop.responder.siteNumber
        if loop.responder.siteNumber != loop.writer.siteNumber { loop.followSite() }
        write(.status(status, isHead: isHead), .closes, &loop)
    }

    /// Begins the record of a request whose head could not be read.
    mutating func beginMalformed(
        at start: Int, _ summary: RequestSummary, _ loop: inout LoopParts
    ) {
        clearIdentifier(&loop.writer)
        loop.request.begin(malformedAt: start, summary, from: sender)
        loop.request.summary.site = loop.responder.siteNumber
        guard loop.recorder.writesLines else { return }
        loop.request.identifier = loop.recorder.makeIdentifier()
        if listener != .admin, loop.turn.settings.proxies.trusted.contain(sender) {
            loop.sendIdentifier()
        }
    }

    /// Writes an answer, and makes room for the next.
    mutating func write(_ answer: consuming Answer, _ ending: Ending, _ loop: inout LoopParts) {
        let rest = loop.writer.write(answer, ending, isSecure: isSecure, loop.input.buffer.storage)
        if case .closes = ending { closing = .lastAnswer }
        let bytes = loop.writer.output.count - loop.writer.headEnd + rest.count
        if !rest.isEmpty {
            channel.beginBody(loop.writer.takeBody(), rest)
            channel.write(&loop.writer.output, &loop.wire)
            guard channel.continueBody(&loop.wire, loop.turn.settings.limits) else {
                keepRecord(&loop)
                return records.begin(Written(status: loop.writer.status.rawValue, bytes: bytes))
            }
        }
        if records.hasUnfinished || loop.recorder.isOn {
            record(Written(status: loop.writer.status.rawValue, bytes: bytes), &loop)
        }
        if loop.writer.output.room < loop.turn.settings.answerBytesMax
            || loop.recorder.draftCount == draftsMax
        {
            flush(&loop)
        }
    }

    /// Keeps what of the loop's input was not answered.
    @inline(__always)
    private mutating func keep(
        _ start: Int, _ input: inout RequestInput, _ recorder: inout RequestRecorder,
        _ gate: inout Gate, _ turn: inout Turn
    ) {
        let rest = start..<input.buffer.count
        if rest.isEmpty {
            if !pending.isEmpty { pending = [] }
        } else if rest.count != pending.count || start > 0 {
            guard hasFreeMemory(bytes: 2 * rest.count) else {
                abort(.error)
                return noteMemoryShortage(&recorder, &gate, &turn)
            }
            pending = Array(input.buffer.storage[rest])
        }
    }

    func noteMemoryShortage(
        _ recorder: inout RequestRecorder, _ gate: inout Gate, _ turn: inout Turn
    ) {
        recorder.counters?.countRejected(.memory)
        gate.report(.memory, turnedAway: 1, turn)
    }

    // MARK: Recording

    mutating func record(_ result: Written, _ loop: inout LoopParts) {
        if !records.hasUnfinished {
            guard loop.recorder.isOn, listener != .admin else { return }
            noteLink(&loop)
        }
        records.finish(
            &loop.request, result, end: channel.handedBytes + loop.writer.output.count,
            &loop.recorder, &loop.visits, &loop.responder.visitors, &loop.input, &channel)
    }

    /// A client whose network has asked for too many unknown slugs learns nothing more by this
    /// connection. A proxy's connection is of many clients.
    @inline(__always)
    private mutating func noteLink(_ loop: inout LoopParts) {
        if loop.noteLink(), loop.request.client == sender { past.isGuesser = true }
    }

    mutating func keepRecord(_ loop: inout LoopParts) {
        // The loop's request is another one where this is the admin listener's, or was kept before.
        if listener != .admin, !records.hasUnfinished { noteLink(&loop) }
        records.keep(
            &loop.request, identifier: loop.writer.requestIdentifier,
            isRecorded: listener != .admin, &loop.recorder, &loop.visits,
            &loop.responder.visitors, &loop.input, &channel)
    }
}
