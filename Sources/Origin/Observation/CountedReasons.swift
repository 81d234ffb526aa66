import TLS

// Labels of counters: why an answer, a connection or a handshake came to nothing.

/// A reason why an answer was not taken whole.
enum AbortReason: UInt8, Sendable, CaseIterable {
    /// The client had gone.
    case reset
    /// It took too little of it.
    case timeout
    /// The origin had no more time to stop.
    case stop
    /// It could not be encrypted.
    case error

    var name: StaticString {
        switch self {
        case .reset: "reset"
        case .timeout: "timeout"
        case .stop: "stop"
        case .error: "error"
        }
    }
}

/// A reason why a connection was not kept.
enum Rejection: UInt8, Sendable, CaseIterable {
    /// The listener is behind a proxy: the peer is not one that is trusted, or what it sent is not
    /// a header of the PROXY protocol.
    case untrustedPeer, proxyHeader
    /// There were too many over the limit of all connections, or of its address.
    case connections, address
    /// There was no descriptor, or no memory for it.
    case descriptors, memory

    var name: String {
        switch self {
        case .untrustedPeer: "untrusted_peer"
        case .proxyHeader: "proxy_header"
        case .connections: "connections"
        case .address: "address"
        case .descriptors: "descriptors"
        case .memory: "memory"
        }
    }
}

/// A reason why a handshake did not come to its end.
enum HandshakeError: UInt8, Sendable, CaseIterable {
    /// The bytes that came are not TLS; there is no common version; a host that is not here is
    /// refused; one that is has no certificate; the client refuses the certificate; one side
    /// refuses anything else, such as ciphers.
    case notTLS, version, unknownName, noCertificate, certificate, refused
    /// The peer went away.
    case closed
    case timeout

    init(_ failure: TLSFailure) {
        switch failure {
        case .notTLS: self = .notTLS
        case .version: self = .version
        case .unknownName: self = .unknownName
        case .noCertificate: self = .noCertificate
        case .certificate: self = .certificate
        case .other: self = .refused
        }
    }

    var name: String {
        switch self {
        case .notTLS: "not_tls"
        case .version: "version"
        case .unknownName: "unknown_name"
        case .noCertificate: "no_certificate"
        case .certificate: "certificate"
        case .refused: "refused"
        case .closed: "closed"
        case .timeout: "timeout"
        }
    }
}
