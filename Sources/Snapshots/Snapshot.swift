package import Answering
package import Diagnostics
package import Files
package import LinkAPI
import Resolution
package import SiteConfiguration
import Sockets
import URISyntax
package import TLS

/// Everything that the origin needs to serve an environment, built and checked whole, then never
/// changed: what its sites answer, and their certificates. A reload makes another one and publishes
/// it; connections finish with the one that they began with.
package final class Snapshot: Sendable {
    package let environment: Environment
    package let sites: SiteTable
    /// Nil when the environment names no certificate.
    package let tls: TLSServerContext?
    /// The certificates that hosts are answered with over https.
    package let certificates: HostCertificates
    /// Sites that are not served as the configuration describes them.
    package let siteFaults: [SiteFault]
    /// The API of stored links; nil where there is no store.
    package let api: LinkAPI?
    /// The source of the countries of visits.
    package let countries: LoadedCountries
    /// The names that its requests are counted by.
    package let names: CountedNames
    /// Findings that are no reason to refuse the configuration, besides those of certificates.
    package let warnings: [Diagnostic]

    init(
        _ environment: Environment, _ sites: SiteTable, _ tls: TLSServerContext?,
        _ certificates: HostCertificates, _ siteFaults: [SiteFault], _ names: CountedNames,
        _ countries: LoadedCountries, warnings: [Diagnostic]
    ) {
        (self.environment, self.sites) = (environment, sites)
        (self.tls, self.certificates) = (tls, certificates)
        (self.siteFaults, self.names, self.warnings) = (siteFaults, names, warnings)
        self.countries = countries
        api = environment.store.map { _ in
            LinkAPI(
                environment: environment.name,
                sites: sites.sites.map { site in
                    let logo = site.source.presentation.icon.map { path in
                        CodeLogo(path, bytes: site.iconBytes(bytesMax: CodeLogo.bytesMax)) {
                            site.iconContent(bytesMax: CodeLogo.bytesMax)
                        }
                    }
                    return APISite(site.source, site.router, site.linkResolver, logo: logo)
                },
                hosts: Set(environment.apiHosts.map(\.name.description)),
                consoleHost: environment.consoleHost?.name.description,
                identityField: environment.identityField, openID: environment.openID,
                countsCountries: environment.countries != nil,
                countryAttribution: environment.countryAttribution,
                linkBytesMax: OriginLimits().setting(environment.limits).linkBytesMax)
        }
    }

    /// Prepares answers ahead of requests, on threads beside the origin.
    /// - Parameter hasRoom: whether there is memory for so many bytes.
    package func beginPreparing(hasRoom: @escaping @Sendable (Int) -> Bool) {
        _ = Background(name: "waymark-pages") { [sites] in
            for site in sites.sites { site.preparePages(at: Clock.unixSeconds) }
        }
        _ = Background(name: "waymark-files") { [sites] in
            for site in sites.sites { site.prepareFiles(hasRoom: hasRoom) }
        }
    }
}

/// A site that is not served as the configuration describes it. The other sites are not affected.
package struct SiteFault: Hashable, Sendable {
    package let site: String
    /// Whether it is served as it was before; otherwise its hosts are unknown.
    package let isKept: Bool
    package let diagnostics: [Diagnostic]
    /// The kind of the first fault.
    package let kind: BuildError.Kind
    package let position: SourcePosition

    /// The consequence for the site's visitors.
    package var consequence: Diagnostic {
        isKept
            ? Diagnostic(
                .error, .siteKept, at: position,
                "site \(quoted(site)) is served as before; the other sites are not affected",
                advice: "fix the errors above; waymark then loads them by itself")
            : Diagnostic(
                .error, .siteRefused, at: position,
                "site \(quoted(site)) is not served; the other sites are not affected",
                advice: "fix the errors above; waymark then loads them by itself")
    }
}

