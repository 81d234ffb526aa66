import AppFiles
import Diagnostics

// The sites that an app speaks for, beside what they publish.

extension AndroidComparison {
    mutating func compareStatements(_ package: String) {
        guard let statements = app.statements else { return }
        if statements.isMalformed || statements.insecure != nil {
            let site = statements.insecure.map { "names \(quoted($0)), which is not of https" }
            add(
                .warning, .assetStatements, statements.place,
                "asset_statements \(site ?? "is no list of JSON, so nobody reads it")",
                advice: "name the site with https")
        }
        guard !statements.hosts.isEmpty else { return }
        let known = sites.filter { $0.hosts != nil }
        guard !known.isEmpty else { return }
        let meant = known.filter { site in statements.hosts.contains(where: site.answers) }
        guard !meant.isEmpty else {
            return add(
                .warning, .assetStatements, statements.place,
                "asset_statements names \(enumerated(statements.hosts)), and none is a host of the site",
                advice:
                    "name the site, such as https://\(known.first?.hosts?.first ?? "www.example.com")"
            )
        }
        for site in meant {
            guard case .read = site.android, !site.sharing.contains(package) else { continue }
            let isSharing = statements.sharing.contains(where: site.answers)
            guard isSharing || statements.included.contains(where: site.answers) else { continue }
            let fact =
                isSharing
                ? "shares passwords with the site, which does not share its own"
                : "includes the statements of the site, which does not share its passwords"
            add(
                isSharing ? .warning : .note, .credentialsRelation, statements.place,
                "the app \(fact) with \(quoted(package))",
                advice: "write credentials: true for the app in the configuration: it adds "
                    + "delegate_permission/common.get_login_creds")
        }
    }
}
