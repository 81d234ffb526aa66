import Associations
import Diagnostics

/// Reads what a configuration or a site has under `links`.
struct LinkReader {
    /// Those of the links' pages.
    let languages: [String]

    /// Nil for a link without rules, which has a finding already.
    func link(_ entry: Value.Entry, into findings: inout Findings) -> Link? {
        let excludes = readRules(entry.value["exclude"], areExcludes: true, into: &findings)
        let matches = readRules(entry.value["match"], areExcludes: false, into: &findings)
        guard let match = entry.value.entry("match") else { return nil }
        if !matches.isEmpty, matches.allSatisfy(\.component.exclude) {
            findings.error(
                .nothingOpens, at: match.position,
                "link \(quoted(entry.key)) only excludes, so no URL opens an app",
                advice: "add a rule without `exclude`")
        }
        let stars = Stars(matches.map(\.component).filter { !$0.exclude }.map(\.path))
        let reserved = entry.value["stored"].map { reservedRules(matches, excludes, $0.position) }
        let rules = excludes + (reserved ?? []) + matches
        return Link(
            key: entry.key, components: rules.map(\.component), positions: rules.map(\.position),
            page: entry.value["page"].map {
                LinkPage($0, stars: stars, languages: languages, into: &findings)
            },
            web: entry.value["web"].map { WebActions($0, stars: stars, into: &findings) },
            campaign: Campaign(entry.value["campaign"]),
            times: LinkTimes(entry, stars: stars, into: &findings),
            collection: entry.value["stored"].map {
                var collection = readCollection(
                    $0, entry.key, matches.map(\.component), at: match.position, into: &findings)
                collection.after = entry.value["after"].map {
                    WebActions($0, stars: stars, into: &findings)
                }
                return collection
            })
    }

    private typealias PlacedRule = (component: Component, position: ComponentPosition)

    /// Excludes for paths that are no slugs of a collection, but that its patterns would take:
    /// Waymark's own, and well-known ones (RFC 8615).
    private func reservedRules(
        _ matches: [PlacedRule], _ excludes: [PlacedRule], _ position: SourcePosition
    ) -> [PlacedRule] {
        ["/_/", "/.well-known/"].filter { path in
            matches.contains { rule in
                !rule.component.exclude && rule.component.endsInItsOnlyStar
                    && path.utf8.starts(with: (rule.component.path ?? "").utf8.dropLast())
            } && !excludes.contains { $0.component.path == "\(path)*" }
        }.map { path in
            (
                Component(path: "\(path)*", exclude: true),
                ComponentPosition(whole: position, parts: [:])
            )
        }
    }

    /// The text of exactly one star, at the end of the path, is a slug.
    private func readCollection(
        _ value: Value, _ link: String, _ matches: [Component], at position: SourcePosition,
        into findings: inout Findings
    ) -> Collection {
        for rule in matches where !rule.exclude && !rule.endsInItsOnlyStar {
            findings.error(
                .pattern, at: position,
                "link \(quoted(link)) is `stored`, but a pattern does not end in its only `*`",
                advice: "write /s/*, or /* for a host of its own")
            break
        }
        let rules = value["destinations"]?.items.compactMap(\.destination) ?? []
        let isExact = value["case"]?.text == "exact"
        return Collection(
            destinations: rules, isExact: isExact,
            alphabet: value["alphabet"]?.text.map { Array($0.utf8) } ?? Collection.usualAlphabet,
            length: value["length"]?.number ?? Collection.usualLength,
            firebase: readFirebase(value, link, rules, isExact: isExact, into: &findings),
            position: value.position)
    }

    private func readFirebase(
        _ value: Value, _ link: String, _ destinations: [DestinationRule], isExact: Bool,
        into findings: inout Findings
    ) -> FirebaseParts {
        guard let written = value["firebase"] else { return [] }
        let parts = FirebaseParts(written.items.compactMap(\.text).map { FirebaseParts($0) })
        if !isExact {
            findings.error(
                .wrongValue, at: written.position,
                "link \(quoted(link)) has `firebase`, whose short links distinguish letter case",
                advice: "add `case: exact`")
        }
        if parts.contains(.longLinks), destinations.contains(.everything) {
            findings.error(
                .wrongValue, at: written.position,
                "with `long-links`, whoever writes a link chooses where it leads, and "
                    + "`destinations` of \(quoted(link)) allow everything",
                advice: "name the hosts to which the links lead")
        }
        return parts
    }

    private func readRules(
        _ value: Value?, areExcludes: Bool, into findings: inout Findings
    ) -> [PlacedRule] {
        guard let value else { return [] }
        return value.items.compactMap { item in
            if let path = item.text {
                return (
                    Component(path: path, exclude: areExcludes),
                    ComponentPosition(whole: item.position, parts: [:])
                )
            }
            guard item.isMapping else { return nil }
            if areExcludes, item.flag("exclude") == false, let position = item["exclude"]?.position
            {
                findings.error(
                    .wrongValue, at: position, "a rule under `exclude` always excludes",
                    advice: "remove the key, or write the rule under `match`")
            }
            let exclude = areExcludes || item.flag("exclude") ?? false
            return (Component(item, exclude: exclude), ComponentPosition(item))
        }
    }
}

// MARK: - Values

extension ComponentPosition {
    fileprivate init(_ component: Value) {
        let items = (component["?"]?.entries ?? []).map { ("?/\($0.key)", $0.value.position) }
        let parts = component.entries.map { ($0.key, $0.value.position) }
        self.init(
            whole: component.position,
            parts: [String: SourcePosition](parts + items) { first, _ in first })
    }
}

extension Component {
    fileprivate init(_ value: Value, exclude: Bool) {
        self.init(
            path: value["/"]?.text, query: value["?"].map(QueryPattern.init),
            fragment: value["#"]?.text, exclude: exclude, comment: value["comment"]?.text,
            caseSensitive: value.flag("caseSensitive"),
            percentEncoded: value.flag("percentEncoded"))
    }

    /// Whether a path of the rule is a fixed beginning and the text of a star.
    fileprivate var endsInItsOnlyStar: Bool {
        guard let path = path?.utf8, query == nil, fragment == nil else { return false }
        return path.last == UInt8(ascii: "*") && path.count { $0 == UInt8(ascii: "*") } == 1
            && !path.contains(UInt8(ascii: "?")) && variableNames(in: String(path)).isEmpty
    }
}

extension QueryPattern {
    fileprivate init(_ value: Value) {
        guard let text = value.text else {
            self = .items(
                value.entries.compactMap { entry in
                    entry.value.text.map { QueryItemPattern(name: entry.key, pattern: $0) }
                })
            return
        }
        self = .whole(text)
    }
}
