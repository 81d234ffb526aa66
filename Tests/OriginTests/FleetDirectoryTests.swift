import Diagnostics
import Files
import LinkStore
import PostgreSQL
import PostgreSQLSupport
import SiteConfiguration
import Sockets
import TLS
import TestSupport
import Testing

@testable import Certificates
@testable import Services
@testable import SharedStore

/// What nodes read and write of the certificates that they have together, in a database.
@Suite(.serialized, .enabled(if: TestServer.isInstalled, TestServer.reason))
struct FleetDirectoryTests {
    private let directory: TemporaryDirectory
    private let hosts: AutomaticHosts
    private let secrets: [FileReference]
    private let database: TestDatabase

    init() throws {
        directory = try TemporaryDirectory()
        try replaceFile(
            "\(directory.path)/secret", [UInt8](repeating: UInt8(ascii: "s"), count: 40),
            mode: 0o600)
        let environment = try directory.automaticEnvironment(
            #"store: "postgresql://waymark@127.0.0.1:1/waymark?sslmode=disable""#,
            "store-secret: secret")
        hosts = AutomaticHosts(environment.automaticHosts)
        secrets = environment.store?.secrets ?? []
        database = try TestDatabase()
    }

    private func node(_ name: String) throws -> FleetDirectory {
        let place = try database.place(node: name)
        let fleet = FleetDirectory(CertificateDirectory("\(directory.path)/\(name)"), place)
        fleet.serve(hosts, secrets)
        return fleet
    }

    /// The name of the account's key.
    private func account(_ fleet: FleetDirectory) throws -> String {
        let found = fleet.names.keys.first { $0.utf8.suffix(12).elementsEqual("/account.pem".utf8) }
        return try #require(found)
    }

    /// When the database is looked at again.
    private var later: Moment {
        Moment(seconds: Moment.now.seconds, milliseconds: Moment.now.milliseconds + 2_000)
    }

    @Test func `what was read and could not be copied is read again`() throws {
        let (one, two) = (try node("one"), try node("two"))
        _ = one.takeTurn(.now)
        #expect(one.hasTurn && one.fault == nil)
        let (name, key) = (try account(one), try SigningKey().pem())
        #expect(one.keep([name: key], .now) == .kept(version: 1))
        #expect(two.follow(.now).map(\.content) == [key])
        #expect(two.follow(later).isEmpty)
        // Such as when it has the directory's lock from now on.
        two.forget()
        #expect(two.follow(.now).map(\.content) == [key])
        one.endTurn()
        two.forget()
        #expect(two.takeTurn(.now).map(\.content) == [key])
        #expect(two.hasTurn)
        two.endTurn()
    }

    @Test func `a reload reads everything again only where something is another, or is missing`()
        throws
    {
        let (one, two) = (try node("one"), try node("two"))
        _ = one.takeTurn(.now)
        #expect(one.keep([try account(one): try SigningKey().pem()], .now) == .kept(version: 1))
        func look(_ seconds: Int) -> Int {
            let now = Moment.now
            let later = Moment(
                seconds: now.seconds, milliseconds: now.milliseconds + seconds * 2_000)
            return two.follow(later).count
        }
        #expect(look(1) == 1)
        two.serve(hosts, secrets)
        #expect(look(2) == 0)
        two.serve(hosts, secrets + secrets)
        #expect(look(3) == 1)
        two.serve(AutomaticHosts(), secrets)
        #expect(look(4) == 0)
        two.serve(hosts, secrets)
        #expect(look(5) == 1)
        // Somebody has removed the certificate from the directory, or it could not be written there.
        let now = Clock.unixSeconds
        let (chain, key) = try DevelopmentAuthority(now: now).issue(for: ["a.example"], now: now)
        let name = try #require(one.name(of: .certificate(host: "a.example")))
        #expect(one.keep([name: key + chain], .now) == .kept(version: 2))
        #expect(look(6) == 1)
        two.serve(hosts, secrets)
        #expect(look(7) == 2)
        one.endTurn()
    }

    @Test func `the key of the accounts is replaced by none but one that can be used`() throws {
        let (one, two) = (try node("one"), try node("two"))
        let (name, key, other) = (
            try account(one), try SigningKey().pem(), try SigningKey().pem()
        )
        _ = one.takeTurn(.now)
        #expect(one.keep([name: Array("x".utf8)], .now) == .kept(version: 1))
        one.endTurn()
        #expect(two.takeTurn(.now).count == 1)
        #expect(two.keep([name: key], .now) == .kept(version: 2))
        #expect(two.keep([name: key], .now) == .kept(version: 2))
        #expect(two.keep([name: other], .now) == .refused)
        #expect(!two.hasTurn)
        #expect(one.takeTurn(.now).map(\.content) == [key])
        #expect(one.hasTurn)
        one.endTurn()
    }

    @Test func `a node whose clock is wrong requests nothing until it is right`() throws {
        let one = try node("one")
        func moment(_ seconds: Int, _ milliseconds: Int) -> Moment {
            Moment(
                seconds: Moment.now.seconds + seconds,
                milliseconds: Moment.now.milliseconds + milliseconds)
        }
        for (number, (offset, word)) in [(90, "ahead"), (-90, "behind")].enumerated() {
            _ = one.takeTurn(moment(offset, 0))
            #expect(!one.hasTurn && one.fault == nil)
            let said = one.obstacle?.message ?? ""
            #expect(said.contains("seconds or more \(word)"), "\(said)")
            // Half a minute is nothing.
            _ = one.follow(moment(30, (number + 1) * 5_000))
            #expect(one.obstacle == nil)
        }
        _ = one.takeTurn(moment(30, 0))
        #expect(one.hasTurn)
        one.endTurn()
    }

    @Test func `orders that wait for the other nodes ask them together`() throws {
        let (one, two) = (try node("one"), try node("two"))
        _ = one.takeTurn(.now)
        #expect(one.keep([try account(one): try SigningKey().pem()], .now) == .kept(version: 1))
        let server = try database.connect()
        for name in ["one", "two"] {
            _ = try server.run(
                """
                INSERT INTO waymark.node (name, version, configuration, generation, clock_offset, started, seen)
                VALUES ($1, '', '', 0, 0, 0, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
                """, .text(name), by: soon)
        }
        let now = Moment.now
        let soonAfter = Moment(seconds: now.seconds, milliseconds: now.milliseconds + 100)
        #expect(!one.areAllTold(1, now))
        #expect(two.follow(.now).count == 1)
        two.tellRead(.now)
        // The answer is that of before, for whoever asks just then.
        #expect(!one.areAllTold(1, now))
        #expect(one.areAllTold(1, soonAfter))
        #expect(!one.areAllTold(2, soonAfter))
        one.endTurn()
    }

    @Test func `a turn goes on when its connection has ended`() throws {
        let one = try node("one")
        _ = one.takeTurn(.now)
        let server = try database.connect()
        _ = try server.run(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
            """, by: soon)
        for _ in 0..<50 {
            let goesOn = one.goOn(.now)
            #expect(goesOn)
            try Wakeup().wait(atMost: 10)
        }
        #expect(one.hasTurn && one.newsSource != nil && one.fault == nil)
        // It has nobody to wait for without secrets, and leaves the turn to others.
        one.serve(
            hosts,
            [
                FileReference(path: "\(directory.path)/none", position: secrets[0].position)
            ])
        #expect(!one.hasTurn && one.newsSource == nil)
        let two = try node("two")
        _ = two.takeTurn(.now)
        #expect(two.hasTurn)
        two.endTurn()
    }
}
