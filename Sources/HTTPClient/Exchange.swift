private import Compression
package import HTTPMessages
package import Sockets
package import TLS

/// The limits of one request. A phase has what is left of the whole time, if that is less.
package struct FetchLimits: Sendable {
    package var resolveMilliseconds = 5_000
    package var connectMilliseconds = 5_000
    package var handshakeMilliseconds = 5_000
    /// From the end of the request to the first byte of the response.
    package var firstByteMilliseconds = 10_000
    package var totalMilliseconds = 20_000
    /// The content before and after decoding. Apple's devices read as much of an association file.
    package var contentBytesMax = 131_072
    /// Everything that comes besides the content: records of TLS that carry none, interim responses,
    /// heads, and the framing of chunks.
    package var overheadBytesMax = 1_048_576

    package init() {}
}

/// The address of a host and port, in place of what the resolver says.
package struct AddressOverride: Hashable, Sendable {
    /// In lower case.
    package let host: String
    package let port: UInt16
    package let address: SocketAddress

    package init(host: String, port: UInt16, address: SocketAddress) {
        self.host = host
        self.port = port
        self.address = address
    }
}

/// The addresses of a host.
package enum HostAddresses: Hashable, Sendable {
    case resolved(v4: NameResolution, v6: NameResolution)
    /// Addresses that were set, or the literal one.
    case set([SocketAddress])
    /// The proxy asks DNS, and decides where it connects to.
    case byProxy

    /// IPv6 first, as clients that support both prefer it (RFC 6724).
    package func list(port: UInt16) -> [SocketAddress] {
        switch self {
        case .set(let addresses): addresses
        case .byProxy: []
        case .resolved(let v4, let v6):
            (v6.addresses + v4.addresses).map { SocketAddress(host: $0, port: port) }
        }
    }

    /// Where a client connects to, at most so many places: nil is the proxy.
    package func places(port: UInt16, max: Int) -> [SocketAddress?] {
        self == .byProxy ? [nil] : list(port: port).prefix(max).map(Optional.some)
    }

    /// Why there is no address; nil if there is one.
    package var fault: String? {
        guard case .resolved(let v4, let v6) = self, v4.addresses.isEmpty, v6.addresses.isEmpty
        else { return nil }
        if case .failed(let reason) = v4 { return reason }
        if case .failed(let reason) = v6 { return reason }
        return "the name does not exist, or has no address"
    }
}

/// A request without content, or with all of its content.
package struct FetchRequest: Hashable, Sendable {
    package var method = "GET"
    package var isSecure: Bool
    /// In lower case, without a port.
    package var host: String
    package var port: UInt16
    /// The path and the query, as they are sent.
    package var target: String
    /// Besides Host and Connection.
    package var fields: [String]
    /// Empty for methods that have none.
    package var content = [UInt8]()

    package init(
        isSecure: Bool = true, host: String, port: UInt16? = nil, target: String,
        fields: [String] = []
    ) {
        self.isSecure = isSecure
        self.host = host
        self.port = port ?? (isSecure ? 443 : 80)
        self.target = target
        self.fields = fields
    }

    /// Its URL.
    package var url: String { "\(isSecure ? "https" : "http")://\(authority)\(target)" }

    private var authority: String { port == (isSecure ? 443 : 80) ? host : "\(host):\(port)" }

    /// The request that asks a proxy for a connection (RFC 9110 §9.3.6).
    var connectBytes: [UInt8] {
        Array("CONNECT \(host):\(port) HTTP/1.1\r\nHost: \(host):\(port)\r\n\r\n".utf8)
    }

    var bytes: [UInt8] {
        guard method == "POST" || !content.isEmpty else { return head }
        var whole = self
        whole.fields.append("Content-Length: \(content.count)")
        return whole.head + content
    }

    var head: [UInt8] {
        let lines =
            ["\(method) \(target) HTTP/1.1", "Host: \(authority)", "Connection: close"] + fields
        return Array((lines.map { $0 + "\r\n" }.joined() + "\r\n").utf8)
    }
}

