import HTTPClient
import LiveCheck
import TLS
import Testing

@Suite("Words for certificates and connections of live sites")
struct CertificateWordsTests {
    private typealias Live = HostReportTests

    private func cause(
        _ kind: CertificateFault.Kind, depth: Int = 0, subject: String, issuer: String,
        names: [String] = []
    ) -> LiveFinding? {
        let leaf = PeerCertificate(
            subject: subject, issuer: issuer, names: names, notBefore: Live.now - 86_400,
            notAfter: Live.now + 86_400)
        let peer = TLSPeer(faults: [CertificateFault(kind, depth: depth)], chain: [leaf])
        let survey = Live.survey(Live.unreached(Live.failed(.handshake, .untrusted, "x", peer)))
        return HostReport(survey, now: Live.now).cause?.finding
    }

    static let stopgaps: [(subject: String, issuer: String, words: String)] = [
        ("CN = Waymark placeholder", "CN = Waymark placeholder", "waymark certificates list"),
        ("CN = a.example", "CN = Waymark development CA", "certs/dev-ca.pem"),
        (
            "CN = a.example",
            "C = US, O = (STAGING) Let's Encrypt, CN = (STAGING) Riddling Rhubarb",
            "acme-v02.api.letsencrypt.org"
        ),
        ("CN = TRAEFIK DEFAULT CERT", "CN = TRAEFIK DEFAULT CERT", "certResolver"),
        (
            "O = Acme Co, CN = Kubernetes Ingress Controller Fake Certificate",
            "O = Acme Co, CN = Kubernetes Ingress Controller Fake Certificate", "spec.tls"
        ),
        ("", "CN = Caddy Local Authority - ECC Intermediate", "tls internal"),
        (
            "O = \"CloudFlare, Inc.\", CN = CloudFlare Origin Certificate",
            "O = \"CloudFlare, Inc.\", OU = CloudFlare Origin SSL Certificate Authority", "proxy"
        ),
    ]

    @Test("a certificate that is known has its own cure", arguments: stopgaps)
    func known(_ subject: String, _ issuer: String, _ words: String) {
        for (kind, rule) in [
            (CertificateFault.Kind.selfSigned, LiveRule.selfSignedCertificate),
            (.issuerNotFound, .missingIntermediate), (.unknownRoot, .unknownAuthority),
            (.wrongName, .certificateName),
        ] {
            let found = cause(kind, subject: subject, issuer: issuer)
            #expect(found?.rule == rule && found?.advice.contains(words) == true)
            #expect(found?.message.contains("a.example") == true)
        }
    }

    @Test func `another certificate has the cure of its fault`() {
        let found = cause(.selfSigned, subject: "CN = a.example", issuer: "CN = a.example")
        #expect(found?.advice.contains("public authority") == true)
    }

    @Test func `a certificate without a common name is named by its hosts`() {
        let found = cause(
            .expired, subject: "", issuer: "CN = E5", names: ["a.example", "b.example"])
        #expect(found?.evidence?.hasPrefix("a.example, b.example, valid until ") == true)
    }

    @Test func `a certificate without subjectAltName says that nobody looks at its name`() {
        let found = cause(.wrongName, subject: "CN = a.example", issuer: "CN = E5")
        #expect(found?.message.contains("subjectAltName") == true)
        #expect(found?.evidence?.contains("CN = a.example") == true)
        let other = cause(.wrongName, subject: "CN = x", issuer: "CN = E5", names: ["b.example"])
        #expect(other?.evidence == "it is for b.example")
    }

    @Test func `an address that this machine has no way to is named as not checked`() {
        let survey = Live.survey {
            $0.answers.append(
                .init(
                    apple: Live.failed(.connect, .unreachable, address: "[2606:4700::1]:443"),
                    android: nil))
        }
        let report = HostReport(survey, now: Live.now)
        #expect(report.verdict == .healthy)
        #expect(
            report.lines.last == "a.example: healthy; not checked: connect [2606:4700::1]:443")
        #expect(HostReport(Live.survey { _ in }, now: Live.now).lines.last == "a.example: healthy")
    }

    @Test func `a drip is told from silence`() {
        func message(_ phase: FetchFailure.Phase) -> String? {
            let answer = Live.failed(phase, .timeout, "x", Live.peer())
            return HostReport(Live.survey(Live.apple(answer)), now: Live.now).cause?.finding.message
        }
        #expect(message(.receive)?.contains("too slowly") == true)
        #expect(message(.wait)?.contains("not answered in time") == true)
    }
}
