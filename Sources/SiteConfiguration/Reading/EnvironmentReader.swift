import Diagnostics
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
        Environment(
            name: chain.name, position: chain.entry.position, sites: sites,
            tls: TLSPolicy(
                tickets: tickets(value["tls-tickets"]),
                refusesUnknownNames: value["unknown-name"]?.text == "refuse"),
            accessLog: AccessLogSettings(value["log"], base),
            proxies: ProxySettings(value["proxies"]),
            limits: LimitSettings(value["limits"], into: &findings),
            store: store(chain, value, into: &findings),
            isStoreEssential: isStoreEssential(value, into: &findings),
            apiHosts: apiHosts(value, sites, into: &findings),
            watch: value["watch"].flatMap { WatchSettings($0, base, into: &findings) })
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

    /// The password belongs to the store that is nearest: one that is inherited is not for another store.
    private func store(
        _ chain: EnvironmentChain, _ value: Value, into findings: inout Findings
    ) -> StoreReference? {
        let own = value["store"]
        let place = own?.text.flatMap { PostgreSQLLocation.isMeant(by: $0) ? $0 : nil }
        let owner = chain.entries.firstIndex { $0.value["store"] != nil }
        let entries = chain.entries.prefix(owner.map { $0 + 1 } ?? chain.entries.count)
        let password = entries.lazy.compactMap { $0.value["store-password"] }.first
        if place == nil, let password {
            findings.error(
                own == nil ? .missingKey : .wrongValue, at: password.position,
                "`store-password` is for a database of several nodes, and `store` "
                    + (own == nil ? "is missing" : "is a file"),
                advice: "write `store: postgresql://USER@HOST/DATABASE`, or remove `store-password`"
            )
        }
        // What is wrong with a URL was said when its form was checked.
        guard let own, let place, let location = try? PostgreSQLLocation(place) else {
            return base.reference(own).map(StoreReference.file)
        }
        return .database(
            DatabaseReference(
                location: location, password: base.reference(password), position: own.position))
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
            guard let name = item.host else { continue }
            if let site = owners.site(of: name.description).map({ sites[$0] }) {
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

    private func tickets(_ value: Value?) -> TLSPolicy.Tickets {
        guard let value else { return .automatic }
        guard let text = value.text else {
            return .files(value.items.compactMap { base.reference($0) })
        }
        return text == "off" ? .off : .automatic
    }
}
