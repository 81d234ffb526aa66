private import ClientAddress

// What an environment says to those who run it.

extension SiteReader {
    func accessLog(_ value: Value?) -> AccessLogSettings {
        var settings = AccessLogSettings()
        settings.form = (value?["access"]?.text).flatMap(AccessLogSettings.Form.init)
        if value?["to"]?.text != "stdout" { settings.file = reference(value?["to"]) }
        settings.isAnonymized = value?["anonymize"]?.text == "true"
        return settings
    }

    func proxies(_ value: Value?) -> ProxySettings {
        var settings = ProxySettings()
        settings.trusted = (value?["trusted"]?.items ?? []).compactMap(\.text).flatMap { text in
            text == "private"
                ? AddressBlock.privateBlocks : (try? AddressBlock(text)).map { [$0] } ?? []
        }
        settings.header = (value?["header"]?.text).flatMap(ProxySettings.Header.init)
        settings.expectsProxyHeader = value?["protocol"]?.text == "proxy"
        return settings
    }
}
