package import SiteConfiguration
private import Diagnostics

// The names of the rules of generated association files.

extension Site {
    /// The link and its position in the configuration for each rule of the generated
    /// apple-app-site-association, by the rule's JSON pointer; empty for a ready file.
    package var appleRuleNames: [String: String] {
        guard associations.generated != nil else { return [:] }
        let published = publications.filter { $0.app.ios != nil && !$0.links.isEmpty }
        return names(of: published) { "/applinks/details/\($0)/components" }
    }

    /// The same of the dynamic rules of the generated assetlinks.json.
    package var androidRuleNames: [String: String] {
        guard associations.readyAssetLinks == nil else { return [:] }
        return names(of: publications.filter(\.isToldAndroid)) {
            "/\($0)/relation_extensions/delegate_permission~1common.handle_all_urls"
                + "/dynamic_app_link_components"
        }
    }

    private func names(
        of publications: [Publication], _ list: (Int) -> String
    ) -> [String: String] {
        var names = [String: String]()
        for (entry, publication) in publications.enumerated() {
            let rules = publication.links.flatMap { link in
                link.components.indices.map { (link: link, index: $0) }
            }
            for (number, rule) in rules.enumerated() {
                let position =
                    rule.link.positions.indices.contains(rule.index)
                    ? ", \(rule.link.positions[rule.index].whole)" : ""
                names["\(list(entry))/\(number)"] = "link \(quoted(rule.link.key))\(position)"
            }
        }
        return names
    }
}
