private import ClientAddress
private import Diagnostics
private import URISyntax

// The settings of an environment for operators.

extension SiteReader {
    func accessLog(_ value: Value?) -> AccessLogSettings {
        var settings = AccessLogSettings()
        settings.form = (value?["access"]?.text).flatMap(AccessLogSettings.Form.init)
        if value?["to"]?.text != "stdout" { settings.file = reference(value?["to"]) }
        settings.isAnonymized = value?.flag("anonymize") ?? false
        for name in (value?["utm"]?.items ?? []).compactMap(\.text)
        where !settings.campaigns.contains(name) {
            settings.campaigns.append(name)
        }
        return settings
    }

    func proxies(_ value: Value?) -> ProxySettings {
        var settings = ProxySettings()
        settings.trusted = (value?["trusted"]?.items ?? []).flatMap(\.addressBlocks)
        settings.position = value?["trusted"]?.position
        settings.header = (value?["header"]?.text).flatMap(ProxySettings.Header.init)
        settings.expectsProxyHeader = value?["protocol"]?.text == "proxy"
        return settings
    }

    /// Nil if it is switched off.
    mutating func readWatch(_ value: Value?) -> WatchSettings? {
        guard let value, value.flag != false else { return nil }
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
        return WatchSettings(
            position: value.position, seconds: value["every"]?.number ?? WatchSettings.usualSeconds,
            hosts: named?.compactMap(\.host), apple: service("apple"), google: service("google"),
            authorities: reference(value["authorities"]),
            addresses: Dictionary(addresses) { first, _ in first }, proxy: value["proxy"]?.url)
    }

    /// A limit on a part of another limit cannot be greater.
    mutating func limits(_ value: Value?) -> LimitSettings {
        var settings = LimitSettings()
        for entry in value?.entries ?? [] {
            guard let limit = Limit(rawValue: entry.key), let number = entry.value.number else {
                continue
            }
            settings.set(limit, to: number, at: entry.position)
        }
        let whole = settings[.headerBytes] ?? Limit.headerBytes.usual
        for part in [Limit.targetBytes, .headerLineBytes] {
            guard let bytes = settings[part], bytes > whole, let own = value?[part.rawValue]
            else { continue }
            findings.error(
                .wrongValue, at: own.position,
                "\(quoted(part.rawValue)) is \(inDigits(bytes)), and \"header-bytes\" "
                    + "\(inDigits(whole)) for all of it",
                advice: "raise \"header-bytes\", or lower this one")
        }
        return settings
    }
}
