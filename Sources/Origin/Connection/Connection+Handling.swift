import Answering
import ClientAddress
import HTTPMessages
import Memory
import SiteConfiguration
import Snapshots
import Sockets

/// A request that a handler answers, as its connection sees it.
final class Handling {
    let request: HandledRequest
    let ending: Ending
    /// The site of its host.
    let site: PreparedSite?
    /// Reads its content; nil where that was malformed, or has stopped to come.
    var content: ContentReader?
    /// The steps that the handler has taken: it has no other time limit than that for each step.
    var steps = 0
    /// Of the answer, once its head was written.
    var written: Written?
    /// Whether the length of the answer was not known at its head.
    var isChunked = false
    /// Whether the answer is the connection's last.
    var closes = false
    /// Whether the request is a HEAD: its response has no content, whatever its status.
    var isHead: Bool { request.head.method.isHead }

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
        guard !isOverLimit else {
            let answer = limited(isHead: isHead, &loop.request.summary, loop.recorder)
            return write(answer, .closes, &loop)
        }
        guard head.expectation != .other else {
            loop.request.summary.outcome = .refused
            return write(.status(.expectationFailed, isHead: isHead), .closes, &loop)
        }
        var limits = loop.turn.settings.limits.request
        limits.contentBytesMax = request.route.bytesMax
        let ending = ending(after: head, loop.turn)
        var site: PreparedSite?
        if case .site = request.head.scope { site = loop.responder.site }
        let handling = Handling(request, ending, site)
        keepRecord(&loop)
        exchange = .handled(handling)
        do {
            handling.content = try ContentReader(head.framing, limits: limits)
        } catch {
            return refuseHandled(error.status, error.kind, &loop)
        }
        let isWhole = handling.content?.isFinished == true
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
        let client = isIdentified ? loop.request.client : sender
        let isByProxy = listener != .admin && loop.turn.settings.proxies.trusted.contain(sender)
        request.start(of: "\(client)", byProxy: isByProxy) { [tokens = loop.handledTokens] in
            tokens?.add(token)
        }
        // What has come together with the head decides how a refusal ends.
        guard isWhole || !request.route.isRefused else { return }
        if !request.receive([], isLast: isWhole) { channel.hold() }
    }

    /// Hands over content, as far as it has come.
    mutating func receive(
        _ handling: Handling, _ start: inout Int, _ input: borrowing RequestInput
    ) throws(MessageError) {
        guard handling.content?.isFinished == false else { return }
        let isRefused = handling.request.route.isRefused
        guard start < input.buffer.count || isRefused else { return }
        var piece = [UInt8]()
        let range = start..<input.buffer.count
        start +=
            try handling.content?.take(input.buffer.storage, range) {
                if !isRefused { piece += input.buffer.storage[$0] }
            } ?? 0
        let isWhole = handling.content?.isFinished == true
        guard !piece.isEmpty || isWhole || isRefused else { return }
        if !handling.request.receive(piece, isLast: isWhole) { channel.hold() }
    }

    /// The handler has taken content, or given a part of its answer.
    mutating func advanceHandled(_ loop: inout LoopParts) {
        guard case .handled(let handling) = exchange, !isClosed else { return }
        handling.steps += 1
        // What the socket has not taken comes first.
        guard channel.interest != .writing else { return }
        sendHandled(handling, &loop)
    }

    /// The socket takes more.
    mutating func resumeHandled(_ loop: inout LoopParts) {
        guard case .handled(let handling) = exchange else { return }
        guard !isClosed, channel.resume(&loop.wire, loop.turn.settings.limits) else {
            return settle(&loop.turn)
        }
        records.publishTaken(&loop.recorder, &channel)
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
            case .piece(let bytes):
                send(bytes, handling, &loop.writer.output, &loop.wire, loop.turn)
            case .end: return finishHandled(handling, &loop)
            case .aborted:
                refuseHandled(.internalServerError, nil, &loop)
                return continueAfterHandled(&loop)
            }
        }
        flush(&loop)
        guard !isClosed, channel.interest != .writing else { return settle(&loop.turn) }
        if handling.request.hasRoom { channel.release() } else { channel.hold() }
        if closing.isInputEnded, !channel.isBlocked { endOfInput(&loop.wire, &loop.turn) }
        settle(&loop.turn)
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
        handling.isChunked = length == nil && !request.head.isHTTP10 && !handling.isHead
        if case .closes = ending { handling.closes = true }
        loop.writer.setRequestIdentifier(records.unfinishedIdentifier[...])
        useSite(of: handling, &loop.writer)
        loop.writer.writeHandled(
            status, fields, length: length, isChunked: length == nil && !request.head.isHTTP10,
            ending, isSecure: isSecure)
        loop.followSite()
        handling.written = Written(status: status.rawValue, bytes: 0)
    }

    /// Another host gets nothing of a site.
    private func useSite(of handling: Handling, _ writer: inout ResponseWriter) {
        if let site = handling.site { writer.use(site) } else { writer.useSite(nil) }
    }

    private mutating func send(
        _ bytes: [UInt8], _ handling: Handling, _ output: inout ByteBuffer, _ wire: inout Wire,
        _ turn: borrowing Turn
    ) {
        channel.write(&output, &wire)
        guard !handling.isHead, channel.failure == nil else { return }
        handling.written?.bytes += bytes.count
        var framed = bytes
        if handling.isChunked {
            framed = Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [0x0D, 0x0A]
        }
        let range = 0..<framed.count
        channel.beginBody(.generated(framed), range)
        _ = channel.continueBody(&wire, turn.settings.limits)
    }

    private mutating func finishHandled(_ handling: Handling, _ loop: inout LoopParts) {
        if handling.isChunked { loop.writer.output.append("0\r\n\r\n") }
        if handling.closes { closing = .lastAnswer }
        noteMiss(of: handling, &loop)
        exchange = .head
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

    /// Goes on behind a request that a handler has answered. A handler may work on the loop's time, so requests that are pipelined there wait
    /// for a turn.
    private mutating func continueAfterHandled(_ loop: inout LoopParts) {
        channel.release()
        records.began = receivedMicroseconds
        guard !pending.isEmpty, takesRequests, listener != .admin else {
            return answerPending(&loop)
        }
        flush(&loop)
        channel.hold(for: .turn)
        settle(&loop.turn)
    }

    /// Answers in place of the handler, which is told. An answer that has begun ends with a reset.
    /// - Parameters:
    ///   - fault: what is wrong with the content; nil where time is over.
    ///   - isForMemory: whether there is no memory for the content.
    @inline(never)
    mutating func refuseHandled(
        _ status: Status, _ fault: MessageError.Kind?, _ loop: inout LoopParts,
        isForMemory: Bool = false
    ) {
        guard case .handled(let handling) = exchange else { return }
        channel.release()
        guard handling.written == nil else {
            channel.resetWhenClosed()
            return abort(isForMemory || status == .internalServerError ? .error : .timeout)
        }
        let request = handling.request
        cancelHandled(isRefused: true)
        let ending = request.isContentWhole && !loop.turn.isDraining ? handling.ending : .closes
        loop.writer.setRequestIdentifier(records.unfinishedIdentifier[...])
        let outcome =
            switch status {
            case .serviceUnavailable: isForMemory ? Outcome.handled : Outcome.timeout
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
            case .serviceUnavailable where isForMemory:
                "there is no memory for the content of this request now"
            case .serviceUnavailable: "the answer to this request took too long"
            case .internalServerError: "the answer to this request failed"
            default: "the content of this request is malformed"
            }
        useSite(of: handling, &loop.writer)
        let type = request.route.problemTypes[status.rawValue]
        write(
            .document(.problem(status, detail, type: type), isHead: handling.isHead), ending,
            &loop)
        loop.followSite()
    }

    /// Lets a handler answer that can, where its content has stopped to come.
    /// - Returns: whether it will.
    mutating func stallHandled() -> Bool {
        guard case .handled(let handling) = exchange, handling.request.route.answersStalls,
            handling.written == nil
        else { return false }
        handling.content = nil
        channel.hold()
        handling.request.stall()
        return true
    }

    /// Tells the handler that its answer is not wanted any more.
    mutating func cancelHandled(isRefused: Bool = false) {
        guard case .handled(let handling) = exchange else { return }
        exchange = .head
        if let written = handling.written { records.begin(written) }
        handling.request.cancel(isRefused: isRefused)
    }
}
