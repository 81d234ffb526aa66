import AccessLog
import HTTPMessages
import Memory
import Sockets
import TLS

// Requests out of the bytes that have come, each answered before the next one is looked at.

extension Connection {
    /// Answers every whole request in the context's input, in order, and keeps the rest.
    mutating func answerAll(_ context: inout LoopContext) {
        var start = 0
        while !isEnding, !isBlocked, phase != .closed {
            do {
                guard try answerNext(&start, &context) else { break }
            } catch {
                refuse(error.status, error.kind, at: start, &context)
            }
        }
        if isEnding || phase == .closed { start = context.input.count }
        keep(start, &context)
        flush(&context)
    }

    /// Takes one step: a head, or a piece of content. False when more must come.
    mutating func answerNext(
        _ start: inout Int, _ context: inout LoopContext
    ) throws(MessageError) -> Bool {
        let end = context.input.count
        if content != nil {
            start += try content?.take(context.input.storage, start..<end) ?? 0
            guard content?.isFinished == true else { return false }
            finishContent(&context)
            return true
        }
        guard start < end else { return false }
        guard let head = try context.reader.read(context.input.storage, start..<end) else {
            // Behind an empty line no request may ever come: none has begun.
            start += RequestReader.emptyLineBytes(context.input.storage, start..<end)
            return false
        }
        start += head.length
        requests += 1
        begin(head, &context)
        // What stands after it came with its end, however long its own pieces took.
        beganMicroseconds = receivedMicroseconds
        return true
    }

    /// Answers a malformed or incomplete request, and ends the connection.
    /// - Parameters:
    ///   - fault: what is wrong with it; nil where it did not come in time.
    ///   - start: where in the context's input the malformed head begins.
    mutating func refuse(
        _ status: Status, _ fault: MessageError.Kind?, at start: Int, _ context: inout LoopContext
    ) {
        let outcome = Outcome(refusedWith: status)
        let isHead = content == nil ? context.reader.method.isHead : isHeadRequest
        if content == nil {
            beginExchange(nil, at: start, &context)
            (context.log.exchange.outcome, context.log.exchange.fault) = (outcome, fault)
        } else {
            context.recall(unfinished?.saidIdentifier)
            unfinished?.tally.outcome = outcome
            if let fault { unfinished?.line?.note(fault: fault.name) }
        }
        write(.status(status, isHead: isHead), .closes, &context)
    }

    /// Answers a request whose head is whole, at once or after its content.
    mutating func begin(_ head: RequestHead, _ context: inout LoopContext) {
        if listener == .admin {
            context.log.exchange = Exchange()
        } else if context.isObserved {
            beginExchange(head, at: 0, &context)
            isSecure = context.noteSender(sender, isSecure: listener == .https)
        } else {
            isSecure = listener == .https
        }
        if requests == 1 {
            hasServerName = tls?.hasServerName ?? false
            certificateNumber = tls?.certificate?.number ?? 0
        }
        if context.certificateNumber != certificateNumber {
            context.certificate = tls?.certificate
        }
        var answer = context.answer(
            head, via: listener, isSecure: isSecure, hasServerName: hasServerName)
        var ending = Ending.closes
        if head.isPersistent, !context.isDraining,
            requests < context.limits.requestsPerConnectionMax
        {
            ending = head.isHTTP10 ? .staysForHTTP10 : .stays
        } else if head.expectation == .other {
            context.log.exchange.outcome = .refused
            answer = .status(.expectationFailed, isHead: head.method.isHead)
            return write(answer, .closes, &context)
        }
        if isGuest {
            answer = context.limit(answer, head, position.standing)
            return write(answer, .closes, &context)
        }
        guard head.hasContent else { return write(answer, ending, &context) }
        let reader: ContentReader
        do {
            reader = try ContentReader(head.framing, limits: context.limits.request)
        } catch {
            context.log.exchange.outcome = Outcome(refusedWith: error.status)
            context.log.exchange.fault = error.kind
            return write(
                .status(error.status, isHead: head.method.isHead), .closes, &context)
        }
        if head.expectation == .continuing {
            // The content would change nothing, so it is not asked for. It may be under way all
            // the same: the connection must close (RFC 9110 §10.1.1).
            switch head.method {
            case .get, .head: break
            default: return write(answer, .closes, &context)
            }
            context.output.append("HTTP/1.1 100 Continue\r\n\r\n")
        }
        keepUnfinished(&context)
        isHeadRequest = head.method.isHead
        content = reader
        answerAfterContent = context.keep(answer, ending)
    }

    mutating func finishContent(_ context: inout LoopContext) {
        content = nil
        guard let waiting = answerAfterContent else { return }
        answerAfterContent = nil
        context.recall(unfinished?.saidIdentifier)
        let inForce = context.snapshot
        context.writeFrom(waiting.snapshot)
        // The origin may have been told to stop since the head came.
        write(waiting.answer, context.isDraining ? .closes : waiting.ending, &context)
        context.writeFrom(inForce)
        // A request that is pipelined after the content came with the content's end.
        beganMicroseconds = receivedMicroseconds
    }

    /// Writes an answer into the context's output, and makes room there for the next.
    mutating func write(_ answer: consuming Answer, _ ending: Ending, _ context: inout LoopContext)
    {
        context.isSecure = isSecure
        let rest = context.write(consume answer, ending)
        if case .closes = ending { isEnding = true }
        if !rest.isEmpty {
            let result = context.written(rest: rest.count)
            body = (context.takeBody(), rest)
            encryptOutput(&context)
            guard continueBody(&context) else {
                longAnswer = result
                return keepUnfinished(&context)
            }
            record(result, &context)
        } else if context.isObserved || unfinished != nil {
            record(context.written(rest: 0), &context)
        }
        let answerBytesMax = context.limits.answerBytesMax + context.limits.copiedBodyBytesMax
        if context.output.room < answerBytesMax || context.log.draftCount == draftsMax {
            flush(&context)
        }
    }

    /// Keeps what of the context's input was not answered.
    mutating func keep(_ start: Int, _ context: inout LoopContext) {
        let rest = start..<context.input.count
        if rest.isEmpty {
            if !pending.isEmpty { pending = [] }
        } else if rest.count != pending.count || start > 0 {
            guard hasFreeMemory(bytes: 2 * rest.count) else { return endWithoutMemory(&context) }
            pending = Array(context.input.storage[rest])
        }
    }
}
