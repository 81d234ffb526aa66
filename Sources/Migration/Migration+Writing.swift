import Associations
package import Diagnostics
package import SiteConfiguration
private import URISyntax

// The configuration as a text. What the configuration's own reader refuses becomes a comment.

extension Migration {
    /// A configuration that was written.
    package struct Written {
        package let text: String
        package let configuration: Configuration
        /// What has no equal, in the order of the files.
        package let comments: [String]
    }

    /// What a line of the text was written for.
    private enum Part: Hashable {
        case rule(link: Int, rule: Int)
        case answer(link: Int)
        case app(Int)
        case unmatched
        case publish(environment: Int, Int)
    }

    /// Writes the configuration, and reads it as the program does.
    /// - Parameters:
    ///   - hosts: of every environment; the first is the canonical host.
    ///   - certificates: the names of the certificate and its key.
    ///   - hasPage: whether there is a public file with a URL path.
    /// - Throws: `Unwritable` if the rest is not a configuration either.
    package mutating func written(
        hosts: [String], certificates: (chain: String, key: String), hasPage: (String) -> Bool
    ) throws(Unwritable) -> Written {
        removePages(hasPage)
        removeUnused()
        addExample()
        if environments.count == 1 {
            environments[0].name = hosts == [localHost] ? "dev" : "prod"
        }
        for _ in 0..<Self.roundsMax {
            let (lines, parts) = text(hosts, certificates)
            let text = lines.joined(separator: "\n") + "\n"
            let (configuration, findings) = Configuration.read(
                Array(text.utf8), file: "waymark.yaml")
            if let configuration {
                return Written(
                    text: text, configuration: configuration, comments: comments)
            }
            let refused = findings.filter { $0.severity == .error }
            var isChanged = false
            var gone = Set<Part>()
            for finding in refused {
                guard let line = finding.position?.line, let part = parts[line - 1],
                    gone.insert(part).inserted
                else { continue }
                isChanged = remove(part, finding.message) || isChanged
            }
            guard isChanged else { throw Unwritable(findings: refused) }
            compact()
        }
        throw Unwritable(findings: [])
    }

    /// The findings of a text that is no configuration.
    package struct Unwritable: Error {
        package let findings: [Diagnostic]
    }

    private static let roundsMax = 1_000

    /// An environment publishes at least one app.
    private mutating func addExample() {
        if environments.isEmpty { environments.append(PlannedEnvironment(name: "dev")) }
        for index in environments.indices
        where environments[index].publish.allSatisfy({ entry in
            apps.first { $0.key == entry.app }.map { !isPublishable($0, entry.links) } ?? true
        }) {
            let key = names.name(for: "example", otherwise: "example")
            guard let id = try? AppIdentifier("ABCDE12345.com.example.app") else { return }
            let source = SourceLine(file: "", line: 0, text: "")
            let link = names.name(for: "items", otherwise: "items")
            apps.append(PlannedApp(key: key, ios: .init(id: id, source: source)))
            links.append(
                PlannedLink(
                    key: link,
                    rules: [PlannedRule(rule: RuleText(path: "/items/*"), source: source)]))
            environments[index].publish.append((key, [link]))
        }
    }

    private func isPublishable(_ app: PlannedApp, _ links: [String]) -> Bool {
        !links.isEmpty || app.ios.map { !$0.services.isEmpty || $0.clip != nil } == true
            || app.android?.sharesCredentials == true
    }

    // MARK: Removing

