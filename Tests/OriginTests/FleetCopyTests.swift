import Answering
import Diagnostics
import Files
import PostgreSQL
import Snapshots
import Sockets
import TLS
import TestSupport
import Testing

@testable import Certificates
@testable import Origin
@testable import Services
@testable import SiteConfiguration

/// What a node of a fleet makes of what is in the database. `Tests/Tools/check-acme` has such nodes; here nobody connects.
@Suite("Copies of a fleet's certificates") struct FleetCopyTests {
    private let directory: TemporaryDirectory
    private let authority: DevelopmentAuthority
    private let environment: Environment
    private let kept: CertificateDirectory
    private let now = Clock.unixSeconds

    init() throws {
        directory = try TemporaryDirectory()
        authority = try DevelopmentAuthority(now: now)
        let secret = [UInt8](repeating: UInt8(ascii: "s"), count: 40)
        for name in ["secret", "password"] {
            try replaceFile("\(directory.path)/\(name)", secret, mode: 0o600)
        }
        let read = try directory.automaticEnvironment(
            #"store: "postgresql://waymark@127.0.0.1:1/waymark?sslmode=disable""#,
            "store-password: password", "store-secret: secret")
        kept = CertificateDirectory("\(directory.path)/var")
        environment = read.placingCertificates(in: kept).environment
    }

    /// A node that serves the environment, and has the directory's lock if nobody else has it.
    /// - Parameter other: the environment, if the configuration has another one by now.
    private func start(_ other: Environment? = nil) throws -> CertificateWork {
        let environment = other ?? self.environment
        let snapshot = try Snapshot.build(
            environment, limits: .patient, ticketKeys: try TestOrigin.ticketKeys.get(), now: now)
        let store = environment.store.map { ServedStore($0, own: directory.path) }
        var work = CertificateWork(
            kept, ServedOrigin(snapshot), ChallengeCertificates(),
            try RecordPrograms(waking: Wakeup()), store,
            answersHTTP: true, version: "0"
        ) { _ in }
        work.take(snapshot)
        _ = work.takeOwnLock(.now)
        return work
    }

    /// The part of its directory that is common.
    private func fleet(of work: borrowing CertificateWork) throws -> FleetDirectory {
        let found = work.fleet
        let fleet = try #require(found)
        fleet.serve(work.hosts, environment.store?.secrets ?? [])
        #expect(fleet.fault == nil)
        return fleet
    }

    private func change(
        _ fleet: FleetDirectory, _ content: [UInt8]?, _ isMeant: (FleetFile) -> Bool
    ) throws -> FleetDirectory.Change {
        let named = fleet.names.first { isMeant($0.value) }
        let found = try #require(named)
        return FleetDirectory.Change(
            file: found.value, path: "\(kept.root)/\(found.key)", content: content)
    }

    private func certificate(
        _ fleet: FleetDirectory, _ content: [UInt8]?
    ) throws -> FleetDirectory.Change {
        try change(fleet, content) { $0 == .certificate(host: "a.example") }
    }

    private func record(
        _ fleet: FleetDirectory, _ record: HostRecord?
    ) throws -> FleetDirectory.Change {
        try change(fleet, record?.json) { $0 == .record(host: "a.example") }
    }

    /// A key and a chain.
    private func issue(_ host: String = "a.example") throws -> [UInt8] {
        let (chain, key) = try authority.issue(for: [host], now: now)
        return key + chain
    }

    /// The record of a host whose certificate was revoked, and was issued at a time.
    private func revoked(issued: Int) -> HostRecord {
        var record = HostRecord()
        record.lastSuccess = issued
        record.revoke()
        return record
    }

    private func content(_ change: FleetDirectory.Change) -> [UInt8]? {
        (try? readFile(change.path, bytesMax: 1 << 20))?.bytes
    }

