import Diagnostics
import URISyntax

/// Reads the link tests of a configuration or a site.
struct ExpectationReader {
    let described: DescribedEnvironments
    let inventory: Inventory
    /// By name, without those that have errors.
    private let served: [String: (environment: Environment, owners: SiteOwners)]

    /// - Parameter environments: what is served of the configuration or the site.
    init(_ described: DescribedEnvironments, _ inventory: Inventory, environments: [Environment]) {
        (self.described, self.inventory) = (described, inventory)
        served = Dictionary(
            environments.map { ($0.name, ($0, SiteOwners($0.sites))) }, uniquingKeysWith: { $1 })
    }

    /// Reads `expect`.
    func expectations(_ value: Value?, into findings: inout Findings) -> [Expectation] {
        (value?.items ?? []).compactMap { item in
            checkNames(item, into: &findings)
            guard let url = item["url"]?.text, let environment = item["env"]?.text else {
                return nil
            }
            checkHost(item, of: served[environment], into: &findings)
            return Expectation(
                url: url, environment: environment, profile: item["as"]?.text,
                time: item["at"]?.time,
                opens: item["opens"]?.items.compactMap(\.text),
                gets: item["gets"]?.outcome, position: item.position)
        }
    }

    private func checkNames(_ item: Value, into findings: inout Findings) {
        if let value = item["env"], let name = value.text, described.entries[name] == nil {
            findings.unknownName(
                "environment", name, at: value.position, among: described.entries.keys)
        }
        for value in item["opens"]?.items ?? [] {
            guard let name = value.text, inventory.app(named: name) == nil else { continue }
            findings.unknownName("app", name, at: value.position, among: inventory.appNames)
        }
    }

    private func checkHost(
        _ item: Value, of served: (environment: Environment, owners: SiteOwners)?,
        into findings: inout Findings
    ) {
        // An environment without hosts has a finding already, and the host may be of a site that
        // has errors.
        guard let (environment, owners) = served,
            environment.sites.contains(where: { !$0.hosts.isEmpty }),
            environment.refusedSites.isEmpty, let url = item["url"],
            let host = url.url?.host, owners.site(of: host.description) == nil
        else { return }
        findings.error(
            .unknownName, at: url.position, environment.lacks(host: host.description),
            advice: "write one of these hosts, or add the host to `hosts`")
    }
}
