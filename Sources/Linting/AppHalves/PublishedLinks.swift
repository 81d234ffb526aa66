import Associations
import Diagnostics
import SiteConfiguration

/// The links of an Android app that a site publishes.
struct PublishedLinks: Sendable {
    /// In the order in which they are tried. The pointer of a rule is its link's key.
    let rules: [RuleText]
    /// Whether they are the dynamic rules of `assetlinks.json`, and not those of a configuration.
    let areDynamic: Bool
    /// Whether the app has dynamic rules, which narrow its manifest on Android 15 and later.
    let isNarrowed: Bool

    /// The rules in words, for a rule with this number.
    func name(ofRule number: Int) -> String {
        let rule = rules[number]
        let place = rule.source ?? (rule.line > 0 ? "line \(rule.line)" : "")
        let name = areDynamic ? "a dynamic rule" : "link \(quoted(rule.pointer))"
        return place.isEmpty ? name : "\(name) (\(place))"
    }

    /// The links of a site's configuration, by package.
    static func of(_ site: Site) -> [String: PublishedLinks] {
        var rules = [String: [RuleText]]()
        var narrowed = Set<String>()
        for publication in site.publications {
            guard let android = publication.app.android else { continue }
            let package = android.package.description
            rules[package, default: []] += publication.links.flatMap(\.ruleTexts)
            if android.isDynamic { narrowed.insert(package) }
        }
        return Dictionary(
            uniqueKeysWithValues: rules.map { package, rules in
                (
                    package,
                    PublishedLinks(
                        rules: rules, areDynamic: false, isNarrowed: narrowed.contains(package))
                )
            })
    }

    /// The dynamic rules of a file, by package.
    static func of(_ file: PublishedAssetLinks) -> [String: PublishedLinks] {
        var links = [String: PublishedLinks]()
        for app in file.files.flatMap({ AssetLinksReading($0.json, file: "").ruleSet.apps }) {
            guard let rules = app.rules, links[app.appID] == nil else { continue }
            links[app.appID] = PublishedLinks(rules: rules, areDynamic: true, isNarrowed: true)
        }
        return links
    }
}

extension Link {
    fileprivate var ruleTexts: [RuleText] {
        components.enumerated().map { number, component in
            var rule = RuleText(
                path: component.path, query: component.query, fragment: component.fragment,
                exclude: component.exclude, caseSensitive: component.caseSensitive ?? true,
                percentEncoded: component.percentEncoded ?? true, pointer: key)
            if positions.indices.contains(number) { rule.source = "\(positions[number].whole)" }
            return rule
        }
    }
}
