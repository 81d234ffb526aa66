import Associations

/// The apps of `apple-app-site-association` that no link opens: a list of rules can exclude them all.
struct OpeningEntries: Sendable {
    /// The lists of rules of each app, by its identifier; an app that every link opens has none.
    private var rules = [[UInt8]: [[RuleText]]]()
    private let variables: [SubstitutionVariable]

    init(_ set: LinkRuleSet) {
        variables = set.variables
        var seen = [[UInt8]: Set<Int>]()
        for app in set.apps {
            guard let own = app.rules else { continue }
            let identifier = Array(app.appID.utf8)
            if let entry = app.entry {
                guard seen[identifier, default: []].insert(entry).inserted else { continue }
            }
            rules[identifier, default: []].append(own)
        }
    }

    /// The reason why no link opens an app, a clause of its own; nil if one can, or if the app is in no entry. Only the
    /// rules of apps that are asked for are searched: a file can have thousands of others.
    func fault(of identifier: String) -> String? {
        let lists = rules[Array(identifier.utf8)] ?? []
        return lists.prefix(Self.searchesMax).lazy.compactMap(fault).first
    }

    private func fault(of rules: [RuleText]) -> String? {
        guard !rules.isEmpty else { return "its list of rules is empty" }
        guard rules.contains(where: { !$0.exclude }) else { return "every rule excludes" }
        // Most lists open the links of their first rule that does not exclude.
        guard rules[0].exclude else { return nil }
        var reach = RuleReach(rules, variables: variables)
        let isOpen = rules.indices.contains { number in
            !rules[number].exclude && reach.deciders(of: number).isEmpty
        }
        return isOpen ? nil : "its rules exclude all that they open, before they open it"
    }

    /// The lists of rules of an app that are searched.
    private static let searchesMax = 64
}
