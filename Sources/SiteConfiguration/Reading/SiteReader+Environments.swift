import Associations
import Diagnostics
import URISyntax

// MARK: - Inheritance

extension SiteReader {
    /// - Parameter written: the sites; nil if the environments describe the only one.
    mutating func readEnvironments(
        _ entries: [Value.Entry], _ root: Value, _ written: [WrittenSite]?
    ) -> [Environment] {
        if entries.count > ConfigurationLimits.environmentsMax,
            let position = entries.last?.position
        {
            findings.error(
                .tooMany, at: position,
                "file has \(entries.count) environments, may have "
                    + "\(ConfigurationLimits.environmentsMax)")
            return []
        }
        for entry in entries { environments[entry.key] = pruned(entry) }
        var known = Set<[String]>()
        var chains = [(entry: Value.Entry, chain: [Value.Entry])]()
        // What is no mapping has a finding already.
        for entry in entries where entry.value.isMapping {
            guard let entry = environments[entry.key], let chain = ancestry(of: entry, &known)
            else { continue }
            chains.append((entry, chain))
        }
        if let written { return readEnvironments(chains, root, written) }
        var read = [Environment]()
        for (entry, chain) in chains {
            checkInheritedStore(chain)
            let value = inherit(chain.map(\.value), at: entry.value.position)
            let described = DescribedSite(
                name: nil, environment: entry.key, position: entry.position,
                inherits: entry.value["extends"] != nil)
            guard let site = readSite(value, described) else { continue }
            read.append(environment(entry, value, sites: [site]))
        }
        return read
    }

    /// Reads every site by itself, so that the errors of one are known as its own.
    private mutating func readEnvironments(
        _ chains: [(entry: Value.Entry, chain: [Value.Entry])], _ root: Value,
        _ written: [WrittenSite]
    ) -> [Environment] {
        var read = [Environment]()
        for (entry, chain) in chains {
            checkInheritedStore(chain)
            let value = inherit(chain.map(\.value), at: entry.value.position)
            read.append(environment(entry, value, sites: []))
            read[read.count - 1].sitesDirectory = sitesDirectory
        }
        for site in written {
            var reader = self
            reader.siteExpectations = []
            let ofSite = reader.readSite(site, shared: root, chains)
            for index in read.indices {
                read[index].sites += [ofSite[read[index].name]].compactMap(\.self)
            }
            reader.siteExpectations = reader.readExpectations(
                site.value["expect"],
                read.map { environment in
                    var environment = environment
                    environment.sites = environment.sites.filter { $0.name == site.name }
                    return environment
                })
            let own = reader.findings
            let diagnostics = own.sorted(file: site.position.file)
            siteFindings += diagnostics
            appsOfSites += reader.appList.dropFirst(appList.count)
            linksOfSites += reader.linkList.dropFirst(linkList.count)
            guard own.hasErrors else {
                siteExpectations += reader.siteExpectations
                continue
            }
            for index in read.indices {
                read[index].refuse(site.name, at: site.position, diagnostics)
            }
        }
        var duplicates = [Diagnostic]()
        var shared = SharedFindings()
        for index in read.indices {
            for (site, fault) in duplicateHosts(read[index].sites) {
                if shared.isFirst(fault, of: site.described) { duplicates.append(fault) }
                read[index].refuse(site.name ?? "", at: fault.position, [fault])
            }
        }
        siteFindings += duplicates.map(shared.whole)
        return read
    }

    /// Without its unknown keys, so that environments that extend it do not inherit them.
    private func pruned(_ entry: Value.Entry) -> Value.Entry {
        let known = Set(Shape.environment.keys.map(\.name))
        let entries = entry.value.entries.filter { known.contains($0.key) }
        return Value.Entry(
            key: entry.key, position: entry.position,
            value: Value(content: .mapping(entries), position: entry.value.position))
    }

    /// The environment and all that it extends, the nearest first; nil after an error.
    /// - Parameter known: the cycles that were reported, each with its names in one order.
    private mutating func ancestry(
        of entry: Value.Entry, _ known: inout Set<[String]>
    ) -> [Value.Entry]? {
        var chain = [entry]
        while let parent = chain.last?.value["extends"], let name = parent.text {
            guard let next = environments[name] else {
                reportUnknown("environment", name, at: parent.position, among: environments.keys)
                return nil
            }
            if let start = chain.firstIndex(where: { $0.key == name }) {
                let cycle = chain[start...].map(\.key)
                if known.insert(cycle.sorted()).inserted {
                    findings.error(
                        .extendsCycle, at: parent.position,
                        "environment extends itself: "
                            + (cycle + [name]).map(quoted).joined(separator: " → "))
                }
                return nil
            }
            chain.append(next)
            guard chain.count <= ConfigurationLimits.extendsStepsMax + 1 else {
                findings.error(
                    .extendsCycle, at: entry.position,
                    "environment extends over more than "
                        + "\(ConfigurationLimits.extendsStepsMax) others")
                return nil
            }
        }
        return chain
    }

