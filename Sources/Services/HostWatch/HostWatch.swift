package import Diagnostics
import Files
package import HTTPClient
import LiveCheck
package import SiteConfiguration
import Snapshots
package import Sockets
import TLS
import URISyntax

/// Checks the hosts of the environment as fetchers of association files see them, on a thread of its
/// own, one after the other.
///
/// It asks DNS and the network, not this process: other machines may answer for the hosts. Nothing is
/// shared with the loops but what was found.
package final class HostWatch: Service {
    private let server: ServedOrigin
    private let agent: String
    private let report: @Sendable (ServiceEvent) -> Void
    private let reached: @Sendable (String) -> Void
    package let thread: ServiceThread

    /// Begins to check the hosts of what the server serves, where its configuration asks for it.
    /// - Parameters:
    ///   - version: the program's, for User-Agent.
    ///   - reached: hears of a host whose name leads to a server now, and has not at the check
    ///   before; whether its certificate is right or not.
    ///   - report: called on the watch's thread, as `reached` is.
    package init(
        _ server: ServedOrigin, version: String,
        reached: @escaping @Sendable (String) -> Void = { _ in },
        report: @escaping @Sendable (ServiceEvent) -> Void
    ) throws(SystemError) {
        (self.server, self.reached, self.report) = (server, reached, report)
        agent = "Waymark/\(version)"
        thread = try ServiceThread()
        server.reloads.tell(thread.wakeup)
        try thread.start(name: "waymark-check") { [self] in
            var work = Work()
            thread.takeTurns { turn(&work) }
        }
    }

    /// A host that does not answer is not waited for.
    package func stopMilliseconds(atOnce: Bool) -> Int { 100 }
    package var stopLoss: Diagnostic? { nil }

    // MARK: The thread

    private struct Work: ~Copyable {
        /// The generation of the snapshot with the hosts. The snapshot itself is not kept, because
        /// it has files open.
        var generation = 0
        var settings: WatchSettings?
        /// Nil if the authorities cannot be read, or nothing is to be checked.
        var surveyor: Surveyor?
        var plan = WatchPlan()
    }

    /// - Returns: how long to wait, in milliseconds.
    private func turn(_ work: inout Work) -> Int {
        let generation = server.reloads.generation
        if work.generation != generation {
            work.generation = generation
            take(server.snapshot, &work)
        }
        guard let surveyor = work.surveyor else { return .max }
        let now = Clock.unixSeconds
        switch work.plan.next(now: now) {
        case .wait(let milliseconds): return milliseconds
        case .check(var host):
            host.check(by: surveyor)
            // What was cut off says nothing of the host.
            guard !isCutOff(generation) else { return 0 }
            let news = work.plan.take(
                host, isAwaited: isAwaited(host.name), now: now, random: .random(in: 0...1))
            if news.isReached { reached(host.name) }
            publish(work.plan)
            if let change = news.change { report(.hostChecked(change)) }
            return 0
        }
    }

    /// Whether this is no time for a check of the hosts of a generation.
    private func isCutOff(_ generation: Int) -> Bool {
        thread.isEnding || server.reloads.generation != generation
    }

    private func isAwaited(_ host: String) -> Bool {
        server.snapshot.certificates.hosts.first { $0.name == host }?.isPlaceholder == true
    }

    private func take(_ snapshot: Snapshot, _ work: inout Work) {
        let (settings, hosts) = (snapshot.environment.watch, snapshot.environment.watchedHosts)
        let isOther = settings != work.settings
        work.settings = settings
        work.surveyor = settings.flatMap { makeSurveyor($0, hosts) }
        work.plan.take(
            hosts.map { CheckedHost($0) }, every: settings?.seconds, isOther: isOther,
            now: Clock.unixSeconds)
        publish(work.plan)
    }

    private func makeSurveyor(_ settings: WatchSettings, _ hosts: [WatchedHost]) -> Surveyor? {
        let services = LiveServices(settings)
        let ports = Dictionary(hosts.map { ($0.name, $0.port) }) { first, _ in first }
        var overrides = settings.addresses.compactMap { host, address in
            SocketAddress(address).map {
                AddressOverride(host: host.description, port: ports[host] ?? 443, address: $0)
            }
        }
        // Whoever names the address of a service wants it, be it public or not.
        for service in [services.apple, services.google].compactMap(\.self) {
            guard let address = SocketAddress("\(service.host):\(service.port)") else { continue }
            overrides.append(
                AddressOverride(host: service.host, port: service.port, address: address))
        }
        do throws(Unusable) {
            var client = try settings.makeClient()
            client.overrides = overrides
            // A reload is not kept waiting for a host that does not answer.
            client.isEnded = { [self, generation = server.reloads.generation] in
                isCutOff(generation)
            }
            return Surveyor(client, services, agent: agent)
        } catch {
            report(.finding(error.diagnostic))
            return nil
        }
    }

    private func publish(_ plan: WatchPlan) {
        server.checks.set(plan.hosts?.map { CheckEntry($0.host, next: $0.next) })
    }
}

/// The reason why hosts cannot be checked at all.
package struct Unusable: Error {
    package let diagnostic: Diagnostic
}

extension WatchSettings {
    /// A client that trusts the authorities, and uses the proxy.
    package func makeClient() throws(Unusable) -> HTTPClient {
        do {
            return try HTTPClient(
                authorities: TLSAuthorities(of: authorities),
                proxy: proxy.map { HTTPProxy(host: $0.host.description, port: $0.port ?? 80) })
        } catch {
            throw Unusable(
                diagnostic: Diagnostic(
                    .error, .liveCheck, at: authorities?.position ?? position,
                    "the authorities of `watch` cannot be used, so no host is checked: \(error)",
                    advice: "give the certificates of authorities, in PEM form"))
        }
    }

}

extension TLSAuthorities {
    /// Those of a PEM file, or the system's without one.
    init(of file: FileReference?) throws {
        guard let file else {
            self = .system
            return
        }
        self = .pem(try readFile(file.path, bytesMax: Self.bytesMax).bytes)
    }

    private static let bytesMax = 1 << 22
}

extension LiveServices {
    init(_ settings: WatchSettings) {
        self.init()
        apple = Self.address(settings.apple, usual: apple)
        google = Self.address(settings.google, usual: google)
    }

    private static func address(
        _ service: WatchedService, usual: ServiceAddress?
    ) -> ServiceAddress? {
        switch service {
        case .usual: usual
        case .off: nil
        case .at(let url):
            ServiceAddress(isSecure: url.isSecure, host: url.host.description, port: url.port)
        }
    }
}
