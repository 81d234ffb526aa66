import Answering
import Diagnostics
import Files
import LinkStore
import PostgreSQL
import PostgreSQLSupport
import SiteConfiguration
import Snapshots
import Sockets
import TLS
import TestSupport
import Testing

@testable import Certificates
@testable import Origin
@testable import Services
@testable import SharedStore

/// What a node with the turn writes into the database, and what it reads after it.
@Suite("Turns of a fleet", .serialized, .enabled(if: TestServer.isInstalled, TestServer.reason))
struct FleetTurnTests {
    private let directory: TemporaryDirectory
    private let authority: DevelopmentAuthority
    private let environment: Environment
    private let kept: CertificateDirectory
    private let now = Clock.unixSeconds
    private let database: TestDatabase

    init() throws {
        directory = try TemporaryDirectory()
        authority = try DevelopmentAuthority(now: now)
        try replaceFile(
            "\(directory.path)/secret", [UInt8](repeating: UInt8(ascii: "s"), count: 40),
            mode: 0o600)
        let read = try directory.automaticEnvironment(
            #"store: "postgresql://waymark@127.0.0.1:1/waymark?sslmode=disable""#,
            "store-secret: secret")
        kept = CertificateDirectory("\(directory.path)/var")
        environment = read.placingCertificates(in: kept).environment
        database = try TestDatabase()
    }

    /// A node with the lock of its directory.
    private func start() throws -> CertificateWork {
        let snapshot = try Snapshot.build(
            environment, limits: .patient, ticketKeys: try TestOrigin.ticketKeys.get(), now: now)
        var work = CertificateWork(
            kept, ServedOrigin(snapshot), ChallengeCertificates(),
            try RecordPrograms(waking: Wakeup()),
            ServedStore.database(try database.place(node: "one"), own: directory.path),
            answersHTTP: true, version: "0"
        ) { _ in }
        work.take(snapshot)
        _ = work.takeOwnLock(.now)
        return work
    }

    private func fleet(of work: borrowing CertificateWork) throws -> FleetDirectory {
        let found = work.fleet
        let fleet = try #require(found)
        fleet.serve(work.hosts, environment.store?.secrets ?? [])
        return fleet
    }

