import Diagnostics
import URISyntax

extension SiteReader {
    mutating func readExpectations(
        _ value: Value?, _ environments: [Environment]
    ) -> [Expectation] {
        let hosts = Dictionary(
            environments.map { ($0.name, Set($0.answeredHosts)) }, uniquingKeysWith: { $1 })
        return (value?.items ?? []).compactMap { item in
            checkNames(item)
            guard let url = item["url"]?.text, let environment = item["env"]?.text else {
                return nil
            }
            checkHost(item, of: hosts[environment])
            return Expectation(
                url: url, environment: environment, profile: item["as"]?.text,
                opens: item["opens"]?.items.compactMap(\.text),
                gets: item["gets"]?.text.flatMap(outcome), position: item.position)
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

    private mutating func checkHost(_ item: Value, of hosts: Set<HostName>?) {
        // Of an environment without hosts that was said already.
        guard let hosts, !hosts.isEmpty, let url = item["url"], let text = url.text,
            let host = try? WebURL(text).host, !hosts.contains(host)
        else { return }
        findings.error(
            .unknownName, at: url.position,
            "the environment does not answer for host \(quoted(host.description))")
    }

    private func outcome(_ text: String) -> Expectation.Outcome? {
        let words = text.utf8.split(separator: 0x20).map { String(Substring($0)) }
        guard let status = words.first.flatMap({ Int($0) }) else { return nil }
        return .init(status: status, location: words.count > 1 ? words[1] : nil)
    }
}
