import LinkIndex
import SiteConfiguration
import URISyntax

extension SiteComparison {
    /// The changes of collections, whatever their links are answered with: a collection's name is the
    /// key of its links in the store, and its settings say what its links may be.
    static func collections(_ before: ComparedSite, _ after: ComparedSite) -> [SiteChange] {
        let (old, new) = (before.collections, after.collections)
        let was = Dictionary(old.map { ($0.name, $0) }) { first, _ in first }
        let now = Set(new.map(\.name))
        var heirs = [[UInt8]: ComparedCollection]()
        for collection in new where was[collection.name] == nil {
            for prefix in collection.link.starPrefixes { heirs[prefix] = collection }
        }
        let gone = old.filter { !now.contains($0.name) }.map { collection in
            let heir = collection.link.starPrefixes.lazy.compactMap { heirs[$0] }.first
            var change = SiteChange(
                subject: "links of the collection \(collection.name) are answered no more",
                url: after.url(in: collection.link), audience: [], before: "answered",
                after: heir.map {
                    "not answered: their collection's name is their key in the store, and it is "
                        + "\($0.name) now; give it its name back"
                }
                    ?? "not answered: their collection's name is their key in the store, and no "
                    + "collection has it",
                link: heir?.link)
            change.alarm = "links lost"
            return change
        }
        let known = KnownDestinations(old.flatMap(\.rules))
        let settings = new.flatMap { collection in
            collection.changes(from: was[collection.name], knowing: known, at: after)
        }
        return gone + settings
    }
}

/// A collection of one version.
private struct ComparedCollection {
    /// With the site's name where the configuration has several.
    let name: String
    let link: Link
    let rules: [DestinationRule]

    /// - Parameters:
    ///   - former: the collection in the old version; nil for a new one, of which only the
    ///     destinations matter.
    ///   - known: where links of the old version may lead.
    func changes(
        from former: ComparedCollection?, knowing known: KnownDestinations, at side: ComparedSite
    ) -> [SiteChange] {
        let settings = link.collection?.settings ?? []
        let all = SettingChange.all(
            former?.link.collection?.settings ?? [],
            former == nil ? settings.filter { $0.name == "destinations" } : settings)
        return all.map { setting in
            var subject = "\(setting.name) of the collection \(name)"
            var alarm: String?
            if setting.name == "destinations" {
                let added = rules.filter { !known.cover($0) }
                if !added.isEmpty {
                    alarm = "new destination"
                    subject =
                        "links of the collection \(name) may lead to new destinations: "
                        + added.map(\.description).joined(separator: ", ")
                }
            }
            var change = SiteChange(
                subject: subject, url: side.url(in: link), audience: [], before: setting.before,
                after: setting.after, link: link)
            change.alarm = alarm
            return change
        }
    }
}

/// Destinations by their hosts: a rule is compared with those of its host and of the domains above.
private struct KnownDestinations {
    private var rules = [Substring: [DestinationRule]]()

    init(_ all: [DestinationRule]) {
        for rule in Set(all) { rules[Self.host(of: rule), default: []].append(rule) }
    }

    /// Whether one of them allows every URL that a rule allows.
    func cover(_ rule: DestinationRule) -> Bool {
        var host = Self.host(of: rule)
        while true {
            if rules[host]?.contains(where: { $0.covers(rule) }) == true { return true }
            guard !host.isEmpty else { return false }
            let dot = host.utf8.firstIndex(of: UInt8(ascii: "."))
            host = dot.map { host[host.utf8.index(after: $0)...] } ?? ""
        }
    }

    /// Empty for the stores and for every host.
    private static func host(of rule: DestinationRule) -> Substring {
        if case .host(let host, _, _) = rule { host.description[...] } else { "" }
    }
}

extension ComparedSite {
    /// In the order of the file.
    fileprivate var collections: [ComparedCollection] {
        site.collections.map { link in
            ComparedCollection(
                name: site.collectionName(link).description, link: link,
                rules: link.collection?.destinations ?? [])
        }
    }

    /// The URL of a link of a collection.
    fileprivate func url(in link: Link) -> String {
        let prefix = link.starPrefixes.first.map { String(decoding: $0, as: UTF8.self) } ?? "/"
        return "https://\(host)\(prefix)example"
    }
}
