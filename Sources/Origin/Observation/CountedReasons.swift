// Labels of counters: why an answer, a connection or a handshake came to nothing.

/// Why an answer was not taken whole.
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

/// Why a connection was not kept.
enum Rejection: UInt8, Sendable, CaseIterable {
    /// A listener behind a proxy, and a peer that is none; or what is no header of that protocol.
    case untrustedPeer, proxyHeader
    /// There were too many, and too many guests; or from its address.
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

/// Why a handshake did not come to its end.
enum HandshakeError: UInt8, Sendable, CaseIterable {
    /// One side refused: no common version or cipher, an unknown name, no TLS at all.
    case refused
    /// The peer went away.
    case closed
    case timeout

    var name: String {
        switch self {
        case .refused: "refused"
        case .closed: "closed"
        case .timeout: "timeout"
        }
    }
}
