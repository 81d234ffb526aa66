import Services
import Snapshots
import TestSupport
import Glibc
import HTTPClient
import LiveCheck
import Metrics
import SiteConfiguration
import Sockets
import Synchronization
import TLS
import Testing
import URISyntax

@testable import Origin

/// How a running origin checks its own hosts; LiveCheckTests has what it concludes.
@Suite("The watch of hosts")
struct HostWatchTests {
    /// An origin for `a.example` whose watch connects to its own listener.
    private final class Watched {
        let directory: TemporaryDirectory
        let server: OriginServer
        let watch: HostWatch
        private let authority: DevelopmentAuthority
        private let events = Events()

        /// The hosts that were reached, as often as they were not before.
        var reached: [String] { events.reached.withLock { $0 } }
        private var isStopped = false

        private final class Events: Sendable {
            let all = Mutex([HostChange]())
            let reached = Mutex([String]())
        }

        /// What an operator would have read.
        var told: [HostChange] { events.all.withLock { $0 } }

        /// - Parameters:
        ///   - watch: the value of the key, in which `PORT` stands for the port of https.
        ///   - tls: the value of its key; by default a certificate that is there.
        init(watch: String?, tls: String? = nil) throws {
            directory = try TemporaryDirectory()
            authority = try DevelopmentAuthority(now: Clock.unixSeconds)
            try directory.write("ca.pem", try authority.certificatePEM())
            let (chain, key) = try authority.issue(for: ["a.example"], now: Clock.unixSeconds)
            try directory.write("leaf.pem", chain)
            try directory.write("leaf.key", key)
            let loopback = SocketAddress(host: .v4([127, 0, 0, 1]), port: 0)
            let first = try Self.snapshot(nil, tls, directory, nil)
            server = try OriginServer.start(
                first,
                on: BoundListeners(.init(https: loopback, http: nil, admin: loopback), loops: 1),
                limits: .patient)
            self.watch = try HostWatch(
                server.served, version: "1",
                reached: { [events] host in events.reached.withLock { $0.append(host) } }
            ) { [events] event in
                guard case .hostChecked(let change) = event else { return }
                events.all.withLock { $0.append(change) }
            }
            if let watch { try reload(watch: watch, tls: tls) }
        }

        deinit { stop() }

        func stop() {
            guard !isStopped else { return }
            isStopped = true
            watch.beginStop(atOnce: false)
            // What it publishes is reported afterwards, on its thread.
            #expect(waits { watch.hasStopped })
            server.stop()
        }

        var port: UInt16 { server.addresses.https?.port ?? 0 }

        /// Serves the environment with another `watch`.
        func reload(watch: String?, tls: String? = nil) throws {
            let text = watch?.replacing("PORT", with: "\(port)")
            server.publish(try Self.snapshot(text, tls, directory, server.snapshot))
            server.reloads.succeed(hash: "", now: Clock.unixSeconds)
        }

        private static func snapshot(
            _ watch: String?, _ tls: String?, _ directory: TemporaryDirectory, _ before: Snapshot?
        ) throws -> Snapshot {
            let text = """
                version: 1
                apps: {app: {name: app, ios: {id: K3W9Q7M2XA.com.shop.app}}}
                links: {all: {match: /p/*, web: landing}}
                environments:
                  prod:
                    hosts: [a.example, localhost]
                    tls: \(tls ?? "{certificate: leaf.pem, key: leaf.key}")
                    publish: {app: [all]}
                \(watch.map { "    watch: \($0)" } ?? "")
                """
            let (configuration, diagnostics) = Configuration.read(
                Array(text.utf8), file: "waymark.yaml", directory: directory.path)
            let environment = try #require(
                configuration?.environment(named: "prod"), "\(diagnostics)")
            return try Snapshot.build(
                environment.placingCertificates(in: CertificateDirectory(directory.path))
                    .environment, limits: .patient,
                ticketKeys: try TestOrigin.ticketKeys.get(), after: before, now: Clock.unixSeconds)
        }

