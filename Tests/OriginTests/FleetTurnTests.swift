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
    private let database = "t\(UInt64.random(in: 0 ... .max))"

    init() throws {
        directory = try TemporaryDirectory()
        authority = try DevelopmentAuthority(now: now)
        try replaceFile(
            "\(directory.path)/secret", [UInt8](repeating: UInt8(ascii: "s"), count: 40),
            mode: 0o600)
        let text = """
            version: 1
            apps: {app: {name: app, ios: {id: ABCDE12345.com.example.app}}}
            links: {all: {match: /p/*, web: landing}}
            environments:
              prod:
                hosts: a.example
                tls: {automatic: {terms: agreed}}
                publish: {app: [all]}
                store: "postgresql://waymark@127.0.0.1:1/waymark?sslmode=disable"
                store-secret: secret
            """
        let (configuration, diagnostics) = Configuration.read(
            Array(text.utf8), file: "waymark.yaml", directory: directory.path)
        let read = try #require(configuration?.environment(named: "prod"), "\(diagnostics)")
        kept = CertificateDirectory("\(directory.path)/var")
        environment = read.placingCertificates(in: kept).environment
        try TestServer.shared.get().connect().execute("CREATE DATABASE \(database)", by: soon)
    }

    /// A node with the lock of its directory.
    private func start() throws -> CertificateWork {
        let server = try TestServer.shared.get()
        var place = PostgreSQLPlace(
            try PostgreSQLLocation(
                "postgresql://waymark@127.0.0.1:\(server.port)/\(database)?sslmode=disable"),
            node: "one"
        ) { () throws(StoreError) in TestServer.password }
        place.limits.connectMilliseconds = safetyNetSeconds * 1_000
        place.limits.statementMilliseconds = safetyNetSeconds * 1_000
        let snapshot = try Snapshot.build(
            environment, limits: .patient, ticketKeys: try TestOrigin.ticketKeys.get(), now: now)
        var work = CertificateWork(
            kept, ServedOrigin(snapshot), ChallengeCertificates(),
            try RecordPrograms(waking: Wakeup()),
            ServedStore.database(place, own: directory.path), answersHTTP: true, version: "0"
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

    private func connect() throws -> PostgreSQLConnection {
        var login = TestServer.login
        login.database = database
        return try TestServer.shared.get().connect(login: login)
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
}
