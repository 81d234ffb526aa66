import Associations
private import Synchronization

/// The entries of `apple-app-site-association`, and whether one opens any link: a list of rules can exclude them all.
final class OpeningEntries: Sendable {
    private let variables: [SubstitutionVariable]
    private let apps: [AppRules]
    private let numbers: [[UInt8]: Int]
    /// By the number of its first app, why an entry opens nothing. An entry is examined once, however many apps it has.
    private let known = Mutex([Int: String?]())

    init(_ rules: LinkRuleSet) {
        (apps, variables) = (rules.apps, rules.variables)
        var numbers = [[UInt8]: Int]()
        var ofEntries = [Int: Int]()
        for (number, app) in rules.apps.enumerated() {
            let first = app.entry.map { entry in
                let first = ofEntries[entry] ?? number
                ofEntries[entry] = first
                return first
            }
            numbers[Array(app.appID.utf8)] = first ?? number
        }
        self.numbers = numbers
    }

    /// The reason why no link opens an app, a clause of its own; nil if one can, or if the app is in no entry.
    func fault(of identifier: String) -> String? {
        guard let number = numbers[Array(identifier.utf8)] else { return nil }
        return known.withLock { known in
            if let found = known[number] { return found }
            let found = fault(of: apps[number].rules)
            known[number] = .some(found)
            return found
        }
    }

    /// - Parameter rules: nil if every link opens the app.
    private func fault(of rules: [RuleText]?) -> String? {
        guard let rules else { return nil }
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
}
