private import Diagnostics

/// The intent filters of an Android app, which decide which links of its verified hosts it opens.
package struct ManifestRules: Sendable {
    package let filters: [ManifestFilter]

    package init(_ filters: [ManifestFilter]) { self.filters = filters }

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
                return isMeant == .no ? .no : .all([isMeant, filter.takesParts(of: url)])
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

    /// The paths that links of a host may have, over https and its usual port.
    package func paths(ofHost host: String) -> HostPaths {
        var found = HostPaths()
        for filter in filters where filter.isForLinks {
            let isMeant = Certainty.all([
                filter.takes(isSecure: true), filter.takes(host: host, port: nil),
            ])
            if case .open = isMeant { found.isOpen = true }
            guard isMeant == .yes else { continue }
            guard !filter.authorities.isEmpty, !filter.paths.isEmpty || !filter.groups.isEmpty
            else {
                found.paths.takesAll = true
                continue
            }
            if !filter.groups.isEmpty {
                found.add("a filter has a uri-relative-filter-group, whose links are not compared")
            }
            for path in filter.paths {
                switch path {
                case .known(let pattern): found.patterns.append(pattern)
                case .open(let reason): found.add(reason)
                }
            }
        }
        found.paths = ManifestPaths(takesAll: found.paths.takesAll, found.patterns)
        return found
    }

    /// The paths of one host, as far as they are known.
    package struct HostPaths: Hashable, Sendable {
        package fileprivate(set) var paths = ManifestPaths()
        /// Whether a filter may be for the host whose values a build or a device fills in.
        package fileprivate(set) var isOpen = false
        /// Other reasons why there can be more, for people; empty if all are known.
        package private(set) var reasons = [String]()
        fileprivate var patterns = [AndroidPattern]()

        fileprivate mutating func add(_ reason: String) {
            if !reasons.contains(reason) { reasons.append(reason) }
        }
    }
}
