package import HTTPMessages
package import Sockets
package import TLS

/// A careful client for one request at a time over HTTP/1.1, for threads that may wait. Every wait
/// and every size has a limit. It follows no redirect, uses no proxy but one that was set, and
/// connects only to addresses that its rules allow, which it decides with the address in hand.
package struct HTTPClient: Sendable {
    package var limits = FetchLimits()
    /// Whether addresses that are not of the public internet are allowed.
    package var allowsPrivateAddresses: Bool
    /// Addresses in place of those of the resolver. Private ones are allowed here.
    package var overrides: [AddressOverride]
    /// Asked before each connection and each name: whether to give up at once.
    package var isEnded: @Sendable () -> Bool = { false }
    /// What connects to hosts without an override; nil if this machine does. It is asked with
    /// CONNECT, and the address to which it connects is its own decision.
    package var proxy: HTTPProxy?
    /// Nil if it makes no requests over TLS.
    private let contexts: (usual: TLSClientContext, tls12: TLSClientContext)?

    /// - Throws: if the authorities cannot be used.
    package init(
        authorities: TLSAuthorities = .system, overrides: [AddressOverride] = [],
        allowsPrivateAddresses: Bool = false, proxy: HTTPProxy? = nil
    ) throws(OpenSSLError) {
        contexts = (
            try TLSClientContext(authorities),
            try TLSClientContext(authorities, versions: .tls12)
        )
        self.overrides = overrides
        self.allowsPrivateAddresses = allowsPrivateAddresses
        self.proxy = proxy
    }

    /// A client for plain requests to this machine or its own network.
    package init(plainTo overrides: [AddressOverride]) {
        contexts = nil
        self.overrides = overrides
        allowsPrivateAddresses = true
    }

    /// The addresses of a host, IPv4 and IPv6 apart.
    package func resolve(_ host: String, port: UInt16) -> HostAddresses {
        let own = overrides.filter { $0.host == host && $0.port == port }
        guard own.isEmpty else { return .set(own.map(\.address)) }
        if let literal = SocketAddress("\(host):\(port)"), literal.host != nil, host != "localhost"
        {
            return .set([literal])
        }
        guard proxy == nil else { return .byProxy }
        guard !isEnded() else { return .set([]) }
        return resolveDirectly(host)
    }

    private func resolveDirectly(_ host: String) -> HostAddresses {
        let deadline = Deadline(in: limits.resolveMilliseconds)
        return .resolved(
            v4: NameResolution(host, v6: false, by: deadline),
            v6: NameResolution(host, v6: true, by: deadline))
    }

    /// Makes a request at one address, or through the proxy if it is nil.
    package func fetch(
        _ request: FetchRequest, at address: SocketAddress?, versions: TLSVersions = .tls12And13
    ) -> Exchange {
        var exchange = Exchange(request: request, address: address)
        let start = Clock.monotonicMicroseconds
        do throws(FetchFailure) {
            exchange.result = .success(try response(versions, &exchange, from: start))
        } catch {
            exchange.result = .failure(error)
        }
        exchange.milliseconds.total = elapsed(since: start)
        return exchange
    }

    /// Makes a request at the first address of its host that can be connected to.
    package func fetch(_ request: FetchRequest) -> Exchange {
        atFirstAddress(of: request) { fetch(request, at: $0) }
    }

    private func atFirstAddress(
        of request: FetchRequest, _ make: (SocketAddress?) -> Exchange
    ) -> Exchange {
        let addresses = resolve(request.host, port: request.port)
        var last: Exchange?
        for address in addresses.places(port: request.port, max: Self.addressesMax) {
            let exchange = make(address)
            guard case .failure(let failure) = exchange.result, failure.phase == .connect else {
                return exchange
            }
            last = exchange
        }
        let failure = FetchFailure(.resolve, .system, addresses.fault ?? "the host has no address")
        return last ?? Exchange(request: request, address: nil, result: .failure(failure))
    }

    package static let addressesMax = 8

    private func isAllowed(_ address: SocketAddress) -> Bool {
        allowsPrivateAddresses || address.host?.isPublic == true
            || overrides.contains { $0.address == address }
    }

    private func stream(
        to address: SocketAddress, by deadline: Deadline
    ) throws(FetchFailure) -> HTTPStream {
        let (sum, isOver) = limits.contentBytesMax.addingReportingOverflow(limits.overheadBytesMax)
        return try HTTPStream(to: address, bytesMax: isOver ? .max : sum, by: deadline)
    }

    /// - Throws: also if the address is not allowed, or the proxy does not connect.
    private func connect(
        _ exchange: Exchange, by deadline: Deadline
    ) throws(FetchFailure) -> HTTPStream {
        guard !isEnded() else { throw FetchFailure(.connect, .unreachable, "given up") }
        if let address = exchange.address {
            guard isAllowed(address) else {
                throw FetchFailure(.connect, .privateAddress, "the address is not public")
            }
            return try stream(to: address, by: deadline)
        }
        guard let proxy else { throw FetchFailure(.connect, .system, "the host has no address") }
        do throws(FetchFailure) {
            let own = SocketAddress("\(proxy.host):\(proxy.port)").flatMap {
                $0.host == nil ? nil : $0
            }
            let known = own.map { [$0] } ?? resolveDirectly(proxy.host).list(port: proxy.port)
            guard let address = known.first else {
                throw FetchFailure(.resolve, .system, "\(proxy.host) has no address")
            }
            var stream = try stream(to: address, by: deadline)
            try stream.send(exchange.request.connectBytes, by: deadline)
            var reader = ResponseReader(isToHead: true, contentBytesMax: 0)
            while reader.head == nil {
                let piece = try stream.receive(by: deadline, .connect)
                guard !piece.isEmpty else {
                    throw FetchFailure(.connect, .reset, "it closes the connection")
                }
                do throws(ResponseError) {
                    try reader.take(piece)
                } catch {
                    throw FetchFailure(.connect, .malformed, "\(error)")
                }
            }
            guard let status = reader.head?.status, (200..<300).contains(status) else {
                throw FetchFailure(
                    .connect, .system, "it answers CONNECT with \(reader.head?.status ?? 0)")
            }
            return stream
        } catch {
            // Whatever stops the proxy, the host is not to blame for certain.
            throw FetchFailure(
                .connect, .unreachable, "proxy \(proxy.host):\(proxy.port): \(error.text)")
        }
    }

    private func response(
        _ versions: TLSVersions, _ exchange: inout Exchange, from start: Int
    ) throws(FetchFailure) -> FetchResponse {
        let request = exchange.request
        let whole = Deadline(in: limits.totalMilliseconds)
        var stream = try open(versions, &exchange, from: start, by: whole)
        try stream.send(request.bytes, by: whole)
        let sent = Clock.monotonicMicroseconds
        var reader = ResponseReader(
            isToHead: request.method == "HEAD", contentBytesMax: limits.contentBytesMax + 1)
        var isFirst = true
        while !reader.isComplete, !reader.isContentTooLarge {
            let deadline = isFirst ? whole.atMost(limits.firstByteMilliseconds) : whole
            let piece = try stream.receive(by: deadline, isFirst ? .wait : .receive)
            guard !isFirst || !piece.isEmpty else {
                throw FetchFailure(.wait, .reset, "\(ResponseError.empty)")
            }
            if isFirst { exchange.milliseconds.wait = elapsed(since: sent) }
            isFirst = false
            guard try reader.add(piece) else { break }
        }
        guard let head = reader.head else {
            throw FetchFailure(.receive, .malformed, "\(ResponseError.empty)")
        }
        return FetchResponse(
            head: head, received: Array(reader.content.prefix(limits.contentBytesMax)),
            isTooLarge: reader.content.count > limits.contentBytesMax,
            bytesMax: limits.contentBytesMax)
    }

    /// Connects, and shakes hands if the request is for https.
    /// - Throws: also if the server's certificates are not trusted.
    private func open(
        _ versions: TLSVersions, _ exchange: inout Exchange, from start: Int, by whole: Deadline
    ) throws(FetchFailure) -> HTTPStream {
        let request = exchange.request
        var stream = try connect(exchange, by: whole.atMost(limits.connectMilliseconds))
        exchange.milliseconds.connect = elapsed(since: start)
        if request.isSecure {
            let handshake = Clock.monotonicMicroseconds
            guard let contexts else { preconditionFailure("a client for plain requests") }
            let context = versions == .tls12 ? contexts.tls12 : contexts.usual
            let peer = try stream.secure(
                context, host: request.host, by: whole.atMost(limits.handshakeMilliseconds),
                noting: &exchange.peer)
            exchange.milliseconds.handshake = elapsed(since: handshake)
            guard peer.faults.isEmpty else {
                throw FetchFailure(.handshake, .untrusted, peer.faults[0].text)
            }
        }
        return stream
    }

    // MARK: Content in pieces

    /// Makes a request at the first address of its host that can be connected to, with the
    /// content of a POST in chunks (RFC 9112 §7.1), and hands over the response's content as it comes. Its
    /// size has no limit, and the request's whole time is the limit of each step instead: until a piece
    /// of the request's content is taken, or one of the response's has come.
    /// - Parameters:
    ///   - next: the next piece of the content; nil at its end. A server that refuses the request
    ///     may take no more of it, and answers.
    ///   - take: a piece of the response's content, with its head, which is not decoded. False
    ///     gives up.
    package func transfer(
        _ request: FetchRequest, sending next: () throws(FetchFailure) -> [UInt8]? = { nil },
        taking take: (ResponseHead, [UInt8]) -> Bool
    ) -> Exchange {
        atFirstAddress(of: request) { address in
            var exchange = Exchange(request: request, address: address)
            let start = Clock.monotonicMicroseconds
            do throws(FetchFailure) {
                var stream = try open(.tls12And13, &exchange, from: start, by: step)
                try send(request, next, over: &stream)
                let head = try receive(from: &stream, take)
                exchange.result = .success(FetchResponse(head: head, received: [], bytesMax: 0))
            } catch {
                exchange.result = .failure(error)
            }
            exchange.milliseconds.total = elapsed(since: start)
            return exchange
        }
    }

    private var step: Deadline { Deadline(in: limits.totalMilliseconds) }

    private func send(
        _ request: FetchRequest, _ next: () throws(FetchFailure) -> [UInt8]?,
        over stream: inout HTTPStream
    ) throws(FetchFailure) {
        guard request.method == "POST" else { return try stream.send(request.bytes, by: step) }
        var request = request
        request.fields.append("Transfer-Encoding: chunked")
        var bytes = request.head
        while let piece = try next() {
            guard !piece.isEmpty else { continue }
            let size = String(piece.count, radix: 16)
            bytes += Array("\(size)\r\n".utf8) + piece + [0x0D, 0x0A]
            guard (try? stream.send(bytes, by: step)) != nil else { return }
            bytes = []
        }
        try? stream.send(bytes + Array("0\r\n\r\n".utf8), by: step)
    }

    private func receive(
        from stream: inout HTTPStream, _ take: (ResponseHead, [UInt8]) -> Bool
    ) throws(FetchFailure) -> ResponseHead {
        var reader = ResponseReader(contentBytesMax: .max)
        var (isFirst, deadline) = (true, step)
        while !reader.isComplete {
            let piece = try stream.receive(by: deadline, isFirst ? .wait : .receive)
            isFirst = false
            let goesOn = try reader.add(piece)
            let content = reader.takeContent()
            if let head = reader.head, !content.isEmpty {
                guard take(head, content) else {
                    throw FetchFailure(.receive, .system, "given up")
                }
                // Heads, chunks' frames and trailers are no progress.
                deadline = step
                stream.noteProgress()
            }
            if !goesOn { break }
        }
        guard let head = reader.head else {
            throw FetchFailure(.receive, .malformed, "\(ResponseError.empty)")
        }
        return head
    }
}

extension ResponseReader {
    /// Takes the bytes that have come next; none are the end of the connection.
    /// - Returns: whether more may come.
    fileprivate mutating func add(_ bytes: [UInt8]) throws(FetchFailure) -> Bool {
        do throws(ResponseError) {
            if bytes.isEmpty {
                try finish()
            } else {
                try take(bytes)
            }
            return !bytes.isEmpty
        } catch {
            throw FetchFailure(.receive, .malformed, "\(error)")
        }
    }
}

/// A proxy that is asked for connections with CONNECT (RFC 9110 §9.3.6), without credentials.
package struct HTTPProxy: Hashable, Sendable {
    package let host: String
    package let port: UInt16

    package init(host: String, port: UInt16) {
        (self.host, self.port) = (host, port)
    }
}

private func elapsed(since start: Int) -> Int { (Clock.monotonicMicroseconds - start) / 1000 }
