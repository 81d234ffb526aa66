import Diagnostics
private import LinkIndex
private import PostgreSQL
import URISyntax

/// Reads what an environment has besides its sites: the settings of the process that serves it.
struct EnvironmentReader {
    let base: PathBase

    /// - Parameters:
    ///   - value: the environment with everything that it inherits.
    ///   - sites: what was read of its sites, for whose hosts the API cannot be.
    func environment(
        _ chain: EnvironmentChain, _ value: Value, sites: [Site] = [], into findings: inout Findings
    ) -> Environment {
        let apiHosts = apiHosts(value, sites, into: &findings)
        let console = consoleHost(value, sites, besides: apiHosts, into: &findings)
        checkStore(of: apiHosts + [console].compactMap(\.self), value, into: &findings)
        return Environment(
            name: chain.name, position: chain.entry.position, sites: sites,
            tls: TLSPolicy(
                tickets: tickets(value["tls-tickets"]),
                refusesUnknownNames: value["unknown-name"]?.text == "refuse"),
            accessLog: AccessLogSettings(value["log"], base),
            proxies: ProxySettings(value["proxies"]),
            limits: LimitSettings(value["limits"], into: &findings),
            store: store(chain, value, sites, into: &findings),
            isStoreEssential: isStoreEssential(value, into: &findings),
            apiHosts: apiHosts, consoleHost: console,
            identityField: identityField(value, into: &findings),
            openID: openID(value, sites, into: &findings),
            watch: value["watch"].flatMap { WatchSettings($0, base, into: &findings) },
            countries: countries(value, into: &findings),
            countryAttribution: value["countries"]?["attribution"]?.text)
    }

    private func isStoreEssential(_ value: Value, into findings: inout Findings) -> Bool {
        if let flag = value["store-essential"], value["store"] == nil {
            findings.error(
                .missingKey, at: flag.position,
                "`store-essential` is about the store of links, but there is no `store`",
                advice: "add `store: var/links.db`, or remove `store-essential`")
        }
        return value.flag("store-essential") ?? true
    }

    /// The password and the secret belong to the store that is nearest: those that are inherited are not for another
    /// store.
    private func store(
        _ chain: EnvironmentChain, _ value: Value, _ sites: [Site], into findings: inout Findings
    ) -> StoreReference? {
        let own = value["store"]
        let place = own?.text.flatMap { PostgreSQLLocation.isMeant(by: $0) ? $0 : nil }
        let owner = chain.entries.firstIndex { $0.value["store"] != nil }
        let entries = chain.entries.prefix(owner.map { $0 + 1 } ?? chain.entries.count)
        func ofDatabase(_ key: String) -> Value? {
            let found = entries.lazy.compactMap { $0.value[key] }.first
            guard place == nil, let found else { return found }
            findings.error(
                own == nil ? .missingKey : .wrongValue, at: found.position,
                "`\(key)` is for a database of several nodes, and `store` "
                    + (own == nil ? "is missing" : "is a file"),
                advice: "write `store: postgresql://USER@HOST/DATABASE`, or remove `\(key)`")
            return found
        }
        let (password, secret) = (ofDatabase("store-password"), ofDatabase("store-secret"))
        // What is wrong with a URL was said when its form was checked.
        guard let own, let place, let location = try? PostgreSQLLocation(place) else {
            return base.reference(own).map(StoreReference.file)
        }
        let secrets = (secret?.items ?? []).compactMap { base.reference($0) }
        // What is wrong with a list was said when its form was checked.
        if secret == nil, let automatic = sites.lazy.compactMap(\.automatic).first {
            findings.error(
                .missingKey, at: automatic.position,
                "nodes that share a database share automatic certificates, and without `store-secret` their "
                    + "private keys would be there unencrypted",
                advice: "add `store-secret: FILE` with the same file on all nodes; make it with "
                    + "`openssl rand -base64 48 > FILE`")
        }
        return .database(
            DatabaseReference(
                location: location, password: base.reference(password), secrets: secrets,
                position: own.position))
    }

    /// Whoever tries something in an environment must not change another one's links unawares.
    func checkInheritedStore(_ chain: EnvironmentChain, into findings: inout Findings) {
        guard let owner = chain.entries.first(where: { $0.value["store"] != nil }),
            owner.key != chain.name, let path = owner.value["store"]?.text
        else { return }
        let isDatabase = PostgreSQLLocation.isMeant(by: path)
        let other = isDatabase ? "postgresql://…/\(chain.name)" : "var/\(chain.name).db"
        // A URL that is wrong may have a password.
        let shown = isDatabase ? "postgresql://…" : path
        findings.warning(
            .sharedStore, at: chain.entry.position,
            "environment \(quoted(chain.name)) inherits the store of \(quoted(owner.key)), "
                + "\(quoted(shown)): links that are made in \(quoted(chain.name)) are links of "
                + quoted(owner.key),
            advice: isDatabase
                ? "add a `store` of its own, such as `store: \(other)`; or the same"
                : "add a `store` of its own, such as `store: \(other)`; or the same, "
                    + "`store: \(path)`, if the two are never served on one machine")
    }

