import Associations
package import Diagnostics
import Resolution
package import SiteConfiguration

// The configuration is read as the program does. What its reader refuses becomes a comment.

extension Migration {
    /// A configuration that was written.
    package struct Written {
        package let text: String
        package let configuration: Configuration
        /// The rules without an equal, in the order of the files.
        package let lost: [String]
        /// The rules with only a rough equal.
        package let rough: [String]
        /// The rules with another answer for some paths.
        package let differing: [String]
        /// The rules that need no equal.
        package let notNeeded: [String]
        /// The environment to try first, and a host of it.
        package let environment: String
        package let host: String
        /// The hosts of all environments, for certificates.
        package let hosts: [String]
        /// Whether redirects lead to this machine, because no host is known.
        package let leadsHome: Bool
        /// Whether it has anything of the files.
        package let hasContent: Bool
    }

    /// The findings of a text that is no configuration.
    package struct Unwritable: Error {
        package let findings: [Diagnostic]
    }

    /// Writes the configuration, and reads it as the program does.
    /// - Parameters:
    ///   - given: the hosts of the command line.
    ///   - certificates: the names of the certificate and its key.
    ///   - hasPage: whether there is a public file with a URL path.
    /// - Throws: `Unwritable` if the rest is not a configuration either.
    package mutating func written(
        hosts given: [String], certificates: (chain: String, key: String),
        hasPage: @escaping (String) -> Bool
    ) throws(Unwritable) -> Written {
        listIncludes()
        listOwnAnswers()
        planSites(given)
        removePages(hasPage)
        removeUnused()
        let hasApps = environments.contains { !$0.publish.isEmpty }
        addExample()
        nameEnvironments()
        for _ in 0..<Self.roundsMax {
            let text = WrittenConfiguration(self, certificates)
            let (configuration, findings) = Configuration.read(
                Array(text.text.utf8), file: "waymark.yaml")
            let isChanged: Bool
            if let configuration {
                isChanged = removeLoops(configuration, hasPage)
                if !isChanged { return written(text, configuration, hasApps) }
            } else {
                let refused = findings.filter { $0.severity == .error }
                isChanged = remove(refused, text)
                guard isChanged else { throw Unwritable(findings: refused) }
            }
            compact()
        }
        throw Unwritable(findings: [])
    }

    /// Rules are checked before, so that a round with refused ones is rare.
    private static let roundsMax = 100

    private func written(
        _ text: WrittenConfiguration, _ configuration: Configuration, _ hasApps: Bool
    ) -> Written {
        let all = configuration.environments
        let local = all.first { $0.site(of: localHost) != nil }
        let chosen = local ?? (sites.count > 1 ? all.last : all.first)
        let site = chosen?.sites.first
        return Written(
            text: text.text, configuration: configuration, lost: text.lost,
            rough: text.rough, differing: text.differing, notNeeded: text.notNeeded,
            environment: chosen?.name ?? "dev",
            host: local == nil ? site?.hosts.first.map { "\($0)" } ?? localHost : localHost,
            hosts: all.flatMap(\.sites).flatMap(\.hostPatterns), leadsHome: text.leadsHome,
            hasContent: hasApps || links.contains { $0.answer != nil }
                || sites.contains { $0.unmatched != nil })
    }

    /// Whether a redirect or a rewrite answers `/`, which a public page would hide.
    package var answersRoot: Bool {
        unmatchedPages.contains { (300...399).contains($0.status) }
            || redirects.contains { rule in
                rule.answer != .page("/index.html")
                    && rule.match.contains { ["/", "/*", "*"].contains($0) }
                    && !rule.exclude.contains { $0.pattern == "/" }
            }
    }

    private mutating func nameEnvironments() {
        guard environments.count == 1 else { return }
        environments[0].name = sites.count == 1 && sites[0].hosts == [localHost] ? "dev" : "prod"
    }

    /// An environment publishes at least one app.
    private mutating func addExample() {
        if environments.isEmpty { environments.append(PlannedEnvironment(name: "dev")) }
        for index in environments.indices
        where environments[index].publish.allSatisfy({ entry in
            apps.first { $0.key == entry.app }.map { !$0.isPublishable(with: entry.links) } ?? true
        }) {
            let key = names.name(for: "example", otherwise: "example")
            guard let id = try? AppIdentifier("ABCDE12345.com.example.app") else { return }
            let link = names.name(for: "items", otherwise: "items")
            apps.append(PlannedApp(key: key, ios: .init(id: id, source: .none)))
            links.append(
                PlannedLink(
                    key: link,
                    rules: [PlannedRule(rule: RuleText(path: "/items/*"), source: .none)]))
            environments[index].publish.append((key, [link]))
        }
    }

    // MARK: Removing

