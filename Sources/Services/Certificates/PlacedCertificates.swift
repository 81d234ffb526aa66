package import Diagnostics
package import SiteConfiguration

/// An environment with the files of its automatic certificates, and what is wrong with what they are
/// requested with.
package struct PlacedCertificates: Sendable {
    package let environment: Environment
    package let findings: [Diagnostic]
    /// The fault that keeps all of them from being requested; nil if there is none.
    package let obstacle: CertificateStateFault?
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
            return PlacedCertificates(environment: self, findings: [], obstacle: nil)
        }
        var programs = Set<String>()
        var findings =
            settings.values.flatMap(CertificateDirectory.findings(of:))
            + sites.compactMap(\.automatic)
            .filter { $0.program.map { programs.insert($0.path).inserted } ?? false }
            .flatMap(CertificateDirectory.programFindings(of:)) + secretFindings
        let opening = directory?.open(Array(settings.values), automaticHosts)
        if let directory, let opening {
            if opening.hasAdopted { findings.append(directory.adopted(at: position)) }
            let faults = Array(opening.faults.values) + [opening.obstacle].compactMap(\.self)
            findings += Set(faults.map(\.diagnostic))
            findings += directory.warnings(of: Array(settings.values), at: position)
        }
        let files = directory ?? CertificateDirectory("")
        return PlacedCertificates(
            environment: keepingCertificates(
                in: files.file, below: directory?.root,
                thumbprint: { directory?.thumbprint(of: $0) }),
            findings: findings.inOrder, obstacle: opening?.obstacle)
    }
}

extension CertificateDirectory {
    fileprivate func adopted(at position: SourcePosition) -> Diagnostic {
        Diagnostic(
            .warning, .certificateState, at: position,
            "certificates and accounts of an earlier version were copied to \(quoted(root))",
            advice:
                "each environment has a directory of its own; when all have started once, the old "
                + "one can be removed")
    }
}
