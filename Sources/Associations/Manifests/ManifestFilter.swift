private import Diagnostics

/// An intent filter as far as links need it (Android, "intent-filter"). Android pools its values: a link
/// matches if its scheme, its host and its path are each in one of them.
package struct ManifestFilter: Sendable {
    /// A value of the manifest.
    package enum Value: Hashable, Sendable {
        case known(String)
        /// A build or a device fills it in; the text of the manifest.
        case open(String)
    }

    /// A host, and the port that stands beside it; without one, every port is meant.
    package struct Authority: Sendable {
        let host: Value
        let port: Value?
        /// The host in lower case; empty if it is open. Each host of a site is compared with it.
        private let pattern: [UInt8]

        package init(host: Value, port: Value?) {
            (self.host, self.port) = (host, port)
            pattern = if case .known(let text) = host { Array(text.lowercased().utf8) } else { [] }
        }
    }

    /// A pattern, or why it is not known.
    package enum Pattern: Sendable {
        case known(AndroidPattern)
        case open(String)
    }

    /// A group of patterns for several parts of a link, which Android 15 and later read.
    package struct Group: Sendable {
        /// The part of a link that a pattern is for.
        package enum Part: Sendable {
            case path, query, fragment
        }

        /// Whether a link that matches all patterns is taken; nil if that is open.
        let allows: Bool?
        let patterns: [(part: Part, pattern: Pattern)]

        package init(allows: Bool?, _ patterns: [(part: Part, pattern: Pattern)]) {
            (self.allows, self.patterns) = (allows, patterns)
        }
    }

    /// Whether links reach its activity: it has VIEW, DEFAULT and BROWSABLE, and requires no type.
    package let isForLinks: Bool
    /// Whether Android verifies its hosts; nil if that is open.
    package let isVerified: Bool?
    package let schemes: [Value]
    package let authorities: [Authority]
    package let paths: [Pattern]
    package let groups: [Group]

    package init(
        isForLinks: Bool, isVerified: Bool?, schemes: [Value], authorities: [Authority],
        paths: [Pattern], groups: [Group] = []
    ) {
        (self.isForLinks, self.isVerified) = (isForLinks, isVerified)
        (self.schemes, self.authorities) = (schemes, authorities)
        (self.paths, self.groups) = (paths, groups)
    }
}

extension ManifestFilter {
    /// Whether it is for links of this scheme.
    func takes(isSecure: Bool) -> Certainty {
        .any(
            schemes.map { scheme in
                switch scheme {
                case .known(let text): Certainty(text == (isSecure ? "https" : "http"))
                case .open(let text): .open(filledIn(text))
                }
            })
    }

    /// Whether it is for this host. A filter without a host is for every one.
    func takes(host: String, port: UInt16?) -> Certainty {
        authorities.isEmpty ? .yes : .any(authorities.map { $0.takes(host, port) })
    }

    /// Whether its host is verified by a device, if it is this one.
    func verifies(host: String) -> Certainty {
        guard isForLinks, isVerified != false else { return .no }
        let isMixed = schemes.contains {
            if case .known(let text) = $0 { text != "https" && text != "http" } else { false }
        }
        guard !isMixed else { return .no }
        let named = Certainty.any(authorities.map { $0.verifies(host) })
        return isVerified == nil && named == .yes ? .open(filledIn("android:autoVerify")) : named
    }

    /// Whether it takes the path, query and fragment of a link for one of its hosts.
    /// - Parameter isRecent: whether the app runs only on versions that read groups.
    func takesParts(of url: LinkURL, isRecent: Bool) -> Certainty {
        if authorities.isEmpty || paths.isEmpty && groups.isEmpty { return .yes }
        let path = androidText(url.path)
        let byPath = Certainty.any(paths.map { takes($0, path) })
        guard !groups.isEmpty else { return byPath }
        let now = Certainty.any([byPath, takenByGroups(url)])
        let before = paths.isEmpty ? Certainty.yes : byPath
        return isRecent || now == before
            ? now
            : .open(
                "Android 15 and later read its uri-relative-filter-group, and earlier ones do not")
    }

    private func takenByGroups(_ url: LinkURL) -> Certainty {
        let fragment = url.fragment.map(androidText)
        let queries = url.query.map { androidText($0).map(androidItems) }
        for group in groups {
            let result = Certainty.all(
                group.patterns.map { part, pattern -> Certainty in
                    switch part {
                    case .path: return takes(pattern, androidText(url.path))
                    case .fragment: return fragment.map { takes(pattern, $0) } ?? .no
                    case .query:
                        guard let items = queries else { return .no }
                        guard let items else { return takes(pattern, nil) }
                        return .any(items.map { takes(pattern, $0) })
                    }
                })
            if case .open = result { return result }
            guard !group.patterns.isEmpty, result == .yes else { continue }
            return group.allows.map { Certainty($0) } ?? .open(filledIn("android:allow"))
        }
        return .no
    }

    private func takes(_ pattern: Pattern, _ text: [UInt16]?) -> Certainty {
        switch pattern {
        case .known(let pattern):
            text.map { Certainty(pattern.matches($0)) }
                ?? .open("the link has escapes that are not UTF-8")
        case .open(let reason): .open(reason)
        }
    }
}

extension ManifestFilter.Authority {
    func takes(_ host: String, _ port: UInt16?) -> Certainty {
        let fits: Certainty
        switch self.port {
        case .known(let text): fits = Certainty(port != nil && Int(text) == port.map(Int.init))
        case .open(let text): fits = .open(filledIn(text))
        case nil: fits = .yes
        }
        return .all([isOf(host, anyHost: true), fits])
    }

    /// A star alone is for every host, and verifies none.
    func verifies(_ host: String) -> Certainty { isOf(host, anyHost: false) }

    private func isOf(_ host: String, anyHost: Bool) -> Certainty {
        switch self.host {
        case .open(let text): return .open(filledIn(text))
        case .known:
            guard pattern.first == UInt8(ascii: "*") else {
                return Certainty(pattern.elementsEqual(host.utf8))
            }
            let end = pattern.dropFirst()
            guard anyHost || end.first == UInt8(ascii: ".") else { return .no }
            return Certainty(
                host.utf8.count >= end.count && host.utf8.suffix(end.count).elementsEqual(end))
        }
    }
}

func filledIn(_ text: String) -> String {
    "a build or a resource fills in \(quoted(text)) of a filter"
}
