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
    /// Whether to give up at once; asked before each connection and each name.
    package var isEnded: @Sendable () -> Bool = { false }
    /// The proxy that connects to hosts without an override; nil if this machine does. It is asked
    /// with CONNECT, and decides itself to which address it connects.
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

    // MARK: Requests

    /// Makes a request at one address, or through the proxy if it is nil.
    package func fetch(
        _ request: FetchRequest, at address: SocketAddress?, versions: TLSVersions = .tls12And13
    ) -> ClientExchange {
        var (content, isTooLarge) = ([UInt8](), false)
        let pace = Pace.whole(Deadline(in: limits.totalMilliseconds))
        var exchange = perform(request, at: address, versions, pace) {
            stream throws(FetchFailure) in
            try stream.send(request.bytes, by: pace.deadline)
        } taking: { _, piece in
            let room = limits.contentBytesMax - content.count
            content += piece.prefix(room)
            isTooLarge = piece.count > room
            return !isTooLarge
        }
        exchange.result = exchange.result.map { response in
            FetchResponse(
                head: response.head, received: content, isTooLarge: isTooLarge,
                bytesMax: limits.contentBytesMax)
        }
        return exchange
    }

    /// Makes a request at the first address of its host that can be connected to.
    package func fetch(_ request: FetchRequest) -> ClientExchange {
        atFirstAddress(of: request) { fetch(request, at: $0) }
    }

    /// Makes a request at the first address of its host that can be connected to, with the
    /// content of a POST in chunks (RFC 9112 §7.1), and hands over the response's content as it
    /// comes. Its size has no limit. The whole time is the limit of each step instead: until a
    /// piece of the request's content is taken, or one of the response's has come.
    /// - Parameters:
    ///   - next: the next piece of the content; nil at its end. A server that refuses the request
    ///     may take no more of it, and answers.
    ///   - take: a piece of the response's content, with its head, which is not decoded. False
    ///     ends the request there.
    package func transfer(
        _ request: FetchRequest, sending next: () throws(FetchFailure) -> [UInt8]? = { nil },
        taking take: (ResponseHead, [UInt8]) -> Bool
    ) -> ClientExchange {
        let pace = Pace.steps(milliseconds: limits.totalMilliseconds)
        return atFirstAddress(of: request) { address in
            perform(request, at: address, .tls12And13, pace) { stream throws(FetchFailure) in
                guard request.method == "POST" else {
                    return try stream.send(request.bytes, by: pace.deadline)
                }
                try stream.sendChunks(after: request.chunkedHead, next) { pace.deadline }
            } taking: {
                take($0, $1)
            }
        }
    }

    private func atFirstAddress(
        of request: FetchRequest, _ make: (SocketAddress?) -> ClientExchange
    ) -> ClientExchange {
        let addresses = resolve(request.host, port: request.port)
        var last: ClientExchange?
        for address in addresses.places(port: request.port, max: Self.addressesMax) {
            let exchange = make(address)
            guard case .failure(let failure) = exchange.result, failure.phase == .connect else {
                return exchange
            }
            last = exchange
        }
        let failure = FetchFailure(.resolve, .system, addresses.fault ?? "the host has no address")
        return last ?? ClientExchange(request: request, address: nil, result: .failure(failure))
    }

    /// Makes a request at one address, which `send` sends over the connection.
    /// - Parameter take: a piece of the response's content, with its head. False ends the request.
    /// - Returns: the response without its content, or the reason why there is none.
    private func perform(
        _ request: FetchRequest, at address: SocketAddress?, _ versions: TLSVersions, _ pace: Pace,
        _ send: (inout HTTPStream) throws(FetchFailure) -> Void,
        taking take: (ResponseHead, [UInt8]) -> Bool
    ) -> ClientExchange {
        var exchange = ClientExchange(request: request, address: address)
        let start = Clock.monotonicMicroseconds
        do throws(FetchFailure) {
            var stream = try open(versions, &exchange, from: start, by: pace.deadline)
            try send(&stream)
            let head = try receive(from: &stream, pace, &exchange, take)
            exchange.result = .success(FetchResponse(head: head, received: [], bytesMax: 0))
        } catch {
            exchange.result = .failure(error)
        }
        exchange.milliseconds.total = elapsed(since: start)
        return exchange
    }

    private func receive(
        from stream: inout HTTPStream, _ pace: Pace, _ exchange: inout ClientExchange,
        _ take: (ResponseHead, [UInt8]) -> Bool
    ) throws(FetchFailure) -> ResponseHead {
        let sent = Clock.monotonicMicroseconds
        var reader = ResponseReader(
            isToHead: exchange.request.method == "HEAD", contentBytesMax: .max)
        var deadline = pace.deadline
        var piece = try stream.receive(by: deadline.atMost(limits.firstByteMilliseconds), .wait)
        exchange.milliseconds.wait = elapsed(since: sent)
        if piece.isEmpty, case .whole = pace {
            throw FetchFailure(.wait, .reset, "\(ResponseError.empty)")
        }
        while try reader.add(piece) {
            let content = reader.takeContent()
            if let head = reader.head, !content.isEmpty {
                guard take(head, content) else { break }
                if case .steps = pace {
                    // Heads, chunks' frames and trailers are no progress.
                    deadline = pace.deadline
                    stream.noteProgress()
                }
            }
            guard !reader.isComplete else { break }
            piece = try stream.receive(by: deadline, .receive)
        }
        guard let head = reader.head else {
            throw FetchFailure(.receive, .malformed, "\(ResponseError.empty)")
        }
        return head
    }

    // MARK: Connections

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
        _ exchange: ClientExchange, by deadline: Deadline
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

    /// Connects, and shakes hands if the request is for https.
    /// - Throws: also if the server's certificates are not trusted.
    private func open(
        _ versions: TLSVersions, _ exchange: inout ClientExchange, from start: Int,
        by whole: Deadline
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
}

extension ResponseReader {
    /// Takes the bytes that have come next; none are the end of the connection.
    /// - Returns: whether more may come.
    mutating func add(_ bytes: [UInt8]) throws(FetchFailure) -> Bool {
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

/// The limit of a request's time.
private enum Pace {
    /// One for all of it.
    case whole(Deadline)
    /// One for each step that brings the request on.
    case steps(milliseconds: Int)

    var deadline: Deadline {
        switch self {
        case .whole(let deadline): deadline
        case .steps(let milliseconds): Deadline(in: milliseconds)
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