/// A request, and everything that happened to it.
package struct Exchange: Sendable {
    package var request: FetchRequest
    /// Nil if the host has none, or a proxy connects.
    package var address: SocketAddress?
    /// Nil before a handshake, and without TLS.
    package var peer: TLSPeer?
    package var milliseconds = Durations()
    package var result: Result<FetchResponse, FetchFailure>

    package init(
        request: FetchRequest, address: SocketAddress?, peer: TLSPeer? = nil,
        result: Result<FetchResponse, FetchFailure> = .failure(
            FetchFailure(.connect, .system, "not tried"))
    ) {
        self.request = request
        self.address = address
        self.peer = peer
        self.result = result
    }

    package var response: FetchResponse? { try? result.get() }

    package var failure: FetchFailure? {
        if case .failure(let failure) = result { failure } else { nil }
    }

    /// How long each phase took, in milliseconds.
    package struct Durations: Hashable, Sendable {
        package var (connect, handshake, wait, total) = (0, 0, 0, 0)
    }
}

/// A response, with the content as it was received and decoded.
package struct FetchResponse: Hashable, Sendable {
    package let head: ResponseHead
    /// The content before decoding.
    package let received: [UInt8]
    package let content: Content

    package enum Content: Hashable, Sendable {
        case whole([UInt8])
        /// Only as much as the limit allows.
        case tooLarge([UInt8])
        /// It cannot be decoded: this coding is not supported, or its data is damaged.
        case undecodable(coding: String)
    }

    package init(head: ResponseHead, received: [UInt8], isTooLarge: Bool = false, bytesMax: Int) {
        self.head = head
        self.received = received
        let codings = head.values("content-encoding").joined(separator: ", ").lowercased()
        if codings == "gzip" || codings == "x-gzip" {
            switch gunzip(received, bytesMax: bytesMax) {
            case .whole(let bytes): content = .whole(bytes)
            case .tooLarge(let bytes): content = .tooLarge(bytes)
            case .damaged: content = isTooLarge ? .tooLarge([]) : .undecodable(coding: codings)
            }
        } else if !codings.isEmpty, codings != "identity" {
            content = .undecodable(coding: codings)
        } else {
            content = isTooLarge ? .tooLarge(received) : .whole(received)
        }
    }

    package var status: Int { head.status }

    /// The decoded content, as far as it is known.
    package var bytes: [UInt8] {
        switch content {
        case .whole(let bytes), .tooLarge(let bytes): bytes
        case .undecodable: received
        }
    }
}

/// Why there is no response.
package struct FetchFailure: Error, Hashable, Sendable {
    package let phase: Phase
    package let kind: Kind
    /// The system's or OpenSSL's words.
    package let text: String

    package enum Phase: String, Hashable, Sendable {
        case resolve, connect, handshake, send, wait, receive
    }

    package enum Kind: Hashable, Sendable {
        case refused, timeout, unreachable, reset, system
        /// The rules allow no connection to the address.
        case privateAddress
        case tls(TLSClientFailure?)
        /// The server's certificates are not trusted; the exchange's peer has the reasons.
        case untrusted
        /// The bytes are no response.
        case malformed
    }

    /// The phase and the reason, for messages.
    package var words: String {
        text.utf8.starts(with: "\(phase.rawValue):".utf8) ? text : "\(phase.rawValue): \(text)"
    }

    package init(_ phase: Phase, _ kind: Kind, _ text: String) {
        self.phase = phase
        self.kind = kind
        self.text = text
    }

    /// - Parameters:
    ///   - deadline: the one of the step that has failed.
    ///   - bytesCome: what has come of the server until then.
    init(_ phase: Phase, _ error: SystemError, _ deadline: Deadline, bytesCome: Int = 0) {
        let kind: Kind =
            if error.isTimeOver {
                .timeout
            } else if error.isRefused {
                .refused
            } else if error.isUnreachable {
                .unreachable
            } else {
                error.isReset ? .reset : .system
            }
        let isOver = kind == .timeout && deadline.remaining == 0
        self.init(
            phase, kind, isOver ? phase.isLate(deadline, bytesCome) : error.description)
    }
}

extension FetchFailure.Phase {
    /// What a deadline that has passed means in this phase, for people.
    fileprivate func isLate(_ deadline: Deadline, _ bytesCome: Int) -> String {
        let limit = deadline.limitMilliseconds
        let time = limit % 1_000 == 0 ? "\(limit / 1_000) s" : "\(limit) ms"
        let come = bytesCome == 0 ? "nothing has come" : "\(bytesCome) bytes have come"
        return switch self {
        case .resolve, .connect: "no connection within \(time)"
        case .handshake: "the handshake is not complete after \(time): \(come)"
        case .send: "the request is not taken within \(time)"
        case .wait: "no answer within \(time): \(come)"
        case .receive: "the answer is not whole after \(time): \(come)"
        }
    }
}
