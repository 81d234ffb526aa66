/// Compares the lists of two files, app by app. All apps share one limit of steps: many apps take no
/// longer than a few with many rules.
struct RuleSetComparer {
    private let host: String
    private let old: File
    private let new: File
    private let areVariablesEqual: Bool
    private var lists = Lists()
    /// Apps of one entry share its rules, so entries are compared once.
    private var known = [Entries: RuleListComparison]()
    private var stepsLeft: Int

    private struct File {
        let variables: Variables
        let compiled: [SubstitutionVariable]

        init(_ file: LinkRuleSet) {
            (compiled, variables) = (file.variables, Variables(file.variables))
        }
    }

    private struct Entries: Hashable {
        let old: Int?
        let new: Int?
    }

    /// Lists of rules, each content once, by the bytes of their texts.
    private struct Lists {
        private var numbers = [[[[UInt8]]]: Int]()
        private var ofEntries = [[Int: Content]](repeating: [:], count: 2)

        struct Content {
            let number: Int
            let hasVariables: Bool
        }

        /// The content of an app's list; nil if the app has no entry.
        mutating func content(_ app: AppRules?, ofFile file: Int) -> Content? {
            guard let app else { return nil }
            if let entry = app.entry, let known = ofEntries[file][entry] { return known }
            let rules = app.rules ?? [RuleText(path: "*")]
            let identity = (app.rules == nil ? [[]] : []) + rules.map(\.identity)
            let number = numbers[identity] ?? numbers.count
            numbers[identity] = number
            let content = Content(
                number: number,
                hasVariables: rules.contains { rule in
                    rule.patterns.contains { $0.utf8.contains(UInt8(ascii: "$")) }
                })
            if let entry = app.entry { ofEntries[file][entry] = content }
            return content
        }
    }

    init(_ old: LinkRuleSet, _ new: LinkRuleSet, host: String, stepsMax: Int) {
        (self.old, self.new, self.host) = (File(old), File(new), host)
        areVariablesEqual = self.old.variables.own == self.new.variables.own
        stepsLeft = stepsMax
    }

    /// Compares the entries of one app.
    mutating func compare(_ before: AppRules?, _ after: AppRules?) -> RuleListComparison {
        let was = lists.content(before, ofFile: 0)
        let now = lists.content(after, ofFile: 1)
        // Most apps do not change between two versions.
        if was?.number == now?.number, areVariablesEqual || was?.hasVariables != true {
            return .unchanged
        }
        let entries = Entries(old: before?.entry, new: after?.entry)
        let areNumbered = [before, after].allSatisfy { $0 == nil || $0?.entry != nil }
        if areNumbered, let known = known[entries] { return known }
        let comparison = search(before, after)
        if areNumbered { known[entries] = comparison }
        return comparison
    }

    private mutating func search(_ before: AppRules?, _ after: AppRules?) -> RuleListComparison {
        let rules = (before?.rules?.count ?? 0) + (after?.rules?.count ?? 0)
        stepsLeft -= Self.stepsOfList + Self.stepsOfRule * rules
        stepsLeft -= old.compiled.count + new.compiled.count
        guard stepsLeft > 0 else { return .notCompared }
        return RuleListComparison(
            ComparedList(before, old.variables, old.compiled),
            ComparedList(after, new.variables, new.compiled), host: host, &stepsLeft)
    }

    /// The steps for matchers and automata, before a search begins.
    private static let stepsOfList = 2_000
    private static let stepsOfRule = 300
}
