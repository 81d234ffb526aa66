private import Diagnostics

/// The intent filters of an Android app, which decide which links of its verified hosts it opens.
package struct ManifestRules: Sendable {
    package let filters: [ManifestFilter]
    /// Whether the app is installed only on versions of Android that read groups of conditions.
    private let isRecent: Bool

    /// - Parameter leastAPI: the API level of the oldest version on which the app is installed; nil if it is not
    ///   known.
    package init(_ filters: [ManifestFilter], leastAPI: Int? = nil) {
        self.filters = filters
        isRecent = leastAPI.map { $0 >= Self.apiOfGroups } ?? false
    }

    /// The API level of Android 15.
    package static let apiOfGroups = 35

    /// Whether versions of Android on which the app is installed take different links.
    package var dependsOnVersion: Bool { !isRecent && filters.contains { !$0.groups.isEmpty } }

    /// The result for one link.
    package enum Verdict: Hashable, Sendable {
        case takes
        /// With the reason, for people.
        case leaves(String)
        /// Something else than the manifest decides.
        case open(String)
    }

    /// Whether the app opens a link of a host that publishes the app: the manifest verifies the host, and
    /// some filter takes the link.
    package func verdict(for url: LinkURL) -> Verdict {
        let host = url.requestedHost
        let isVerified = Certainty.any(filters.map { $0.verifies(host: host) })
        if isVerified == .no {
            return .leaves("no filter of the manifest verifies host \(quoted(host))")
        }
        let takes = Certainty.any(
            filters.map { filter in
                guard filter.isForLinks else { return .no }
                let isMeant = Certainty.all([
                    filter.takes(isSecure: url.isSecure),
                    filter.takes(host: host, port: url.port),
                ])
                guard isMeant != .no else { return .no }
                return .all([isMeant, filter.takesParts(of: url, isRecent: isRecent)])
            })
        switch Certainty.all([isVerified, takes]) {
        case .yes: return .takes
        case .no: return .leaves("no filter of the manifest takes the link")
        case .open(let reason): return .open(reason)
        }
    }

    /// Whether a device may verify the host for the app.
    package func mayVerify(host: String) -> Bool {
        filters.contains { $0.verifies(host: host) != .no }
    }

    /// The links of a host that are taken over https and its usual port.
    /// - Parameter readsGroups: whether the version of Android reads groups of conditions.
    package func links(ofHost host: String, readsGroups: Bool = true) -> HostLinks {
        var (takesAll, patterns, groups) = (false, [AndroidPattern](), [[ManifestLinks.Group]]())
        var found = HostLinks()
        for (number, filter) in filters.enumerated() where filter.isForLinks {
            let isMeant = Certainty.all([
                filter.takes(isSecure: true), filter.takes(host: host, port: nil),
            ])
            if case .open = isMeant { found.isOpen = true }
            guard isMeant == .yes else { continue }
            guard !filter.authorities.isEmpty,
                !filter.paths.isEmpty || readsGroups && !filter.groups.isEmpty
            else {
                takesAll = true
                continue
            }
            for path in filter.paths {
                switch path {
                case .known(let pattern): patterns.append(pattern)
                case .open(let reason): found.add(reason)
                }
            }
            guard readsGroups else { continue }
            let own = found.known(filter.groups, ofFilter: number)
            if !own.isEmpty { groups.append(own) }
        }
        found.links = ManifestLinks(ManifestPaths(takesAll: takesAll, patterns), groups)
        return found
    }

    /// The links of one host, as far as they are known.
    package struct HostLinks: Hashable, Sendable {
        package fileprivate(set) var links = ManifestLinks(ManifestPaths())
        /// Whether a filter may be for the host whose values a build or a device fills in.
        package fileprivate(set) var isOpen = false
        /// Other reasons why there can be more, for people; empty if all are known.
        package private(set) var reasons = [String]()

        fileprivate mutating func add(_ reason: String) {
            if !reasons.contains(reason) { reasons.append(reason) }
        }

        /// The groups of a filter before the first that is not known, which can decide any link.
        fileprivate mutating func known(
            _ groups: [ManifestFilter.Group], ofFilter filter: Int
        ) -> [ManifestLinks.Group] {
            var all = [ManifestLinks.Group]()
            for (number, group) in groups.enumerated() {
                var conditions = [ManifestLinks.Condition]()
                for (part, pattern) in group.patterns {
                    guard case .known(let pattern) = pattern else {
                        if case .open(let reason) = pattern { add(reason) }
                        return all
                    }
                    conditions.append(ManifestLinks.Condition(part, pattern))
                }
                guard let allows = group.allows else {
                    add(filledIn("android:allow"))
                    return all
                }
                all.append(
                    ManifestLinks.Group(
                        allows: allows, conditions, filter: filter, number: number))
            }
            return all
        }
    }
}
