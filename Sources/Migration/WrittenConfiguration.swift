import Associations
private import Diagnostics
import SiteConfiguration
private import URISyntax

/// The planned parts of a migration as the text of a configuration, with what each of its lines was
/// written for.
struct WrittenConfiguration {
    private(set) var lines = [String]()
    /// By the number of the line, from 0.
    private(set) var parts = [Int: Part]()
    /// The rules without an equal, each on one line.
    let lost: [String]
    /// The rules that need no equal.
    let notNeeded: [String]
    private let migration: Migration
    private let apps: [String: PlannedApp]
    private let linksByKey: [String: PlannedLink]
    /// The numbers of the links of each site, and of those that all sites have.
    private let linksBySite: [Int?: [Int]]

    /// The part of the configuration for which a line was written.
    enum Part: Hashable {
        case rule(link: Int, rule: Int)
        case answer(link: Int)
        case app(Int)
        case unmatched(site: Int)
        case publish(environment: Int, Int)
    }

    var text: String { lines.joined(separator: "\n") + "\n" }

    init(_ migration: Migration, _ certificates: (chain: String, key: String)) {
        self.migration = migration
        lost = Self.comments(migration.untranslated)
        notNeeded = Self.comments(migration.notNeeded)
        apps = Dictionary(
            migration.apps.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        linksByKey = Dictionary(
            migration.links.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        let links = migration.links
        linksBySite = Dictionary(grouping: links.indices) { links[$0].site }
        lines = [
            "# yaml-language-server: $schema=waymark.schema.json", "#",
            "# Written by `waymark init --from`. Every key is described in docs/configuration.md of",
            "# Waymark's repository; `waymark lint waymark.yaml` says what is wrong.",
        ]
        if !lost.isEmpty { lines += ["#", "# Not translated:"] + lost.map { "# - \($0)" } }
        if !notNeeded.isEmpty { lines += ["#", "# Not needed:"] + notNeeded.map { "# - \($0)" } }
        lines += ["version: 1", ""]
        addApps()
        if isMany { addSites() }
        addLinks(of: isMany ? nil : 0, indent: "")
        lines += ["", "environments:"]
        for number in migration.environments.indices { addEnvironment(number, certificates) }
        if migration.environments.count == 1 { lines += otherEnvironment }
        if let test = linkTest {
            lines += [
                "", "expect:                    # link tests: `waymark test` runs them", test,
            ]
        }
    }

    private var isMany: Bool { migration.sites.count > 1 }

    private static func comments(_ parts: [Untranslated]) -> [String] {
        var seen = Set<String>()
        return parts.map { part in
            let place = part.source.file.isEmpty ? "" : "\(part.source.file):\(part.source.line): "
            let text = part.source.text.isEmpty ? "" : "\(quoted(part.source.text)): "
            return onOneLine(place + text + part.reason)
        }.filter { seen.insert($0).inserted }
    }

    // MARK: Apps and links

    private mutating func addApps() {
        let used = Set(migration.environments.flatMap(\.publish).map(\.app))
        lines.append("apps:")
        for (number, app) in migration.apps.enumerated() where used.contains(app.key) {
            let isExample = app.ios?.source.file.isEmpty == true
            lines.append("  \(app.key):" + (isExample ? "  # no app was found: replace it" : ""))
            for line in app.lines {
                parts[lines.count] = .app(number)
                lines.append(line)
            }
        }
    }

    private mutating func addSites() {
        lines += ["", "sites:                     # hosts with redirects of their own"]
        for (number, site) in migration.sites.enumerated() {
            let hosts = site.hosts.map(yamlText).joined(separator: ", ")
            lines += ["  \(site.name):", "    hosts: [\(hosts)]"]
            addLinks(of: number, indent: "    ")
            addUnmatched(number)
        }
    }

    private mutating func addUnmatched(_ site: Int) {
        guard let rest = migration.sites[site].unmatched else { return }
        parts[lines.count] = .unmatched(site: site)
        let status = RedirectStatus(rawValue: rest.status) ?? .found
        let host = migration.sites[site].hosts.first ?? localHost
        if case .page(let page) = rest.answer {
            lines.append("    unmatched: {page: \(yamlText(page)), status: \(rest.status)}")
        } else {
            lines.append("    unmatched: \(rest.answer.yaml(host, status))")
        }
    }

    /// The links of a site; nil for those that all sites have. A single site has both.
    private mutating func addLinks(of site: Int?, indent: String) {
        let chosen = isMany ? linksBySite[site] ?? [] : Array(migration.links.indices)
        guard !chosen.isEmpty else { return }
        lines += indent.isEmpty ? [""] : []
        lines.append(
            "\(indent)links:"
                + (indent.isEmpty ? "                     # the first match decides" : ""))
        for number in chosen { add(migration.links[number], number, indent) }
    }

    private mutating func add(_ link: PlannedLink, _ number: Int, _ indent: String) {
        if let source = link.source, !link.isExact {
            let notes = (link.notes + link.differences).joined(separator: "; ")
            lines.append("\(indent)  # \(onOneLine("\(source.file):\(source.line): \(notes)"))")
        }
        lines.append("\(indent)  \(link.key):")
        let firstOpening = link.rules.firstIndex { !$0.rule.exclude } ?? 0
        // Exclusions at the beginning have their own key.
        for (key, range) in [
            ("exclude", 0..<firstOpening), ("match", firstOpening..<link.rules.count),
        ] where !range.isEmpty {
            let isPlain = key == "exclude"
            if range.count == 1 {
                parts[lines.count] = .rule(link: number, rule: range.lowerBound)
                let rule = link.rules[range.lowerBound].rule.yaml(isPlain)
                lines.append("\(indent)    \(key): \(rule)")
                continue
            }
            lines.append("\(indent)    \(key):")
            for index in range {
                parts[lines.count] = .rule(link: number, rule: index)
                lines.append("\(indent)      - \(link.rules[index].rule.yaml(isPlain))")
            }
        }
        guard let answer = link.answer else { return }
        parts[lines.count] = .answer(link: number)
        let host = link.site.flatMap { migration.sites[$0].hosts.first } ?? localHost
        lines.append("\(indent)    web: \(answer.yaml(host, link.status))")
    }

    // MARK: Environments

    /// The number of the environment that has the hosts of the files: one whose name says so, or
    /// else the first.
    private var mainEnvironment: Int {
        migration.environments.firstIndex { ["prod", "production", "live"].contains($0.name) } ?? 0
    }

    /// A name below `localhost` for an environment, whose own name can have characters that no host name has.
    private func ownLocalHost(ofEnvironment name: String) -> String {
        guard name != "dev" else { return localHost }
        let label = name.lowercased().utf8.prefix(63).map { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) ? byte : UInt8(ascii: "-")
        }
        let hyphen = UInt8(ascii: "-")
        let trimmed = label.drop { $0 == hyphen }.reversed().drop { $0 == hyphen }.reversed()
        return trimmed.isEmpty
            ? localHost : "\(String(decoding: Array(trimmed), as: UTF8.self)).\(localHost)"
    }

    private func hosts(ofEnvironment number: Int) -> String? {
        let environment = migration.environments[number]
        let isMain = number == mainEnvironment
        if isMany {
            let domain = ownLocalHost(ofEnvironment: environment.name)
            return isMain ? nil : "\"{site}.\(domain)\""
        }
        var hosts = migration.sites[0].hosts
        if let host = environment.host, migration.environments.count > 1 || hosts == [localHost] {
            hosts = [host]
        } else if !isMain {
            hosts = [ownLocalHost(ofEnvironment: environment.name)]
        }
        return "[\(hosts.map(yamlText).joined(separator: ", "))]"
    }

    private mutating func addEnvironment(
        _ number: Int, _ certificates: (chain: String, key: String)
    ) {
        let environment = migration.environments[number]
        lines.append("  \(environment.name):")
        // The hosts of sites come before those of an environment that extends none.
        if isMany, number != mainEnvironment {
            lines.append("    extends: \(migration.environments[mainEnvironment].name)")
        }
        if let hosts = hosts(ofEnvironment: number) {
            let isMissing = number != mainEnvironment && environment.host == nil
            lines.append(
                "    hosts: \(hosts)"
                    + (isMissing && environment.name != "dev"
                        ? "  # write the hosts of this environment" : ""))
        }
        lines += [
            "    tls: {certificate: \(yamlText(certificates.chain)), "
                + "key: \(yamlText(certificates.key))}",
            "    publish:               # app -> links: what the association files say",
        ]
        for (entry, (app, links)) in environment.publish.enumerated() {
            guard apps[app]?.isPublishable(with: links) == true else { continue }
            parts[lines.count] = .publish(environment: number, entry)
            lines.append("      \(app): [\(links.joined(separator: ", "))]")
        }
        if isMany {
            lines.append("    public: Public        # of all sites")
        } else {
            addUnmatched(0)
        }
        if isLocal { lines.append("    robots: closed") }
    }

    /// Links that have only roughly an equal, each on one line.
    var rough: [String] { remarks(\.notes) }

    /// Links with another answer for some paths, each on one line.
    var differing: [String] { remarks(\.differences) }

    private func remarks(_ kind: (PlannedLink) -> [String]) -> [String] {
        Self.comments(
            migration.links.compactMap { link in
                guard let source = link.source, !kind(link).isEmpty else { return nil }
                return Untranslated(source: source, reason: kind(link).joined(separator: "; "))
            })
    }

    /// Whether redirects lead to this machine, because no host is known.
    var leadsHome: Bool {
        let answers = migration.links.map(\.answer) + migration.sites.map { $0.unmatched?.answer }
        return isLocal && answers.contains { if case .own = $0 { true } else { false } }
    }

    /// Whether no host is known.
    private var isLocal: Bool {
        !isMany && migration.sites[0].hosts == [localHost]
            && migration.environments.allSatisfy { $0.host == nil }
    }

    /// The environment that is still missing: one for this machine, or a comment with one for the
    /// real hosts.
    private var otherEnvironment: [String] {
        isLocal
            ? [
                "  # prod:                  # then `waymark init --certificates-only` for a trial",
                "  #   extends: dev",
                "  #   hosts: [links.example.com]",
                "  #   robots: open",
            ]
                + (leadsHome
                    ? ["  # Links lead to https://\(localHost): write the host there, too."] : [])
            : [
                "  dev:                     # the same on this machine",
                "    extends: \(migration.environments[0].name)",
                "    hosts: \(isMany ? "\"{site}.\(localHost)\"" : "[\(localHost)]")",
                "    robots: closed",
            ]
    }

