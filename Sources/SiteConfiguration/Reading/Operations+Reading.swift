private import Diagnostics
private import URISyntax

// The settings of an environment for operators.

extension AccessLogSettings {
    init(_ value: Value?, _ base: PathBase) {
        self.init()
        form = (value?["access"]?.text).flatMap(AccessLogSettings.Form.init)
        if value?["to"]?.text != "stdout" { file = base.reference(value?["to"]) }
        isAnonymized = value?.flag("anonymize") ?? false
        for name in (value?["utm"]?.items ?? []).compactMap(\.text)
        where !campaigns.contains(name) { campaigns.append(name) }
    }
}

extension ProxySettings {
    init(_ value: Value?) {
        self.init()
        trusted = (value?["trusted"]?.items ?? []).flatMap(\.addressBlocks)
        position = value?["trusted"]?.position
        header = (value?["header"]?.text).flatMap(ProxySettings.Header.init)
        expectsProxyHeader = value?["protocol"]?.text == "proxy"
    }
}

extension WatchSettings {
    /// Nil if it is switched off.
    init?(_ value: Value, _ base: PathBase, into findings: inout Findings) {
        guard value.flag != false else { return nil }
        let named = value["hosts"]?.items
        if let last = named?.dropFirst(ConfigurationLimits.watchedHostsMax).first {
            findings.error(
                .tooMany, at: last.position,
                "`watch` has \(named?.count ?? 0) hosts, may have "
                    + "\(ConfigurationLimits.watchedHostsMax)")
        }
        func service(_ key: String) -> WatchedService {
            value[key].map { $0.url.map { .at($0) } ?? .off } ?? .usual
        }
        let addresses = (value["connect"]?.entries ?? []).compactMap { entry in
            (try? HostName(entry.key)).flatMap { host in entry.value.text.map { (host, $0) } }
        }
        self.init(
            position: value.position, seconds: value["every"]?.number ?? WatchSettings.usualSeconds,
            hosts: named?.compactMap(\.host), apple: service("apple"), google: service("google"),
            authorities: base.reference(value["authorities"]),
            addresses: Dictionary(addresses) { first, _ in first }, proxy: value["proxy"]?.url)
    }
}

extension LimitSettings {
    /// A limit on a part of another limit cannot be greater.
    init(_ value: Value?, into findings: inout Findings) {
        self.init()
        for entry in value?.entries ?? [] {
            guard let limit = Limit(rawValue: entry.key), let number = entry.value.number else {
                continue
            }
            set(limit, to: number, at: entry.position)
        }
        let whole = self[.headerBytes] ?? Limit.headerBytes.usual
        for part in [Limit.targetBytes, .headerLineBytes] {
            guard let bytes = self[part], bytes > whole, let own = value?[part.rawValue]
            else { continue }
            findings.error(
                .wrongValue, at: own.position,
                "\(quoted(part.rawValue)) is \(inDigits(bytes)), and \"header-bytes\" "
                    + "\(inDigits(whole)) for all of it",
                advice: "raise \"header-bytes\", or lower this one")
        }
    }
}
