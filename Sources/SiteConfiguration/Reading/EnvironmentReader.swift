import Diagnostics
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
            store: base.reference(value["store"]),
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

    /// Whoever tries something in an environment must not change another one's links unawares.
    func checkInheritedStore(_ chain: EnvironmentChain, into findings: inout Findings) {
        guard let owner = chain.entries.first(where: { $0.value["store"] != nil }),
            owner.key != chain.name, let path = owner.value["store"]?.text
        else { return }
        findings.warning(
            .sharedStore, at: chain.entry.position,
            "environment \(quoted(chain.name)) inherits the store of \(quoted(owner.key)), "
                + "\(quoted(path)): links that are made in \(quoted(chain.name)) are links of "
                + quoted(owner.key),
            advice: "add a `store` of its own, such as `store: var/\(chain.name).db`; or the "
                + "same, `store: \(path)`, if the two are never served on one machine")
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