    private func apiHosts(
        _ value: Value, _ sites: [Site], into findings: inout Findings
    ) -> [APIHost] {
        var hosts = [APIHost]()
        let owners = SiteOwners(sites)
        for item in value["api-hosts"]?.items ?? [] {
            guard let host = ownHost("api-hosts", item, sites, owners, into: &findings) else {
                continue
            }
            if hosts.contains(where: { $0.name == host.name }) {
                findings.error(
                    .duplicateHost, at: item.position,
                    "host \(quoted("\(host.name)")) is listed twice",
                    advice: "remove one; letter case does not distinguish hosts")
            } else {
                hosts.append(host)
            }
        }
        return hosts
    }

    private func consoleHost(
        _ value: Value, _ sites: [Site], besides apiHosts: [APIHost],
        into findings: inout Findings
    ) -> APIHost? {
        guard let item = value["console"]?["host"],
            let host = ownHost("console", item, sites, SiteOwners(sites), into: &findings)
        else { return nil }
        if apiHosts.contains(where: { $0.name == host.name }) {
            findings.error(
                .duplicateHost, at: item.position,
                "\(quoted("\(host.name)")) is one of `api-hosts`, too",
                advice: "give the console a host of its own: browsers keep its cookies for that")
        }
        return host
    }

    private func identityField(_ value: Value, into findings: inout Findings) -> String? {
        guard let item = value["console"]?["identity-header"] else { return nil }
        checkProxies(value, item, "identity-header", "signs people in", into: &findings)
        return item.text?.lowercased()
    }

    /// Anybody can send a field, so only a proxy that is trusted is believed.
    private func checkProxies(
        _ value: Value, _ item: Value, _ key: String, _ deed: String,
        into findings: inout Findings
    ) {
        guard value["proxies"]?["trusted"] == nil else { return }
        findings.error(
            .missingKey, at: item.position,
            "`\(key)` is what a trusted proxy says, but no proxy is trusted",
            advice: "add `proxies: {trusted: ADDRESS}` with the address of the proxy that "
                + "\(deed), or remove `\(key)`")
    }

    /// The source of the countries of visits. Visits of stored links alone are counted.
    private func countries(_ value: Value, into findings: inout Findings) -> CountrySettings? {
        guard let item = value["countries"] else { return nil }
        if value["store"] == nil {
            findings.error(
                .missingKey, at: item.position,
                "`countries` is about visits of stored links, but there is no `store`",
                advice: "add `store: var/links.db`, or remove `countries`")
        }
        if let header = item["header"] {
            checkProxies(value, header, "header", "knows the countries", into: &findings)
            if let file = item["file"] {
                findings.error(
                    .wrongValue, at: file.position,
                    "`countries` has `header` and `file`, and needs one of them",
                    advice: "remove `file` if the proxy names the country of each visitor, or else "
                        + "`header`")
            }
        }
        return CountrySettings(item, base)
    }

    /// The provider of OpenID Connect. A role for a collection that is none would let nobody do anything, and say nothing.
    private func openID(
        _ value: Value, _ sites: [Site], into findings: inout Findings
    ) -> OpenIDSettings? {
        guard let item = value["console"]?["openid"], let settings = OpenIDSettings(item, base)
        else { return nil }
        let known = sites.flatMap { site in
            site.collections.map { site.collectionName($0).description }
        }
        guard !sites.isEmpty else { return settings }
        for entry in item["roles"]?.entries ?? [] {
            for name in entry.value["collections"]?.items ?? [] {
                guard let text = name.text, !known.contains(text) else { continue }
                let advice =
                    known.isEmpty
                    ? "give a link `stored`, so that it is a collection"
                    : "its collections are \(known.joined(separator: ", "))"
                findings.error(
                    .unknownName, at: name.position,
                    "there is no collection \(quoted(text)) in the environment",
                    advice: nearestName(to: text, among: known).map(didYouMean) ?? advice)
            }
        }
        return settings
    }

    /// A host that no site has.
    private func ownHost(
        _ key: String, _ item: Value, _ sites: [Site], _ owners: SiteOwners,
        into findings: inout Findings
    ) -> APIHost? {
        guard let name = item.host else { return nil }
        let (what, other) = key == "console" ? ("the console", "console") : ("the API", "api")
        if let site = owners.site(of: name.description).map({ sites[$0] }) {
            findings.error(
                .duplicateHost, at: item.position,
                "\(quoted("\(name)")) is a host of \(site.title), whose links apps open",
                advice: "give \(what) a host of its own, such as \(other).\(name)")
            return nil
        }
        return APIHost(key: key, name: name, position: item.position)
    }

    /// The API and the console are about stored links.
    private func checkStore(of hosts: [APIHost], _ value: Value, into findings: inout Findings) {
        guard value["store"] == nil else { return }
        for (key, what) in [
            ("api-hosts", "the API of stored links"), ("console", "stored links"),
        ] {
            guard let first = hosts.first(where: { $0.key == key }) else { continue }
            findings.error(
                .missingKey, at: first.position,
                "`\(key)` is for \(what), but there is no `store`",
                advice: "add `store: var/links.db`, or remove `\(key)`")
        }
    }

    private func tickets(_ value: Value?) -> TLSPolicy.Tickets {
        guard let value else { return .automatic }
        guard let text = value.text else {
            return .files(value.items.compactMap { base.reference($0) })
        }
        return text == "off" ? .off : .automatic
    }
}
