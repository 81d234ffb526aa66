import Associations
import Diagnostics
import URISyntax

// MARK: - Inheritance

extension SiteReader {
    mutating func readEnvironments(_ entries: [Value.Entry]) -> [Environment] {
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
        return entries.compactMap { entry in
            guard let entry = environments[entry.key], let chain = ancestry(of: entry, &known)
            else { return nil }
            return readEnvironment(inherit(chain), entry)
        }
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
    private func inherit(_ chain: [Value.Entry]) -> Value {
        var entries = [String: Value.Entry]()
        for link in chain.reversed() {
            for entry in link.value.entries { entries[entry.key] = entry }
        }
        return Value(content: .mapping(Array(entries.values)), position: chain[0].value.position)
    }
}

// MARK: - One environment

extension SiteReader {
    private mutating func readEnvironment(
        _ value: Value, _ entry: Value.Entry
    ) -> Environment? {
        // The shape of an environment that extends nothing already requires these keys.
        if entry.value["extends"] != nil {
            for key in ["hosts", "tls"] where value[key] == nil {
                findings.error(
                    .missingKey, at: entry.position,
                    "environment \(quoted(entry.key)) neither has nor inherits \(quoted(key))")
            }
        }
        let hosts = readHosts(value)
        let published = readPublished(value["publish"])
        let associations = readAssociations(value, entry, published)
        guard let publicDirectory = reference(value["public"]) ?? defaultPublicDirectory(entry)
        else { return nil }
        var site = Site(
            environment: entry.key, position: entry.position,
            apps: apps.values.compactMap(\.self), links: links.values.compactMap(\.self),
            hosts: hosts, openHost: value["open-host"]?.host,
            certificates: value["tls"]?.items.compactMap(certificate) ?? [],
            publicDirectory: publicDirectory, acmeWebroot: reference(value["acme-webroot"]),
            httpsPort: value["https-port"]?.number.map(UInt16.init),
            unmatched: readUnmatched(value["unmatched"]),
            isClosedToRobots: value["robots"]?.text == "closed", associations: associations,
            publications: published.map(\.publication), webLinks: webLinks,
            presentation: presentation, campaign: readCampaign(value["campaign"]),
            offersScheme: value.flag("scheme") ?? false,
            transportSecurity: readTransportSecurity(value["hsts"]))
        site.hostsPosition = value["hosts"]?.position
        let limits = limits(value["limits"])
        site.targetBytesMax = limits.targetBytesMax
        return Environment(
            name: entry.key, position: entry.position, sites: [site],
            tls: TLSPolicy(
                tickets: tickets(value["tls-tickets"]),
                refusesUnknownNames: value["unknown-name"]?.text == "refuse"),
            accessLog: accessLog(value["log"]), proxies: proxies(value["proxies"]),
            limits: limits)
    }

    private func tickets(_ value: Value?) -> TLSPolicy.Tickets {
        guard let value else { return .automatic }
        guard let text = value.text else { return .files(value.items.compactMap { reference($0) }) }
        return text == "off" ? .off : .automatic
    }

    private func defaultPublicDirectory(_ entry: Value.Entry) -> FileReference? {
        reference(Value(content: .text("Public"), position: entry.position))
    }

    private mutating func readHosts(_ value: Value) -> [HostName] {
        let items = value["hosts"]?.items ?? []
        guard items.count <= ConfigurationLimits.hostsMax else {
            findings.error(
                .tooMany, at: items[ConfigurationLimits.hostsMax].position,
                "environment has \(items.count) hosts, may have \(ConfigurationLimits.hostsMax)")
            return []
        }
        var seen = Set<HostName>()
        let open = value["open-host"].map { [$0] } ?? []
        for item in items + open {
            guard let host = item.host, !seen.insert(host).inserted else { continue }
            findings.error(
                .duplicateHost, at: item.position,
                "host \(quoted(host.description)) is listed twice")
        }
        return items.compactMap(\.host)
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
                    "link \(quoted(name)) is listed twice for \(quoted(entry.key))")
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
