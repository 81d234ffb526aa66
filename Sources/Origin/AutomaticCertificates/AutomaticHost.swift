import Answering
import SiteConfiguration
import TLS
import URISyntax

/// A host whose certificate is requested by itself.
struct AutomaticHost: Hashable, Sendable {
    let name: HostName
    let automatic: AutomaticCertificates
}

extension Snapshot {
    /// The hosts whose certificates are requested by themselves: those that are named for it, and,
    /// where none is named, those that no certificate of the configuration is for.
    var automaticHosts: [AutomaticHost] {
        let others = certificates.configured.filter { $0.files.automaticHost == nil }
        let index = CertificateIndex(others.compactMap(\.certificate))
        var seen = Set<HostName>()
        return sites.sites.map(\.source).flatMap { site -> [AutomaticHost] in
            guard let automatic = site.automatic else { return [] }
            return site.automaticHosts.compactMap { host in
                guard automatic.hosts != nil || index.first(covering: host.description) == nil,
                    seen.insert(host).inserted
                else { return nil }
                return AutomaticHost(name: host, automatic: automatic)
            }
        }
    }
}
