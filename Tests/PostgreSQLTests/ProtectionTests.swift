import Foundation
import PostgreSQL
import PostgreSQLSupport
import Sockets
import TestSupport
import Testing

@Suite(.enabled(if: TestServer.isInstalled, TestServer.reason))
struct `Connections with TLS` {
    /// A certificate for localhost, which is its own authority, and another one.
    private static let server = Result {
        try TestServer(
            ["ssl=on", "ssl_cert_file=../server.crt", "ssl_key_file=../server.key"],
            preparation: """
                for name in server other; do
                    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 \
                      -subj "/CN=localhost" -addext "subjectAltName=DNS:localhost" \
                      -keyout "$name.key" -out "$name.crt" 2>>openssl.log
                done
                """)
    }

    private func connect(
        _ protection: PostgreSQLProtection, name: String = "localhost",
        limits: PostgreSQLLimits = PostgreSQLLimits()
    ) throws -> PostgreSQLConnection {
        var login = TestServer.login
        login.protection = protection
        let endpoint = PostgreSQLEndpoint(
            host: name, address: "127.0.0.1", port: try Self.server.get().port)
        return try PostgreSQLConnection(loadedLibrary(), login, at: endpoint, limits: limits)
    }

    private func file(_ name: String) throws -> String {
        try Self.server.get().directory + "/" + name
    }

    @Test func `a certificate of a known authority is accepted for its name`() throws {
        let connection = try connect(.verified(roots: file("server.crt"), name: true))
        #expect(connection.usesTLS)
        // More than the library's buffers and a record of TLS hold.
        var bytes = 0
        for _ in 0..<20 {
            let result = try connection.run(
                "SELECT repeat('a', 100000) FROM generate_series(1, 10)", by: soon)
            bytes += result.rows.reduce(0) { $0 + $1.bytes(0).count }
        }
        #expect(bytes == 20_000_000)
        try connection.copy(
            "SELECT repeat('a', 20000) FROM generate_series(1, 500)"
        ) { bytes += $0.bytes(0).count }
        #expect(bytes == 30_000_000)
    }

    /// What comes besides answers is counted by the bytes of the socket.
    @Test(arguments: [PostgreSQLProtection.encrypted(), .none])
    func `answers, rows and notifications of a server leave nothing over`(
        protection: PostgreSQLProtection
    ) throws {
        var limits = PostgreSQLLimits()
        limits.strayBytes = 4_096
        let connection = try connect(protection, limits: limits)
        try connection.execute("LISTEN a", by: soon)
        for number in 0..<1_000 {
            _ = try connection.run(
                "SELECT pg_notify('a', $1::text), $2::bigint, NULL::int", .text("text"),
                .integer(number), by: soon)
            _ = try connection.notifications(by: Deadline(in: 0))
        }
        #expect(throws: PostgreSQLError.self) { try connection.run("SELECT a", by: soon) }
        try connection.copy("SELECT repeat('a', 20000) FROM generate_series(1, 500)") { _ in }
        _ = try connection.run("SELECT a, 'b' FROM generate_series(1, 100000) g (a)", by: soon)
        #expect(!connection.isOverfull)
    }

    @Test func `another name, another authority and a file that is missing are refused`() throws {
        #expect(
            try connect(.verified(roots: file("server.crt"), name: false), name: "other").usesTLS)
        for (protection, name, words) in [
            (
                PostgreSQLProtection.verified(roots: try file("server.crt"), name: true), "other",
                "other"
            ),
            (
                .verified(roots: try file("other.crt"), name: true), "localhost",
                "certificate verify failed"
            ),
            (.verified(roots: "/nowhere/ca.pem", name: true), "localhost", "does not exist"),
        ] {
            let error = #expect(throws: PostgreSQLError.self) {
                try connect(protection, name: name)
            }
            #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
            #expect(error?.fault == .configuration)
        }
    }

    @Test func `encryption alone takes anybody`() throws {
        #expect(try connect(.encrypted(), name: "other").usesTLS)
        #expect(try !connect(.none).usesTLS)
    }
}
