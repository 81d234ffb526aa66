import Associations
import SiteConfiguration
private import URISyntax

// Redirects as links of sites. Hosts with the same redirects are one site.

extension Migration {
    /// Makes links of all redirects.
    /// - Parameter given: the hosts of the command line.
    mutating func planSites(_ given: [String]) {
        var sets = HostSets()
        let ruleSets = redirects.map { sets.number(of: $0.hosts) }
        let pageSets = unmatchedPages.map { sets.number(of: $0.hosts) }
        var groups = chosenGroups(given, sets, ruleSets, pageSets)
        leaveOut(
            Array(groups.dropFirst(ConfigurationLimits.sitesMax)), ruleSets, pageSets,
            "a configuration can have \(ConfigurationLimits.sitesMax) sites")
        groups = Array(groups.prefix(ConfigurationLimits.sitesMax))
        leaveOutHosts(&groups)
        let pages = Dictionary(
            pageSets.enumerated().map { ($0.element, $0.offset) },
            uniquingKeysWith: { first, _ in first })
        // The rules of each set of hosts, so that a group does not look at those of others.
        let rules = Dictionary(grouping: redirects.indices) { ruleSets[$0] }
        var supply = NameSupply()
        var room = Self.bytesMax
        for (number, group) in groups.enumerated() {
            guard room > 0 else {
                leaveOut(Array(groups[number...]), ruleSets, pageSets, Self.tooLarge)
                break
            }
            let host = group.hosts.first ?? "site"
            let label = String(
                decoding: host.utf8.map { $0.isLetter || $0.isDigit ? $0 : UInt8(ascii: "-") },
                as: UTF8.self)
            let own = group.sets.union([HostSets.none])
            sites.append(
                PlannedSite(
                    name: supply.name(for: label, otherwise: "site"),
                    hosts: Self.withCanonicalHost(group.hosts),
                    unmatched: own.compactMap { pages[$0] }.min().map { unmatchedPages[$0] }))
            if let page = sites[number].unmatched, case .own = page.answer,
                let reason = sites[number].otherHosts
            {
                untranslated.append(Untranslated(source: page.source, reason: reason))
            }
            addLinks(
                own.flatMap { rules[$0] ?? [] }.sorted().map { redirects[$0] }, to: number, &room)
        }
    }

    /// About three quarters of the size that a configuration may have.
    private static let bytesMax = 12_000_000
    private static let tooLarge = "a configuration cannot have so many bytes"

    /// Leaves out the hosts behind those that a configuration can have.
    private mutating func leaveOutHosts(_ groups: inout [HostGroup]) {
        var room = ConfigurationLimits.hostsMax
        for number in groups.indices {
            for host in groups[number].hosts.dropFirst(room) {
                untranslated.append(
                    Untranslated(
                        source: .none,
                        reason: "\(host): a configuration can have "
                            + "\(ConfigurationLimits.hostsMax) hosts"))
            }
            groups[number].hosts = Array(groups[number].hosts.prefix(room))
            room -= groups[number].hosts.count
        }
        groups.removeAll(where: \.hosts.isEmpty)
    }

    /// The hosts in an order in which the first has no wildcard, as the canonical host must.
    private static func withCanonicalHost(_ hosts: [String]) -> [String] {
        func isWildcard(_ host: String) -> Bool { host.utf8.starts(with: "*.".utf8) }
        let plain = hosts.filter { !isWildcard($0) }
        guard plain.isEmpty, let first = hosts.first else {
            return plain + hosts.filter(isWildcard)
        }
        return ["www" + String(first.dropFirst())] + hosts
    }

    /// Hosts, and the sets of hosts in rules to which all of them belong.
    private struct HostGroup {
        var hosts: [String]
        let sets: Set<Int>
    }

