private import CLinux
internal import Glibc

/// A listening TCP socket, non-blocking. Sockets that it accepts inherit its options: they are
/// non-blocking, closed on exec, send without Nagle's delay, and keep few unsent bytes.
package struct Listener: ~Copyable, Sendable {
    package let descriptor: Descriptor
    /// The address in use; its port is never 0.
    package let address: SocketAddress

    /// One listener for each loop on the same address. The kernel distributes connections among
    /// them.
    ///
    /// The first socket is bound without `SO_REUSEPORT` and closed again. So an address that
    /// another process uses, even another Waymark, is reported and not shared.
    package static func reserve(_ address: SocketAddress) throws(SystemError) -> SocketAddress {
        try Listener(address, sharing: false, backlog: 1).address
    }

    /// Binds the address and listens, sharing the port with the process's other loops.
    package init(_ address: SocketAddress) throws(SystemError) {
        try self.init(address, sharing: true, backlog: backlogMax)
    }

    private init(_ address: SocketAddress, sharing: Bool, backlog: CInt) throws(SystemError) {
        do {
            try self.init(family: address.family, address, sharing: sharing, backlog: backlog)
        } catch  where address.host == nil && error.isAddressUnavailable {
            // The host has no IPv6.
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

    /// Shares a socket that another process has bound, for one loop.
    /// - Throws: an error also if it is not a listening TCP socket.
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

    /// Bounds what the kernel keeps of the bytes that the peer of an accepted connection has sent and this process has not read. Without a bound,
    /// that grows to `tcp_rmem`'s megabytes for each connection that is read fast at first.
    /// - Parameter bytes: with the kernel's own for them. It never keeps more than twice `net.core.rmem_max`.
    package borrowing func limitUnread(to bytes: Int) throws(SystemError) {
        // The kernel doubles the value for what it needs itself.
        try enable(descriptor.number, SOL_SOCKET, SO_RCVBUF, CInt(clamping: bytes / 2))
    }

    /// The next waiting connection, or nil if there is none.
    /// - Throws: an error if the process has no descriptors or memory. Errors of the peer, such as
    ///   a connection that was reset before it was accepted, are skipped.
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
            // Another process that shares the socket, or `ss --kill`, has shut it down. It is still
            // bound.
            if error.number == EINVAL { _ = waymark_listen_again(descriptor.number, backlogMax) }
        }
        return nil
    }
}

/// The most errors that are skipped at once, so that endless errors do not hold up a loop.
private let passedOverMax = 256

/// The most connections that wait to be accepted; the kernel limits it to `net.core.somaxconn`.
private let backlogMax: CInt = 4096

/// The bytes of a response that the kernel takes and cannot send yet. Without this limit it takes
/// megabytes for each slow client, and some hundred of them use up the system's memory for TCP.
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