    @Test(arguments: [[], [#"store: "links.db""#]])
    func `a node that leaves its fleet leaves nothing of it behind`(store: [String]) throws {
        do {
            var work = try start()
            let fleet = try fleet(of: work)
            fleet.note()
            #expect(kept.fleetWords(next: nil) != nil)
            work.leave()
        }
        // It is still one of its fleet after another start.
        do {
            var work = try start()
            let isHeld = work.lock.isHeld
            #expect(isHeld && FileStamp(of: kept.fleetFile) != nil)
            work.leave()
        }
        let alone = try directory.automaticEnvironment(store.first ?? "")
        var work = try start(alone.placingCertificates(in: kept).environment)
        let isHeld = work.lock.isHeld
        #expect(isHeld && FileStamp(of: kept.fleetFile) == nil)
        work.leave()
    }

    @Test func `an authority that this node has not asked has a directory when something comes`()
        throws
    {
        var work = try start()
        let fleet = try fleet(of: work)
        // Let's Encrypt's test authority is there by itself.
        let (hosts, limits) = (work.hosts, OrderAllowance().json)
        #expect(hosts.settings.count == 2)
        for name in hosts.settings.keys.sorted() {
            let change = try change(fleet, limits) { $0 == .limits(authority: name) }
            work.apply([change], in: fleet, .now)
            #expect(content(change) == limits, "\(name)")
        }
        #expect(fleet.fault == nil)
    }

    @Test func `a removal is obeyed for what nodes remove, and for nothing else`() throws {
        var work = try start()
        let fleet = try fleet(of: work)
        let key = try SigningKey().pem()
        let kinds: [(FleetFile) -> Bool] = [
            { if case .account = $0 { true } else { false } },
            { if case .accountURL = $0 { true } else { false } },
            { if case .limits = $0 { true } else { false } },
            { if case .certificate = $0 { true } else { false } },
            { if case .record = $0 { true } else { false } },
        ]
        let contents = [
            key, Array("https://a.example/1\n".utf8), OrderAllowance().json, try issue(),
            HostRecord().json,
        ]
        for (isMeant, bytes) in zip(kinds, contents) {
            let change = try change(fleet, bytes, isMeant)
            work.apply([change], in: fleet, .now)
            #expect(content(change) == bytes, "\(change.path)")
            let removal = FleetDirectory.Change(
                file: change.file, path: change.path, content: nil)
            work.apply([removal], in: fleet, .now)
            #expect(content(change) == bytes, "\(change.path) is removed")
        }
        let order = try change(fleet, key) { $0 == .orderKey(host: "a.example") }
        work.apply([order], in: fleet, .now)
        #expect(content(order) == key)
        work.apply(
            [FleetDirectory.Change(file: order.file, path: order.path, content: nil)], in: fleet,
            .now)
        #expect(content(order) == nil)
    }

    @Test func `a certificate goes if its record says that it was revoked, and not an older one`()
        throws
    {
        var work = try start()
        let fleet = try fleet(of: work)
        let issued = try certificate(fleet, issue())
        work.apply([issued], in: fleet, .now)
        #expect(content(issued) != nil)
        // Somebody has put a record back that is a month old.
        let removal = try certificate(fleet, nil)
        work.apply(
            [removal, try record(fleet, revoked(issued: now - 2_592_000))], in: fleet, .now)
        #expect(content(issued) != nil)
        // The order of rows does not matter.
        work.apply([removal, try record(fleet, revoked(issued: now))], in: fleet, .now)
        #expect(content(issued) == nil)
    }

    @Test func `a revoked certificate does not come back, and its successor is served`() throws {
        var work = try start()
        let fleet = try fleet(of: work)
        let before = try certificate(fleet, issue())
        work.apply([try record(fleet, revoked(issued: now)), before], in: fleet, .now)
        #expect(content(before) == nil)
        // The certificate is in the database before the record.
        let after = try certificate(fleet, issue())
        work.apply([after], in: fleet, .now)
        #expect(content(after) == nil)
        var next = HostRecord()
        next.lastSuccess = now
        work.apply([try record(fleet, next)], in: fleet, .now)
        #expect(content(after) == after.content)
    }

    @Test func `a certificate that was revoked here does not come back before that is told`()
        throws
    {
        var work = try start()
        let fleet = try fleet(of: work)
        let name = try #require(environment.automaticHosts.first).name
        let (before, after) = (try certificate(fleet, issue()), try certificate(fleet, issue()))
        let bytes = try #require(before.content)
        let orders = [
            CertificateOrder(revoking: try ServerCertificate(chain: bytes, key: bytes)),
            // Of an earlier version, which means any.
            CertificateOrder.revocation(leaf: nil),
        ]
        for order in orders {
            try kept.keep(order, for: name)
            #expect(kept.order(for: name) == order)
            work.apply([before], in: fleet, .now)
            #expect(content(before) == nil)
            kept.remove(.renewal, for: name)
            #expect(kept.order(for: name) == order, "another order is removed")
            kept.remove(order, for: name)
            #expect(kept.order(for: name) == nil)
        }
        // What another node has got meanwhile is another one.
        try kept.keep(orders[0], for: name)
        work.apply([after], in: fleet, .now)
        #expect(content(after) == after.content)
        kept.remove(orders[0], for: name)
        work.apply([before], in: fleet, .now)
        #expect(content(before) == before.content)
    }

    @Test func `a record alone removes the certificate that it revokes, and no later one`() throws {
        var work = try start()
        let fleet = try fleet(of: work)
        let issued = try certificate(fleet, issue())
        work.apply([issued], in: fleet, .now)
        work.apply([try record(fleet, revoked(issued: now - 2_592_000))], in: fleet, .now)
        #expect(content(issued) == issued.content)
        work.apply([try record(fleet, revoked(issued: now))], in: fleet, .now)
        #expect(content(issued) == nil)
    }

    @Test func `a record that is older than this node's, or its certificate, is not copied`()
        throws
    {
        var work = try start()
        let fleet = try fleet(of: work)
        var (own, other) = (HostRecord(), HostRecord())
        (own.lastSuccess, own.lastFaultTime) = (now - 80_000, now - 1_000)
        let first = try record(fleet, own)
        work.apply([first], in: fleet, .now)
        #expect(content(first) == first.content)
        for success in [now - 90_000, now - 80_000] {
            other.lastSuccess = success
            work.apply([try record(fleet, other)], in: fleet, .now)
            #expect(content(first) == first.content)
        }
        own.lastFaultTime = now
        let next = try record(fleet, own)
        work.apply([next], in: fleet, .now)
        #expect(content(first) == next.content)
        // This one does not know of the certificate.
        work.apply([try certificate(fleet, issue())], in: fleet, .now)
        (other.lastFaultTime, other.failures) = (now, 3)
        work.apply([try record(fleet, other)], in: fleet, .now)
        #expect(content(first) == next.content)
        other.lastSuccess = now
        let last = try record(fleet, other)
        work.apply([last], in: fleet, .now)
        #expect(content(first) == last.content)
    }

    @Test func `limits that the database has lost are kept when all of it is read`() throws {
        var work = try start()
        let fleet = try fleet(of: work)
        var allowance = OrderAllowance()
        allowance.account = OrderPause(
            since: now, until: now + 1_000, isLimit: true, reason: "too many")
        let full = try change(fleet, allowance.json) {
            if case .limits = $0 { true } else { false }
        }
        work.apply([full], in: fleet, .now)
        func lost(isOfWhole: Bool) -> FleetDirectory.Change {
            FleetDirectory.Change(
                file: full.file, path: full.path, content: OrderAllowance().json,
                isOfWhole: isOfWhole)
        }
        work.apply([lost(isOfWhole: true)], in: fleet, .now)
        #expect(content(full) == full.content)
        // Another node has removed them.
        work.apply([lost(isOfWhole: false)], in: fleet, .now)
        #expect(content(full) == OrderAllowance().json)
    }

    @Test func `an order to replace a revoked certificate stays until others know of it`()
        throws
    {
        var work = try start()
        let fleet = try fleet(of: work)
        let name = try #require(environment.automaticHosts.first).name
        let issued = try certificate(fleet, issue())
        work.apply([issued], in: fleet, .now)
        let bytes = try #require(issued.content)
        let order = CertificateOrder(revoking: try ServerCertificate(chain: bytes, key: bytes))
        try kept.keep(order, for: name)
        // Nobody has the turn, because nobody connects.
        let isDone = work.takeOrders()
        #expect(!isDone && kept.order(for: name) == order)
    }

    @Test func `what is damaged in the database is not copied, and stops no node`() throws {
        var work = try start()
        let fleet = try fleet(of: work)
        let good = try certificate(fleet, issue())
        work.apply([good], in: fleet, .now)
        for bad in [Array("x".utf8), try issue("b.example"), Array(try issue().dropLast(400))] {
            work.apply([try certificate(fleet, bad)], in: fleet, .now)
            #expect(content(good) == good.content)
        }
        let account = try change(fleet, Array("x".utf8)) {
            if case .account = $0 { true } else { false }
        }
        let before = content(account)
        work.apply(
            [account, try change(fleet, []) { $0 == .record(host: "a.example") }], in: fleet, .now)
        #expect(content(account) == before && before != nil)
        // Pauses that cannot be read are not taken for none.
        let limits = try change(fleet, OrderAllowance().json) {
            if case .limits = $0 { true } else { false }
        }
        work.apply([limits], in: fleet, .now)
        for bad in [[], Array("{".utf8), Array("[]".utf8)] {
            #expect(!limits.file.accepts(bad))
            let damaged = FleetDirectory.Change(
                file: limits.file, path: limits.path, content: bad)
            work.apply([damaged], in: fleet, .now)
            #expect(content(limits) == limits.content)
        }
        #expect(fleet.fault == nil)
    }

    @Test func `without the lock nothing is copied`() throws {
        let first = try start()
        var second = try start()
        let (isFirst, isSecond) = (first.lock.isHeld, second.lock.isHeld)
        #expect(isFirst && !isSecond)
        let fleet = try fleet(of: second)
        let issued = try certificate(fleet, issue())
        second.apply([issued], in: fleet, .now)
        #expect(content(issued) == nil)
    }

    @Test func `nobody waits for a database that nobody reads`() throws {
        let work = try start()
        let fleet = try fleet(of: work)
        fleet.serve(work.hosts, [])
        #expect(fleet.newsSource == nil && fleet.pause(.now) == .max && fleet.fault != nil)
        let file = FileReference(
            path: "\(directory.path)/none",
            position: SourcePosition(file: "w.yaml", line: 1, column: 1))
        fleet.serve(work.hosts, [file])
        #expect(fleet.newsSource == nil && fleet.pause(.now) == .max)
        #expect(fleet.fault != nil)
        fleet.serve(AutomaticHosts(), environment.store?.secrets ?? [])
        #expect(fleet.newsSource == nil && fleet.pause(.now) == .max && fleet.fault == nil)
    }

    @Test func `the secret of another store is used with that store, after a restart`() throws {
        let work = try start()
        let fleet = try fleet(of: work)
        guard case .database(let used)? = environment.store else {
            Issue.record("the store is a database")
            return
        }
        let none = FileReference(
            path: "\(directory.path)/none",
            position: SourcePosition(file: "w.yaml", line: 1, column: 1))
        fleet.serve(work.hosts, of: environment.store)
        #expect(fleet.fault == nil)
        let other = try PostgreSQLLocation(
            "postgresql://waymark@127.0.0.1:1/other?sslmode=disable")
        for (location, isUsed) in [(other, false), (used.location, true)] {
            let store = StoreReference.database(
                DatabaseReference(
                    location: location, password: nil, secrets: [none], position: used.position))
            fleet.serve(work.hosts, of: store)
            #expect((fleet.fault != nil) == isUsed)
        }
        fleet.serve(work.hosts, of: .file(none))
        #expect(fleet.fault != nil, "as with the store before")
        fleet.serve(work.hosts, of: environment.store)
        #expect(fleet.fault == nil)
    }
}