    // MARK: A link test

    /// A test for the first link that an app opens.
    private var linkTest: String? {
        for (number, environment) in migration.environments.enumerated() {
            let own = environment.host.flatMap {
                migration.environments.count > 1 || isLocalHost ? $0 : nil
            }
            guard let host = own ?? (number == mainEnvironment ? plainHost : nil) else { continue }
            for (app, keys) in environment.publish where !keys.isEmpty {
                guard apps[app]?.ios != nil, let link = linksByKey[keys[0]],
                    let rule = link.rules.first(where: { !$0.rule.exclude })?.rule,
                    let example = rule.exampleLink(host: host)
                else { continue }
                let opening = opening(example, environment)
                guard !opening.isEmpty else { continue }
                return "  - {url: \(JSONText.string(example).compact), env: \(environment.name), "
                    + "opens: [\(opening.joined(separator: ", "))]}"
            }
        }
        return nil
    }

    private var isLocalHost: Bool { !isMany && migration.sites[0].hosts == [localHost] }

    private var plainHost: String? { migration.sites[0].hosts.first }

    /// The iOS apps that the link opens in an environment.
    private func opening(_ example: String, _ environment: PlannedEnvironment) -> [String] {
        guard let url = try? LinkURL(example) else { return [] }
        return environment.publish.compactMap { app, keys in
            guard let planned = apps[app], planned.ios != nil, planned.isPublishable(with: keys)
            else { return nil }
            let rules = keys.flatMap { linksByKey[$0]?.rules.map(\.rule) ?? [] }
            let matcher = LinkMatcher([AppRules(appID: app, rules: rules)], variables: [])
            var scratch = MatchScratch()
            matcher.decide(url, &scratch)
            return matcher.decision(forApp: 0, scratch).verdict == .open ? app : nil
        }
    }
}

