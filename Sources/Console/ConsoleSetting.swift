/// The surroundings of a page, which do not depend on who asks.
package struct ConsoleSetting: Sendable {
    /// The path of the console's first page; it begins and ends with a slash.
    package let base: String
    /// The path of the page and its query, as they were asked for; nil for what was sent with POST.
    package let address: String?
    /// The name of the environment, which every page shows.
    package let environment: String
    package var language: ConsoleLanguage
    /// True if the page is asked for over TLS.
    package let isSecure: Bool
    /// The name of the provider at which people can sign in here; nil where there is none.
    package let provider: String?
    /// The clocks by which people read and write times.
    package var clock = SiteClock.universal

    package init(
        base: String = "/console/", address: String? = nil, environment: String,
        language: ConsoleLanguage, isSecure: Bool, provider: String? = nil
    ) {
        (self.base, self.address, self.environment) = (base, address, environment)
        (self.language, self.isSecure, self.provider) = (language, isSecure, provider)
    }
}
