import TLS

/// A certificate that a server presents while it has none of its own for a host, or that is only for
/// tests. It is known by the name of its owner or issuer, and has a cure of its own.
struct StopgapCertificate {
    private let name: String
    /// The fact, before the host.
    private let words: String
    private let advice: String

    /// Nil if the certificates of a server are none of the known ones.
    init?(in chain: [PeerCertificate]) {
        guard let leaf = chain.first else { return nil }
        let names = [leaf.subject, leaf.issuer].map { Array($0.utf8) }
        guard
            let known = Self.all.first(where: { known in
                names.contains { contains($0, Array(known.name.utf8)) }
            })
        else { return nil }
        self = known
    }

    private init(_ name: String, _ words: String, _ advice: String) {
        (self.name, self.words, self.advice) = (name, words, advice)
    }

    func finding(for host: String, _ fault: LiveFinding) -> LiveFinding {
        LiveFinding(
            fault.severity, fault.rule, "\(words) for \(host)", evidence: fault.evidence,
            advice: advice)
    }

    private static let all = [
        StopgapCertificate(
            "Waymark placeholder", "Waymark has only a placeholder, and no certificate yet,",
            "`waymark certificates list`, and the log of `waymark serve`, say why it was not issued"
        ),
        StopgapCertificate(
            "Waymark development CA",
            "the server presents a certificate of Waymark's development authority",
            "for a public host, set `automatic` under `tls`, or a certificate of a public authority; for a "
                + "test, give certs/dev-ca.pem with --authorities"),
        StopgapCertificate(
            "(STAGING)", "the server presents a certificate of Let's Encrypt's staging environment",
            "let the ACME client use https://acme-v02.api.letsencrypt.org/directory, and remove its "
                + "certificate of the staging environment, which it would keep otherwise"),
        StopgapCertificate(
            "TRAEFIK DEFAULT CERT", "Traefik has only its default certificate, and no other,",
            "give the router of this host `tls.certResolver`, or a certificate under "
                + "`tls.certificates`; Traefik's log says why a resolver gets none"),
        StopgapCertificate(
            "Kubernetes Ingress Controller Fake Certificate",
            "ingress-nginx has only its fake certificate, and no other,",
            "name the host and a Secret under `spec.tls` of the Ingress; the Secret must be in the "
                + "same namespace, with a certificate for this host"),
        StopgapCertificate(
            "Caddy Local Authority", "the server presents a certificate of Caddy's local authority",
            "remove `tls internal` and `local_certs`: Caddy then gets a certificate of a public "
                + "authority"),
        StopgapCertificate(
            "CloudFlare Origin",
            "the server presents a certificate that only Cloudflare's proxy trusts",
            "let the DNS record go through Cloudflare's proxy, or get a certificate of a public "
                + "authority"),
    ]
}

private func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
    text.indices.contains { text[$0...].starts(with: part) }
}

extension PeerCertificate {
    /// Its owner for people. Certificates of public authorities mostly have DNS names alone.
    var title: String {
        if !subject.isEmpty { return subject }
        guard !names.isEmpty else { return "without a name" }
        return names.prefix(3).joined(separator: ", ") + (names.count > 3 ? ", …" : "")
    }
}
