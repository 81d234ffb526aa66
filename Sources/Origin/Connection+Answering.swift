import AccessLog
import HTTPMessages
import Memory
import Sockets
import TLS

// Requests out of the bytes that have come, each answered before the next one is looked at.

extension Connection {
    /// Answers every whole request in the bench's input, in order, and keeps the rest.
    mutating func answerAll(_ bench: inout Bench) {
        var start = 0
        while !isEnding, !isBlocked, phase != .closed {
            do {
                guard try answerNext(&start, &bench) else { break }
            } catch {
                refuse(error.status, error.kind, at: start, &bench)
            }
        }
        if isEnding || phase == .closed { start = bench.input.count }
        keep(start, &bench)
        flush(&bench)
    }

    /// Takes one step: a head, or a piece of content. False when more must come.
    mutating func answerNext(
        _ start: inout Int, _ bench: inout Bench
    ) throws(MessageError) -> Bool {
        let end = bench.input.count
        if content != nil {
            start += try content?.take(bench.input.storage, start..<end) ?? 0
            guard content?.isFinished == true else { return false }
            finishContent(&bench)
            return true
        }
        guard start < end else { return false }
        guard let head = try bench.reader.read(bench.input.storage, start..<end) else {
            // Behind an empty line no request may ever come: none has begun.
            start += RequestReader.emptyLineBytes(bench.input.storage, start..<end)
            return false
        }
        start += head.length
        requests += 1
        begin(head, &bench)
        // What stands behind it came in this turn, however long its own pieces took.
        began = bench.microseconds
        return true
    }

    /// Answers what is no request, or none that is whole, and ends the connection.
    /// - Parameters:
    ///   - fault: what is wrong with it; nil where it did not come in time.
    ///   - start: where in the bench's input a head begins that cannot be read.
    mutating func refuse(
        _ status: Status, _ fault: MessageError.Kind?, at start: Int, _ bench: inout Bench
    ) {
        let outcome = Outcome(refusedWith: status)
        let isHead = content == nil ? bench.reader.method.isHead : isHeadRequest
        if content == nil {
            beginExchange(nil, at: start, &bench)
            (bench.log.exchange.outcome, bench.log.exchange.fault) = (outcome, fault)
        } else {
            bench.recall(held?.saidIdentifier)
            held?.tally.outcome = outcome
            if let fault { held?.line?.note(fault: fault.name) }
        }
        write(.status(status, isHead: isHead), .closes, &bench)
    }

    /// Answers a request whose head is whole, at once or after its content.
    mutating func begin(_ head: RequestHead, _ bench: inout Bench) {
        if listener == .admin {
            bench.log.exchange = Exchange()
        } else if bench.isObserved {
            beginExchange(head, at: 0, &bench)
            isSecure = bench.noteSender(sender, isSecure: listener == .https)
        } else {
            isSecure = listener == .https
        }
        if requests == 1 { hasServerName = tls?.hasServerName ?? false }
        var answer = bench.answer(
            head, via: listener, isSecure: isSecure, hasServerName: hasServerName)
        var ending = Ending.closes
        if head.isPersistent, !bench.isDraining, requests < bench.limits.requestsPerConnectionMax {
            ending = head.isHTTP10 ? .staysForHTTP10 : .stays
        } else if head.expectation == .other {
            bench.log.exchange.outcome = .refused
            answer = .status(.expectationFailed, isHead: head.method.isHead)
            return write(answer, .closes, &bench)
        }
        if isGuest {
            answer = bench.limit(answer, head, place.standing)
            return write(answer, .closes, &bench)
        }
        guard head.hasContent else { return write(answer, ending, &bench) }
        let reader: ContentReader
        do {
            reader = try ContentReader(head.framing, limits: bench.limits.request)
        } catch {
            bench.log.exchange.outcome = Outcome(refusedWith: error.status)
            bench.log.exchange.fault = error.kind
            return write(
                .status(error.status, isHead: head.method.isHead), .closes, &bench)
        }
        if head.expectation == .continuing {
            // Content that would change nothing is not asked for; without it the connection
            // cannot go on, as it may be under way all the same (RFC 9110 §10.1.1).
            switch head.method {
            case .get, .head: break
            default: return write(answer, .closes, &bench)
            }
            bench.output.append("HTTP/1.1 100 Continue\r\n\r\n")
        }
        hold(&bench)
        isHeadRequest = head.method.isHead
        content = reader
        answerAfterContent = bench.keep(answer, ending)
    }

    mutating func finishContent(_ bench: inout Bench) {
        content = nil
        guard let waiting = answerAfterContent else { return }
        answerAfterContent = nil
        bench.recall(held?.saidIdentifier)
        let inForce = bench.snapshot
        bench.writeFrom(waiting.snapshot)
        // The origin may have been told to stop since the head came.
        write(waiting.answer, bench.isDraining ? .closes : waiting.ending, &bench)
        bench.writeFrom(inForce)
        began = bench.microseconds
    }

    /// Writes an answer into the bench's output, and makes room there for the next.
    mutating func write(_ answer: consuming Answer, _ ending: Ending, _ bench: inout Bench) {
        bench.isSecure = isSecure
        let rest = bench.write(consume answer, ending)
        if case .closes = ending { isEnding = true }
        if !rest.isEmpty {
            let result = bench.written(rest: rest.count)
            body = (bench.takeBody(), rest)
            encryptOutput(&bench)
            guard continueBody(&bench) else {
                longAnswer = result
                return hold(&bench)
            }
            tell(result, &bench)
        } else if bench.isObserved || held != nil {
            tell(bench.written(rest: 0), &bench)
        }
        let answerBytesMax = bench.limits.answerBytesMax + bench.limits.copiedBodyBytesMax
        if bench.output.room < answerBytesMax || bench.log.draftCount == draftsMax { flush(&bench) }
    }

    /// Keeps what of the bench's input was not answered.
    mutating func keep(_ start: Int, _ bench: inout Bench) {
        let rest = start..<bench.input.count
        if rest.isEmpty {
            if !pending.isEmpty { pending = [] }
        } else if rest.count != pending.count || start > 0 {
            guard hasFreeMemory(bytes: 2 * rest.count) else { return endWithoutMemory(&bench) }
            pending = Array(bench.input.storage[rest])
        }
    }
}
