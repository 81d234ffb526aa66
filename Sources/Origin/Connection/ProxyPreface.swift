import Answering
import ClientAddress
import Memory
import SiteConfiguration
import Snapshots

/// The bytes that come where the header of the PROXY protocol is expected: before everything else,
/// if the configuration asks for it.
enum ProxyPreface {
    /// More must come.
    case part
    /// The header has come whole.
    /// - Parameters:
    ///   - source: the client's address; nil if the proxy speaks for itself.
    ///   - length: of the header. What follows is the client's.
    case header(source: IPAddress?, length: Int)
    /// The bytes are no such header.
    case malformed(PeerFault)

    /// - Parameter bytesMax: the limit on the header's length.
    init(_ bytes: [UInt8], _ range: Range<Int>, bytesMax: Int) {
        do {
            let header = try ProxyHeader.read(bytes.span.extracting(range), bytesMax: bytesMax)
            self = header.map { .header(source: $0.source?.address, length: $0.length) } ?? .part
        } catch {
            let beginning = Array(bytes[range.prefix(Self.reportedBytesMax)])
            self = .malformed(.header("\(error)", begins: beginning))
        }
    }

    /// The number of bytes of a malformed header that are reported.
    private static let reportedBytesMax = 16
}

extension Connection {
    /// Reads the header of the PROXY protocol, and what has come after it.
    mutating func receiveProxyHeader(_ loop: inout LoopParts) -> Channel.Received {
        records.began = receivedMicroseconds
        loop.input.buffer.removeAll()
        loop.wire.received.removeAll()
        loop.wire.received.append(pending, 0..<pending.count)
        let limits = loop.turn.settings.limits
        let outcome = channel.receive(into: &loop.wire.received, atMost: limits.receiveBytesMax)
        guard loop.wire.received.count > pending.count else { return outcome }
        let received = 0..<loop.wire.received.count
        switch ProxyPreface(
            loop.wire.received.storage, received, bytesMax: limits.proxyHeaderBytesMax)
        {
        case .part:
            pending = Array(loop.wire.received.storage[received])
            return .some
        case .header(let source, let length):
            pending = []
            if let source, !countAddress(source, loop.recorder, &loop.gate, loop.turn) {
                return .nothing
            }
            exchange = .head
            return receiveRest(length..<received.upperBound, &loop)
        case .malformed(let fault):
            loop.recorder.counters?.countRejected(.proxyHeader)
            loop.gate.report(fault, from: sender, loop.turn)
            timer.close()
            return .nothing
        }
    }

    /// Ends a connection whose header did not come in time, which is reported unless it is the
    /// origin that has no more time.
    mutating func expireProxyHeader(_ gate: borrowing Gate, _ turn: borrowing Turn) {
        timer.close()
        guard !turn.isStopping else { return }
        let limits = turn.settings.limits
        let seconds =
            isOverLimit
            ? min(limits.overLimitSeconds, limits.handshakeSeconds) : limits.handshakeSeconds
        gate.report(.noHeader(seconds: seconds), from: sender, turn)
    }

    /// Counts the connection as one of this address; false when there are too many.
    private mutating func countAddress(
        _ address: IPAddress, _ recorder: borrowing RequestRecorder, _ gate: inout Gate,
        _ turn: borrowing Turn
    ) -> Bool {
        sender = address
        // Another trusted proxy, which names its clients in each request: they share its
        // connections.
        if turn.settings.proxies.header != nil, turn.settings.proxies.trusted.contain(address) {
            return true
        }
        switch gate.assign(ticket, to: address, turn) {
        case .admitted(let assigned):
            ticket = assigned
            if isOverLimit { timer.shorten(to: turn.settings.limits.overLimitSeconds, turn) }
            return true
        case .refused(let reason):
            ticket.isCounted = false
            recorder.counters?.countRejected(reason)
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
