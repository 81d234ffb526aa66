import PostgreSQL
import PostgreSQLSupport
import Sockets
import TestSupport
import Testing

@testable import LinkStore
@testable import SharedStore

@Suite(.serialized, .enabled(if: TestServer.isInstalled, TestServer.reason))
struct `Tables of a store of several nodes` {
    private func outcome(
        _ connection: PostgreSQLConnection,
        _ scripts: [PostgreSQLSchema.Script] = PostgreSQLSchema.scripts
    ) throws -> PostgreSQLSchema.Outcome {
        try PostgreSQLSchema.prepare(connection, scripts, by: soon)
    }

    private static let known = PostgreSQLSchema.scripts.count
    private static let now = PostgreSQLSchema(version: known, minReader: 1, minWriter: 1)
    private static let next =
        PostgreSQLSchema.scripts + [.init(sql: "ALTER TABLE waymark.link ADD extra text")]

    @Test func `of six nodes that begin at once, one makes them`() throws {
        let database = try TestDatabase()
        let connections = try (0..<6).map { _ in try database.connect() }
        let ready = PostgreSQLSchema.Outcome.ready(Self.now)
        try threads(connections) { try outcome($0) == ready }
        let tables = try database.connect().run(
            "SELECT 1 FROM pg_tables WHERE schemaname = 'waymark'", by: soon)
        #expect(tables.count == 27)
        #expect(
            try database.connect().run("SELECT identity FROM waymark.store", by: soon).count == 1)
    }

    @Test func `a later version adds to what an earlier one goes on using`() throws {
        let connection = try TestDatabase().connect()
        _ = try outcome(connection)
        let later = PostgreSQLSchema(version: Self.known + 1, minReader: 1, minWriter: 1)
        #expect(try outcome(connection, Self.next) == .ready(later))
        #expect(try outcome(connection, Self.next) == .ready(later))
        #expect(try outcome(connection) == .ready(later))
        #expect(later.isWritable(knowing: 1))
    }

    @Test func `a program that is too old does not write, or does not read`() throws {
        let connection = try TestDatabase().connect()
        var scripts = Self.next
        let next = scripts.count
        scripts[next - 1].minWriter = next
        let unwritable = PostgreSQLSchema(version: next, minReader: 1, minWriter: next)
        #expect(try outcome(connection, scripts) == .ready(unwritable))
        #expect(try outcome(connection) == .ready(unwritable))
        #expect(!unwritable.isWritable(knowing: Self.known) && unwritable.isWritable(knowing: next))
        let last = next + 1
        scripts.append(.init(sql: "SELECT 1", minReader: last, minWriter: last))
        let unreadable = PostgreSQLSchema(version: last, minReader: last, minWriter: last)
        #expect(try outcome(connection, scripts) == .ready(unreadable))
        #expect(try outcome(connection, Self.next) == .isNewer(unreadable))
    }

    @Test func `tables that are in use are changed when they are not, and nobody waits for that`()
        throws
    {
        let database = try TestDatabase()
        let (connection, reader, other) = (
            try database.connect(), try database.connect(), try database.connect()
        )
        _ = try outcome(connection)
        _ = try reader.begin([PostgreSQLStatement("SELECT 1 FROM waymark.link")], by: soon)
        let error = #expect(throws: PostgreSQLError.self) {
            try PostgreSQLSchema.prepare(connection, Self.next, by: Deadline(in: 1_000))
        }
        #expect(error?.code == "55P03" || error?.fault == .away)
        try reader.commit(by: soon)
        #expect(try other.run("SELECT 1 FROM waymark.link", by: soon).count == 0)
        let later = PostgreSQLSchema(version: Self.known + 1, minReader: 1, minWriter: 1)
        #expect(try outcome(database.connect(), Self.next) == .ready(later))
    }

    @Test(arguments: [
        "CREATE SCHEMA waymark; CREATE TABLE waymark.link (a int)",
        "CREATE SCHEMA waymark; CREATE TABLE waymark.schema (a int)",
        "CREATE SCHEMA waymark; CREATE TABLE waymark.schema (version int, min_reader int, min_writer int)",
    ])
    func `what somebody else has made is left as it is`(_ script: String) throws {
        let connection = try TestDatabase().connect()
        try connection.execute(script, by: soon)
        #expect(try outcome(connection) == .isForeign)
        #expect(!connection.isInTransaction)
    }

    @Test func `a schema that an operator has made is enough, and without it a right is missing`()
        throws
    {
        let database = try TestDatabase()
        let owner = try database.connect()
        let role = "r\(database.name)"
        try owner.execute("CREATE ROLE \(role) LOGIN PASSWORD '\(TestServer.password)'", by: soon)
        var login = TestServer.login
        (login.user, login.database) = (role, database.name)
        let node = try TestServer.shared.get().connect(login: login)
        let error = #expect(throws: PostgreSQLError.self) { try outcome(node) }
        #expect(error?.code == "42501" && error?.fault == .configuration)
        try owner.execute("CREATE SCHEMA waymark AUTHORIZATION \(role)", by: soon)
        #expect(try outcome(node) == .ready(Self.now))
    }

    @Test func `two links cannot have one slug, as an alias either`() throws {
        let connection = try TestDatabase().connect()
        _ = try outcome(connection)
        func link(_ id: Int) -> PostgreSQLStatement {
            PostgreSQLStatement(
                """
                INSERT INTO waymark.link (id, uid, collection, slug, disabled, archived, created, updated,
                  generation) VALUES ($1, $2, 1, 'a', false, false, 0, 0, 1)
                """, .integer(id), .blob([UInt8](repeating: UInt8(id), count: 16)))
        }
        func slug(_ link: Int, place: Int) -> PostgreSQLStatement {
            PostgreSQLStatement(
                "INSERT INTO waymark.slug VALUES (1, 'a', $1, $2)", .integer(link),
                .integer(place))
        }
        let collection = PostgreSQLStatement(
            "INSERT INTO waymark.collection (name) VALUES ('short')")
        _ = try connection.run([collection, link(1), link(2), slug(1, place: 0)], by: soon)
        let error = #expect(throws: PostgreSQLError.self) {
            try connection.run([slug(2, place: 1)], by: soon)
        }
        #expect(error?.fault == .conflict && error?.constraint == "slug_taken")
    }

    /// Runs `body` for each connection on a thread of its own.
    private func threads(
        _ connections: [PostgreSQLConnection],
        _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Bool
    ) throws {
        let all = connections.map { connection in
            let one = Owned(connection)
            return Background(name: "node") { Result { try body(one.connection) } }
        }
        for one in all { #expect(try one.value.get()) }
    }

    private final class Owned: @unchecked Sendable {
        let connection: PostgreSQLConnection
        init(_ connection: PostgreSQLConnection) { self.connection = connection }
    }
}
