import Answering
import ClientAddress
import HTTPMessages
import Memory
import SiteConfiguration
import Sockets

/// A request that a handler answers, as its connection sees it.
final class Handling {
    let request: HandledRequest
    let ending: Ending
    /// The site of its host.
    let site: PreparedSite?
    /// How far the handler is: it has no other time limit than that for each step.
    var steps = 0
    /// Of the answer, once its head was written.
    var written: Written?
    /// Whether the length of the answer was not known at its head.
    var isChunked = false
    /// Whether the answer is the connection's last.
    var closes = false

    init(_ request: HandledRequest, _ ending: Ending, _ site: PreparedSite?) {
        (self.request, self.ending, self.site) = (request, ending, site)
    }
}

extension Connection {
    /// Hands a request to its handler, with the content that comes with the head.
    @inline(never)
    mutating func beginHandled(
        _ request: HandledRequest, _ head: RequestHead, _ loop: inout LoopParts
    ) {
        let isHead = head.method.isHead
        guard !isOverLimit else { return write(limited(isHead: isHead, &loop), .closes, &loop) }
        guard head.expectation != .other else {
            loop.responder.summary.outcome = .refused
            return write(.status(.expectationFailed, isHead: isHead), .closes, &loop)
        }
        var limits = loop.turn.settings.limits.request
        limits.contentBytesMax = request.route.bytesMax
        let ending = ending(after: head, loop)
        var site: PreparedSite?
        if case .site = request.head.scope { site = loop.responder.site }
        let handling = Handling(request, ending, site)
        keepRecord(&loop)
        isHeadRequest = isHead
        self.handling = handling
        do {
            content = try ContentReader(head.framing, limits: limits)
        } catch {
            return refuseHandled(error.status, error.kind, &loop)
        }
        let isWhole = content?.isFinished == true
        if head.expectation == .continuing, !isWhole {
            guard request.route.bytesMax > 0 else {
                return refuseHandled(.contentTooLarge, .contentTooLarge, &loop)
            }
            if !request.route.isRefused {
                loop.writer.output.append("HTTP/1.1 100 Continue\r\n\r\n")
            }
        }
        timer.hasEndlessContent = request.route.isStreamed
        let token = Token.connection(Int(slot), generation)
        let isIdentified = listener != .admin && loop.identifiesRequests
        let client = isIdentified ? loop.recorder.current.client : sender
        request.start(of: "\(client)") { [tokens = loop.handledTokens] in
            tokens?.add(token)
        }
        // What has come together with the head decides how a refusal ends.
        guard isWhole || !request.route.isRefused else { return }
        if !request.receive([], isLast: isWhole) { channel.hold() }
    }

    /// Hands over content, as far as it has come; false until the answer has been given.
    @inline(never)
    mutating func receiveHandled(
        _ start: inout Int, _ loop: inout LoopParts
    ) throws(MessageError) -> Bool {
        guard let handling, content?.isFinished == false else { return false }
        let isRefused = handling.request.route.isRefused
        guard start < loop.input.buffer.count || isRefused else { return false }
        var piece = [UInt8]()
        let range = start..<loop.input.buffer.count
        start +=
            try content?.take(loop.input.buffer.storage, range) {
                if !isRefused { piece += loop.input.buffer.storage[$0] }
            } ?? 0
        let isWhole = content?.isFinished == true
        guard !piece.isEmpty || isWhole || isRefused else { return false }
        if !handling.request.receive(piece, isLast: isWhole) { channel.hold() }
        return false
    }

    /// The handler has taken content, or given a part of its answer.
    mutating func advanceHandled(_ loop: inout LoopParts) {
        guard let handling, !isClosed else { return }
        handling.steps += 1
        // What the socket has not taken comes first.
        guard channel.interest != .writing else { return }
        sendHandled(handling, &loop)
    }

    /// The socket takes more, or the peer has reset the connection.
    mutating func resumeHandled(_ loop: inout LoopParts) {
        guard let handling else { return }
        if channel.isHeld { channel.lose() }
        guard !isClosed, channel.resume(&loop.wire, loop.turn.settings.limits) else {
            return settle(&loop)
        }
        records.publishTaken(&loop.recorder, channel)
        sendHandled(handling, &loop)
    }

    /// Sends what the handler has given, as far as the socket takes it.
    private mutating func sendHandled(_ handling: Handling, _ loop: inout LoopParts) {
        loop.input.buffer.removeAll()
        sending: while !isClosed, channel.interest != .writing {
            switch handling.request.takeOutput() {
            case .nothing: break sending
            case .head(let status, let fields, let length):
                writeHead(of: handling, status, fields, length, &loop)
            case .piece(let bytes): sendPiece(bytes, handling, &loop)
            case .end: return finishHandled(handling, &loop)
            case .aborted:
                refuseHandled(.internalServerError, nil, &loop)
                return continueAfterHandled(&loop)
            }
        }
        flush(&loop)
        guard !isClosed, channel.interest != .writing else { return settle(&loop) }
        if handling.request.hasRoom { channel.release() } else { channel.hold() }
        if hasEnded, !channel.isBlocked { endOfInput(&loop) }
        settle(&loop)
    }

