import AccessLog
import ClientAddress
import HTTPMessages
import Memory
import Sockets
import TLS

// What the log hears of a connection's requests: a line for each answer, when it is over.

extension Connection {
    /// Notes that a request begins; its head, if it could be read, is in the bench's input.
    mutating func beginExchange(_ head: RequestHead?, at start: Int, _ bench: inout Bench) {
        var exchange = Exchange(head: head, start: start)
        switch head?.method {
        case nil: exchange.outcome = .refused
        case .get, .head: break
        default: exchange.outcome = .method
        }
        bench.log.exchange = exchange
    }

    /// Tells of an answer that was written whole.
    mutating func tell(_ result: Written, _ bench: inout Bench) {
        guard bench.log.isOn || keptLine != nil, listener != .admin else { return }
        let now = Clock.monotonicMicroseconds
        let access = AccessResult(
            status: result.status, bytes: result.bytes, microseconds: now - began)
        if let kept = keptLine {
            keptLine = nil
            return bench.log.write(kept, access)
        }
        let entry = makeEntry(&bench)
        bench.log.write(entry, access, bench.input.storage, now: now)
    }

    /// Keeps what can be told of a request whose answer is not over, as its head will be gone.
    mutating func keepLine(_ bench: inout Bench) {
        guard bench.log.isOn, listener != .admin, keptLine == nil else { return }
        let entry = makeEntry(&bench)
        keptLine = bench.log.keep(
            entry, bench.input.storage, now: Clock.monotonicMicroseconds)
    }

    /// Tells of an answer that ends now, whole or because the connection did.
    mutating func tellLong(_ bench: inout Bench) {
        guard var result = longAnswer else { return }
        longAnswer = nil
        result.bytes -= body?.range.count ?? 0
        tell(result, &bench)
    }

    private mutating func makeEntry(_ bench: inout Bench) -> AccessEntry {
        var entry = AccessEntry()
        let exchange = bench.log.exchange
        entry.identifier = bench.log.line.noteIdentifier()
        entry.peer = IPAddress(high: socket.peer.high, low: socket.peer.low)
        entry.client = entry.peer
        entry.route = exchange.route.name
        entry.outcome = exchange.outcome.name
        entry.link = exchange.link
        if let head = exchange.head {
            entry.requestLine = head.line
            entry.method = head.methodName
            entry.host = head.host
            entry.path = head.path
            entry.isHTTP10 = head.isHTTP10
            entry.userAgent = bench.reader.fields.first(.userAgent)
            entry.referer = bench.reader.fields.first(.referer)
        } else {
            entry.requestLine = firstLine(exchange.start, &bench)
        }
        if tls != nil, bench.log.line.tellsHandshakes { entry.handshake = noteHandshake(&bench) }
        return entry
    }

    private mutating func noteHandshake(_ bench: inout Bench) -> HandshakeNote {
        if let handshake, handshake.isLasting { return handshake }
        guard let parameters = tls?.parameters else { return .none }
        let facts = HandshakeFacts(
            version: parameters.version, cipher: parameters.cipherName,
            group: parameters.groupName, isResumed: parameters.isResumed)
        let note = bench.log.line.noteHandshake(facts) { notes, place in
            tls?.copyServerName(into: &notes, at: place) ?? 0
        }
        handshake = note
        return note
    }

    /// What came in place of a request, up to the end of its first line.
    private func firstLine(_ start: Int, _ bench: inout Bench) -> Range<Int> {
        var end = start
        while end < bench.input.count, bench.input.storage[end] != 0x0A,
            bench.input.storage[end] != 0x0D
        {
            end += 1
        }
        return start..<end
    }
}

/// An answer as far as it was written.
struct Written {
    let status: Int
    /// Of its content.
    var bytes: Int
}
