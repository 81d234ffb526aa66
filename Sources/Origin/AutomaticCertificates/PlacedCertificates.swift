package import Diagnostics
package import SiteConfiguration

/// An environment with the files of its automatic certificates, and what is wrong with what they are
/// requested with.
package struct PlacedCertificates: Sendable {
    package let environment: Environment
    package let findings: [Diagnostic]
    /// Whether they can be kept, or there are some that can be served.
    package let isPossible: Bool
}

extension Environment {
    /// Adds the files of automatic certificates to those that the configuration names.
    /// - Parameter directory: is prepared for them; nil where none is requested.
    package func placingCertificates(in directory: CertificateDirectory?) -> PlacedCertificates {
        // Sites mostly have the same authority.
        let settings = Dictionary(
            sites.compactMap(\.automatic).map { ($0.authorityName, $0) },
            uniquingKeysWith: { first, _ in first })
        guard !settings.isEmpty else {
            return PlacedCertificates(environment: self, findings: [], isPossible: true)
        }
        var programs = Set<String>()
        var findings =
            settings.values.flatMap(CertificateDirectory.findings(of:))
            + sites.compactMap(\.automatic)
            .filter { $0.program.map { programs.insert($0.path).inserted } ?? false }
            .flatMap(CertificateDirectory.programFindings(of:))
        var thumbprints = [String: String]()
        var isPossible = true
        if let directory {
            do throws(CertificateStateFault) {
                if try directory.adopt(automaticHosts) {
                    findings.append(
                        Diagnostic(
                            .warning, .certificateState, at: position,
                            "certificates and accounts of an earlier version were copied to "
                                + "\(quoted(directory.root))",
                            advice: "each environment has a directory of its own; when all have "
                                + "started once, the old one can be removed"))
                }
                try directory.prepare(Array(settings.values))
                thumbprints = settings.compactMapValues(directory.thumbprint(of:))
                findings += directory.warnings(of: Array(settings.values), at: position)
            } catch {
                findings.append(error.diagnostic)
                // What is there is served, although nothing can be requested.
                isPossible = directory.hasCertificates(of: Array(settings.values))
            }
        }
        let files = directory ?? CertificateDirectory("")
        return PlacedCertificates(
            environment: keepingCertificates(
                in: files.file, below: directory?.root,
                thumbprint: { thumbprints[$0.authorityName] }),
            findings: findings.inOrder, isPossible: isPossible)
    }
}