    /// A site does not start if a page is missing.
    private mutating func removePages(_ hasPage: (String) -> Bool) {
        func reason(_ path: String) -> String {
            "\(quoted(path)) is not in Public: copy the file there, and run this again"
        }
        if let (page, _) = unmatched, !hasPage(page) {
            let source = unmatchedSource ?? SourceLine(file: "", line: 0, text: "")
            untranslated.append(Untranslated(source: source, reason: reason(page)))
            unmatched = nil
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

    /// Whether something was removed.
    private mutating func remove(_ part: Part, _ reason: String) -> Bool {
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
            untranslated.append(
                Untranslated(
                    source: source ?? SourceLine(file: "", line: 0, text: ""), reason: reason))
            let key = apps[app].key
            for index in environments.indices {
                environments[index].publish.removeAll { $0.app == key }
            }
        case .unmatched: unmatched = nil
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

    // MARK: Text

    private func text(
        _ hosts: [String], _ certificates: (chain: String, key: String)
    ) -> (lines: [String], parts: [Int: Part]) {
        var lines = [
            "# yaml-language-server: $schema=waymark.schema.json", "#",
            "# Written by `waymark init --from`. Every key is described in docs/configuration.md of",
            "# Waymark's repository; `waymark lint waymark.yaml` says what is wrong.",
        ]
        if !untranslated.isEmpty {
            lines += ["#", "# Not translated:"] + comments.map { "# - \($0)" }
        }
        lines += ["version: 1", "", "apps:"]
        var parts = [Int: Part]()
        let used = Set(environments.flatMap(\.publish).map(\.app))
        for (number, app) in apps.enumerated() where used.contains(app.key) {
            let isExample = app.ios?.source.file.isEmpty == true
            lines.append("  \(app.key):" + (isExample ? "  # no app was found: replace it" : ""))
            for line in app.lines {
                parts[lines.count] = .app(number)
                lines.append(line)
            }
        }
        if !links.isEmpty { lines += ["", "links:                     # the first match decides"] }
        for (number, link) in links.enumerated() { add(link, number, hosts, &lines, &parts) }
        lines += ["", "environments:"]
        for number in environments.indices {
            add(number, hosts, certificates, &lines, &parts)
        }
        if environments.count == 1 { lines += otherEnvironment(hosts) }
        if let test = linkTest(hosts) {
            lines += [
                "", "expect:                    # link tests: `waymark test` runs them", test,
            ]
        }
        return (lines, parts)
    }

    /// The comments, on one line each.
    private var comments: [String] {
        var seen = Set<String>()
        return untranslated.map { part in
            let place = part.source.file.isEmpty ? "" : "\(part.source.file):\(part.source.line): "
            let text = part.source.text.isEmpty ? "" : "\(quoted(part.source.text)): "
            return onOneLine(place + text + part.reason)
        }.filter { seen.insert($0).inserted }
    }

    private func add(
        _ link: PlannedLink, _ number: Int, _ hosts: [String], _ lines: inout [String],
        _ parts: inout [Int: Part]
    ) {
        if let source = link.source, !link.notes.isEmpty {
            let notes = link.notes.joined(separator: "; ")
            lines.append("  # \(onOneLine("\(source.file):\(source.line): \(notes)"))")
        }
        lines.append("  \(link.key):")
        let firstOpening = link.rules.firstIndex { !$0.rule.exclude } ?? 0
        // Exclusions at the beginning have their own key.
        for (key, range) in [
            ("exclude", 0..<firstOpening), ("match", firstOpening..<link.rules.count),
        ] where !range.isEmpty {
            let isPlain = key == "exclude"
            if range.count == 1 {
                parts[lines.count] = .rule(link: number, rule: range.lowerBound)
                lines.append("    \(key): \(link.rules[range.lowerBound].rule.yaml(isPlain))")
                continue
            }
            lines.append("    \(key):")
            for index in range {
                parts[lines.count] = .rule(link: number, rule: index)
                lines.append("      - \(link.rules[index].rule.yaml(isPlain))")
            }
        }
        guard let answer = link.answer else { return }
        parts[lines.count] = .answer(link: number)
        lines.append("    web: \(answer.yaml(hosts, link.status))")
    }

    private func add(
        _ number: Int, _ hosts: [String], _ certificates: (chain: String, key: String),
        _ lines: inout [String], _ parts: inout [Int: Part]
    ) {
        let environment = environments[number]
        let names = hosts.map(yamlText).joined(separator: ", ")
        lines += [
            "  \(environment.name):", "    hosts: [\(names)]",
            "    tls: {certificate: \(yamlText(certificates.chain)), "
                + "key: \(yamlText(certificates.key))}",
            "    publish:               # app -> links: what the association files say",
        ]
        for (entry, (app, links)) in environment.publish.enumerated() {
            guard let planned = apps.first(where: { $0.key == app }),
                isPublishable(planned, links)
            else { continue }
            parts[lines.count] = .publish(environment: number, entry)
            lines.append("      \(app): [\(links.joined(separator: ", "))]")
        }
        if let unmatched {
            parts[lines.count] = .unmatched
            lines.append(
                "    unmatched: {page: \(yamlText(unmatched.page)), status: \(unmatched.status)}")
        }
        if hosts == [localHost] { lines.append("    robots: closed") }
    }

    /// The environment that is still missing: one for this machine, or a comment with one for the
    /// real hosts.
    private func otherEnvironment(_ hosts: [String]) -> [String] {
        hosts == [localHost]
            ? [
                "  # prod:                  # then `waymark init --certificates-only` for a trial",
                "  #   extends: dev",
                "  #   hosts: [links.example.com]",
                "  #   robots: open",
            ]
            : [
                "  dev:                     # the same on this machine",
                "    extends: prod",
                "    hosts: [\(localHost)]",
                "    robots: closed",
            ]
    }

    /// A test for the first link that an app opens.
    private func linkTest(_ hosts: [String]) -> String? {
        for environment in environments {
            for (app, keys) in environment.publish where !keys.isEmpty {
                guard apps.first(where: { $0.key == app })?.ios != nil,
                    let link = links.first(where: { $0.key == keys[0] }),
                    let rule = link.rules.first(where: { !$0.rule.exclude })?.rule,
                    let example = rule.exampleLink(host: hosts[0])
                else { continue }
                let opening = opening(example, environment)
                guard !opening.isEmpty else { continue }
                return "  - {url: \(JSONText.string(example).compact), env: \(environment.name), "
                    + "opens: [\(opening.joined(separator: ", "))]}"
            }
        }
        return nil
    }

    /// The iOS apps that the link opens in an environment.
    private func opening(_ example: String, _ environment: PlannedEnvironment) -> [String] {
        guard let url = try? LinkURL(example) else { return [] }
        return environment.publish.compactMap { app, keys in
            guard let planned = apps.first(where: { $0.key == app }), planned.ios != nil,
                isPublishable(planned, keys)
            else { return nil }
            let rules = keys.flatMap { key in
                links.first { $0.key == key }?.rules.map(\.rule) ?? []
            }
            let matcher = LinkMatcher([AppRules(appID: app, rules: rules)], variables: [])
            var scratch = MatchScratch()
            matcher.decide(url, &scratch)
            return matcher.decision(forApp: 0, scratch).verdict == .open ? app : nil
        }
    }
}

/// The host of an environment for this machine.
package let localHost = "localhost"

extension PlannedApp {
    fileprivate var lines: [String] {
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
    fileprivate func yaml(_ isExclusion: Bool) -> String {
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
    fileprivate func yaml(_ hosts: [String], _ status: RedirectStatus) -> String {
        let start = status == .found ? "" : "\(status.rawValue) "
        return switch self {
        case .url(let url): quotedYAML(start + url)
        case .own(let path): quotedYAML("\(start)https://\(hosts[0])\(path)")
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
