package import Diagnostics
package import URISyntax

/// The checks of a running origin's own hosts, as fetchers of association files see them.
package struct WatchSettings: Hashable, Sendable {
    package let position: SourcePosition
    /// The seconds from one check of a host to the next.
    package let seconds: Int
    /// The hosts that are named; nil for all.
    package let hosts: [HostName]?
    /// The services that keep copies of association files.
    package let apple, google: WatchedService
    /// The authorities to trust; nil for the system's.
    package let authorities: FileReference?
    /// The addresses to connect to instead of asking DNS: each with a port, as text.
    package let addresses: [HostName: String]
    /// The proxy to everything else; nil for this machine.
    package let proxy: WebURL?

    package static let usualSeconds = 900
    static let secondsRange = 10...86_400
}

/// The place of a service that keeps copies of association files.
package enum WatchedService: Hashable, Sendable {
    case usual, off
    case at(WebURL)
}

/// A host to check, at the port that people use, with the site that answers for it; nil if it is none
/// of this environment.
package struct WatchedHost: Sendable {
    package let name: HostName
    package let port: UInt16
    package let site: Site?
}

extension Environment {
    /// The hosts that are checked; none without `watch`. Unless hosts are named, these are all that
    /// Apple and Google could ask: no wildcards, addresses and names without a domain.
    package var watchedHosts: [WatchedHost] {
        guard let watch else { return [] }
        let names = watch.hosts ?? answeredHosts.filter(\.hasDomain)
        return withSites(Array(names.prefix(ConfigurationLimits.watchedHostsMax)))
    }

    /// Hosts with the sites that answer for them.
    package func withSites(_ names: [HostName]) -> [WatchedHost] {
        let owners = SiteOwners(sites)
        return names.map { name in
            let site = owners.site(of: name.description).map { sites[$0] }
            return WatchedHost(name: name, port: site?.httpsPort ?? 443, site: site)
        }
    }
}
