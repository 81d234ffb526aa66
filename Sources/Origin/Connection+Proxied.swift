import ClientAddress
import Memory
import SiteConfiguration
import Sockets

// The header of the PROXY protocol, which stands before everything else, where the configuration
// says that there is one.

extension Connection {
    /// Reads the header, and what has come after it.
    mutating func receiveProxyHeader(_ context: inout LoopContext) -> Received {
        receivedMicroseconds = context.microseconds
        beganMicroseconds = receivedMicroseconds
        context.input.removeAll()
        context.received.removeAll()
        context.received.append(pending, 0..<pending.count)
        let transfer = socket.receive(into: &context.received.storage, context.received.free)
        guard case .moved(let count) = transfer else { return ended(transfer) }
        context.received.grow(by: count)
        let received = 0..<context.received.count
        do {
            let header = try ProxyHeader.read(
                context.received.storage.span.extracting(received),
                bytesMax: context.limits.proxyHeaderBytesMax)
            guard let header else {
                pending = Array(context.received.storage[received])
                return .some
            }
            pending = []
            if let source = header.source?.address, !countAddress(source, &context) {
                return .nothing
            }
            awaitsProxyHeader = false
            return takeFirst(header.length..<received.upperBound, &context)
        } catch {
            context.counters?.countRejected(.proxyHeader)
            let beginning = context.received.storage[received.prefix(toldBytesMax)]
            context.note(.header("\(error)", begins: Array(beginning)), from: sender)
            phase = .closed
            return .nothing
        }
    }

    /// Ends a connection whose header did not come in time, which is told unless it is the origin
    /// that has no more time.
    mutating func expireProxyHeader(_ context: inout LoopContext) {
        phase = .closed
        guard !context.isStopping else { return }
        let limits = context.limits
        let seconds =
            isGuest ? min(limits.guestSeconds, limits.handshakeSeconds) : limits.handshakeSeconds
        context.note(.noHeader(seconds: seconds), from: sender)
    }

    /// Counts the connection as one of this address; false when there are too many.
    private mutating func countAddress(_ address: IPAddress, _ context: inout LoopContext) -> Bool {
        sender = address
        // Another trusted proxy, which names its clients in each request: they share its
        // connections.
        if context.proxies.header != nil, context.proxies.trusted.contain(address) { return true }
        switch context.assign(position, to: address) {
        case .admitted(let assigned):
            position = assigned
            if isGuest { hurry(&context) }
            return true
        case .refused(let reason):
            position.isCounted = false
            context.counters?.countRejected(reason)
            socket.resetWhenClosed()
            phase = .closed
            return false
        }
    }

    /// Takes what came together with the header: the beginning of a handshake, or of a request.
    private mutating func takeFirst(_ range: Range<Int>, _ context: inout LoopContext) -> Received {
        let isFull = range.upperBound == context.limits.receiveBytesMax
        guard !range.isEmpty else { return isFull ? .more : .some }
        guard tls == nil else { return decrypt(range, &context) }
        context.input.append(context.received.storage, range)
        return isFull ? .more : .some
    }
}

/// How many bytes of a malformed header are reported.
private let toldBytesMax = 16