    private mutating func writeHead(
        of handling: Handling, _ status: Status, _ fields: [UInt8], _ length: Int?,
        _ loop: inout LoopParts
    ) {
        let request = handling.request
        var ending = handling.ending
        // Content that is still to come is not read any more.
        if loop.turn.isDraining || !request.isContentWhole { ending = .closes }
        if length == nil, request.head.isHTTP10 { ending = .closes }
        handling.isChunked = length == nil && !request.head.isHTTP10 && !isHeadRequest
        if case .closes = ending { handling.closes = true }
        loop.writer.setRequestIdentifier(records.unfinishedIdentifier[...])
        useSite(of: handling, &loop)
        loop.writer.writeHandled(
            status, fields, length: length, isChunked: length == nil && !request.head.isHTTP10,
            ending, isSecure: isSecure)
        loop.followSite()
        handling.written = Written(status: status.rawValue, bytes: 0)
    }

    /// Another host gets nothing of a site.
    private func useSite(of handling: Handling, _ loop: inout LoopParts) {
        if let site = handling.site { loop.writer.use(site) } else { loop.writer.useSite(nil) }
    }

    private mutating func sendPiece(
        _ bytes: [UInt8], _ handling: Handling, _ loop: inout LoopParts
    ) {
        channel.write(&loop.writer.output, &loop.wire)
        guard !isHeadRequest, channel.failure == nil else { return }
        handling.written?.bytes += bytes.count
        var framed = bytes
        if handling.isChunked {
            framed = Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [0x0D, 0x0A]
        }
        let range = 0..<framed.count
        channel.beginBody(.bytes(framed), range)
        _ = channel.continueBody(&loop.wire, loop.turn.settings.limits)
    }

    private mutating func finishHandled(_ handling: Handling, _ loop: inout LoopParts) {
        if handling.isChunked { loop.writer.output.append("0\r\n\r\n") }
        if handling.closes { isEnding = true }
        noteMiss(of: handling, &loop)
        self.handling = nil
        content = nil
        if let written = handling.written { record(written, &loop) }
        continueAfterHandled(&loop)
    }

    /// A client that is the connection's own learns nothing more by it, once its network has asked
    /// for too many unknown slugs.
    private mutating func noteMiss(of handling: Handling, _ loop: inout LoopParts) {
        guard let slug = handling.request.missedSlug,
            let client = IPAddress(handling.request.client),
            loop.noteMiss(of: client, slug: slug), client == sender
        else { return }
        past.isGuesser = true
    }

    /// Answers what was pipelined behind a request that a handler has answered.
    private mutating func continueAfterHandled(_ loop: inout LoopParts) {
        channel.release()
        records.began = receivedMicroseconds
        takePending(&loop.input)
        answerAll(&loop)
        if hasEnded, !channel.isBlocked { endOfInput(&loop) }
        settle(&loop)
    }

    /// Answers in place of the handler, which is told. An answer that has begun ends with a reset.
    /// - Parameter fault: what is wrong with the content; nil where time is over.
    @inline(never)
    mutating func refuseHandled(
        _ status: Status, _ fault: MessageError.Kind?, _ loop: inout LoopParts
    ) {
        guard let handling else { return }
        channel.release()
        guard handling.written == nil else {
            channel.resetWhenClosed()
            abortReason = status == .internalServerError ? .error : .timeout
            return timer.close()
        }
        let request = handling.request
        cancelHandled()
        let ending = request.isContentWhole && !loop.turn.isDraining ? handling.ending : .closes
        content = nil
        loop.writer.setRequestIdentifier(records.unfinishedIdentifier[...])
        let outcome =
            switch status {
            case .serviceUnavailable: Outcome.timeout
            case .internalServerError: Outcome.handled
            default: Outcome(refusedWith: status)
            }
        records.refuseUnfinished(outcome, fault)
        let detail =
            switch status {
            case .contentTooLarge:
                "the content of this request may have at most \(request.route.bytesMax) bytes"
                    + (request.head.value(of: "content-length").map { ", not \($0)" } ?? "")
            case .requestTimeout: "the content of this request came too slowly"
            case .serviceUnavailable: "the answer to this request took too long"
            case .internalServerError: "the answer to this request failed"
            default: "the content of this request is malformed"
            }
        useSite(of: handling, &loop)
        let type = request.route.problemTypes[status.rawValue]
        write(.document(.problem(status, detail, type: type), isHead: isHeadRequest), ending, &loop)
        loop.followSite()
    }

    /// Lets a handler answer that can, where its content has stopped to come.
    /// - Returns: whether it will.
    mutating func stallHandled() -> Bool {
        guard let handling, handling.request.route.answersStalls, handling.written == nil else {
            return false
        }
        content = nil
        channel.hold()
        handling.request.stall()
        return true
    }

    /// Tells the handler that its answer is not wanted any more.
    mutating func cancelHandled() {
        guard let handling else { return }
        self.handling = nil
        if let written = handling.written { records.begin(written) }
        handling.request.cancel()
    }
}
