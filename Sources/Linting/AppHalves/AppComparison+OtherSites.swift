import AppFiles
import Diagnostics

extension AppComparison {
    /// Leaves open what a file without a host lacks of an iOS app, if the file lists another of the apps that were given: a
    /// repository can have several sites and apps. An extension is of the site of its app.
    func openOthers(_ agreements: inout [AppAgreement]) {
        guard sites.count == 1, sites[0].hosts == nil, !sites[0].isLive,
            agreements.contains(where: { isListed($0) })
        else { return }
        let rules: Set<RuleName> = [.appNotListed, .serviceNotPublished]
        let listed = Set(agreements.filter(isListed).compactMap { $0.app.map { Array($0.utf8) } })
        for index in agreements.indices
        where agreements[index].platform?.isOfApple == true && !isListed(agreements[index])
            && !agreements[index].isExtension(ofAny: listed)
        {
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
                        "give the file of this app's site: the one that was given lists another app"
                )
            }
        }
    }

    /// Whether the file lists the app for a service.
    private func isListed(_ agreement: AppAgreement) -> Bool {
        guard agreement.platform?.isOfApple == true, let app = agreement.app else { return false }
        return AssociatedDomain.services.contains { service in
            sites[0].lists(app, for: service) || sites[0].lists(bundle: app, for: service)
        }
    }
}

extension AppAgreement {
    /// Whether it is an extension of one of some apps, whose identifiers begin its own.
    fileprivate func isExtension(ofAny apps: Set<[UInt8]>) -> Bool {
        guard isExtension, let app, app.utf8.count <= 255 else { return false }
        let own = Array(app.utf8)
        return own.indices.contains { index in
            own[index] == UInt8(ascii: ".") && apps.contains(Array(own[..<index]))
        }
    }
}
