import Answering
import Console
import LinkIndex
import LinkStore
import LiveCheck
import Memory
import SiteConfiguration
import Snapshots
import TLS

// The facts of the health page. Each is what a part has said last: nothing is asked, and nobody waits.

extension ServerHealth {
    init(of served: ServedOrigin, _ links: LinkService, at now: Int) {
        self.init()
        let reloads = served.reloads
        // First, so that a reload meanwhile is asked about again.
        (generation, servedSince) = (reloads.generation, reloads.lastGoodSeconds)
        let snapshot = served.snapshot
        self.reloads = reloads.attempts
        let figures = served.renewals.current
        (renewalsSeen, obstacle) = (figures.seen, figures.obstacle)
        let renewals = Dictionary(
            figures.hosts.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        certificates = snapshot.certificates.hosts.map { host in CertificateHealth(host, renewals) }
        store = StoreHealth(
            links, bytesMax: OriginLimits().setting(snapshot.environment.limits).linkBytesMax)
        fleet = links.fleet.sight.map { FleetHealth($0.fleet, seen: $0.seconds) }
        hosts = served.checks.current?.map { CheckedHealth($0) }
        published = snapshot.sites.sites.map(\.source)
            .filter { !$0.collections.isEmpty }.map { PublishedHealth($0) }
        findings = served.findings.current(generation, of: snapshot.environment, now: now)
    }
}

extension CertificateHealth {
    /// - Parameter renewals: of the hosts whose certificates are requested by themselves; a wildcard has those below it.
    fileprivate init(_ host: HostCertificate, _ renewals: [String: RenewalFigures.Host]) {
        self.init(host.name)
        state =
            host.isPlaceholder
            ? .awaited : host.certificate == nil ? .missing : host.isKept ? .kept : .served
        end = host.isPlaceholder ? nil : host.certificate?.certificate.chainNotAfter
        let name = host.certificate?.files.automaticHost ?? host.name
        isAutomatic = host.certificate?.files.automaticHost != nil || renewals[name] != nil
        guard let renewal = renewals[name] ?? renewals[host.name] else { return }
        (renewAt, failures) = (renewal.renewAt, renewal.failures)
        (lastFault, lastFaultTime) = (renewal.lastFault, renewal.lastFaultTime)
        (nextTry, pauseReason) = (renewal.nextTry, renewal.pause?.reason)
        pausedUntil = renewal.pause?.until
    }
}

extension StoreHealth {
    fileprivate init(_ links: LinkService, bytesMax: Int) {
        let sight = links.sight
        let state: State =
            switch sight.state {
            case .opening: .opening
            case .open: .open
            case .closed(let error): .closed(error.words.fact)
            case .failed(let error): .failed(error.words.fact)
            }
        self.init(state, isShared: links.isShared, place: links.path)
        (software, seen) = (sight.software, sight.seen)
        guard let index = links.links.value else { return }
        (self.links, bytes, self.bytesMax) = (index.count, index.bytes, bytesMax)
    }
}

extension FleetHealth {
    fileprivate init(_ fleet: StoreFleet, seen: Int) {
        let nodes = fleet.nodes.map { node in
            Node(
                node.name, version: node.report.version, configuration: node.report.configuration,
                isUp: node.isUp, isOwn: node.name == fleet.own,
                behind: max(0, fleet.generation &- node.generation),
                clockOffsetMilliseconds: node.clockOffset, seen: node.seen / 1_000)
        }
        self.init(nodes, configurations: fleet.configurations.count, seen: seen)
    }
}

extension CheckedHealth {
    fileprivate init(_ entry: CheckEntry) {
        let verdict: Verdict? =
            switch entry.report?.verdict {
            case .healthy: .healthy
            case .warning: .warning
            case .broken: .broken
            case .unchecked: .unchecked
            case nil: nil
            }
        let cause = entry.report?.cause
        self.init(
            entry.host, verdict, cause: cause.map { "\($0.hop.rawValue): \($0.finding.message)" },
            advice: cause?.finding.advice, seen: entry.time, next: entry.next)
    }
}

extension PublishedHealth {
    fileprivate init(_ site: Site) {
        let apps = site.publications.map(\.app)
        let files = site.associations
        // A ready file names apps that the configuration may not know.
        let apple = files.aasa.map { bytes in
            File(
                files.readyAASA.map { [$0.path] }
                    ?? apps.compactMap { $0.ios.map { "\($0.id)" } }, bytes: bytes.count)
        }
        let android = files.assetlinks.map { bytes in
            File(
                files.readyAssetLinks.map { [$0.path] }
                    ?? apps.compactMap { $0.android.map { "\($0.package)" } }, bytes: bytes.count)
        }
        self.init(
            site.hostPatterns,
            collections: site.collections.map { site.collectionName($0).description },
            apple: apple, android: android)
    }
}
