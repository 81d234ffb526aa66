private import URISyntax

extension AppDeclaration {
    /// The hosts that systems ask for the site's half, in lower case: of `*.example.com`, the domain. Left
    /// out are addresses, texts that are no host name, and hosts that only a build knows.
    package var hosts: [String] { names(isWildcard: nil) }

    /// The same without the domains of wildcards, of which it is not said which hosts below them are meant.
    package var namedHosts: [String] { names(isWildcard: false) }

    /// The domains of wildcards.
    package var wildcardDomains: [String] { names(isWildcard: true) }

    /// - Parameter isWanted: whether those of wildcards are wanted, or the others; nil for all.
    private func names(isWildcard isWanted: Bool?) -> [String] {
        texts.filter { isWanted == nil || $0.isWildcard == isWanted }.compactMap { text, _ in
            guard let host = try? HostName(text), !host.isAddress else { return nil }
            return host.description
        }
    }

    private var texts: [(text: String, isWildcard: Bool)] {
        switch self {
        case .apple(let app):
            guard case .list(let domains) = app.domains else { return [] }
            return domains.compactMap { domain in
                (try? AssociatedDomain(domain.text)).map { ($0.host, $0.isWildcard) }
            }
        case .android(let app):
            return app.filters.filter(\.isForWebLinks).flatMap(\.hosts).compactMap { host in
                guard !host.isUnresolved else { return nil }
                let isWildcard = host.text.utf8.starts(with: "*.".utf8)
                return (
                    String(Substring(host.text.utf8.dropFirst(isWildcard ? 2 : 0))), isWildcard
                )
            }
        case .key, .program: return []
        }
    }
}