    private func host() throws -> AutomaticHost { try #require(environment.automaticHosts.first) }

    private func files() throws -> HostFiles { HostFiles(kept, try host()) }

    /// When the database is looked at again.
    private var later: Moment {
        Moment(seconds: Moment.now.seconds, milliseconds: Moment.now.milliseconds + 2_000)
    }

    @Test func `a turn writes what the database lacks, and nothing that it has`() throws {
        var work = try start()
        let fleet = try fleet(of: work)
        let hasTurn = work.takeTurn(fleet, .now)
        #expect(hasTurn)
        work.agenda.note("a.example") { $0.lastFault = "a fault" }
        work.keep()
        let version = fleet.version
        #expect(version > 0)
        // Such as a record that could not be written when it was new.
        try replaceFile(try files().record, HostRecord().json, mode: 0o600)
        work.keepAll(in: fleet, .now)
        #expect(fleet.version == version)
        let (chain, key) = try authority.issue(for: ["a.example"], now: now)
        try replaceFile(try files().certificate, key + chain, mode: 0o600)
        work.keepAll(in: fleet, .now)
        #expect(fleet.version == version + 1)
        work.keepAll(in: fleet, .now)
        #expect(fleet.version == version + 1)
        work.leave()
    }

    @Test func `what could not be written into the directory is read back from the database`()
        throws
    {
        var work = try start()
        let fleet = try fleet(of: work)
        let path = try files().record
        let hasTurn = work.takeTurn(fleet, .now)
        #expect(hasTurn)
        // Nothing can be put in the place of a directory with files.
        try createDirectory(path)
        try replaceFile("\(path)/file", [], mode: 0o600)
        work.agenda.note("a.example") { $0.lastFault = "a fault" }
        work.keep()
        let found = work.agenda.plan["a.example"]?.record
        let record = try #require(found)
        work.leave()
        try moveFile(path, to: "\(path).other")
        try replaceFile(path, HostRecord().json, mode: 0o600)
        work.follow(fleet, .now)
        #expect(try files().readRecord().json == record.json)
        #expect(record.lastFault == "a fault")
    }

    @Test func `a revocation is one change with the removal, and the order goes last`() throws {
        var work = try start()
        let fleet = try fleet(of: work)
        let hasTurn = work.takeTurn(fleet, .now)
        #expect(hasTurn)
        let (chain, key) = try authority.issue(for: ["a.example"], now: now)
        try replaceFile(try files().certificate, key + chain, mode: 0o600)
        work.keepAll(in: fleet, .now)
        let version = fleet.version
        let order = CertificateOrder(
            revoking: try ServerCertificate(chain: key + chain, key: key + chain))
        // Whoever has revoked it was killed before it was removed.
        try kept.keep(order, for: try host().name)
        var isDone = work.takeOrders()
        #expect(isDone)
        #expect(try kept.order(for: host().name) == nil)
        #expect(FileStamp(of: try files().certificate) == nil)
        let rows = try database.connect().run(
            """
            SELECT count(*), min(version), max(version), count(content) FROM waymark.certificate_file
            WHERE name LIKE '%/certificates/a.example.pem' OR name LIKE '%/orders/a.example.json'
            """, by: soon)
        let row = try #require(rows.first)
        #expect((0..<4).map { row.integer($0) } == [2, version + 1, version + 1, 1])
        // Another node has got another one meanwhile.
        let (other, otherKey) = try authority.issue(for: ["a.example"], now: now)
        try replaceFile(try files().certificate, otherKey + other, mode: 0o600)
        let before = work.agenda.plan["a.example"]?.record
        try kept.keep(order, for: try host().name)
        isDone = work.takeOrders()
        #expect(isDone)
        let after = work.agenda.plan["a.example"]?.record
        #expect(try kept.order(for: host().name) == nil && before == after)
        #expect(FileStamp(of: try files().certificate) != nil)
        work.leave()
    }

    @Test func `the next turn removes a revoked certificate whose row has stayed`() throws {
        var work = try start()
        let fleet = try fleet(of: work)
        var hasTurn = work.takeTurn(fleet, .now)
        #expect(hasTurn)
        let (chain, key) = try authority.issue(for: ["a.example"], now: now)
        try replaceFile(try files().certificate, key + chain, mode: 0o600)
        work.keepAll(in: fleet, .now)
        // The record alone could be written.
        let issued = now
        work.agenda.note("a.example") { record in
            record.lastSuccess = issued
            record.revoke()
        }
        work.keep()
        work.leave()
        removeFile(try files().certificate)
        fleet.forget()
        work.follow(fleet, .now)
        #expect(FileStamp(of: try files().certificate) == nil, "it has come back")
        hasTurn = work.takeTurn(fleet, later)
        #expect(hasTurn)
        work.keepAll(in: fleet, .now)
        let rows = try database.connect().run(
            """
            SELECT count(*), count(content) FROM waymark.certificate_file
            WHERE name LIKE '%/certificates/a.example.pem'
            """, by: soon)
        let row = try #require(rows.first)
        #expect(row.integer(0) == 1 && row.integer(1) == 0)
        work.leave()
    }

    @Test func `a database that is restored gets back what the node has`() throws {
        var work = try start()
        let fleet = try fleet(of: work)
        let (older, newer) = (now - 864_000, now)
        var hasTurn = work.takeTurn(fleet, .now)
        #expect(hasTurn)
        work.agenda.note("a.example") { $0.lastSuccess = older }
        work.keep()
        let server = try database.connect()
        _ = try server.run("CREATE TABLE older AS SELECT * FROM waymark.certificate_file", by: soon)
        work.agenda.note("a.example") { $0.lastSuccess = newer }
        work.keep()
        work.leave()
        _ = try server.run(
            """
            UPDATE waymark.certificate_file f SET content = o.content FROM older o
            WHERE f.name = o.name
            """, by: soon)
        fleet.forget()
        work.follow(fleet, .now)
        #expect(try files().readRecord().lastSuccess == newer)
        hasTurn = work.takeTurn(fleet, later)
        #expect(hasTurn)
        let version = fleet.version
        work.keepAll(in: fleet, .now)
        #expect(fleet.version == version + 1)
        work.leave()
        fleet.forget()
        work.follow(fleet, .now)
        #expect(try files().readRecord().lastSuccess == newer)
    }
}
