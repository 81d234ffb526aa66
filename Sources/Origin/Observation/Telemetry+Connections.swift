import Metrics
import Services
import Snapshots
import Sockets
import TLS

// Connections, their limits, and TLS.
extension Telemetry {
    func exposeConnections(_ page: inout Exposition) {
        page.begin(MetricCatalogue.connections)
        for phase in ConnectionPhase.allCases where phase != .closed {
            add(&page, offsets.phases + Int(phase.rawValue), .init("state", "\(phase)"))
        }
        page.begin(MetricCatalogue.accepted)
        for kind in ListenerKind.allCases {
            add(&page, offsets.accepted + kind.index, .init("listener", kind.rawValue))
        }
        page.begin(MetricCatalogue.rejected)
        for reason in Rejection.allCases {
            add(&page, offsets.rejected + Int(reason.rawValue), .init("reason", reason.name))
        }
        page.begin(MetricCatalogue.adminClosed)
        add(&page, offsets.adminClosed)
        page.begin(MetricCatalogue.limited)
        for limit in ConnectionLimit.allCases where limit != .none {
            add(&page, offsets.limited + Int(limit.rawValue), .init("limit", limit.name))
        }
        page.begin(MetricCatalogue.timeouts)
        for phase in ConnectionPhase.allCases where phase.canTimeOut {
            add(&page, offsets.timeouts + Int(phase.rawValue), .init("state", "\(phase)"))
        }
    }

    /// Each limit in force stands beside what it bounds, under a name of its own: their units
    /// differ, so that values of one name could not be added up.
    func exposeLimits(_ page: inout Exposition, addressMax: Int) {
        page.begin(MetricCatalogue.connectionsLimit)
        page.add(.integer(connectionsMax))
        page.begin(MetricCatalogue.addressLimit)
        page.add(.integer(addressMax))
    }

    func exposeTLS(_ page: inout Exposition, _ snapshot: Snapshot) {
        page.begin(MetricCatalogue.handshakes)
        for (index, version) in ["TLSv1.2", "TLSv1.3"].enumerated() {
            for (step, resumed) in ["false", "true"].enumerated() {
                add(
                    &page, offsets.handshakes + 2 * index + step,
                    .init("version", version), .init("resumed", resumed))
            }
        }
        page.begin(MetricCatalogue.handshakeErrors)
        for reason in HandshakeError.allCases {
            add(&page, offsets.handshakeErrors + Int(reason.rawValue), .init("reason", reason.name))
        }
        let (hosts, now) = (snapshot.certificates.hosts, Clock.unixSeconds)
        page.begin(MetricCatalogue.usable)
        for host in hosts {
            page.add(.integer(host.isUsable(at: now) ? 1 : 0), .init("host", host.name))
        }
        page.begin(MetricCatalogue.expiry)
        for host in hosts {
            guard let certificate = host.certificate?.certificate, !host.isPlaceholder else {
                continue
            }
            page.add(.integer(certificate.chainNotAfter), .init("host", host.name))
        }
        page.begin(MetricCatalogue.certificateFaults)
        // Without the directory of automatic certificates, none is renewed.
        let obstacles = renewals.current.obstacle == nil ? 0 : 1
        page.add(.integer(snapshot.certificates.faults.count + obstacles))
        exposeRenewals(&page)
    }
    /// Automatic certificates; nothing where there are none.
    private func exposeRenewals(_ page: inout Exposition) {
        let figures = renewals.current
        page.begin(MetricCatalogue.renewal)
        for host in figures.hosts {
            guard let time = host.renewAt else { continue }
            page.add(.integer(time), .init("host", host.name))
        }
        page.begin(MetricCatalogue.renewalFailures)
        for host in figures.hosts {
            page.add(.integer(host.failures), .init("host", host.name))
        }
        page.begin(MetricCatalogue.renewalAuthority)
        for host in figures.hosts {
            guard let authority = host.authority else { continue }
            page.add(.integer(1), .init("host", host.name), .init("authority", authority))
        }
        page.begin(MetricCatalogue.renewalAttempts)
        guard !figures.hosts.isEmpty else { return }
        page.add(.integer(figures.issued), .init("result", "issued"))
        page.add(.integer(figures.failed), .init("result", "failed"))
    }
}
