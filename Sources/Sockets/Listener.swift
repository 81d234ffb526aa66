private import CLinux
internal import Glibc

/// A listening TCP socket, non-blocking. Sockets accepted from it are non-blocking too, closed on
/// exec, send without Nagle's delay, and hold little that they cannot send (inherited from the
/// listener).
package struct Listener: ~Copyable, Sendable {
    package let descriptor: Descriptor
    /// The address in use; its port is never 0.
    package let address: SocketAddress

    /// One listener per loop on the same address: the kernel spreads connections among them.
    ///
    /// The first socket is bound without `SO_REUSEPORT` and closed again, so that an address that
    /// another process holds, even a second Waymark, is reported and not silently shared.
    package static func reserve(_ address: SocketAddress) throws(SystemError) -> SocketAddress {
        try Listener(address, sharing: false, backlog: 1).address
    }

    /// Binds the address and listens, sharing the port with the process's other loops.
    package init(_ address: SocketAddress) throws(SystemError) {
        try self.init(address, sharing: true, backlog: backlogMax)
    }

    private init(
        _ address: SocketAddress, sharing: Bool, backlog: CInt
    ) throws(SystemError) {
        do {
            try self.init(family: address.family, address, sharing: sharing, backlog: backlog)
        } catch  where address.host == nil && error.isAddressUnavailable {
            // A host without IPv6.
            let every = SocketAddress(host: .v4([0, 0, 0, 0]), port: address.port)
            try self.init(family: AF_INET, every, sharing: sharing, backlog: backlog)
        }
    }

    private init(
        family: CInt, _ address: SocketAddress, sharing: Bool, backlog: CInt
    ) throws(SystemError) {
        let number = waymark_tcp_socket(family)
        guard number >= 0 else { throw SystemError("socket") }
        let descriptor = Descriptor(number)
        try enable(number, SOL_SOCKET, SO_REUSEADDR)
        if sharing { try enable(number, SOL_SOCKET, SO_REUSEPORT) }
        try prepareToSend(number)
        if family == AF_INET6 {
            try enable(number, CInt(IPPROTO_IPV6), IPV6_V6ONLY, address.host == nil ? 0 : 1)
        }
        let bound = unsafe address.withKernelForm { unsafe bind(number, $0, $1) }
        guard bound == 0 else { throw SystemError("bind") }
        guard listen(number, backlog) == 0 else { throw SystemError("listen") }
        self.descriptor = descriptor
        self.address = address.withPort(SocketAddress(boundTo: number)?.port ?? address.port)
    }

    /// Takes a share of a socket that somebody else has bound, for one loop.
    /// - Throws: also when it is not a listening TCP socket.
    package init(_ inherited: InheritedSocket) throws(SystemError) {
        let number = fcntl(inherited.descriptor.number, F_DUPFD_CLOEXEC, 3)
        guard number >= 0 else { throw SystemError("fcntl") }
        let descriptor = Descriptor(number)
        var isListening: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        guard unsafe getsockopt(number, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size) == 0 else {
            throw SystemError("getsockopt")
        }
        guard isListening == 1, let address = SocketAddress(boundTo: number) else {
            throw SystemError("accept4", number: EINVAL)
        }
        guard fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) >= 0 else {
            throw SystemError("fcntl")
        }
        try prepareToSend(number)
        self.descriptor = descriptor
        self.address = address
    }

    /// The next waiting connection, or nil when there is none.
    /// - Throws: when the process is out of descriptors or memory; others are the peer's doing
    ///   (a connection reset before it was accepted) and are passed over.
    package borrowing func accept() throws(SystemError) -> Socket? {
        for _ in 0..<passedOverMax {
            var peer = waymark_peer()
            let number = unsafe waymark_accept(descriptor.number, &peer)
            if number >= 0 {
                return Socket(
                    Descriptor(number),
                    peer: PeerAddress(high: peer.high, low: peer.low, port: peer.port))
            }
            let error = SystemError("accept4")
            if error.number == EAGAIN { return nil }
            if error.isExhaustion { throw error }
            // Who shares the socket has shut it down, or `ss --kill` has. It is still bound.
            if error.number == EINVAL { _ = waymark_listen_again(descriptor.number, backlogMax) }
        }
        return nil
    }
}

/// How many errors are passed over at once: what does not end must not hold a loop.
private let passedOverMax = 256

/// How many connections may wait to be accepted; the kernel caps it at `net.core.somaxconn`.
private let backlogMax: CInt = 4096

/// What the kernel takes of an answer that it cannot send yet. Unless it is told, that is megabytes
/// for each client that reads slowly, and the system's memory for TCP ends at some hundred of them.
private let unsentBytesMax: CInt = 65536

private func prepareToSend(_ socket: CInt) throws(SystemError) {
    try enable(socket, CInt(IPPROTO_TCP), TCP_NODELAY)
    try enable(socket, CInt(IPPROTO_TCP), TCP_NOTSENT_LOWAT, unsentBytesMax)
}

private func enable(
    _ socket: CInt, _ level: CInt, _ option: CInt, _ value: CInt = 1
) throws(SystemError) {
    var value = value
    let size = socklen_t(MemoryLayout<CInt>.size)
    guard unsafe setsockopt(socket, level, option, &value, size) == 0 else {
        throw SystemError("setsockopt")
    }
}
