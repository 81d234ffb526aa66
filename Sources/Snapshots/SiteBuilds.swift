import Answering
import Diagnostics
import SiteConfiguration
import TLS

/// The sites of a snapshot: built anew, shared with the snapshot before if nothing has changed, or
/// kept as they were if they cannot be built.
struct SiteBuilds {
    /// Those that are served.
    private(set) var sites = [PreparedSite]()
    private(set) var faults = [SiteFault]()
    /// The faults of a site that is the only one, so that there is no snapshot.
    private(set) var onlyFault: BuildError?
    private var previous = [String?: PreparedSite]()

    /// All that is wrong, if no site can be served.
    var errors: BuildError? {
        if let onlyFault { return onlyFault }
        guard let first = faults.first else { return nil }
        return BuildError(diagnostics: faults.flatMap(\.diagnostics), kind: first.kind)
    }

    /// - Parameters:
    ///   - limits: of the environment; together, the sites keep as many bytes of files in memory.
    ///   - previous: what is served until now.
    ///   - signing: what association files are signed with.
    ///   - room: whether there is memory for what is found.
    ///   - report: hears what is found out about public files later, when they are read.
    init(
        _ environment: Environment, limits: AnsweringLimits, now: Int,
        after previous: [PreparedSite], _ confidential: ConfidentialFiles,
        _ signing: [SigningCertificate], _ room: BuildRoom,
        _ report: @escaping @Sendable (Diagnostic) -> Void
    ) {
        self.previous = Dictionary(
            previous.map { ($0.source.name, $0) }, uniquingKeysWith: { first, _ in first })
        faults = environment.refusedSites.map {
            fault($0.name, $0.diagnostics, .invalid, $0.position)
        }
        var limits = limits
        let shared = SharedParts(limits, after: previous.first)
        var built = [PreparedSite]()
        for site in environment.sites {
            var builder = SiteBuilder(
                site, limits: limits, now: now, after: self.previous[site.name],
                confidential: confidential, shared: shared, room: room, digest: { sha256($0) })
            var signed: [UInt8]?
            do throws(BuildFault) {
                signed = try signing.first { $0.site == site.name }?.sign(site.associations)
            } catch {
                builder.fail(error.diagnostic, kind: error.kind)
            }
            guard let prepared = builder.prepareSite(signedAssociation: signed, report: report)
            else {
                refuse(site, builder.error)
                continue
            }
            built.append(prepared)
            limits.memoryFilesBytesMax -= prepared.memoryFilesBytes
        }
        keep(built)
    }

    private mutating func refuse(_ site: Site, _ error: BuildError) {
        guard let name = site.name else { return onlyFault = error }
        faults.append(fault(name, error.diagnostics, error.kind, site.position))
    }

    private func fault(
        _ name: String, _ diagnostics: [Diagnostic], _ kind: BuildError.Kind,
        _ position: SourcePosition
    ) -> SiteFault {
        SiteFault(
            site: name, isKept: previous[name] != nil, diagnostics: diagnostics, kind: kind,
            position: position)
    }

    /// Serves what was built, and what was there before of sites with faults. A host that a site
    /// with a fault still has is not given to another site, which keeps its own state, too.
    private mutating func keep(_ built: [PreparedSite]) {
        var built = built
        var isStable = false
        while !isStable {
            isStable = true
            var owners = [String: String]()
            for fault in faults {
                for host in previous[fault.site]?.source.hostPatterns ?? [] {
                    owners[host] = fault.site
                }
            }
            built.removeAll { prepared in
                let site = prepared.source
                let claimed = site.hostPatterns.lazy.compactMap { host in
                    owners[host].map { (host, $0) }
                }.first
                guard let name = site.name, let (host, owner) = claimed else { return false }
                isStable = false
                let finding = Diagnostic(
                    .error, .duplicateHost, at: site.hostsPosition ?? site.position,
                    "host \(quoted(host)) still belongs to site \(quoted(owner)), "
                        + "which is served as before",
                    advice: "fix the errors of site \(quoted(owner))")
                faults.append(fault(name, [finding], .invalid, site.position))
                return true
            }
        }
        sites = built + faults.compactMap { previous[$0.site] }
    }
}
