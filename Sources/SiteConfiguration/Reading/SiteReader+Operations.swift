// What an environment says to those who run it.

extension SiteReader {
    func accessLog(_ value: Value?) -> AccessLogSettings {
        var settings = AccessLogSettings()
        settings.form = (value?["access"]?.text).flatMap(AccessLogSettings.Form.init)
        if value?["to"]?.text != "stdout" { settings.file = reference(value?["to"]) }
        settings.isAnonymized = value?["anonymize"]?.text == "true"
        return settings
    }
}
