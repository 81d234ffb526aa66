package import Associations
package import Diagnostics
package import SiteConfiguration

// The rules of the configuration from which the rules of association files were generated.

/// A rule of the configuration.
package struct RuleSource: CustomStringConvertible, Sendable {
    /// The key of its link.
    package let link: String
    package let position: SourcePosition?
    /// Whether its star stands for stored links.
    package let isCollection: Bool

    /// The link and the position, for people.
    package var description: String {
        "\(isCollection ? "collection" : "link") \(quoted(link))"
            + (position.map { ", \($0)" } ?? "")
    }
}

extension Site {
    /// The source of each rule of the generated apple-app-site-association, by the rule's JSON
    /// pointer; empty for a ready file.
    package var appleRuleSources: [String: RuleSource] {
        guard associations.generated != nil else { return [:] }
        let published = publications.filter { $0.app.ios != nil && !$0.links.isEmpty }
        return sources(of: published) { "/applinks/details/\($0)/components" }
    }

    /// The same of the dynamic rules of the generated assetlinks.json.
    package var androidRuleSources: [String: RuleSource] {
        guard associations.readyAssetLinks == nil else { return [:] }
        return sources(of: publications.filter(\.isToldAndroid)) {
            "/\($0)/relation_extensions/delegate_permission~1common.handle_all_urls"
                + "/dynamic_app_link_components"
        }
    }

    private func sources(
        of publications: [Publication], _ list: (Int) -> String
    ) -> [String: RuleSource] {
        var sources = [String: RuleSource]()
        for (entry, publication) in publications.enumerated() {
            let rules = publication.links.flatMap { link in
                link.components.indices.map { (link: link, index: $0) }
            }
            for (number, rule) in rules.enumerated() {
                let positions = rule.link.positions
                sources["\(list(entry))/\(number)"] = RuleSource(
                    link: rule.link.key,
                    position: positions.indices.contains(rule.index)
                        ? positions[rule.index].whole : nil,
                    isCollection: rule.link.collection != nil)
            }
        }
        return sources
    }
}

extension LinkRuleSet {
    /// The same rules of a generated file, each with its line in the configuration.
    package func placed(_ sources: [String: RuleSource]) -> LinkRuleSet {
        guard !sources.isEmpty else { return self }
        var apps = apps
        for app in apps.indices {
            for rule in apps[app].rules?.indices ?? 0..<0 {
                guard let pointer = apps[app].rules?[rule].pointer,
                    let position = sources[pointer]?.position
                else { continue }
                apps[app].rules?[rule].line = position.line
                apps[app].rules?[rule].source = "\(position)"
            }
        }
        return LinkRuleSet(apps: apps, variables: variables)
    }
}
