package import URISyntax

/// A rule of `destinations`.
package enum DestinationRule: Hashable, Sendable, CustomStringConvertible {
    /// The app stores' pages of the configuration's apps.
    case stores
    /// Any host.
    case everything
    /// A host, or every host below a domain, and what the path begins with.
    case host(HostName, isWildcard: Bool, path: String)

    /// - Parameter url: one with another port than the default one of its scheme is not allowed by a host.
    func allows(_ url: WebURL) -> Bool {
        switch self {
        case .stores: return false
        case .everything: return true
        case .host(let host, let isWildcard, let path):
            let isHost =
                isWildcard
                ? url.host.description.hasSuffix(".\(host)") : url.host == host
            return isHost && url.hasDefaultPort && Self.path(url.path, isBelow: path)
        }
    }

    private static func path(_ path: Substring, isBelow start: String) -> Bool {
        guard !start.isEmpty else { return true }
        // A dot segment would lead elsewhere.
        return !mayHaveDotSegment(path.utf8) && path.utf8.starts(with: start.utf8)
    }

    /// Whether it allows every URL that another rule allows.
    package func covers(_ other: DestinationRule) -> Bool {
        switch (self, other) {
        case (.everything, _), (.stores, .stores): return true
        case (.host(let host, let isWildcard, let path), .host(let its, let itsWildcard, let rest)):
            let isHost =
                host == its
                ? isWildcard == itsWildcard
                : isWildcard && its.description.hasSuffix(".\(host)")
            return isHost && rest.utf8.starts(with: path.utf8)
        default: return false
        }
    }

    package var description: String {
        switch self {
        case .stores: "store"
        case .everything: "*"
        case .host(let host, let isWildcard, let path): "\(isWildcard ? "*." : "")\(host)\(path)"
        }
    }
}