    /// Each key has its nearest value. A list or mapping replaces the inherited one, and adds
    /// nothing to it.
    /// - Parameter layers: the nearest first.
    func inherit(_ layers: [Value], at position: SourcePosition) -> Value {
        Self.nearest(layers.reversed().flatMap(\.entries), at: position)
    }

    /// Of entries with the same key, the last one.
    static func nearest(_ all: [Value.Entry], at position: SourcePosition) -> Value {
        var entries = [String: Value.Entry]()
        for entry in all { entries[entry.key] = entry }
        return Value(content: .mapping(Array(entries.values)), position: position)
    }
}

// MARK: - One environment

extension SiteReader {
    private mutating func environment(
        _ entry: Value.Entry, _ value: Value, sites: [Site]
    ) -> Environment {
        Environment(
            name: entry.key, position: entry.position, sites: sites,
            tls: TLSPolicy(
                tickets: tickets(value["tls-tickets"]),
                refusesUnknownNames: value["unknown-name"]?.text == "refuse"),
            accessLog: accessLog(value["log"]), proxies: proxies(value["proxies"]),
            limits: limits(value["limits"]), store: reference(value["store"]),
            isStoreEssential: readStoreEssential(value), apiHosts: readAPIHosts(value, sites),
            watch: readWatch(value["watch"]))
    }

    private mutating func readStoreEssential(_ value: Value) -> Bool {
        if let flag = value["store-essential"], value["store"] == nil {
            findings.error(
                .missingKey, at: flag.position,
                "`store-essential` is about the store of links, but there is no `store`",
                advice: "add `store: var/links.db`, or remove `store-essential`")
        }
        return value.flag("store-essential") ?? true
    }

    /// Whoever tries something in an environment must not change another one's links unawares.
    /// - Parameter chain: the environment, and all that it extends, the nearest first.
    private mutating func checkInheritedStore(_ chain: [Value.Entry]) {
        guard let owner = chain.first(where: { $0.value["store"] != nil }),
            owner.key != chain[0].key, let path = owner.value["store"]?.text
        else { return }
        findings.warning(
            .sharedStore, at: chain[0].position,
            "environment \(quoted(chain[0].key)) inherits the store of \(quoted(owner.key)), "
                + "\(quoted(path)): links that are made in \(quoted(chain[0].key)) are links of "
                + quoted(owner.key),
            advice: "add a `store` of its own, such as `store: var/\(chain[0].key).db`; or the "
                + "same, `store: \(path)`, if the two are never served on one machine")
    }

    private mutating func readAPIHosts(_ value: Value, _ sites: [Site]) -> [APIHost] {
        var hosts = [APIHost]()
        for item in value["api-hosts"]?.items ?? [] {
            guard let name = item.host else { continue }
            if let site = sites.first(where: { $0.serves(name.description) }) {
                findings.error(
                    .duplicateHost, at: item.position,
                    "\(quoted("\(name)")) is a host of \(site.title), whose links apps open",
                    advice: "give the API a host of its own, such as api.\(name)")
            } else if hosts.contains(where: { $0.name == name }) {
                findings.error(
                    .duplicateHost, at: item.position, "host \(quoted("\(name)")) is listed twice",
                    advice: "remove one; letter case does not distinguish hosts")
            } else {
                hosts.append(APIHost(name: name, position: item.position))
            }
        }
        if let first = hosts.first, value["store"] == nil {
            findings.error(
                .missingKey, at: first.position,
                "`api-hosts` is for the API of stored links, but there is no `store`",
                advice: "add `store: var/links.db`, or remove `api-hosts`")
        }
        return hosts
    }

