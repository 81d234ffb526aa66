package import Diagnostics
package import URISyntax

/// One environment of a configuration: its sites, and the settings of the process that serves them.
package struct Environment: Sendable {
    package let name: String
    package let position: SourcePosition
    /// In the order of the configuration; never empty.
    package internal(set) var sites: [Site]
    /// Sites of the configuration that have errors of their own, if these are no reason to refuse
    /// the others.
    package internal(set) var refusedSites = [RefusedSite]()
    /// The directory whose files describe sites; nil if the configuration describes them all.
    package internal(set) var sitesDirectory: FileReference?
    package private(set) var tls: TLSPolicy
    package var accessLog: AccessLogSettings
    package var proxies: ProxySettings
    package var limits: LimitSettings
    /// The place of stored links; nil if there are none.
    package var store: StoreReference?
    /// Whether an origin whose stored links cannot be answered should get no requests.
    package var isStoreEssential: Bool
    /// The hosts that answer the API of stored links over https; none of a site is among them.
    package var apiHosts: [APIHost]
    /// The host of the console over https, which nothing else has; nil if it is on the admin listener alone.
    package var consoleHost: APIHost?
    /// The field in which a trusted proxy names the person who uses the console, in lower case; nil if none does.
    package var identityField: String?
    /// The provider at which people of the console sign in; nil if there is none.
    package var openID: OpenIDSettings?
    /// The settings of the checks of its hosts; nil if they are not checked.
    package var watch: WatchSettings?
    /// The source of the countries of visits; nil if they are not counted.
    package var countries: CountrySettings?
    /// The line that the licence of the countries asks for; nil if it asks for none.
    package var countryAttribution: String?
    /// A hash of the configuration's files, in hexadecimal digits.
    package internal(set) var digest = ""
    /// The files in the whole configuration, including other environments, that must not be served.
    package internal(set) var confidentialFiles = [ConfidentialFile]()

    package init(
        name: String, position: SourcePosition, sites: [Site], tls: TLSPolicy = TLSPolicy(),
        accessLog: AccessLogSettings = AccessLogSettings(),
        proxies: ProxySettings = ProxySettings(),
        limits: LimitSettings = LimitSettings(), store: StoreReference? = nil,
        isStoreEssential: Bool = true, apiHosts: [APIHost] = [], consoleHost: APIHost? = nil,
        identityField: String? = nil, openID: OpenIDSettings? = nil,
        watch: WatchSettings? = nil, countries: CountrySettings? = nil,
        countryAttribution: String? = nil
    ) {
        self.name = name
        self.position = position
        self.sites = sites
        self.tls = tls
        self.accessLog = accessLog
        self.proxies = proxies
        self.limits = limits
        self.store = store
        self.isStoreEssential = isStoreEssential
        (self.apiHosts, self.consoleHost) = (apiHosts, consoleHost)
        (self.identityField, self.openID) = (identityField, openID)
        (self.watch, self.countries) = (watch, countries)
        self.countryAttribution = countryAttribution
    }

    /// Leaves out a site that has errors.
    package mutating func refuse(
        _ name: String, at position: SourcePosition?, _ diagnostics: [Diagnostic]
    ) {
        sites.removeAll { $0.name == name }
        refusedSites.append(
            RefusedSite(
                name: name, position: position ?? self.position, diagnostics: diagnostics))
    }

    /// The environment without what only a running origin needs: certificates, keys, and the countries of visits.
    package var withoutCertificates: Environment {
        var environment = self
        environment.sites = sites.map(\.withoutCertificates)
        environment.tls = TLSPolicy()
        environment.countries = nil
        return environment
    }

    /// The hosts that belong to no site: those of the API, and that of the console.
    package var ownHosts: [APIHost] { apiHosts + [consoleHost].compactMap(\.self) }

    /// Every host that is served, in the order of the sites.
    package var answeredHosts: [HostName] { sites.flatMap(\.answeredHosts) }

    /// The message about a host that no site serves: it names the hosts that are served.
    package func lacks(host: String) -> String {
        let hosts = sites.flatMap(\.hostPatterns)
        let shown = hosts.prefix(shownHostsMax) + (hosts.count > shownHostsMax ? ["…"] : [])
        let isOne = sites.count == 1 && sites[0].name != nil
        let owner = isOne ? sites[0].title : "environment \(quoted(name))"
        return "\(owner) does not serve host \(quoted(host)); it serves "
            + shown.joined(separator: ", ")
    }

    /// The site that answers for a host; nil where none does.
    package func site(of host: String) -> Site? {
        SiteOwners(sites).site(of: host).map { sites[$0] }
    }
}

/// A host of the API or of the console, where it is configured.
package struct APIHost: Hashable, Sendable {
    /// The key that names it.
    package let key: String
    package let name: HostName
    package let position: SourcePosition
}

/// A site that has errors in the configuration.
package struct RefusedSite: Sendable {
    package let name: String
    package let position: SourcePosition
    package let diagnostics: [Diagnostic]
}

/// The most hosts that a message names.
private let shownHostsMax = 5

extension Environment {
    /// The files that an origin writes while it serves: the access log, and the store of links with
    /// what is beside it.
    package var writtenFiles: Set<String> {
        let endings = ["", ".visits"].flatMap { kind in
            ["", "-wal", "-shm", "-journal", ".lock"].map { kind + $0 }
        }
        let ofStore = store?.file.map { store in (endings + [".token"]).map { store.path + $0 } }
        return Set([accessLog.file?.path].compactMap(\.self) + (ofStore ?? []))
    }
}
