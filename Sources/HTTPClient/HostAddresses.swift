package import Sockets

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

    /// The addresses that a client tries, in their order and at most `max`; nil is the proxy.
    package func places(port: UInt16, max: Int) -> [SocketAddress?] {
        self == .byProxy ? [nil] : list(port: port).prefix(max).map(Optional.some)
    }

    /// The reason why there is no address; nil if there is one.
    package var fault: String? {
        guard case .resolved(let v4, let v6) = self, v4.addresses.isEmpty, v6.addresses.isEmpty
        else { return nil }
        if case .failed(let reason) = v4 { return reason }
        if case .failed(let reason) = v6 { return reason }
        return "the name does not exist, or has no address"
    }
}
