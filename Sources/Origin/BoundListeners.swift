package import Sockets

/// The sockets of an origin that does not run yet: bound and listening, so that what binding needs
/// can be given up before the first connection is accepted.
package final class BoundListeners: Sendable {
    /// The addresses that they listen at; ports are never 0.
    package let addresses: OriginAddresses
    /// The name and the address of each socket; several inherited ones can have the same name.
    package let named: [(name: String, address: SocketAddress)]
    /// The listeners that each loop will accept from.
    let shares: [ListenerShare]

    /// Binds every address, for each loop.
    /// - Parameter inherited: sockets of a service manager, which take the place of the address of
    ///   the same name: `https`, `http` or `admin`.
    /// - Parameter unreadBytes: the kernel keeps at most so many bytes of a connection that are not read yet (`Listener.limitUnread`).
    package init(
        _ addresses: OriginAddresses, inherited: [InheritedSocket] = [], loops: Int,
        unreadBytes: Int? = nil
    ) throws(StartError) {
        var bound = addresses
        var named = [(name: String, address: SocketAddress)]()
        var shares = [[BoundListener]](repeating: [], count: loops)
        for kind in ListenerKind.allCases {
            let sockets = inherited.filter { $0.name == kind.rawValue }
            // One loop is enough for the few who ask the admin listener.
            let users = kind == .admin ? 0..<1 : 0..<loops
            for socket in sockets {
                for index in users {
                    let listener = try BoundListener(kind, socket, unreadBytes)
                    bound[kind] = listener.listener.address
                    shares[index].append(listener)
                }
                if let address = bound[kind] { named.append((kind.rawValue, address)) }
            }
            guard sockets.isEmpty, let address = addresses[kind] else { continue }
            // A port that the system chooses is free, and is kept once it is chosen; a
            // port that was asked for may be another process's, which sharing would hide.
            var reserved = address.port == 0 ? address : try BoundListener.reserve(address)
            for index in users {
                let listener = try BoundListener(kind, reserved, unreadBytes)
                reserved = listener.listener.address
                shares[index].append(listener)
            }
            bound[kind] = reserved
            named.append((kind.rawValue, reserved))
        }
        (self.addresses, self.named) = (bound, named)
        self.shares = shares.map(ListenerShare.init)
    }
}
