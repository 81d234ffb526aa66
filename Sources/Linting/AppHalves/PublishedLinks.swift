import Associations
import Diagnostics
import SiteConfiguration

/// The links of an Android app that a site publishes.
struct PublishedLinks: Equatable, Sendable {
    /// The file that says which links they are.
    enum Origin: Sendable {
        case configuration
        /// `assetlinks.json`, whose dynamic rules narrow the manifest.
        case dynamicRules
        /// `apple-app-site-association`, which says it of the iOS app of the same project.
        case appleFile
    }

    /// In the order in which they are tried. The pointer of a rule is its link's key.
    let rules: [RuleText]
    let origin: Origin
    /// Whether the app has dynamic rules, which narrow its manifest on Android 15 and later.
    let isNarrowed: Bool

    /// The rules in words, for a rule with this number.
    func name(ofRule number: Int) -> String {
        let rule = rules[number]
        let place = rule.source ?? (rule.line > 0 ? "line \(rule.line)" : "")
        let name =
            switch origin {
            case .configuration: "link \(quoted(rule.pointer))"
            case .dynamicRules: "a dynamic rule"
            case .appleFile: "apple-app-site-association"
            }
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
                        rules: rules, origin: .configuration,
                        isNarrowed: narrowed.contains(package))
                )
            })
    }

    /// The dynamic rules of a file, by package.
    static func of(_ file: PublishedAssetLinks) -> [String: PublishedLinks] {
        var links = [String: PublishedLinks]()
        for app in file.files.flatMap({ AssetLinksReading($0.json, file: "").ruleSet.apps }) {
            guard let rules = app.rules, links[app.appID] == nil else { continue }
            links[app.appID] = PublishedLinks(rules: rules, origin: .dynamicRules, isNarrowed: true)
        }
        return links
    }
}

extension PublishedLinks {
    /// The links that a file opens for an iOS app with a bundle identifier, or with all of an identifier; nil if it
    /// does not list the app, or has variables of its own, which the comparison does not know.
    static func of(_ file: LinkRuleSet, where isOfApp: (String) -> Bool) -> PublishedLinks? {
        guard file.variables.isEmpty, let app = file.apps.first(where: { isOfApp($0.appID) }) else {
            return nil
        }
        // An app without rules opens every link.
        return PublishedLinks(
            rules: app.rules ?? [RuleText(path: "*")], origin: .appleFile, isNarrowed: false)
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