extension Snapshot {
    /// Builds the snapshot of an environment: reads certificates, keys and public files, checks
    /// them, and prepares every answer. A site that cannot be built stays as it is in `previous`,
    /// or is left out; it is no reason to refuse the others. Sites that have not changed are shared.
    /// - Parameters:
    ///   - previous: what is served until now. A host whose certificates cannot be used keeps the
    ///     one that it has there, and what has not changed is not parsed again.
    ///   - now: seconds since 1970, which certificates must be valid at.
    ///   - outputs: files that this process writes to, and that must not be public.
    ///   - speaksTLS: whether certificates are read, for https.
    ///   - challenges: answers to an authority's challenges over TLS.
    ///   - room: whether there is memory for public files, and for pages, which answers are made of.
    ///   - report: hears what is found out about public files later, when they are read.
    /// - Throws: everything that is wrong at once, if no site can be served. Certificates that
    ///   cannot be used are no reason (`certificateFaults`).
    package static func build(
        _ environment: Environment, limits: OriginLimits, ticketKeys: TicketKeys,
        after previous: Snapshot? = nil, now: Int, outputs: [FileIdentity] = [],
        speaksTLS: Bool = true, challenges: ChallengeCertificates? = nil,
        room: BuildRoom = BuildRoom(),
        report: @escaping @Sendable (Diagnostic) -> Void = { _ in }
    ) throws(BuildError) -> Snapshot {
        var reading = CertificateReading(after: previous?.certificates, now: now)
        let confidential = ConfidentialFiles(environment.confidentialFiles, outputs: outputs)
        let signing = environment.sites.compactMap {
            reading.signingCertificate(of: $0, after: previous?.certificates)
        }
        let builds = SiteBuilds(
            environment, limits: limits.setting(environment.limits).answering, now: now,
            after: previous?.sites.sites ?? [], confidential, signing, room, report)
        let tickets = speaksTLS ? reading.loadTickets(environment.tls, ticketKeys) : nil
        let certificates = reading.chooseCertificates(
            builds.sites.isEmpty ? environment.sites : builds.sites.map(\.source),
            environment.ownHosts,
            after: previous?.certificates, signing: signing,
            speaksTLS: speaksTLS)
        let tls = reading.makeContext(
            environment.tls, certificates, tickets,
            environment.sites.contains { $0.automatic != nil } ? challenges : nil)
        var (faults, countries) = (reading.faults, LoadedCountries())
        do throws(BuildFault) {
            countries = try .load(environment.countries, after: previous?.countries)
        } catch {
            faults.append(error)
        }
        guard !builds.sites.isEmpty, faults.isEmpty else {
            let others = faults + certificates.faults
            throw BuildError(
                diagnostics: ((builds.errors?.diagnostics ?? []) + others.map(\.diagnostic))
                    .inOrder, kind: builds.errors?.kind ?? others.first?.kind ?? .invalid)
        }
        return Snapshot(
            environment, SiteTable(builds.sites), tls, certificates, builds.faults,
            CountedNames(builds.sites, after: previous?.names), countries,
            warnings: (builds.sites.flatMap(\.warnings) + reading.warnings
                + environment.storeWarnings(countries, now: now)).inOrder)
    }

    /// This snapshot with the present content of public files that have changed since it was built,
    /// by their directories. Everything else is shared with it, and nothing else is read. Nil where
    /// a change of these files changes other parts of it: then it has to be built again.
    /// - Parameter now: seconds since 1970.
    /// - Throws: why the files cannot be served.
    package func replacing(
        _ files: [String: [FoundFile]], now: Int
    ) throws(BuildError) -> Snapshot? {
        var next = [PreparedSite]()
        for site in sites.sites {
            guard let changed = files[site.source.publicDirectory.path] else {
                next.append(site)
                continue
            }
            guard let replaced = try site.replacing(changed, now: now) else { return nil }
            next.append(replaced)
        }
        return Snapshot(
            environment, SiteTable(next), tls, certificates, siteFaults, names, countries,
            warnings: warnings)
    }
}

extension Environment {
    /// Findings about what its stored links need beside the store.
    fileprivate func storeWarnings(_ countries: LoadedCountries, now: Int) -> [Diagnostic] {
        guard store != nil else { return [] }
        let zones = sites.compactMap { LinkAPI.faultOfZone($0, at: now) }
        return zones + [countries.ageFinding(now: now)].compactMap(\.self)
    }
}

extension Snapshot {
    /// This snapshot with the certificates that their files have now, and the warnings about these.
    /// Everything else is shared with it: so certificates are renewed also while a configuration
    /// is refused. Nil without https.
    /// - Parameter now: seconds since 1970, which certificates must be valid at.
    package func rereadingCertificates(now: Int) -> Snapshot? {
        var reading = CertificateReading(after: certificates, now: now)
        let next = reading.chooseCertificates(
            sites.sites.map(\.source), environment.ownHosts, after: certificates,
            signing: certificates.signing, speaksTLS: true)
        guard
            let tls = try? tls?.replacing(hosts: next.named, standard: next.standard?.certificate)
        else { return nil }
        return Snapshot(
            environment, sites, tls, next, siteFaults, names, countries,
            warnings: reading.warnings.inOrder)
    }

    /// The hosts that are answered with other certificates than in the snapshot that this one was made
    /// from.
    package func certificateChanges(since before: Snapshot) -> CertificateChanges {
        certificates.changes(since: before.certificates)
    }

    /// Whether any host can be answered over https now, in seconds since 1970; true without https.
    /// A certificate that cannot be used is no reason to take the origin from the other hosts'
    /// visitors.
    package func canShakeHands(now: Int) -> Bool {
        certificates.hosts.isEmpty || certificates.hosts.contains { $0.isUsable(at: now) }
    }

    /// Whether certificates are requested by themselves.
    package var requestsCertificates: Bool {
        certificates.configured.contains { $0.files.automaticHost != nil }
    }

    /// The faults of certificates, none of which is a reason to refuse the configuration: each
    /// takes away only its own hosts.
    package var certificateFaults: [Diagnostic] { certificates.faults.map(\.diagnostic).inOrder }

    /// The kind of the first of these faults.
    package var certificateFaultKind: BuildError.Kind? { certificates.faults.first?.kind }

    /// The consequences of these for hosts, and for the association file.
    package var certificateConsequences: [Diagnostic] {
        let hosts = HostTable(environment.sites)
        return certificates.consequences { host in
            let site = hosts.site(of: host).map { environment.sites[$0] } ?? environment.sites.first
            return site?.hostsPosition ?? environment.position
        }
    }

    /// Whether certificates would be chosen otherwise now, in seconds since 1970, although no file
    /// has changed: one has become valid or has expired, or a file could not be read for a reason
    /// that may be over.
    package func hasOutdatedCertificates(now: Int) -> Bool { certificates.isOutdated(now: now) }
}
