package import Sockets
import Synchronization

/// The addresses that an origin listens at; it does not listen where there is nil.
package struct OriginAddresses: Hashable, Sendable {
    package var https: SocketAddress?
    package var http: SocketAddress?
    package var admin: SocketAddress?

    package init(https: SocketAddress?, http: SocketAddress?, admin: SocketAddress?) {
        self.https = https
        self.http = http
        self.admin = admin
    }

    subscript(kind: ListenerKind) -> SocketAddress? {
        get {
            switch kind {
            case .https: https
            case .http: http
            case .admin: admin
            }
        }
        set {
            switch kind {
            case .https: https = newValue
            case .http: http = newValue
            case .admin: admin = newValue
            }
        }
    }
}

/// One loop's listeners, until the loop takes them.
final class ListenerShare: Sendable {
    private let listeners: Mutex<[BoundListener]>

    init(_ listeners: [BoundListener]) { self.listeners = Mutex(listeners) }

    func take() -> Listeners {
        Listeners(
            all: listeners.withLock { all in
                defer { all = [] }
                return all
            })
    }
}

/// The sockets that one loop accepts from, known to its poller by their numbers.
struct Listeners {
    fileprivate var all: [BoundListener]
    /// Those that the poller waits for.
    private var registered = Set<Int>()

    fileprivate init(all: [BoundListener]) { self.all = all }

    var count: Int { all.count }
    func kind(_ index: Int) -> ListenerKind { all[index].kind }
    /// Whether the connections that wait will be accepted by the next owner of the socket.
    func isInherited(_ index: Int) -> Bool { all[index].isInherited }

    func accept(_ index: Int) throws(SystemError) -> Socket? { try all[index].listener.accept() }

    /// Waits for connections at those where that is not done already.
    mutating func register(with poller: borrowing Poller) throws(SystemError) {
        for (index, bound) in all.enumerated() where !registered.contains(index) {
            try poller.add(
                bound.listener.descriptor, bound.isInherited ? .acceptingShared : .reading,
                token: Token.listener(index))
            registered.insert(index)
        }
    }

    mutating func unregister(from poller: borrowing Poller, keepingAdmin: Bool = false) {
        for index in registered where !keepingAdmin || all[index].kind != .admin {
            poller.remove(all[index].listener.descriptor)
            registered.remove(index)
        }
    }

    /// Closes all but those of a kind, which the poller then knows by other numbers.
    mutating func close(on poller: borrowing Poller, except kept: ListenerKind?) {
        unregister(from: poller)
        all.removeAll { $0.kind != kept }
        try? register(with: poller)
    }
}

/// A listener, and what it is for.
final class BoundListener: Sendable {
    let kind: ListenerKind
    let listener: Listener
    let isInherited: Bool

    init(
        _ kind: ListenerKind, _ address: SocketAddress, _ unreadBytes: Int?
    ) throws(StartError) {
        do {
            listener = try Listener(address)
            if let unreadBytes { try listener.limitUnread(to: unreadBytes) }
        } catch {
            throw StartError(address: address, error: error)
        }
        self.kind = kind
        isInherited = false
    }

    init(
        _ kind: ListenerKind, _ socket: InheritedSocket, _ unreadBytes: Int?
    ) throws(StartError) {
        do {
            listener = try Listener(socket)
            if let unreadBytes { try listener.limitUnread(to: unreadBytes) }
        } catch {
            throw StartError(inherited: socket.name, error: error)
        }
        self.kind = kind
        isInherited = true
    }

    /// The address with the port that is bound, once it is known that no other process has it.
    static func reserve(_ address: SocketAddress) throws(StartError) -> SocketAddress {
        do {
            return try Listener.reserve(address)
        } catch {
            throw StartError(address: address, error: error)
        }
    }
}

/// The reason why an origin could not be started.
package struct StartError: Error, Sendable {
    /// The address that could not be bound, or the name of the inherited socket that could not be
    /// used, if it was one of them.
    package var address: SocketAddress?
    package var inherited: String?
    package let error: SystemError
}
