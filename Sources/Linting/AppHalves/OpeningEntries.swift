import Associations

/// The apps of `apple-app-site-association` that no link opens: a list of rules can exclude them all.
struct OpeningEntries: Sendable {
    /// By the identifier, why no link opens an app, a clause of its own.
    private var faults = [[UInt8]: String]()

    init(_ rules: LinkRuleSet) {
        var known = [Int: String?]()
        var searchesLeft = Self.searchesMax
        for app in rules.apps {
            let fault: String?
            if let entry = app.entry, let found = known[entry] {
                fault = found
            } else {
                fault = Self.fault(of: app.rules, rules.variables, &searchesLeft)
                if let entry = app.entry { known[entry] = .some(fault) }
            }
            if let fault { faults[Array(app.appID.utf8)] = fault }
        }
    }

    /// The reason why no link opens an app, a clause of its own; nil if one can, or if the app is in no entry.
    func fault(of identifier: String) -> String? { faults[Array(identifier.utf8)] }

    /// - Parameter rules: nil if every link opens the app.
    private static func fault(
        of rules: [RuleText]?, _ variables: [SubstitutionVariable], _ searchesLeft: inout Int
    ) -> String? {
        guard let rules else { return nil }
        guard !rules.isEmpty else { return "its list of rules is empty" }
        guard rules.contains(where: { !$0.exclude }) else { return "every rule excludes" }
        // Most lists open the links of their first rule that does not exclude.
        guard rules[0].exclude, searchesLeft > 0 else { return nil }
        searchesLeft -= 1
        var reach = RuleReach(rules, variables: variables)
        let isOpen = rules.indices.contains { number in
            !rules[number].exclude && reach.deciders(of: number).isEmpty
        }
        return isOpen ? nil : "its rules exclude all that they open, before they open it"
    }

    /// The entries whose rules are searched: a file can have thousands.
    private static let searchesMax = 64
}