    /// The hosts that rules name, in groups of those for which the same rules are.
    private static func groups(_ hostSets: HostSets) -> [HostGroup] {
        var sets = [String: Set<Int>]()
        var order = [String]()
        for (number, hosts) in hostSets.all.enumerated() {
            for host in hosts {
                if sets[host] == nil { order.append(host) }
                sets[host, default: []].insert(number)
            }
        }
        var (groups, numbers) = ([HostGroup](), [Set<Int>: Int]())
        for host in order {
            let own = sets[host] ?? []
            if let number = numbers[own] {
                groups[number].hosts.append(host)
            } else {
                numbers[own] = groups.count
                groups.append(HostGroup(hosts: [host], sets: own))
            }
        }
        return groups
    }

    /// The groups that become sites, with their hosts.
    private mutating func chosenGroups(
        _ given: [String], _ sets: HostSets, _ ruleSets: [Int], _ pageSets: [Int]
    ) -> [HostGroup] {
        var groups = Self.groups(sets)
        let named = Set(groups.flatMap(\.hosts))
        let isForAll = ruleSets.contains(HostSets.none) || pageSets.contains(HostSets.none)
        var others = hosts.filter { !named.contains($0) }
        if groups.count == 1, !isForAll, others.isEmpty || !given.isEmpty,
            !given.contains(where: named.contains)
        {
            // The only site can get other hosts.
            if !given.isEmpty { groups[0].hosts = given }
            return groups
        }
        if given.contains(where: named.contains) {
            leaveOut(
                groups.filter { !$0.hosts.contains(where: given.contains) }, ruleSets, pageSets,
                "--host leaves out its hosts")
            groups = groups.filter { $0.hosts.contains(where: given.contains) }
        }
        let free = given.filter { !named.contains($0) }
        if isForOtherHosts, others.isEmpty, given.isEmpty, !groups.isEmpty {
            others = otherHosts(than: named)
        }
        let needsSite = isForAll || !apps.isEmpty || groups.isEmpty || !free.isEmpty
        guard needsSite else {
            for host in others {
                notNeeded.append(
                    Untranslated(
                        source: .none, reason: "\(host) has no redirects; add it if it has links"))
            }
            return groups
        }
        let rest = free.isEmpty ? (given.isEmpty ? others : []) : free
        guard !rest.isEmpty || groups.isEmpty else { return groups }
        return groups + [HostGroup(hosts: rest.isEmpty ? [localHost] : rest, sets: [])]
    }

    /// The hosts of rules that name none, beside those that rules name: those to which a whole host
    /// is redirected, or else one to be written.
    private mutating func otherHosts(than named: Set<String>) -> [String] {
        guard let first = redirects.first(where: { $0.hosts.isEmpty }) else { return [] }
        var (found, known) = ([String](), named)
        for rule in redirects where !rule.hosts.isEmpty && ["/*", "*"].contains(rule.match[0]) {
            guard case .url(let url) = rule.answer,
                let host = URLTemplate(url).flatMap({ template in
                    (try? WebURL(template.filled(with: "x"))).map { "\($0.host)" }
                }), known.insert(host).inserted
            else { continue }
            found.append(host)
        }
        if found.isEmpty {
            untranslated.append(
                Untranslated(
                    source: first.source,
                    reason: "it is for hosts that the file does not name; give them with --host"))
        }
        return found.isEmpty ? [localHost] : found
    }

    /// Lists what is only for hosts that are left out. Hosts without rules of their own are listed
    /// themselves.
    private mutating func leaveOut(
        _ groups: [HostGroup], _ ruleSets: [Int], _ pageSets: [Int], _ reason: String
    ) {
        let sets = Set(groups.flatMap(\.sets))
        for (number, set) in ruleSets.enumerated() where sets.contains(set) {
            untranslated.append(Untranslated(source: redirects[number].source, reason: reason))
        }
        for (number, set) in pageSets.enumerated() where sets.contains(set) {
            untranslated.append(Untranslated(source: unmatchedPages[number].source, reason: reason))
        }
        for host in groups.filter(\.sets.isEmpty).flatMap(\.hosts) {
            untranslated.append(Untranslated(source: .none, reason: "\(host): \(reason)"))
        }
    }

