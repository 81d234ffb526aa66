import Glibc
import PostgreSQL
import PostgreSQLSupport
import Sockets
import TestSupport
import Testing

@Suite(.enabled(if: TestServer.isInstalled, TestServer.reason))
struct `Refusals of a connection` {
    struct Wrong: CustomTestStringConvertible {
        let testDescription: String
        let code: String?
        let change: @Sendable (inout PostgreSQLLogin) -> Void
    }

    @Test(arguments: [
        Wrong(testDescription: "password", code: "28P01") { $0.password = "wrong" },
        Wrong(testDescription: "user", code: "28P01") { $0.user = "stranger" },
        Wrong(testDescription: "database", code: "3D000") { $0.database = "elsewhere" },
    ])
    func `who has something wrong is told what`(_ wrong: Wrong) throws {
        let server = try TestServer.shared.get()
        var login = TestServer.login
        wrong.change(&login)
        let error = #expect(throws: PostgreSQLError.self) { try server.connect(login: login) }
        #expect(error?.code == wrong.code && error?.fault == .configuration)
        #expect(error?.description.contains("LOCATION") == false)
        #expect(error?.description.contains("wrong") == false)
    }

    @Test func `a database of another encoding is refused`() throws {
        let server = try TestServer.shared.get()
        try server.connect().execute(
            "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0", by: soon)
        var login = TestServer.login
        login.database = "latin"
        let error = #expect(throws: PostgreSQLError.self) { try server.connect(login: login) }
        #expect(error?.description == "the database's encoding is LATIN1, and must be UTF8")
        #expect(error?.fault == .configuration)
    }

    @Test func `a server without TLS is refused where it must have it`() throws {
        let server = try TestServer.shared.get()
        var login = TestServer.login
        login.protection = .encrypted()
        let error = #expect(throws: PostgreSQLError.self) { try server.connect(login: login) }
        #expect(error?.description.contains("does not support SSL") == true)
        #expect(error?.fault == .configuration)
    }

    @Test func `a database that takes no connections is for its operator`() throws {
        let server = try TestServer.shared.get()
        let owner = try server.connect()
        try owner.execute("CREATE DATABASE closed", by: soon)
        try owner.execute("ALTER DATABASE closed ALLOW_CONNECTIONS false", by: soon)
        var login = TestServer.login
        login.database = "closed"
        let error = #expect(throws: PostgreSQLError.self) { try server.connect(login: login) }
        #expect(error?.code == "55000" && error?.fault == .configuration)
    }
}

@Suite struct `Servers of something else` {
    struct Speech: CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        /// Whether it closes the connection, and does not wait.
        var closes = true
    }

    @Test(arguments: [
        Speech(testDescription: "nothing, and the end", bytes: []),
        Speech(testDescription: "HTTP", bytes: Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)),
        Speech(testDescription: "SSH", bytes: Array("SSH-2.0-OpenSSH_9.2p1\r\n".utf8)),
        Speech(
            testDescription: "MySQL", bytes: [0x4A, 0, 0, 0, 0x0A] + Array("8.0.36".utf8) + [0]),
        Speech(testDescription: "zero bytes", bytes: [UInt8](repeating: 0, count: 4_096)),
        Speech(
            testDescription: "another authentication",
            bytes: Array("R".utf8) + [0, 0, 0, 8, 0, 0, 0, 99]),
        Speech(
            testDescription: "an error of a version before 7.4",
            bytes: Array("Eunsupported frontend\0".utf8)),
        Speech(
            testDescription: "a message without an end",
            bytes: Array("R".utf8) + [0x7F, 0xFF, 0xFF, 0xFF, 0, 0]),
        Speech(testDescription: "an end after the password", bytes: Message.authenticated),
        Speech(testDescription: "silence", bytes: [], closes: false),
        Speech(
            testDescription: "silence after the password", bytes: Message.authenticated,
            closes: false),
        Speech(
            testDescription: "a server before 12",
            bytes: Message.authenticated + Message.parameter("server_version", "9.6.24")
                + Message.idle, closes: false),
        Speech(
            testDescription: "a server that answers with nothing",
            bytes: Message.authenticated + Message.parameter("server_version", "15.4")
                + Message.idle, closes: false),
        Speech(
            testDescription: "rubbish instead of an answer",
            bytes: Message.authenticated + Message.parameter("server_version", "15.4")
                + Message.idle
                + [UInt8](repeating: 0x21, count: 999), closes: false),
    ])
    func `what they say is an error, within the limit`(_ speech: Speech) throws {
        let impostor = try Impostor([speech.bytes], closes: speech.closes)
        var limits = PostgreSQLLimits()
        limits.connectMilliseconds = 300
        let endpoint = PostgreSQLEndpoint(
            host: "127.0.0.1", address: "127.0.0.1", port: impostor.port)
        let error = #expect(throws: PostgreSQLError.self) {
            try PostgreSQLConnection(
                loadedLibrary(), TestServer.login, at: endpoint, limits: limits)
        }
        #expect(error?.fault == .away || error?.fault == .configuration)
        #expect(
            error?.description.isEmpty == false && error?.description.utf8.contains(0x0A) == false)
    }
}
