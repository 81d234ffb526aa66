import LinkStore
package import PostgreSQL
package import SharedStore
import TestSupport

/// A database of its own on a server, for the nodes and the operators of a test.
package struct TestDatabase: Sendable {
    package let server: TestServer
    package let name = "t\(UInt64.random(in: 0 ... .max))"

    /// - Parameter server: nil for the one that tests share.
    package init(on server: TestServer? = nil) throws {
        self.server = try server ?? TestServer.shared.get()
        try self.server.connect().execute("CREATE DATABASE \(name)", by: soon)
    }

    /// The place of the database for a node, which waits as long as a busy machine needs.
    /// - Parameter port: of another program between them; nil for the server's.
    package func place(
        node: String = "test", password: String = TestServer.password, port: Int? = nil
    ) throws -> PostgreSQLPlace {
        var place = PostgreSQLPlace(
            try PostgreSQLLocation(
                "postgresql://waymark@127.0.0.1:\(port ?? server.port)/\(name)?sslmode=disable"),
            node: node
        ) { () throws(StoreError) in password }
        let milliseconds = safetyNetSeconds * 1_000
        place.limits.connectMilliseconds = milliseconds
        place.limits.statementMilliseconds = milliseconds
        place.limits.serverStatementMilliseconds = milliseconds
        place.limits.serverLockMilliseconds = milliseconds
        place.limits.serverIdleMilliseconds = milliseconds
        place.lookUpMilliseconds = milliseconds
        return place
    }

    /// A session of an operator.
    package func connect() throws -> PostgreSQLConnection {
        var login = TestServer.login
        login.database = name
        return try server.connect(login: login)
    }
}