    mutating func readSite(_ value: Value, _ described: DescribedSite) -> Site? {
        for key in ["hosts", "tls"] where value[key] == nil {
            findings.add(
                .error, .missingKey, of: described,
                described.inherits
                    ? "\(described.title) neither has nor inherits \(quoted(key))"
                    : "\(quoted(described.environment)) lacks the key \(quoted(key))")
        }
        let hosts = readHosts(value)
        let published = readPublished(value["publish"])
        let associations = readAssociations(value, described, published)
        guard let publicDirectory = reference(value["public"]) ?? defaultPublic(described)
        else { return nil }
        var site = Site(
            name: described.name, environment: described.environment,
            position: described.position, apps: appList, hosts: hosts.exact,
            wildcards: hosts.wildcards, openHost: hosts.open,
            certificates: value["tls"]?.items.compactMap(certificate) ?? [],
            publicDirectory: publicDirectory, acmeWebroot: reference(value["acme-webroot"]),
            httpsPort: value["https-port"]?.number.map(UInt16.init),
            unmatched: readUnmatched(value["unmatched"]),
            isClosedToRobots: value["robots"]?.text == "closed", associations: associations,
            publications: published.map(\.publication), webLinks: webLinks,
            presentation: presentation, campaign: readCampaign(value["campaign"]),
            offersScheme: value.flag("scheme") ?? false,
            transportSecurity: readTransportSecurity(value["hsts"]),
            headers: readHeaders(value["headers"]))
        site.hostsPosition = value["hosts"]?.position
        site.automatic = readAutomatic(value["tls"], site)
        site.targetBytesMax = limits(value["limits"]).targetBytesMax
        return site
    }

    private func tickets(_ value: Value?) -> TLSPolicy.Tickets {
        guard let value else { return .automatic }
        guard let text = value.text else { return .files(value.items.compactMap { reference($0) }) }
        return text == "off" ? .off : .automatic
    }

    private func defaultPublic(_ site: DescribedSite) -> FileReference? {
        let path = site.name.map { "Public/\($0)" } ?? "Public"
        return reference(Value(content: .text(path), position: site.position))
    }

    private typealias Hosts = (exact: [HostName], wildcards: [HostName], open: HostName?)

    private mutating func readHosts(_ value: Value) -> Hosts {
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
            guard let host = readHost(item) else { continue }
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

    /// A host of the configuration, with the name of the site in it.
    mutating func readHost(_ item: Value) -> HostPattern? {
        guard case .template(let text)? = item.hostPattern else { return item.hostPattern }
        guard siteName != nil else {
            findings.error(
                .hostName, at: item.position,
                "`{site}` stands for the name of a site, but the configuration has no `sites`",
                advice: "write the host")
            return nil
        }
        do throws(Fault) {
            return try HostPattern(named(text))
        } catch {
            findings.error(
                error.rule, at: item.position, error.message,
                advice:
                    "{site} is the name of the site, \(quoted(siteName ?? "")): rename the site, "
                    + "or write the host without {site}")
            return nil
        }
    }

    func certificate(_ value: Value) -> CertificateFiles? {
        guard let certificate = reference(value["certificate"]), let key = reference(value["key"])
        else { return nil }
        return CertificateFiles(certificate: certificate, key: key)
    }
}

// MARK: - Publications

extension SiteReader {
    private mutating func readPublished(_ value: Value?) -> [Published] {
        (value?.entries ?? []).compactMap { entry in
            let links = readPublishedLinks(entry)
            guard let app = apps[entry.key] else {
                reportUnknown("app", entry.key, at: entry.position, among: apps.keys)
                return nil
            }
            return app.map { app in
                checkService(app, entry)
                return Published(
                    publication: Publication(app: app, links: links), position: entry.position,
                    leastBytes: links.reduce(0) { $0 + (leastBytes[$1.key] ?? 0) })
            }
        }
    }

    /// An app without links is published for the credentials and services that it shares with the
    /// site.
    private mutating func checkService(_ app: App, _ entry: Value.Entry) {
        let publication = Publication(app: app, links: [])
        guard entry.value.isEmptyList, !publication.isToldApple, !publication.isToldAndroid else {
            return
        }
        findings.error(
            .nothingOpens, at: entry.position,
            "app \(quoted(app.key)) is published without links, and shares nothing with the site",
            advice: "list its links, or set its `services`, its `clip` or Android's `credentials`")
    }

    private mutating func readPublishedLinks(_ entry: Value.Entry) -> [Link] {
        var seen = Set<String>()
        return entry.value.items.compactMap { item in
            guard let name = item.text, !name.isEmpty else { return nil }
            guard let link = links[name] else {
                reportUnknown("link", name, at: item.position, among: links.keys)
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
struct Published {
    let publication: Publication
    let position: SourcePosition
    /// A lower bound for the bytes of its rules in any association file.
    let leastBytes: Int

    var app: App { publication.app }
}
