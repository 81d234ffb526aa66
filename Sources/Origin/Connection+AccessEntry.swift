import AccessLog
import ClientAddress
import HTTPMessages
import Memory
import Sockets
import TLS

// What the access log and the counters are given of the current request.
extension Connection {
    /// The user agent is looked up only where a counter or the line needs it.
    func makeTally(_ context: inout LoopContext) -> Tally {
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

    mutating func makeEntry(_ tally: Tally, _ context: inout LoopContext) -> AccessEntry {
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
        let note = context.log.line.noteHandshake(facts) { notes, position in
            tls?.copyServerName(into: &notes, at: position) ?? 0
        }
        handshake = note
        return note
    }

    /// The first line of a malformed request.
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
