import Certificates
import SiteConfiguration
import Snapshots
import TLS
import URISyntax

/// The hosts of a snapshot whose certificates are requested by themselves, and these certificates. The
/// snapshot itself is not kept, because it has files open.
package struct AutomaticHosts {
    let byName: [String: AutomaticHost]
    /// The settings of each authority, by its name.
    let settings: [String: AutomaticCertificates]
    /// By the hosts' names.
    private(set) var issued = [String: ServerCertificate]()

    package init(_ hosts: [AutomaticHost] = []) {
        byName = Dictionary(
            hosts.map { ($0.name.description, $0) }, uniquingKeysWith: { first, _ in first })
        settings = Dictionary(
            Self.authorities(of: byName.values).map { ($0.authorityName, $0) },
            uniquingKeysWith: { first, _ in first })
    }

    subscript(name: String) -> AutomaticHost? { byName[name] }

    /// The settings of all authorities; there can be several for one name.
    var authorities: Set<AutomaticCertificates> { Self.authorities(of: byName.values) }

    private static func authorities(
        of hosts: some Sequence<AutomaticHost>
    ) -> Set<AutomaticCertificates> {
        Set(Set(hosts.map(\.automatic)).flatMap(\.everyAuthority))
    }

    /// Takes the hosts of a snapshot, for an agenda that knows those before.
    mutating func take(
        _ snapshot: Snapshot, _ directory: CertificateDirectory, _ agenda: CertificateAgenda
    ) -> [CertificateAgenda.Served] {
        let (before, all) = (byName, snapshot.automaticHosts)
        self = AutomaticHosts(all)
        issued = snapshot.issuedCertificates
        let served = snapshot.servedCertificates
        let suffixes: PublicSuffixes? = before == byName ? nil : .installed
        return all.filter { byName[$0.name.description] == $0 }.map { host in
            let (name, files) = (host.name.description, HostFiles(directory, host))
            let entry = agenda.plan[name]
            // The snapshot may be older than the file.
            if issued[name] == nil {
                issued[name] = files.readCertificate() ?? (files.areOutOfReach ? served[name] : nil)
            }
            let goesOn = agenda.isInCharge && before[name] == host && entry != nil
            return CertificateAgenda.Served(
                host: name, authorities: host.automatic.choices,
                domain: entry?.domain
                    ?? suffixes?.registeredDomain(of: host.name.domain.description),
                validity: issued[name]?.validity, record: goesOn ? nil : files.readRecord())
        }
    }

    /// Notes a certificate that was issued.
    /// - Returns: whether there was one before.
    mutating func note(_ certificate: ServerCertificate, of name: String) -> Bool {
        issued.updateValue(certificate, forKey: name) != nil
    }
}
