import Answering

import Certificates
package import Diagnostics
import Files
package import SiteConfiguration
import Snapshots
package import TLS

/// A host whose certificate is requested by itself.
package struct AutomaticHost: Hashable, Sendable {
    package let name: CertificateName
    package let automatic: AutomaticCertificates

    /// The directory of the authority that has issued its certificate.
    func issuer(_ record: HostRecord) -> String {
        let other = record.issuer.map { automatic.authority(named: $0)?.directory ?? $0 }
        return other ?? automatic.directory
    }
}

extension Snapshot {
    /// The hosts whose certificates are requested by themselves: those that are named for it, and,
    /// where none is named, those that no certificate of the configuration is for.
    package var automaticHosts: [AutomaticHost] {
        let others = certificates.configured.filter { $0.files.automaticHost == nil }
        return sites.sites.map(\.source).automaticHosts(besides: others.compactMap(\.certificate))
    }
}

extension Snapshot {
    /// The certificates that were issued, by their hosts.
    package var issuedCertificates: [String: ServerCertificate] {
        var found = [String: ServerCertificate]()
        for configured in certificates.configured {
            guard let host = configured.files.automaticHost else { continue }
            found[host] = configured.usable?.certificate
        }
        return found
    }

    /// The automatic certificates that hosts are answered with, also if their files cannot be read any
    /// more.
    package var servedCertificates: [String: ServerCertificate] {
        var found = [String: ServerCertificate]()
        for host in certificates.hosts where !host.isPlaceholder {
            guard let loaded = host.certificate, let name = loaded.files.automaticHost else {
                continue
            }
            found[name] = loaded.certificate
        }
        return found
    }

    /// Whether challenges of an account cannot be answered over plain HTTP, because it was made later.
    func lacksAccount(of automatic: AutomaticCertificates) -> Bool {
        sites.sites.contains { site in
            site.source.automatic?.authorityName == automatic.authorityName
                && site.source.accountThumbprint == nil
        }
    }

    /// A reminder of the hosts that are answered with a placeholder; nil if none is.
    package var placeholderReminder: Diagnostic? {
        let names = certificates.hosts.filter(\.isPlaceholder).map(\.name)
        guard !names.isEmpty else { return nil }
        let more = names.count > 5 ? " and \(names.count - 5) more" : ""
        return Diagnostic(
            .error, .certificateNotIssued, at: nil,
            "\(counted(names.count, "host")) still without a certificate, answered with a placeholder "
                + "that no client trusts: \(names.prefix(5).joined(separator: ", "))\(more)",
            advice: "waymark certificates list shows what has failed, and when it is tried again")
    }
}

extension Environment {
    /// The same without a snapshot, from the certificates' files.
    package var automaticHosts: [AutomaticHost] {
        let others = sites.flatMap(\.certificates).filter { $0.automaticHost == nil }
        return sites.automaticHosts(
            besides: others.compactMap { files in
                guard let chain = try? readFile(files.certificate.path, bytesMax: pemBytesMax),
                    let key = try? readFile(files.key.path, bytesMax: pemBytesMax)
                else { return nil }
                return try? ServerCertificate(chain: chain.bytes, key: key.bytes)
            })
    }
}

extension [Site] {
    fileprivate func automaticHosts(besides others: [ServerCertificate]) -> [AutomaticHost] {
        let index = CertificateIndex(others)
        var seen = Set<CertificateName>()
        return flatMap { site -> [AutomaticHost] in
            guard let automatic = site.automatic else { return [] }
            let settings = automatic.withoutHosts
            return site.automaticHosts.compactMap { host in
                guard automatic.hosts != nil || index.first(covering: host.description) == nil,
                    seen.insert(host).inserted
                else { return nil }
                return AutomaticHost(name: host, automatic: settings)
            }
        }
    }
}