extension PlannedApp {
    var lines: [String] {
        var lines = [String]()
        if let ios {
            lines += ["    ios:", "      id: \(ios.id)"]
            if !ios.services.isEmpty {
                lines.append("      services: [\(ios.services.joined(separator: ", "))]")
            }
            if let clip = ios.clip { lines.append("      clip: \(clip)") }
        }
        if let android {
            lines += ["    android:", "      package: \(android.package)", "      sha256:"]
            lines += android.fingerprints.map { "        - \"\($0)\"" }
            if android.sharesCredentials { lines.append("      credentials: true") }
            if android.isDynamic { lines.append("      dynamic: true") }
        }
        return lines
    }
}

extension RuleText {
    /// - Parameter isExclusion: whether it stands under `exclude`.
    func yaml(_ isExclusion: Bool) -> String {
        let isPathAlone = query == nil && fragment == nil && caseSensitive && percentEncoded
        if isPathAlone, exclude == isExclusion, let path { return yamlText(path) }
        var members = [(String, String)]()
        if let path { members.append(("\"/\"", yamlText(path))) }
        switch query {
        case .whole(let pattern): members.append(("\"?\"", yamlText(pattern)))
        case .items(let items):
            let pairs = items.map { "\(quotedYAML($0.name)): \(quotedYAML($0.pattern))" }
            members.append(("\"?\"", "{\(pairs.joined(separator: ", "))}"))
        case nil: break
        }
        if let fragment { members.append(("\"#\"", quotedYAML(fragment))) }
        if exclude, !isExclusion { members.append(("exclude", "true")) }
        if !caseSensitive { members.append(("caseSensitive", "false")) }
        if !percentEncoded { members.append(("percentEncoded", "false")) }
        return "{" + members.map { "\($0): \($1)" }.joined(separator: ", ") + "}"
    }
}

extension RedirectRule.Answer {
    func yaml(_ host: String, _ status: RedirectStatus) -> String {
        let start = status == .found ? "" : "\(status.rawValue) "
        return switch self {
        case .url(let url): quotedYAML(start + url)
        case .own(let path): quotedYAML("\(start)https://\(host)\(path)")
        case .page(let path): yamlText(path)
        case .notFound: "not-found"
        case .gone: "gone"
        }
    }
}

/// A text as a YAML value in any position: plain if it cannot be read as anything else, otherwise
/// quoted as in JSON, which YAML reads in the same way.
package func yamlText(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "./-_".utf8.contains($0) }
    let begins = text.utf8.first.map { $0.isLetter || $0 == UInt8(ascii: "/") } ?? false
    // Words such as `null`, `true` and `off` contain neither.
    let isNoWord = text == "localhost" || text.utf8.contains { "./".utf8.contains($0) }
    return isPlain && begins && isNoWord ? text : quotedYAML(text)
}

private func quotedYAML(_ text: String) -> String { JSONText.string(text).compact }
