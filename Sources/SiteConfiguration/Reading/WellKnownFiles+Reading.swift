import Diagnostics
import URISyntax

extension WellKnownFiles {
    /// Reads `webauthn`, `passkey-endpoints` and `change-password` of a site.
    /// - Parameters:
    ///   - apps: the published ones.
    ///   - hosts: those of the site.
    init(_ value: Value, apps: [App], hosts: [HostName], into findings: inout Findings) {
        let endpoints = value["passkey-endpoints"]
        var harmonyApps = [String]()
        for id in apps.compactMap(\.harmony?.id) where !harmonyApps.contains(id) {
            harmonyApps.append(id)
        }
        self.init(
            relatedOrigins: Self.origins(value["webauthn"], into: &findings),
            passkeyEndpoints: endpoints.flatMap { value in
                guard value.isMapping else { return nil }
                return PasskeyEndpoints(
                    enroll: value["enroll"]?.url, manage: value["manage"]?.url,
                    prfUsageDetails: value["prf-usage-details"]?.url)
            },
            changePassword: Self.page(value["change-password"], hosts, into: &findings),
            harmonyApps: harmonyApps)
    }

    private static func origins(_ value: Value?, into findings: inout Findings) -> [RelatedOrigin] {
        var (origins, seen) = ([RelatedOrigin](), Set<String>())
        for item in value?.items ?? [] {
            guard let origin = item.url.map({ RelatedOrigin($0, at: item.position) }) else {
                continue
            }
            guard seen.insert(origin.text).inserted else {
                findings.error(
                    .duplicateHost, at: item.position,
                    "origin \(quoted(origin.text)) is listed twice", advice: "remove one")
                continue
            }
            origins.append(origin)
        }
        return origins
    }

    private static func page(
        _ value: Value?, _ hosts: [HostName], into findings: inout Findings
    ) -> WebURL? {
        guard let value, let url = value.url else { return nil }
        if url.resolvedPath == changePasswordPath, hosts.contains(url.host) {
            findings.error(
                .redirectLoop, at: value.position,
                "\(quoted(url.description)) is the path that redirects to it",
                advice: "write the URL of the page on which people change their passwords")
        }
        return url
    }
}
