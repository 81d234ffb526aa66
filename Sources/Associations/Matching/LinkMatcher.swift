/// All apps of one file, compiled once (Apple, "Supporting associated domains"). Every app is
/// asked on its own; the first of its rules whose parts all match decides.
package struct LinkMatcher: Sendable {
    package let apps: [AppRules]
    /// Apps with the same rules are asked once.
    let groups: [Group]
    let groupOfApp: [Int]
    let rules: [CompiledRule]
    /// What `rules` were made of, in the same order.
    let texts: [RuleText]
    let variables: Variables
    let index: RuleIndex

    struct Group: Sendable {
        /// In `rules`; nil when the entry has no pattern list.
        let range: Range<Int>?
    }

    /// - Parameter apps: in file order, each app once; of two entries of one app the caller drops
    ///   the second.
    package init(_ apps: [AppRules], variables: [SubstitutionVariable]) {
        var variables = Variables(variables)
        var groups = [Group]()
        var known = [[RuleText]: Int]()
        var rules = [CompiledRule]()
        var texts = [RuleText]()
        groupOfApp = apps.map { app in
            // Of one app alone there is nothing to compare with, and its rules are not copied.
            let isAlone = apps.count == 1
            if !isAlone, let texts = app.rules, let group = known[texts] { return group }
            if isAlone { texts = app.rules ?? [] } else { texts += app.rules ?? [] }
            let start = rules.count
            for text in app.rules ?? [] { rules.append(CompiledRule(text, &variables)) }
            groups.append(Group(range: app.rules == nil ? nil : start..<rules.count))
            if !isAlone, let texts = app.rules { known[texts] = groups.count - 1 }
            return groups.count - 1
        }
        self.apps = apps
        self.groups = groups
        self.rules = rules
        self.texts = texts
        self.variables = variables
        index = RuleIndex(rules)
    }

    /// Which apps the URL opens, by their place in `apps`.
    package func opens(_ url: LinkURL) -> [Int] {
        var scratch = MatchScratch()
        decide(url, &scratch)
        return apps.indices.filter { decision(forApp: $0, scratch).verdict == .open }
    }

    /// Decides for all apps at once, without reasons: for streams of links. `decision(forApp:_:)`
    /// reads the answers until the next call.
    package func decide(_ url: LinkURL, _ scratch: inout MatchScratch) {
        look(at: url, &scratch)
        scratch.decisions.removeAll(keepingCapacity: true)
        for group in groups {
            scratch.decisions.append(
                group.range.map { firstMatch(in: $0, &scratch) } ?? .everything)
        }
    }

    /// Turns the scratch to another URL, for `firstMatch(from:_:)`. `decide` does so itself.
    package func look(at url: LinkURL, _ scratch: inout MatchScratch) {
        scratch.texts.look(at: url)
        index.findCandidates(&scratch)
    }

    /// What was decided for the app at that place in `apps`.
    package func decision(forApp app: Int, _ scratch: borrowing MatchScratch) -> LinkDecision {
        scratch.decisions[groupOfApp[app]]
    }

    /// The first rule, of all apps one after the other, that matches the URL of the scratch.
    /// - Parameter start: the rule to begin with, by its number among all of them.
    package func firstMatch(
        from start: Int, _ scratch: inout MatchScratch
    ) -> (rule: Int, isExcluded: Bool)? {
        firstMatch(from: start, to: rules.count, &scratch).map { ($0, rules[$0].isExcluded) }
    }

    private func firstMatch(in range: Range<Int>, _ scratch: inout MatchScratch) -> LinkDecision {
        guard let rule = firstMatch(from: range.lowerBound, to: range.upperBound, &scratch) else {
            return .none
        }
        return LinkDecision(
            verdict: rules[rule].isExcluded ? .exclude : .open, rule: rule - range.lowerBound)
    }

    /// The first rule among `start..<end` that matches the URL of the scratch.
    private func firstMatch(from start: Int, to end: Int, _ scratch: inout MatchScratch) -> Int? {
        var next = start
        // Of an array's element a method gets a copy, each of its arrays retained.
        let rules = rules.span
        while let rule = scratch.candidates.first(from: next, to: end) {
            if rules[rule].matches(&scratch.texts, &scratch.memory) { return rule }
            next = rule + 1
        }
        return nil
    }
}
