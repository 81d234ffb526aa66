package import Sockets

/// The sockets that one loop accepts from.
struct Listeners: ~Copyable {
    private var https: Listener?
    private var http: Listener?
    private var admin: Listener?

    init(_ addresses: OriginAddresses, isFirstLoop: Bool) throws(SystemError) {
        if let address = addresses.https { https = try Listener(address) }
        if let address = addresses.http { http = try Listener(address) }
        // One loop is enough for the few who ask the admin listener.
        if isFirstLoop, let address = addresses.admin { admin = try Listener(address) }
    }

    borrowing func accept(_ kind: ListenerKind) throws(SystemError) -> Socket? {
        switch kind {
        case .https: try https?.accept() ?? nil
        case .http: try http?.accept() ?? nil
        case .admin: try admin?.accept() ?? nil
        }
    }

    borrowing func register(with poller: borrowing Poller) throws(SystemError) {
        try https?.register(with: poller, Token.https)
        try http?.register(with: poller, Token.http)
        try admin?.register(with: poller, Token.admin)
    }

    borrowing func unregister(from poller: borrowing Poller) {
        https?.unregister(from: poller)
        http?.unregister(from: poller)
        admin?.unregister(from: poller)
    }

    mutating func close() {
        https = nil
        http = nil
        admin = nil
    }
}

extension Listener {
    fileprivate borrowing func register(
        with poller: borrowing Poller, _ token: UInt64
    ) throws(SystemError) {
        try poller.add(descriptor, .reading, token: token)
    }

    fileprivate borrowing func unregister(from poller: borrowing Poller) {
        poller.remove(descriptor)
    }
}

/// Where an origin listens; nil does not listen.
package struct OriginAddresses: Hashable, Sendable {
    package var https: SocketAddress?
    package var http: SocketAddress?
    package var admin: SocketAddress?

    package init(https: SocketAddress?, http: SocketAddress?, admin: SocketAddress?) {
        self.https = https
        self.http = http
        self.admin = admin
    }
}
