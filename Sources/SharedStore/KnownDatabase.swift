internal import PostgreSQL
internal import Sockets
internal import Synchronization

/// The facts about a database that all connections of a node share, which belong to several threads: one connection
/// must not use a server that another one knows to be given up.
final class KnownDatabase: Sendable {
    private let state = Mutex(State())

    private struct State {
        /// The newest history that a server has told.
        var newest: PostgreSQLHistory?
        /// The server that has told it.
        var server: PostgreSQLLocation.Host?
        /// Whether the node has read links of the database, in this process or before it.
        var isRead = false
        /// The identity of the store that they are of; nil before this process has read it.
        var store: [UInt8]?
        /// The time of the next look at the other servers; nil while one is under way.
        var nextLook: Int? = 0
    }

    init() {}

    var newest: PostgreSQLHistory? { state.withLock { $0.newest } }

    /// Whether the node has read links of the database. Missing tables are then no reason to make others.
    var isRead: Bool { state.withLock { $0.isRead } }

    /// The identity of the store whose links the node has read; nil while it knows of none.
    var store: [UInt8]? { state.withLock { $0.store } }

    func noteRead() { state.withLock { $0.isRead = true } }

    func noteLinks(of store: [UInt8]) { state.withLock { ($0.isRead, $0.store) = (true, store) } }

    /// Notes the history of the server that is used.
    func note(_ history: PostgreSQLHistory?, of host: PostgreSQLLocation.Host?) {
        guard let history else { return }
        state.withLock { state in
            if let newest = state.newest, newest.system == history.system,
                newest.timeline >= history.timeline
            {
                return
            }
            (state.newest, state.server) = (history, host)
        }
    }

    /// The server with a later timeline of the same database, for people; nil if none is known.
    func successor(of history: PostgreSQLHistory?) -> String? {
        state.withLock { state in
            guard let history, let newest = state.newest, newest.system == history.system,
                newest.timeline > history.timeline
            else { return nil }
            let server = state.server.map(\.description) ?? "another server"
            return "\(server) has timeline \(newest.timeline)"
        }
    }

    // MARK: The other servers

    /// Asks the other servers of a location, when it is time, whether one of them has become the primary. It is done on
    /// another thread, so that a server that hangs keeps nobody waiting. A single host is asked itself: its name or
    /// address may lead to another server by now.
    func look(
        _ library: PostgreSQLLibrary, _ place: PostgreSQLPlace, besides own: PostgreSQLPrimary
    ) {
        guard let history = own.history else { return }
        let others = place.location.hosts.filter { $0 != own.host }
        let asked = others.isEmpty ? [own.host] : others
        let pause = others.isEmpty ? place.ownLookMilliseconds : Self.lookMilliseconds
        let isDue = state.withLock { state in
            guard let next = state.nextLook, next <= Clock.monotonicMilliseconds else {
                return false
            }
            state.nextLook = nil
            return true
        }
        guard isDue else { return }
        let look: @Sendable () -> Void = { [self] in
            defer { noteLook(pause) }
            for host in asked {
                guard case .primary(let found?)? = try? place.role(of: host, library),
                    found.system == history.system
                else { continue }
                note(found, of: host)
            }
        }
        guard (try? startThread(name: "waymark-hosts", look)) == nil else { return }
        noteLook(pause)
    }

    private func noteLook(_ pause: Int) {
        state.withLock { $0.nextLook = Clock.monotonicMilliseconds + pause }
    }

    private static let lookMilliseconds = 5_000
}

extension PostgreSQLPlace {
    /// Asks one of the servers for its role.
    fileprivate func role(
        of host: PostgreSQLLocation.Host, _ library: PostgreSQLLibrary
    ) throws -> PostgreSQLRole {
        try PostgreSQLPrimary.role(
            library, of: host, location, password: password(), limits: limits)
    }
}
