import Diagnostics
import URISyntax

extension SiteReader {
    mutating func readExpectations(
        _ value: Value?, _ environments: [Environment]
    ) -> [Expectation] {
        let served = Dictionary(
            environments.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        return (value?.items ?? []).compactMap { item in
            checkNames(item)
            guard let url = item["url"]?.text, let environment = item["env"]?.text else {
                return nil
            }
            checkHost(item, of: served[environment])
            return Expectation(
                url: url, environment: environment, profile: item["as"]?.text,
                time: item["at"]?.time,
                opens: item["opens"]?.items.compactMap(\.text),
                gets: item["gets"]?.outcome, position: item.position)
        }
    }

    private mutating func checkNames(_ item: Value) {
        if let value = item["env"], let name = value.text, environments[name] == nil {
            reportUnknown("environment", name, at: value.position, among: environments.keys)
        }
        for value in item["opens"]?.items ?? [] {
            guard let name = value.text, apps[name] == nil else { continue }
            reportUnknown("app", name, at: value.position, among: apps.keys)
        }
    }

    private mutating func checkHost(_ item: Value, of environment: Environment?) {
        // An environment without hosts has a finding already, and the host may be of a site that
        // has errors.
        guard let environment, !environment.answeredHosts.isEmpty,
            environment.refusedSites.isEmpty, let url = item["url"],
            let host = url.url?.host, environment.site(of: host.description) == nil
        else { return }
        findings.error(
            .unknownName, at: url.position, environment.lacks(host: host.description))
    }
}
