import Answering
import Diagnostics
import SiteConfiguration
import TLS

/// The certificates that a site's hosts can be answered with.
struct CertificateChoices {
    private let configured: [ConfiguredCertificate]
    private let usable: [LoadedCertificate]
    private let usableNames: CertificateIndex
    private let all: CertificateIndex

    init(_ configured: [ConfiguredCertificate]) {
        self.configured = configured
        usable = configured.compactMap(\.usable)
        usableNames = CertificateIndex(usable.map(\.certificate))
        all = CertificateIndex(configured.compactMap(\.certificate))
    }

    /// The first usable one that covers the host; nil if there is none.
    func certificate(for host: String) -> LoadedCertificate? {
        usableNames.first(covering: host).map { usable[$0] }
    }

    /// The hosts that none of the certificates covers. If a certificate could not be read, nothing
    /// is reported: it may cover them.
    /// - Parameter owner: where they can be removed.
    func uncovered(_ hosts: [String], of owner: String) -> [BuildFault] {
        // An automatic one that cannot be used is of the host that it should be for.
        let certificates = configured.filter { $0.files.automaticHost == nil || $0.usable != nil }
            .compactMap(\.certificate)
        guard let first = configured.first, certificates.count == configured.count else {
            return []
        }
        let lacking = hosts.filter { all.first(covering: $0) == nil }
        guard let host = lacking.first else { return [] }
        let hosts = "\(lacking.count == 1 ? "host" : "hosts") \(listed(lacking))"
        let names = CertificateNames(certificates.flatMap(\.names.written).map { Array($0.utf8) })
        let covered = names.shown(coveredNamesMax)
        let isOne = configured.count == 1
        let subject =
            isOne
            ? "certificate \(quoted(first.files.certificate.path)) does not cover \(hosts)"
            : "no certificate covers \(hosts)"
        let them = lacking.count == 1 ? "it" : "them"
        return [
            BuildFault(
                diagnostic: Diagnostic(
                    .error, .certificateLacksHost, at: first.files.certificate.position,
                    "\(subject); \(isOne ? "it" : "they") "
                        + (covered.map { "\(isOne ? "covers" : "cover") \($0)" }
                            ?? "\(isOne ? "has" : "have") no subjectAltName, and clients ignore the "
                            + "common name"),
                    advice: covered == nil
                        ? "request one whose subjectAltName contains DNS:\(host)"
                        : "request one that covers \(them), add one for \(them) under `tls`, or "
                            + "remove \(them) from \(owner)"),
                kind: .invalid)
        ]
    }
}

/// So many names are enough to see which certificates these are.
private let coveredNamesMax = 20
