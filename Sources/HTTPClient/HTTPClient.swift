private import HTTPMessages
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
    /// What connects to hosts without an override; nil if this machine does. It is asked with
    /// CONNECT, and the address to which it connects is its own decision.
    package var proxy: HTTPProxy?
    private let context: TLSClientContext
    private let tls12: TLSClientContext

    /// - Throws: if the authorities cannot be used.
    package init(
        authorities: TLSAuthorities = .system, overrides: [AddressOverride] = [],
        allowsPrivateAddresses: Bool = false, proxy: HTTPProxy? = nil
    ) throws(OpenSSLError) {
        context = try TLSClientContext(authorities)
        tls12 = try TLSClientContext(authorities, versions: .tls12)
        self.overrides = overrides
        self.allowsPrivateAddresses = allowsPrivateAddresses
        self.proxy = proxy
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
        let addresses = resolve(request.host, port: request.port)
        var last: Exchange?
        for address in addresses.places(port: request.port, max: Self.addressesMax) {
            let exchange = fetch(request, at: address)
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

    /// - Throws: also if the address is not allowed, or the proxy does not connect.
    private func connect(
        _ exchange: Exchange, by deadline: Deadline
    ) throws(FetchFailure) -> HTTPStream {
        if let address = exchange.address {
            guard isAllowed(address) else {
                throw FetchFailure(.connect, .privateAddress, "the address is not public")
            }
            return try HTTPStream(to: address, by: deadline)
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
            var stream = try HTTPStream(to: address, by: deadline)
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
        var stream = try connect(exchange, by: whole.atMost(limits.connectMilliseconds))
        exchange.milliseconds.connect = elapsed(since: start)
        if request.isSecure {
            let handshake = Clock.monotonicMicroseconds
            let context = versions == .tls12 ? tls12 : context
            let peer = try stream.secure(
                context, host: request.host, by: whole.atMost(limits.handshakeMilliseconds),
                noting: &exchange.peer)
            exchange.milliseconds.handshake = elapsed(since: handshake)
            guard peer.faults.isEmpty else {
                throw FetchFailure(.handshake, .untrusted, peer.faults[0].text)
            }
        }
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
            do throws(ResponseError) {
                if piece.isEmpty {
                    try reader.finish()
                    break
                }
                try reader.take(piece)
            } catch {
                throw FetchFailure(.receive, .malformed, "\(error)")
            }
        }
        guard let head = reader.head else {
            throw FetchFailure(.receive, .malformed, "\(ResponseError.empty)")
        }
        return FetchResponse(
            head: head, received: Array(reader.content.prefix(limits.contentBytesMax)),
            isTooLarge: reader.content.count > limits.contentBytesMax,
            bytesMax: limits.contentBytesMax)
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

/// A connection, with or without TLS.
private struct HTTPStream: ~Copyable {
    private let connection: BlockingConnection
    private var session: TLSClientSession?

    init(to address: SocketAddress, by deadline: Deadline) throws(FetchFailure) {
        do throws(SystemError) {
            connection = try BlockingConnection(to: address, by: deadline)
        } catch {
            throw FetchFailure(.connect, error)
        }
    }

    /// - Returns: what is known of the server after a handshake, whose certificates may be invalid.
    mutating func secure(
        _ context: TLSClientContext, host: String, by deadline: Deadline,
        noting peer: inout TLSPeer?
    ) throws(FetchFailure) -> TLSPeer {
        var session: TLSClientSession
        do throws(OpenSSLError) {
            session = try TLSClientSession(context, host: host)
        } catch {
            throw FetchFailure(.handshake, .tls(nil), error.description)
        }
        while true {
            let step = session.shakeHands()
            let output = session.takeOutput()
            peer = session.peer
            if case .failed(let failure) = step {
                // The alert is sent for the server's log; whether it arrives changes nothing.
                try? connection.send(output, by: deadline)
                throw FetchFailure(.handshake, .tls(failure), failure.text)
            }
            do throws(SystemError) {
                if !output.isEmpty { try connection.send(output, by: deadline) }
                if case .done = step { break }
                let piece = try connection.receive(by: deadline)
                guard !piece.isEmpty else { throw SystemError.connectionReset }
                session.receive(piece)
            } catch {
                throw FetchFailure(.handshake, error)
            }
        }
        let found = session.peer
        self.session = consume session
        return found
    }

    mutating func send(_ bytes: [UInt8], by deadline: Deadline) throws(FetchFailure) {
        var bytes = bytes
        if session != nil {
            guard session?.write(bytes) == true else {
                throw FetchFailure(.send, .tls(nil), "OpenSSL cannot encrypt the request")
            }
            bytes = session?.takeOutput() ?? []
        }
        do throws(SystemError) {
            try connection.send(bytes, by: deadline)
        } catch {
            throw FetchFailure(.send, error)
        }
    }

    /// The bytes that come next; none at the end.
    mutating func receive(
        by deadline: Deadline, _ phase: FetchFailure.Phase
    ) throws(FetchFailure) -> [UInt8] {
        while true {
            // What has come before may end with close_notify, after which nothing else comes.
            if session != nil {
                var content = [UInt8]()
                let step = session?.read(into: &content) ?? .closed
                if !content.isEmpty { return content }
                switch step {
                case .failed(let failure): throw FetchFailure(phase, .tls(failure), failure.text)
                case .closed: return []
                case .done, .needsInput: break
                }
            }
            let piece: [UInt8]
            do throws(SystemError) {
                piece = try connection.receive(by: deadline)
            } catch {
                throw FetchFailure(phase, error)
            }
            guard session != nil, !piece.isEmpty else { return piece }
            session?.receive(piece)
        }
    }
}

private func elapsed(since start: Int) -> Int { (Clock.monotonicMicroseconds - start) / 1000 }
