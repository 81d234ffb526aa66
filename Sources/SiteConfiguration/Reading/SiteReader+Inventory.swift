import Associations
import Diagnostics

// MARK: - Apps

extension SiteReader {
    func readApp(_ entry: Value.Entry) -> App? {
        let value = entry.value
        let ios = value["ios"].flatMap(readIOSApp)
        let android = value["android"].flatMap(readAndroidApp)
        guard (ios != nil) == (value["ios"] != nil), (android != nil) == (value["android"] != nil)
        else { return nil }
        return App(key: entry.key, name: value["name"]?.text, ios: ios, android: android)
    }

    private func readIOSApp(_ value: Value) -> IOSApp? {
        guard let id = value["id"]?.appIdentifier else { return nil }
        let services = value["services"]?.items.compactMap(\.text).compactMap(IOSService.init)
        return IOSApp(
            id: id, storeIdentifier: value["store"]?.text, scheme: value["scheme"]?.text,
            services: Set(services ?? []), clip: value["clip"]?.appIdentifier,
            position: value["id"]?.position, clipPosition: value["clip"]?.position)
    }

    private func readAndroidApp(_ value: Value) -> AndroidApp? {
        guard let package = value["package"]?.package, let fingerprints = value["sha256"]?.items
        else { return nil }
        return AndroidApp(
            package: package, fingerprints: fingerprints.compactMap(\.fingerprint),
            sharesCredentials: value.flag("credentials") ?? false,
            isDynamic: value.flag("dynamic") ?? false,
            fingerprintPositions: fingerprints.map(\.position))
    }
}

// MARK: - Links

extension SiteReader {
    mutating func readLink(_ entry: Value.Entry) -> Link? {
        let excludes = readRules(entry.value["exclude"], areExcludes: true)
        let matches = readRules(entry.value["match"], areExcludes: false)
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
            page: entry.value["page"].map { readPage($0, stars: stars) },
            web: entry.value["web"].map { readActions($0, stars: stars) },
            campaign: readCampaign(entry.value["campaign"]),
            times: readTimes(entry, stars: stars),
            collection: entry.value["stored"].flatMap {
                var collection = readCollection(
                    $0, entry.key, matches.map(\.component), at: match.position)
                collection?.after = entry.value["after"].map { readActions($0, stars: stars) }
                return collection
            })
    }

    /// Excludes for paths that are no slugs of a collection, but that its patterns would take:
    /// Waymark's own, and well-known ones (RFC 8615).
    private func reservedRules(
        _ matches: [(component: Component, position: ComponentPosition)],
        _ excludes: [(component: Component, position: ComponentPosition)],
        _ position: SourcePosition
    ) -> [(component: Component, position: ComponentPosition)] {
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
    private mutating func readCollection(
        _ value: Value, _ link: String, _ matches: [Component], at position: SourcePosition
    ) -> Collection? {
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
            firebase: readFirebase(value, link, rules, isExact: isExact), position: value.position)
    }

    private mutating func readFirebase(
        _ value: Value, _ link: String, _ destinations: [DestinationRule], isExact: Bool
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

    private mutating func readRules(
        _ value: Value?, areExcludes: Bool
    ) -> [(component: Component, position: ComponentPosition)] {
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
                findings.error(.wrongValue, at: position, "a rule under `exclude` always excludes")
            }
            let exclude = areExcludes || item.flag("exclude") ?? false
            return (readComponent(item, exclude: exclude), position(of: item))
        }
    }

    private func position(of component: Value) -> ComponentPosition {
        let items = (component["?"]?.entries ?? []).map { ("?/\($0.key)", $0.value.position) }
        let parts = component.entries.map { ($0.key, $0.value.position) }
        return ComponentPosition(
            whole: component.position,
            parts: [String: SourcePosition](parts + items) { first, _ in first })
    }

    private func readComponent(_ value: Value, exclude: Bool) -> Component {
        Component(
            path: value["/"]?.text, query: readQuery(value["?"]), fragment: value["#"]?.text,
            exclude: exclude, comment: value["comment"]?.text,
            caseSensitive: value.flag("caseSensitive"),
            percentEncoded: value.flag("percentEncoded"))
    }

    private func readQuery(_ value: Value?) -> QueryPattern? {
        guard let value else { return nil }
        if let text = value.text { return .whole(text) }
        return .items(
            value.entries.compactMap { entry in
                entry.value.text.map { QueryItemPattern(name: entry.key, pattern: $0) }
            })
    }
}

extension Component {
    /// Whether a path of the rule is a fixed beginning and the text of a star.
    fileprivate var endsInItsOnlyStar: Bool {
        guard let path = path?.utf8, query == nil, fragment == nil else { return false }
        return path.last == UInt8(ascii: "*") && path.count { $0 == UInt8(ascii: "*") } == 1
            && !path.contains(UInt8(ascii: "?")) && variableNames(in: String(path)).isEmpty
    }
}
