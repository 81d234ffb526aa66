import Glibc
import PostgreSQL
import PostgreSQLSupport
import Sockets
import TestSupport
import Testing

@Suite struct `The choice of a primary` {
    private static func primary(_ timeline: Int, of system: Int = 1) -> PostgreSQLRole {
        .primary(PostgreSQLHistory(system: system, timeline: timeline))
    }

    private static let seen = PostgreSQLHistory(system: 1, timeline: 2)

    struct Row: Sendable {
        let roles: [PostgreSQLRole?]
        var seen: PostgreSQLHistory?
        let choice: Int?
    }

    @Test(arguments: [
        Row(roles: [], choice: nil),
        Row(roles: [nil, .replica], choice: nil),
        Row(roles: [.replica, primary(1)], choice: 1),
        Row(roles: [primary(1), primary(2), nil], choice: 1),
        Row(roles: [primary(2), primary(1)], choice: 0),
        Row(roles: [primary(2), primary(2)], choice: 0),
        // An old primary that wakes while the new one does not answer.
        Row(roles: [primary(1), nil], seen: seen, choice: nil),
        Row(roles: [primary(1), primary(2)], seen: seen, choice: 1),
        Row(roles: [primary(2), nil], seen: seen, choice: 0),
        Row(roles: [primary(3), nil], seen: seen, choice: 0),
        // Other databases are no successors.
        Row(roles: [primary(9, of: 2), primary(2)], seen: seen, choice: 1),
        Row(roles: [primary(9, of: 2), primary(1)], seen: seen, choice: nil),
        Row(roles: [primary(1, of: 2), primary(9, of: 3)], seen: seen, choice: 0),
        Row(roles: [primary(1, of: 2), primary(9, of: 3)], choice: 0),
        // The known one may be on the server that does not answer.
        Row(roles: [nil, primary(9, of: 2)], seen: seen, choice: nil),
        Row(roles: [nil, primary(9, of: 2)], choice: 1),
        Row(roles: [.replica, primary(9, of: 2)], seen: seen, choice: 1),
        // Servers that tell of no history.
        Row(roles: [.primary(nil), .primary(nil)], seen: seen, choice: 0),
        Row(roles: [.primary(nil), primary(2)], seen: seen, choice: 1),
    ])
    func `the newest history decides`(_ row: Row) {
        #expect(PostgreSQLRole.choose(from: row.roles, seen: row.seen) == row.choice)
    }
}

@Suite(.enabled(if: TestServer.isInstalled, TestServer.reason))
struct `Connecting to the primary` {
    /// A follower that was made of the same database; it can be promoted.
    private func follower() throws -> TestServer {
        // As many as the database was made for.
        try TestServer(["max_connections=100"], preparation: "touch data/standby.signal")
    }

    private func primary(
        _ ports: [Int], seen: PostgreSQLHistory? = nil, milliseconds: Int = 60_000
    ) throws -> PostgreSQLPrimary {
        let hosts = ports.map { "127.0.0.1:\($0)" }.joined(separator: ",")
        let location = try PostgreSQLLocation("postgresql://waymark@\(hosts)/postgres")
        var limits = PostgreSQLLimits()
        limits.connectMilliseconds = milliseconds
        return try PostgreSQLPrimary(
            loadedLibrary(), location, password: TestServer.password, limits: limits, seen: seen)
    }

    @Test func `a replica is passed over, and a promoted one is newer than its primary`() throws {
        let (old, new) = (try TestServer(), try follower())
        let first = try primary([new.port, old.port])
        #expect(first.host.port == old.port && first.history?.timeline == 1)
        _ = try new.connect().run("SELECT pg_promote()", by: soon)
        try wait { try primary([old.port, new.port]).host.port == new.port }
        let second = try primary([old.port, new.port], seen: first.history)
        #expect(second.history?.timeline == 2)
        #expect(second.history?.system == first.history?.system)
        #expect(try second.connection.run("SELECT 1", by: soon).count == 1)
        // The old one alone is not used any more.
        let error = #expect(throws: PostgreSQLError.self) {
            try primary([old.port, try freePort()], seen: second.history)
        }
        #expect(error?.fault == .away)
        #expect(
            error?.description.contains(
                "127.0.0.1:\(old.port) is a primary of timeline 1, and 2 was seen before") == true)
    }

    @Test func `a host that hangs costs its limit, and the next one is asked`() throws {
        let (hanging, good) = (try TestServer(), try TestServer())
        let found = try hanging.whileStopped {
            try primary([hanging.port, good.port], milliseconds: 2_000)
        }
        #expect(found.host.port == good.port)
    }

    @Test func `of hosts that refuse, each is named`() throws {
        // A socket that does not listen refuses, and nobody else gets its port meanwhile.
        let sockets = [0, 1].map { _ in socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }
        defer { for number in sockets { close(number) } }
        let ports = try sockets.map(boundPort)
        let error = #expect(throws: PostgreSQLError.self) { try primary(ports) }
        #expect(error?.fault == .away)
        for port in ports { #expect(error?.description.contains("port \(port) failed") == true) }
    }

    @Test func `a replica alone takes no changes`() throws {
        let server = try follower()
        let error = #expect(throws: PostgreSQLError.self) { try primary([server.port]) }
        #expect(error?.description == "127.0.0.1:\(server.port) takes no changes")
        #expect(error?.fault == .away)
    }

    @Test func `a primary that was told to take no changes is none`() throws {
        let server = try TestServer(["default_transaction_read_only=on"])
        #expect(throws: PostgreSQLError.self) { try primary([server.port]) }
    }

    @Test func `a wrong password is what it is, whoever else is away`() throws {
        let server = try TestServer.shared.get()
        let location = try PostgreSQLLocation(
            "postgresql://waymark@127.0.0.1:\(server.port)/postgres")
        let error = #expect(throws: PostgreSQLError.self) {
            try PostgreSQLPrimary(loadedLibrary(), location, password: "wrong")
        }
        #expect(error?.code == "28P01" && error?.fault == .configuration)
    }

    @Test func `names are resolved, and those that do not exist are named`() throws {
        let server = try TestServer.shared.get()
        let known = try PostgreSQLLocation("postgresql://waymark@localhost:\(server.port)/postgres")
        let found = try PostgreSQLPrimary(loadedLibrary(), known, password: TestServer.password)
        #expect(found.host.name == "localhost")
        let unknown = try PostgreSQLLocation(
            "postgresql://waymark@none.invalid/postgres?sslmode=disable")
        let error = #expect(throws: PostgreSQLError.self) {
            try PostgreSQLPrimary(loadedLibrary(), unknown, password: TestServer.password)
        }
        #expect(error?.fault == .away && error?.description.contains("none.invalid") == true)
    }
}