        /// Writes the certificate that an authority would have issued.
        func issue(_ host: String) throws {
            let files = try #require(
                server.snapshot.environment.sites[0].certificates.first {
                    $0.automaticHost == host
                })
            let (chain, key) = try authority.issue(for: [host], now: Clock.unixSeconds)
            try HostFiles(host: "", certificate: files.certificate.path, record: "", key: "")
                .write(key: key, chain: chain)
        }

        /// Waits for an entry that fulfils a condition, and returns the last one.
        func wait(until condition: (CheckEntry) -> Bool) -> CheckEntry? {
            var last: CheckEntry?
            _ = waits {
                last = server.served.checks.current?.first
                return last.map(condition) ?? false
            }
            return last
        }

        func get(_ path: String, _ accept: String = "*/*") throws -> TestResponse {
            let client = try TestClient(port: server.addresses.admin?.port ?? 0)
            client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\nAccept: \(accept)\r\n\r\n")
            return try client.readResponse()
        }
    }

    private static func settings(_ port: String = "PORT", every: String = "10m") -> String {
        "{every: \(every), apple: off, google: off, authorities: ca.pem, "
            + "connect: {a.example: \"127.0.0.1:\(port)\"}}"
    }

    /// A port of the loopback address on which nobody listens.
    private func closedPort() throws -> String {
        let address = SocketAddress(host: .v4([127, 0, 0, 1]), port: 0)
        let listeners = try BoundListeners(.init(https: address, http: nil, admin: nil), loops: 1)
        return "\(listeners.addresses.https?.port ?? 1)"
    }

    @Test func `without the key nothing is checked`() throws {
        let origin = try Watched(watch: nil)
        let page = try origin.get("/check")
        #expect(page.status == 404 && page.body.contains("watch: true"))
        #expect(try origin.get("/metrics").body.contains("waymark_check_broken{") == false)
    }

    @Test func `a healthy host is no news, and localhost is not checked`() throws {
        let origin = try Watched(watch: Self.settings())
        let entry = origin.wait { $0.report != nil }
        #expect(entry?.host == "a.example" && entry?.report?.verdict == .healthy)
        #expect(origin.server.served.checks.current?.count == 1)
        let text = try origin.get("/check")
        #expect(text.status == 200 && text.body.contains("1 of 1 host is healthy"))
        let json = try origin.get("/check", "application/json")
        #expect(json.body.contains(#""verdict": "healthy""#) && json.body.contains(#""next""#))
        #expect(try origin.get("/check?host=a.example").body.contains("apple-file"))
        #expect(try origin.get("/check?host=b.example").status == 404)
        let metrics = try origin.get("/metrics").body
        #expect(metrics.contains(#"waymark_check_broken{host="a.example"} 0"#))
        #expect(metrics.contains(#"waymark_check_timestamp_seconds{host="a.example"}"#))
        origin.stop()
        #expect(origin.told == [])
    }

    @Test func `a fault is told once when it begins, and once when it is over`() throws {
        let origin = try Watched(watch: Self.settings())
        _ = origin.wait { $0.report != nil }
        let closed = try closedPort()
        // Three checks, each after a reload that changes the settings.
        for every in ["11m", "12m", "13m"] {
            let before = origin.server.served.checks.current?.first?.next ?? 0
            try origin.reload(watch: Self.settings(closed, every: every))
            _ = origin.wait { $0.report?.verdict == .broken && $0.next != before }
        }
        #expect(try origin.get("/check").body.contains("connection-refused"))
        let metrics = try origin.get("/metrics").body
        #expect(metrics.contains(#"waymark_check_broken{host="a.example"} 1"#))
        #expect(metrics.contains(#"hop="connect",rule="connection-refused",severity="error"} 1"#))
        try origin.reload(watch: Self.settings())
        _ = origin.wait { $0.report?.verdict == .healthy }
        origin.stop()
        #expect(origin.told.map(\.verdict) == [.broken, .healthy])
        #expect(origin.told.first?.finding?.rule == .connectionRefused)
        #expect(origin.told.map(\.wasHealthy) == [true, false])
    }

    @Test func `a reload switches it off, and on again`() throws {
        let origin = try Watched(watch: Self.settings())
        _ = origin.wait { $0.report != nil }
        try origin.reload(watch: nil)
        #expect(waits { origin.server.served.checks.current == nil })
        #expect(try origin.get("/check").status == 404)
        try origin.reload(watch: Self.settings())
        #expect(origin.wait { $0.report != nil }?.report?.verdict == .healthy)
    }

    @Test func `a host waits for its first certificate`() throws {
        let automatic = "{automatic: {terms: agreed}}"
        let origin = try Watched(watch: Self.settings(), tls: automatic)
        let waiting = origin.wait { _ in true }
        #expect(waiting?.host == "a.example" && waiting?.report == nil)
        #expect(try origin.get("/check").body.contains("not checked yet: a.example"))
        // As long as it has a placeholder, nothing is told but that it was reached.
        #expect(waits { origin.reached == ["a.example"] })
        #expect(origin.server.served.checks.current?.first?.report == nil && origin.told == [])
        try origin.issue("a.example")
        try origin.reload(watch: Self.settings(every: "11m"), tls: automatic)
        let entry = origin.wait { $0.report != nil }
        // The test's authority is not the one that would have issued the file.
        #expect(entry?.report != nil)
    }

    @Test func `a host is reached when its name leads to a server`() throws {
        let origin = try Watched(
            watch: Self.settings(try closedPort(), every: "11m"),
            tls: "{automatic: {terms: agreed}}")
        // The first check is over when the next one is a while away.
        let entry = origin.wait { ($0.next ?? 0) > Clock.unixSeconds + 300 }
        #expect(entry?.report == nil && origin.reached == [])
        try origin.reload(watch: Self.settings(), tls: "{automatic: {terms: agreed}}")
        #expect(waits { origin.reached == ["a.example"] })
    }

    @Test func `a host that never answers delays neither requests, reloads nor the end`() throws {
        let address = SocketAddress(host: .v4([127, 0, 0, 1]), port: 0)
        let silent = try BoundListeners(.init(https: address, http: nil, admin: nil), loops: 1)
        let port = "\(silent.addresses.https?.port ?? 1)"
        let origin = try Watched(watch: Self.settings(port))
        _ = origin.wait { _ in true }
        // The check is under way: the kernel has accepted, and nobody will ever answer.
        usleep(1_200_000)
        #expect(try origin.get("/livez").status == 200)
        #expect(try origin.get("/check").body.contains("not checked yet"))
        // Nor a reload, nor what comes after it.
        try origin.reload(watch: Self.settings())
        #expect(origin.wait { $0.report != nil }?.report?.verdict == .healthy)
        try origin.reload(watch: Self.settings(port, every: "11m"))
        usleep(1_200_000)
        origin.stop()
        #expect(origin.server.served.checks.current?.first?.report?.verdict == .healthy)
        #expect(origin.told == [])
        withExtendedLifetime(silent) {}
    }

    @Test func `authorities that cannot be read are told, and nothing is checked`() throws {
        let origin = try Watched(watch: nil)
        try origin.directory.write("ca.pem", Array("x".utf8))
        try origin.reload(watch: Self.settings())
        #expect(waits { origin.server.served.checks.current != nil })
        usleep(1_200_000)
        #expect(origin.server.served.checks.current?.first?.report == nil)
    }

    @Test func `every metric of a check has the labels of the catalogue`() throws {
        let origin = try Watched(watch: Self.settings(try closedPort()))
        _ = origin.wait { $0.report != nil }
        let lines = try origin.get("/metrics").body.split(separator: "\n")
            .filter { $0.hasPrefix("waymark_check_") }
        for family in [
            MetricCatalogue.checkBroken, MetricCatalogue.checkFindings, MetricCatalogue.checkTime,
            MetricCatalogue.checkNext,
        ] {
            let line = try #require(lines.first { $0.hasPrefix(family.name + "{") })
            let labels = line.matches(of: /(\w+)="/).map { String($0.output.1) }
            #expect(labels == family.labels)
        }
    }
}
