import AppFiles
import Diagnostics

extension AppComparison {
    /// Leaves open what a file without a host lacks of an iOS app, if the file lists another app of the directory: a repository
    /// can have several sites and apps.
    func openOthers(_ agreements: inout [AppAgreement]) {
        guard sites.count == 1, sites[0].hosts == nil, !sites[0].isLive,
            agreements.contains(where: { isListed($0) })
        else { return }
        let rules: Set<RuleName> = [.appNotListed, .serviceNotPublished]
        for index in agreements.indices
        where agreements[index].platform == .ios && !isListed(agreements[index]) {
            let open = agreements[index].findings.filter { finding in
                finding.severity == .error && rules.contains(finding.rule)
            }
            agreements[index].opening.formUnion(open.map(\.rule))
            agreements[index].findings = agreements[index].findings.map { finding in
                guard finding.severity == .error, rules.contains(finding.rule) else {
                    return finding
                }
                return Diagnostic(
                    .warning, finding.rule, at: finding.position, finding.message,
                    advice:
                        "give the file of this app's site: the one that was given lists another app of the directory"
                )
            }
        }
    }

    /// Whether the file lists the app for a service.
    private func isListed(_ agreement: AppAgreement) -> Bool {
        guard agreement.platform == .ios, let app = agreement.app else { return false }
        return AssociatedDomain.services.contains { service in
            sites[0].lists(app, for: service) || sites[0].lists(bundle: app, for: service)
        }
    }
}
