import Diagnostics
import URISyntax

/// Reads one site of an environment from its keys, after everything is inherited.
struct SiteReader {
    let base: PathBase
    let inventory: Inventory
    let presentation: Presentation

    /// - Parameter value: the site with everything that it inherits in the environment.
    func site(_ value: Value, _ described: DescribedSite, into findings: inout Findings) -> Site? {
        for key in ["hosts", "tls"] where value[key] == nil {
            findings.add(
                .error, .missingKey, of: described,
                described.inherits
                    ? "\(described.title) neither has nor inherits \(quoted(key))"
                    : "\(quoted(described.environment)) lacks the key \(quoted(key))",
                advice: exampleAdvice(on: key))
        }
        let hosts = readHosts(value, into: &findings)
        let published = readPublished(value["publish"], into: &findings)
        let associations = AssociationsReader(
            site: described, base: base, inventory: inventory, published: published
        ).read(value, into: &findings)
        guard let publicDirectory = base.reference(value["public"]) ?? defaultPublic(described)
        else { return nil }
        var site = Site(
            name: described.name, environment: described.environment,
            position: described.position, apps: inventory.apps, hosts: hosts.exact,
            wildcards: hosts.wildcards, openHost: hosts.open,
            certificates: value["tls"]?.items.compactMap(base.certificate) ?? [],
            publicDirectory: publicDirectory, acmeWebroot: base.reference(value["acme-webroot"]),
            httpsPort: value["https-port"]?.number.map(UInt16.init),
            unmatched: .read(value["unmatched"], into: &findings),
            isClosedToRobots: value["robots"]?.text == "closed", associations: associations,
            publications: published.map(\.publication), webLinks: inventory.webLinks,
            presentation: presentation, campaign: Campaign(value["campaign"]),
            offersScheme: value.flag("scheme") ?? false,
            transportSecurity: TransportSecurity(value["hsts"], into: &findings),
            headers: HeaderRule.read(value["headers"], into: &findings),
            wellKnown: WellKnownFiles(
                value, apps: published.map(\.app),
                hosts: hosts.exact + [hosts.open].compactMap(\.self), into: &findings))
        site.hostsPosition = value["hosts"]?.position
        (site.timeZone, site.timeZonePosition) = (
            value["time-zone"]?.text, value["time-zone"]?.position
        )
        site.unmatchedPosition = value["unmatched"]?.position
        site.automatic = AutomaticReader(site: site, base: base).read(value["tls"], into: &findings)
        site.targetBytesMax = LimitSettings(value["limits"], into: &findings).targetBytesMax
        return site
    }

    private func defaultPublic(_ site: DescribedSite) -> FileReference? {
        let path = site.name.map { "Public/\($0)" } ?? "Public"
        return base.reference(Value(content: .text(path), position: site.position))
    }

    private typealias Hosts = (exact: [HostName], wildcards: [HostName], open: HostName?)

    private func readHosts(_ value: Value, into findings: inout Findings) -> Hosts {
        let items = value["hosts"]?.items ?? []
        guard items.count <= ConfigurationLimits.hostsMax else {
            findings.error(
                .tooMany, at: items[ConfigurationLimits.hostsMax].position,
                "environment has \(items.count) hosts, may have \(ConfigurationLimits.hostsMax)")
            return ([], [], nil)
        }
        var (exact, wildcards, seen) = ([HostName](), [HostName](), Set<HostPattern>())
        var open: HostName?
        let openItem = value["open-host"]
        let all = items.map { ($0, false) } + [openItem].compactMap(\.self).map { ($0, true) }
        for (item, isOpen) in all {
            guard let host = HostPattern(item, base, into: &findings) else { continue }
            if !seen.insert(host).inserted {
                findings.error(
                    .duplicateHost, at: item.position, "host \(quoted("\(host)")) is listed twice",
                    advice: isOpen
                        ? "`open-host` must be another host than those of `hosts`"
                        : "remove one; letter case does not distinguish hosts")
            }
            switch host {
            case .exact(let host) where isOpen: open = host
            case .exact(let host): exact.append(host)
            case .wildcard where isOpen:
                findings.error(
                    .hostName, at: item.position, "`open-host` is one host, without a wildcard")
            case .wildcard(let domain):
                if exact.isEmpty {
                    findings.error(
                        .hostName, at: item.position,
                        "the first host is the canonical host, which \(quoted("\(host)")) cannot be",
                        advice:
                            "list a host without a wildcard first; an app that is associated with "
                            + "\(host) reads the file of \(domain)")
                }
                wildcards.append(domain)
            case .template: break
            }
        }
        return (exact, wildcards, open)
    }
}

// MARK: - Publications

extension SiteReader {
    private func readPublished(_ value: Value?, into findings: inout Findings) -> [PublishedApp] {
        (value?.entries ?? []).compactMap { entry in
            let links = readPublishedLinks(entry, into: &findings)
            guard let declared = inventory.app(named: entry.key) else {
                findings.unknownName(
                    "app", entry.key, at: entry.position, among: inventory.appNames)
                return nil
            }
            guard let app = declared.thing else { return nil }
            checkService(app, entry, into: &findings)
            return PublishedApp(
                publication: Publication(app: app, links: links.compactMap(\.thing)),
                position: entry.position, leastBytes: links.reduce(0) { $0 + $1.leastBytes })
        }
    }

    /// An app without links is published for the credentials and services that it shares with the
    /// site.
    private func checkService(_ app: App, _ entry: Value.Entry, into findings: inout Findings) {
        let publication = Publication(app: app, links: [])
        guard entry.value.isEmptyList, !publication.isTold else { return }
        findings.error(
            .nothingOpens, at: entry.position,
            "app \(quoted(app.key)) is published without links, and shares nothing with the site",
            advice: "list its links, or set its `services`, its `clip`, Android's `credentials` or "
                + "`harmony`")
    }

    private func readPublishedLinks(
        _ entry: Value.Entry, into findings: inout Findings
    ) -> [Declarations.Declared<Link>] {
        var seen = Set<String>()
        return entry.value.items.compactMap { item in
            guard let name = item.text, !name.isEmpty else { return nil }
            guard let link = inventory.link(named: name) else {
                findings.unknownName("link", name, at: item.position, among: inventory.linkNames)
                return nil
            }
            guard seen.insert(name).inserted else {
                findings.error(
                    .duplicateName, at: item.position,
                    "link \(quoted(name)) is listed twice for \(quoted(entry.key))",
                    advice: "remove one; the first decides")
                return nil
            }
            return link
        }
    }
}

/// One entry of `publish`.
struct PublishedApp {
    let publication: Publication
    let position: SourcePosition
    /// A lower bound for the bytes of its rules in any association file.
    let leastBytes: Int

    var app: App { publication.app }
}

extension HostPattern {
    /// A host with the name of the site in it; nil after a finding.
    init?(_ item: Value, _ base: PathBase, into findings: inout Findings) {
        guard let pattern = item.hostPattern else { return nil }
        guard case .template(let text) = pattern else {
            self = pattern
            return
        }
        guard let siteName = base.siteName else {
            findings.error(
                .hostName, at: item.position,
                "`{site}` stands for the name of a site, but the configuration has no `sites`",
                advice: "write the host")
            return nil
        }
        do throws(Fault) {
            try self.init(base.named(text))
        } catch {
            findings.error(
                error.rule, at: item.position, error.message,
                advice:
                    "{site} is the name of the site, \(quoted(siteName)): rename the site, "
                    + "or write the host without {site}")
            return nil
        }
    }
}