    /// A site does not start if a page is missing.
    private mutating func removePages(_ hasPage: (String) -> Bool) {
        func reason(_ path: String) -> String {
            "\(quoted(path)) is not in Public: copy the file there, and run this again"
        }
        for index in sites.indices {
            guard let rest = sites[index].unmatched, case .page(let page) = rest.answer,
                !hasPage(page)
            else { continue }
            untranslated.append(Untranslated(source: rest.source, reason: reason(page)))
            sites[index].unmatched = nil
        }
        for link in links {
            guard case .page(let path) = link.answer, !hasPage(path), let source = link.source
            else { continue }
            untranslated.append(Untranslated(source: source, reason: reason(path)))
        }
        links.removeAll { link in
            if case .page(let path) = link.answer { !hasPage(path) } else { false }
        }
    }

    /// Links that neither apps nor browsers get.
    private mutating func removeUnused() {
        let published = Set(environments.flatMap(\.publish).flatMap(\.links))
        links.removeAll { $0.answer == nil && !published.contains($0.key) }
    }

    /// Redirects that never end, such as one that adds a slash, which makes no difference here.
    /// - Returns: whether there are any.
    private mutating func removeLoops(
        _ configuration: Configuration, _ hasPage: @escaping (String) -> Bool
    ) -> Bool {
        let numbers = Dictionary(
            links.enumerated().map { ($0.element.key, $0.offset) }, uniquingKeysWith: { $1 })
        var isChanged = false
        for site in configuration.environments.first?.sites ?? [] {
            let resolver = LinkResolver(site)
            var walk = RedirectWalk(site, resolver, isAnswered: { hasPage($1) })
            for loop in walk.loops() {
                guard let link = loop.link, let number = numbers[resolver.links[link].key],
                    let source = links[number].source
                else { continue }
                untranslated.append(Untranslated(source: source, reason: loop.reason))
                links[number].rules = []
                isChanged = true
            }
        }
        return isChanged
    }

    /// - Returns: whether something was removed.
    private mutating func remove(_ findings: [Diagnostic], _ text: WrittenConfiguration) -> Bool {
        var (isChanged, gone) = (false, Set<WrittenConfiguration.Part>())
        for finding in findings {
            guard let line = finding.position?.line, let part = text.parts[line - 1],
                gone.insert(part).inserted
            else { continue }
            isChanged = remove(part, finding.message) || isChanged
        }
        return isChanged
    }

    private mutating func remove(_ part: WrittenConfiguration.Part, _ reason: String) -> Bool {
        switch part {
        case .rule(let link, let rule):
            untranslated.append(
                Untranslated(source: links[link].rules[rule].source, reason: reason))
            removed.insert([link, rule])
        case .answer(let link):
            guard let source = links[link].source else { return false }
            untranslated.append(Untranslated(source: source, reason: reason))
            links[link].rules = []
        case .app(let app):
            let source = apps[app].ios?.source ?? apps[app].android?.source
            untranslated.append(Untranslated(source: source ?? .none, reason: reason))
            let key = apps[app].key
            for index in environments.indices {
                environments[index].publish.removeAll { $0.app == key }
            }
        case .unmatched(let site):
            if let page = sites[site].unmatched {
                untranslated.append(Untranslated(source: page.source, reason: reason))
            }
            sites[site].unmatched = nil
        case .publish(let environment, let entry):
            environments[environment].publish[entry].links = []
        }
        return true
    }

    /// Removes rules that were refused, and what is empty without them.
    private mutating func compact() {
        for index in links.indices {
            links[index].rules = links[index].rules.enumerated().filter {
                !removed.contains([index, $0.offset])
            }.map(\.element)
        }
        removed = []
        let empty = Set(links.filter { $0.rules.allSatisfy(\.rule.exclude) }.map(\.key))
        links.removeAll { empty.contains($0.key) }
        for index in environments.indices {
            for entry in environments[index].publish.indices {
                environments[index].publish[entry].links.removeAll(where: empty.contains)
            }
        }
        addExample()
    }
}

extension RedirectWalk.Loop {
    /// The reason why it is not translated.
    var reason: String {
        let ways = paths.prefix(4).joined(separator: ", ")
        let isSlash = paths.count > 1 && paths[1] == paths[0] + "/"
        return "it would redirect for ever (\(ways))"
            + (isSlash
                ? ", because a slash at the end of a path makes no difference to links; a page of "
                    + "Public needs no redirect" : "")
    }
}

extension PlannedApp {
    /// Whether an environment can publish it with these links.
    func isPublishable(with links: [String]) -> Bool {
        !links.isEmpty || ios.map { !$0.services.isEmpty || $0.clip != nil } == true
            || android?.sharesCredentials == true
    }
}

/// The host of an environment for this machine.
package let localHost = "localhost"
