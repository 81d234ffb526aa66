private import URISyntax

extension AppDeclaration {
    /// The hosts that systems ask for the site's half, in lower case: of `*.example.com`, the domain. Left
    /// out are addresses, texts that are no host name, and hosts that only a build knows.
    package var hosts: [String] { names(where: \.isForWebLinks) }

    /// The hosts that have to serve the site's half. Left out are hosts of filters that are not verified, because they
    /// can be of others, and domains that no release has.
    package var servedHosts: [String] {
        if case .apple(let app) = self, app.unused != nil || app.kind == .profile { return [] }
        return names(where: { $0.isForWebLinks && $0.isVerified })
    }

    private func names(where isMeant: (IntentFilter) -> Bool) -> [String] {
        texts(where: isMeant).compactMap { text in
            guard let host = try? HostName(text), !host.isAddress else { return nil }
            return host.description
        }
    }

    private func texts(where isMeant: (IntentFilter) -> Bool) -> [String] {
        switch self {
        case .apple(let app):
            guard case .list(let domains) = app.domains else { return [] }
            return domains.compactMap { try? AssociatedDomain($0.text).host }
        case .android(let app):
            return app.filters.filter(isMeant).flatMap(\.hosts).compactMap {
                host in
                guard !host.isUnresolved else { return nil }
                let isWildcard = host.text.utf8.starts(with: "*.".utf8)
                return String(Substring(host.text.utf8.dropFirst(isWildcard ? 2 : 0)))
            }
        case .key, .program: return []
        }
    }
}
