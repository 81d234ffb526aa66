import Services
import Snapshots
import TestSupport
import Answering
import Diagnostics
import Files
import Glibc
import Origin
import SiteConfiguration
import Sockets
import Synchronization
import TLS
import URISyntax

/// An origin on free ports of the loopback address, with a public directory of its own; stopped
/// and removed with its owner.
final class TestOrigin {
    let directory: TemporaryDirectory
    let server: OriginServer
    let limits: OriginLimits
    /// What it began with.
    let snapshot: Snapshot
    private let clock: LoopClock
    private let events = Events()
    /// What was found out about public files when they were read.
    let foundInFiles = Findings()

    final class Findings: Sendable {
        private let found = Mutex([Diagnostic]())
        var all: [Diagnostic] { found.withLock { $0 } }
        func add(_ finding: Diagnostic) { found.withLock { $0.append(finding) } }
    }

    /// What an operator would have heard.
    var reported: [OriginEvent] { events.all.withLock { $0 } }

    private final class Events: Sendable {
        let all = Mutex([OriginEvent]())
    }

    convenience init(
        _ change: (inout TestSite) throws -> Void = { _ in }, limits: OriginLimits = .patient,
        loops: Int = 1, log: TestLog? = nil, adminHosts: [HostName] = [],
        handler: (any RequestHandler)? = nil, clock: LoopClock = LoopClock()
    ) throws {
        try self.init(
            { site, _ in try change(&site) }, limits: limits, loops: loops, log: log,
            adminHosts: adminHosts, handler: handler, clock: clock)
    }

    /// - Parameter change: may also write files that the site refers to.
    init(
        _ change: (inout TestSite, TemporaryDirectory) throws -> Void,
        limits: OriginLimits = .patient, loops: Int = 1, log: TestLog? = nil, hasAdmin: Bool = true,
        adminHosts: [HostName] = [], handler: (any RequestHandler)? = nil,
        clock: LoopClock = LoopClock()
    ) throws {
        directory = try TemporaryDirectory()
        self.clock = clock
        self.limits = limits
        var site = TestSite()
        try change(&site, directory)
        snapshot = try Self.snapshot(site, directory, limits, report: foundInFiles.add)
        let loopback = SocketAddress(host: .v4([127, 0, 0, 1]), port: 0)
        let report: @Sendable (OriginEvent) -> Void = { [events] event in
            events.all.withLock { $0.append(event) }
        }
        let own = directory.path
        let links = try snapshot.environment.store.map {
            try LinkService(ServedStore($0, own: own)) { report(.service($0)) }
        }
        server = try OriginServer.start(
            snapshot,
            on: BoundListeners(
                .init(https: loopback, http: loopback, admin: hasAdmin ? loopback : nil),
                loops: loops),
            limits: limits, log: try log?.begin(in: directory, limits, loops),
            adminHosts: adminHosts, links: links, console: try links.map(ConsoleService.init),
            memory: site.memory(directory.path),
            handler: handler, clock: clock, report: report)
    }

    deinit {
        server.stop()
        let services = (server.links?.services ?? []) + [server.console].compactMap(\.self)
        for service in services { service.beginStop(atOnce: false) }
        _ = waits { services.allSatisfy(\.hasStopped) }
    }

    var httpsPort: UInt16 { server.addresses.https?.port ?? 0 }
    var httpPort: UInt16 { server.addresses.http?.port ?? 0 }
    var adminPort: UInt16 { server.addresses.admin?.port ?? 0 }

    /// Moves the clock on, which must be stopped, and returns when the only loop has lived through it.
    func advance(milliseconds: Int) throws {
        advanceAtOnce(milliseconds: milliseconds)
        server.wakeLoops()
        // The second request comes in a turn after the one that looked at what is due.
        for _ in 0..<2 { _ = try TestClient(port: adminPort).get("/livez") }
    }

    /// Moves the clock on without waiting for the loop.
    func advanceAtOnce(milliseconds: Int) { clock.advance(milliseconds: milliseconds) }

    /// Keeps a loop that has something to report standing still meanwhile.
    func withoutReports(_ body: () throws -> Void) rethrows {
        try events.all.withLock { _ in try body() }
    }

    /// Writes the site's files and builds its snapshot.
    static func snapshot(
        _ site: TestSite, _ directory: TemporaryDirectory, _ limits: OriginLimits = .patient,
        report: @escaping @Sendable (Diagnostic) -> Void = { _ in }
    ) throws -> Snapshot {
        let environment = try environment(site, directory)
        let snapshot = try Snapshot.build(
            environment, limits: limits, ticketKeys: try site.ticketKeys ?? ticketKeys.get(),
            now: Clock.unixSeconds - site.daysAgo * 86400, report: report)
        snapshot.sites.sites[0].prepareFiles()
        return snapshot
    }

