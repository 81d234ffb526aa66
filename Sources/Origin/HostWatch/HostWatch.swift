package import Diagnostics
import Files
package import HTTPClient
package import LiveCheck
package import SiteConfiguration
package import Sockets
import TLS
import URISyntax

/// Checks the hosts of the environment as fetchers of association files see them, on a thread of its
/// own, one after the other.
///
/// It asks DNS and the network, not this process: other machines may answer for the hosts. Nothing is
/// shared with the loops but what was found.
package final class HostWatch: Service {
    private let server: OriginServer
    private let agent: String
    private let report: @Sendable (OriginEvent) -> Void
    private let reached: @Sendable (String) -> Void
    package let thread: ServiceThread

    /// Begins to check the hosts of what the server serves, where its configuration asks for it.
    /// - Parameters:
    ///   - version: the program's, for User-Agent.
    ///   - reached: hears of a host whose name leads to a server now, and has not at the check
    ///   before; whether its certificate is right or not.
    ///   - report: called on the watch's thread, as `reached` is.
    package init(
        _ server: OriginServer, version: String,
        reached: @escaping @Sendable (String) -> Void = { _ in },
        report: @escaping @Sendable (OriginEvent) -> Void
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

    /// After which the clock is looked at again, which may have been set meanwhile.
    private static let restMilliseconds = 300_000

    // MARK: The thread

    /// What the thread remembers.
    private struct Work: ~Copyable {
        /// Of the snapshot that the hosts are of, which is not kept: it has files open.
        var generation = 0
        var settings: WatchSettings?
        /// Nil if the authorities cannot be read.
        var surveyor: Surveyor?
        var hosts = [Watched]()
    }

    private struct Watched {
        var host: CheckedHost
        /// When it is checked again, in seconds since 1970.
        var due: Int
        var wasReached = false
    }

    /// - Returns: how long to wait, in milliseconds.
    private func turn(_ work: inout Work) -> Int {
        let generation = server.reloads.generation
        if work.generation != generation {
            work.generation = generation
            take(server.snapshot, &work)
        }
        guard let settings = work.settings, let surveyor = work.surveyor,
            let index = work.hosts.indices.min(by: { work.hosts[$0].due < work.hosts[$1].due })
        else { return Self.restMilliseconds }
        let now = Clock.unixSeconds
        guard work.hosts[index].due <= now else {
            return min((work.hosts[index].due - now) * 1_000, Self.restMilliseconds)
        }
        let before = work.hosts[index].host.last?.report
        var host = work.hosts[index].host
        let found = host.check(by: surveyor)
        // What was cut off says nothing of the host.
        guard !isCutOff(generation) else { return 0 }
        // Hosts that were checked together come apart.
        let jitter = Int(Double(settings.seconds) * .random(in: -0.1...0.1))
        work.hosts[index].due = now + settings.seconds + jitter
        if found.isReached, !work.hosts[index].wasReached { reached(host.name) }
        work.hosts[index].wasReached = found.isReached
        // Until its first certificate is there, it is known what else was found.
        let isAwaited = isAwaited(host.name)
        if !isAwaited { work.hosts[index].host = host }
        publish(work)
        if !isAwaited { tell(found, before) }
        return 0
    }

    /// Whether this is no time for a check of the hosts of a generation.
    private func isCutOff(_ generation: Int) -> Bool {
        thread.isEnding || server.reloads.generation != generation
    }

    private func isAwaited(_ host: String) -> Bool {
        server.snapshot.certificates.hosts.first { $0.name == host }?.isPlaceholder == true
    }

    private func take(_ snapshot: Snapshot, _ work: inout Work) {
        let settings = snapshot.environment.watch
        let isOther = settings != work.settings
        work.settings = settings
        work.surveyor = settings.flatMap { makeSurveyor($0, snapshot.environment.watchedHosts) }
        let known = Dictionary(work.hosts.map { ($0.host.name, $0) }) { first, _ in first }
        let now = Clock.unixSeconds
        work.hosts = snapshot.environment.watchedHosts.map { host in
            var host = CheckedHost(host)
            guard let before = known[host.name], before.host.port == host.port else {
                return Watched(host: host, due: now)
            }
            host.goOn(from: before.host, withCopies: !isOther)
            // Settings that have changed are to be seen at work, and so is the first certificate.
            let isDue = isOther || host.last == nil
            return Watched(
                host: host, due: isDue ? now : before.due, wasReached: before.wasReached)
        }
        publish(work)
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

    private func publish(_ work: borrowing Work) {
        server.checks.set(
            work.settings == nil
                ? nil : work.hosts.map { CheckEntry($0.host, next: $0.due) })
    }

    /// Tells what has changed. Of a healthy host, the first check is no news.
    private func tell(_ found: HostReport, _ before: HostReport?) {
        guard before.map(found.isSame) ?? (found.verdict == .healthy) == false else { return }
        report(.hostChecked(HostChange(found, before)))
    }
}

extension HostReport {
    /// Whether the host's name leads to a server that shakes hands, if only with a certificate that
    /// clients refuse, such as a placeholder.
    fileprivate var isReached: Bool {
        switch verdict {
        case .healthy, .warning: true
        case .unchecked: false
        case .broken:
            switch cause {
            case (.tls, let finding)?:
                finding.rule != .notTLS && finding.rule != .handshakeFailed
            case (.dns, _)?, (.connect, _)?, nil: false
            default: true
            }
        }
    }
}

/// What a check has found that the one before has not.
package struct HostChange: Hashable, Sendable {
    package let host: String
    package let verdict: HostReport.Verdict
    package let hop: Hop?
    package let finding: LiveFinding?
    /// Whether the host was healthy before, or was not checked.
    package let wasHealthy: Bool

    init(_ report: HostReport, _ before: HostReport?) {
        (host, verdict) = (report.host, report.verdict)
        (hop, finding) = (report.cause?.hop, report.cause?.finding)
        wasHealthy = before.map { $0.verdict == .healthy } ?? true
    }
}

/// Why hosts cannot be checked at all.
package struct Unusable: Error {
    package let diagnostic: Diagnostic
}

extension WatchSettings {
    /// A client that trusts the authorities, and uses the proxy.
    package func makeClient() throws(Unusable) -> HTTPClient {
        do {
            let trusted: TLSAuthorities =
                try authorities.map {
                    .pem(try readFile($0.path, bytesMax: Self.authoritiesBytesMax).bytes)
                } ?? .system
            return try HTTPClient(
                authorities: trusted,
                proxy: proxy.map { HTTPProxy(host: $0.host.description, port: $0.port ?? 80) })
        } catch {
            throw Unusable(
                diagnostic: Diagnostic(
                    .error, .liveCheck, at: authorities?.position ?? position,
                    "the authorities of `watch` cannot be used, so no host is checked: \(error)",
                    advice: "give the certificates of authorities, in PEM form"))
        }
    }

    private static let authoritiesBytesMax = 1 << 22
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