    // MARK: Links

    private mutating func addLinks(_ rules: [RedirectRule], to site: Int, _ room: inout Int) {
        var known = [String: RedirectRule]()
        for rule in rules {
            let identity = rule.identity
            if let first = known[identity] {
                let isSame = first.answer == rule.answer && first.status == rule.status
                let isHidden =
                    first.hidesLater && first.match == rule.match
                    && first.source.file == rule.source.file
                if isSame || isHidden {
                    notNeeded.append(
                        Untranslated(
                            source: rule.source,
                            reason: "line \(first.source.line) takes these paths before it"))
                } else {
                    untranslated.append(
                        Untranslated(
                            source: rule.source,
                            reason:
                                "line \(first.source.line) of \(first.source.file) is for the same path"
                        ))
                }
                continue
            }
            known[identity] = rule
            guard room >= rule.writtenBytes else {
                untranslated.append(Untranslated(source: rule.source, reason: Self.tooLarge))
                room = 0
                continue
            }
            room -= rule.writtenBytes
            links.append(link(of: rule, site))
        }
    }

    private mutating func link(of rule: RedirectRule, _ site: Int) -> PlannedLink {
        func ruleText(_ path: String, excludes: Bool, isCaseSensitive: Bool? = nil) -> PlannedRule {
            var text = RuleText(path: path, exclude: excludes)
            text.caseSensitive = isCaseSensitive ?? rule.isCaseSensitive
            if !excludes, !rule.query.isEmpty {
                text.query = .items(
                    rule.query.map { QueryItemPattern(name: $0.name, pattern: $0.pattern) })
            }
            return PlannedRule(rule: text, source: rule.source)
        }
        var seen = Set<ExcludedPaths>()
        var link = PlannedLink(
            key: names.name(for: rule.match[0], otherwise: "all"),
            rules: rule.exclude.filter { seen.insert($0).inserted }.map {
                ruleText($0.pattern, excludes: true, isCaseSensitive: $0.isCaseSensitive)
            } + rule.match.map { ruleText($0, excludes: false) })
        link.answer = rule.answer
        link.source = rule.source
        link.notes = rule.notes
        link.differences = rule.differences
        if case .own = rule.answer, let reason = sites[site].otherHosts {
            link.differences.append(reason)
        }
        link.site = site
        if rule.answer == .notFound, rule.status == 410 {
            link.answer = .gone
        } else if rule.answer == .notFound, rule.status != 404 {
            link.notes.append("404 instead of \(rule.status)")
        } else if let status = RedirectStatus(rawValue: rule.status) {
            link.status = status
        } else if (300...399).contains(rule.status) {
            link.notes.append("302 instead of \(rule.status)")
        }
        return link
    }
}

extension RedirectRule {
    /// About the size of its link in a configuration.
    fileprivate var writtenBytes: Int {
        let lines = match + exclude.map(\.pattern)
        let destination =
            switch answer {
            case .url(let text), .own(let text), .page(let text): text.utf8.count
            case .notFound, .gone: 0
            }
        return lines.reduce(100 + destination) { $0 + 40 + $1.utf8.count }
    }

    /// The paths that it takes. A slash at the end of a path makes no difference.
    fileprivate var identity: String {
        let paths = match.map { path in
            let isPlain = path != "/" && path.utf8.last == UInt8(ascii: "/")
            return isPlain && !path.utf8.contains(UInt8(ascii: "*"))
                ? String(path.dropLast()) : path
        }
        let query = query.map { "\($0.name)=\($0.pattern)" }.joined(separator: "&")
        return "\(isCaseSensitive) \(paths.joined(separator: " ")) "
            + "\(exclude.map { "\($0.pattern) \($0.isCaseSensitive ?? isCaseSensitive)" }.joined(separator: " "))"
            + " ?\(query)"
    }
}