    /// Writes the site's files.
    static func environment(
        _ site: TestSite, _ directory: TemporaryDirectory
    ) throws -> Environment {
        let position = SourcePosition(file: "test.yaml", line: 1, column: 1)
        let authority = try authority.get()
        try directory.write("ca.pem", try authority.certificatePEM())
        let now = Clock.unixSeconds - site.daysAgo * 86400
        let issued = try authority.issue(for: site.certificateNames ?? site.hosts, now: now)
        try directory.write("leaf.pem", issued.certificate)
        try directory.write("leaf.key", issued.key)
        var pairs = ["leaf"]
        if !site.olderNames.isEmpty {
            let older = try authority.issue(for: site.olderNames, now: now - 30 * 86400)
            try directory.write("older.pem", older.certificate)
            try directory.write("older.key", older.key)
            pairs.append("older")
        }
        try directory.makeDirectory("Public")
        for (path, text) in site.files { try directory.write("Public/\(path)", Array(text.utf8)) }
        func reference(_ name: String) -> FileReference {
            FileReference(path: "\(directory.path)/\(name)", position: position)
        }
        let served = Site(
            environment: "test", position: position, apps: site.publications.map(\.app),
            hosts: try site.hosts.map { try HostName($0) },
            openHost: nil,
            certificates: pairs.map {
                .init(certificate: reference("\($0).pem"), key: reference("\($0).key"))
            },
            publicDirectory: site.publicDirectory.map {
                FileReference(path: $0, position: position)
            }
                ?? reference("Public"),
            acmeWebroot: site.hasACME ? reference("acme") : nil, httpsPort: nil,
            unmatched: site.unmatched(position), isClosedToRobots: false,
            associations: .init(
                aasa: site.aasaBytes ?? site.aasa.map { Array($0.utf8) },
                assetlinks: site.assetlinks.map { Array($0.utf8) },
                signing: site.isSigned
                    ? .init(certificate: reference("leaf.pem"), key: reference("leaf.key")) : nil),
            publications: site.publications, webLinks: site.webLinks,
            transportSecurity: site.transportSecurity)
        return Environment(
            name: "test", position: position, sites: [served], tls: site.tls(directory.path),
            accessLog: site.accessLog, proxies: site.proxies, limits: site.limits,
            store: site.hasStore ? .file(reference("links.db")) : nil, apiHosts: site.apiHosts,
            consoleHost: site.consoleHost, identityField: site.identityField,
            openID: site.openID,
            countries: site.countries ?? site.countryFile.map { .file(reference($0)) })
    }

    /// One authority and one set of ticket keys for all tests: making keys takes time.
    static let authority = Result { try DevelopmentAuthority(now: Clock.unixSeconds) }
    static let ticketKeys = Result { try TicketKeys() }
}

/// What a test origin serves.
struct TestSite {
    var hosts = ["localhost", "www.example.com"]
    var certificateNames: [String]?
    /// When it was begun; its certificates are of that day.
    var daysAgo = 0
    /// Of a second certificate, which ends 30 days before the first; empty for none.
    var olderNames = [String]()
    var files = ["index.html": "<p>home", "page.html": String(repeating: "<p>page\n", count: 100)]
    /// In place of one with `files`.
    var publicDirectory: String?
    var aasa: String? = #"{"applinks":{"details":[]}}"#
    var assetlinks: String? = "[]"
    /// In place of `aasa`.
    var aasaBytes: [UInt8]?
    var hasACME = false
    /// Whether it has a store of links.
    var hasStore = false
    var apiHosts = [APIHost]()
    var consoleHost: APIHost?
    var identityField: String?
    var countries: CountrySettings?
    /// Of countries, in its directory.
    var countryFile: String?
    var openID: OpenIDSettings?
    var isSigned = false
    var webLinks = [Link]()
    var publications = [Publication]()
    var proxies = ProxySettings()
    var limits = LimitSettings()
    var accessLog = AccessLogSettings()
    var transportSecurity: TransportSecurity?
    /// The limits of memory, made from the path of the site's directory.
    var memory: (String) -> MemoryLimits = { _ in MemoryLimits() }
    /// In place of those of all tests.
    var ticketKeys: TicketKeys?
    /// The policy, made from the path of the site's directory.
    var tls: (String) -> TLSPolicy = { _ in TLSPolicy() }
    var unmatched: (SourcePosition) -> UnmatchedAction = { _ in .notFound }
}

/// A directory under the system's temporary one, removed with its owner.
final class TemporaryDirectory {
    let path: String

    init() throws {
        var template = Array("/tmp/waymark-test-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw FileError.system("mkdtemp") }
        path = String(cString: made)
    }

    deinit { remove(path) }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        var directory = path
        for part in name.split(separator: "/").dropLast() {
            directory += "/\(part)"
            try createDirectory(directory)
        }
        removeFile("\(path)/\(name)")
        _ = try createFile("\(path)/\(name)", bytes, mode: 0o600)
    }

    func makeDirectory(_ name: String) throws { try createDirectory("\(path)/\(name)") }

    private func remove(_ path: String) {
        guard let directory = opendir(path) else {
            removeFile(path)
            return
        }
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { buffer in
                String(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { remove("\(path)/\(name)") }
        }
        closedir(directory)
        rmdir(path)
    }
}

extension Snapshot {
    /// The response to the bytes of a request, without a connection.
    func predict(_ request: [UInt8], isSecure: Bool) -> [UInt8] {
        var predictor = Predictor(sites, now: Clock.unixSeconds)
        return predictor.answer(request, isSecure: isSecure, now: Clock.unixSeconds)
    }
}
