import ClientAddress
import Memory
import SiteConfiguration
import Sockets

// The header of the PROXY protocol, which stands before everything else, where the configuration
// says that there is one.

extension Connection {
    /// Reads the header, and what has come behind it.
    mutating func receiveProxyHeader(_ bench: inout Bench) -> Received {
        began = bench.microseconds
        bench.input.removeAll()
        bench.received.removeAll()
        bench.received.append(pending, 0..<pending.count)
        let transfer = socket.receive(into: &bench.received.storage, bench.received.free)
        guard case .moved(let count) = transfer else { return ended(transfer) }
        bench.received.grow(by: count)
        let received = 0..<bench.received.count
        do {
            let header = try ProxyHeader.read(
                bench.received.storage.span.extracting(received),
                bytesMax: bench.limits.proxyHeaderBytesMax)
            guard let header else {
                pending = Array(bench.received.storage[received])
                return .some
            }
            pending = []
            if let source = header.source?.address, !takeSeat(source, &bench) { return .nothing }
            awaitsProxyHeader = false
            return takeFirst(header.length..<received.upperBound, &bench)
        } catch {
            bench.counters?.countRejected(.proxyHeader)
            let beginning = bench.received.storage[received.prefix(toldBytesMax)]
            bench.note(.header("\(error)", begins: Array(beginning)), from: sender)
            phase = .closed
            return .nothing
        }
    }

    /// Ends a connection whose header did not come in time.
    mutating func expireProxyHeader(_ bench: inout Bench) {
        bench.note(.noHeader(seconds: bench.limits.handshakeSeconds), from: sender)
        phase = .closed
    }

    /// Counts the connection as one of this address; false when there are too many.
    private mutating func takeSeat(_ address: IPAddress, _ bench: inout Bench) -> Bool {
        sender = address
        // A further proxy, which tells its clients in each request: its connections are many's.
        if bench.proxies.header != nil, bench.proxies.trusted.contain(address) { return true }
        switch bench.seat(address, place) {
        case .admitted(let seated):
            place = seated
            if isGuest { hurry(&bench) }
            return true
        case .refused(let reason):
            place.isCounted = false
            bench.counters?.countRejected(reason)
            socket.resetWhenClosed()
            phase = .closed
            return false
        }
    }

    /// Takes what came together with the header: the beginning of a handshake, or of a request.
    private mutating func takeFirst(_ range: Range<Int>, _ bench: inout Bench) -> Received {
        let isFull = range.upperBound == bench.limits.receiveBytesMax
        guard !range.isEmpty else { return isFull ? .more : .some }
        guard tls == nil else { return decrypt(range, &bench) }
        bench.input.append(bench.received.storage, range)
        return isFull ? .more : .some
    }
}

/// How much of what is no header is told.
private let toldBytesMax = 16
