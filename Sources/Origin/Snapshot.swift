package import Answering
package import Diagnostics
package import Files
package import SiteConfiguration
import Sockets
package import TLS

/// Everything that the origin needs to serve an environment, built and checked whole, then never
/// changed: what it answers, and its certificates. A reload makes another one and publishes it;
/// connections finish with the one that they began with.
package final class Snapshot: Sendable {
    package let environment: Environment
    package let site: PreparedSite
    /// Nil when the environment names no certificate.
    package let tls: TLSServerContext?
    /// What each host is answered with over https.
    let certificates: HostCertificates

    init(
        _ environment: Environment, _ site: PreparedSite, _ tls: TLSServerContext?,
        _ certificates: HostCertificates
    ) {
        (self.environment, self.site) = (environment, site)
        (self.tls, self.certificates) = (tls, certificates)
    }

    /// Prepares answers ahead of requests, on threads beside the origin.
    package func beginPreparing() {
        _ = Background(name: "waymark-pages") { [site] in site.preparePages() }
        _ = Background(name: "waymark-files") { [site] in site.prepareFiles() }
    }
}

extension Snapshot {
    /// Builds the snapshot of an environment: reads certificates, keys and public files, checks
    /// them, and prepares every answer.
    /// - Parameters:
    ///   - previous: what is served until now. A host whose certificates cannot be used keeps the
    ///     one that it has there, and what has not changed is not parsed again.
    ///   - now: seconds since 1970, which certificates must be valid at.
    ///   - outputs: files that this process writes to, and that must not be public.
    ///   - speaksTLS: whether certificates are read, for https.
    ///   - report: hears what is found out about public files later, when they are read.
    /// - Throws: everything that is wrong at once. Certificates that cannot be used are no reason
    ///   (`certificateFaults`).
    package static func build(
        _ environment: Environment, limits: OriginLimits, ticketKeys: TicketKeys,
        after previous: Snapshot? = nil, now: Int, outputs: [FileIdentity] = [],
        speaksTLS: Bool = true, report: @escaping @Sendable (Diagnostic) -> Void = { _ in }
    ) throws(BuildError) -> Snapshot {
        var builder = SiteBuilder(
            environment.sites[0], limits: limits.setting(environment.limits).answering, now: now,
            after: previous?.site, digest: { sha256($0) })
        let certificates = builder.chooseCertificates(
            environment, after: previous?.certificates, speaksTLS: speaksTLS)
        let tickets = speaksTLS ? builder.loadTickets(environment.tls, ticketKeys) : nil
        let signed = builder.signAssociation(certificates.signer)
        let site = builder.prepareSite(
            signedAssociation: signed, outputs: outputs, report: report)
        let tls = builder.makeContext(environment.tls, certificates, tickets)
        guard let site, builder.faults.isEmpty else {
            throw builder.error(besides: certificates.faults)
        }
        return Snapshot(environment, site, tls, certificates)
    }

    /// This snapshot with the present content of public files that have changed since it was built.
    /// Everything else is shared with it, and nothing else is read. Nil where a change of these
    /// files changes other parts of it: then it has to be built again.
    /// - Parameters:
    ///   - outputs: files that this process writes to, and that must not be public.
    ///   - now: seconds since 1970.
    /// - Throws: why the files cannot be served.
    package func replacing(
        _ files: [FoundFile], outputs: [FileIdentity], now: Int
    ) throws(BuildError) -> Snapshot? {
        try site.replacing(files, outputs: outputs, now: now).map {
            Snapshot(environment, $0, tls, certificates)
        }
    }
}

extension Snapshot {
    /// Whether any host can be answered over https now, in seconds since 1970; true without https.
    /// A certificate that cannot be used is no reason to take the origin from the other hosts'
    /// visitors.
    package func canShakeHands(now: Int) -> Bool {
        certificates.hosts.isEmpty || certificates.hosts.contains { $0.isUsable(at: now) }
    }

    /// What is wrong with certificates, none of which is a reason to refuse the configuration: each
    /// takes away only its own hosts.
    package var certificateFaults: [Diagnostic] { certificates.faults.map(\.diagnostic).inOrder }

    /// What kind of fault the first of these is.
    package var certificateFaultKind: BuildError.Kind? { certificates.faults.first?.kind }

    /// What these mean for hosts, and for the association file.
    package var certificateConsequences: [Diagnostic] {
        certificates.consequences(at: environment.sites[0].hostsPosition ?? environment.position)
    }

    /// Whether certificates would be chosen otherwise now, in seconds since 1970, although no file
    /// has changed: one has become valid or has expired, or a file could not be read for a reason
    /// that may be over.
    package func hasOutdatedCertificates(now: Int) -> Bool { certificates.isOutdated(now: now) }
}
