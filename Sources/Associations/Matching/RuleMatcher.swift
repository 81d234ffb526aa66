/// Lists of rules, compiled once: those of a file's apps, or of a configuration's links. Each list is
/// asked on its own, and the first of its rules whose parts all match decides; one index finds the
/// rules of all lists that are worth a look.
package struct RuleMatcher: Sendable {
    let rules: [CompiledRule]
    /// What `rules` were made of, in the same order.
    let texts: [RuleText]
    let variables: Variables
    /// For each list its rules, by their numbers among all.
    let lists: [Range<Int>]
    /// For each rule its list.
    private let listOfRule: [Int32]
    private let index: RuleIndex

    /// - Parameter variables: those that the rules name.
    package init(_ lists: [[RuleText]], variables: [SubstitutionVariable] = []) {
        var variables = Variables(variables)
        texts = lists.count == 1 ? lists[0] : lists.flatMap(\.self)
        rules = texts.map { CompiledRule($0, &variables) }
        var start = 0
        self.lists = lists.map { list in
            start += list.count
            return start - list.count..<start
        }
        listOfRule = lists.enumerated().flatMap { repeatElement(Int32($0), count: $1.count) }
        self.variables = variables
        index = RuleIndex(rules)
    }

    /// Turns the scratch to another URL, which the other functions ask about.
    package func look(at url: LinkURL, _ scratch: inout MatchScratch) {
        scratch.texts.look(at: url)
        index.findCandidates(&scratch)
    }

    /// What becomes of the scratch's URL by the rules of a list.
    package func decision(of list: Int, _ scratch: inout MatchScratch) -> LinkDecision {
        let range = lists[list]
        guard let rule = firstMatch(from: range.lowerBound, to: range.upperBound, &scratch) else {
            return .none
        }
        return LinkDecision(
            verdict: rules[rule].isExcluded ? .exclude : .open, rule: rule - range.lowerBound)
    }

    /// The next list that opens the scratch's URL, and which of its rules decides.
    /// - Parameter next: the list to begin with; it moves behind the one that is found.
    package func opening(
        from next: inout Int, _ scratch: inout MatchScratch
    ) -> (list: Int, rule: Int)? {
        while next < lists.count,
            let rule = firstMatch(from: lists[next].lowerBound, to: rules.count, &scratch)
        {
            let list = Int(listOfRule[rule])
            next = list + 1
            if !rules[rule].isExcluded { return (list, rule - lists[list].lowerBound) }
        }
        return nil
    }

    /// The lists that open the URL.
    package func opening(_ url: LinkURL) -> [Int] {
        var scratch = MatchScratch()
        look(at: url, &scratch)
        return lists.indices.filter { decision(of: $0, &scratch).verdict == .open }
    }

    /// The first rule among `start..<end`, of whatever list, that matches the scratch's URL.
    func firstMatch(from start: Int, to end: Int, _ scratch: inout MatchScratch) -> Int? {
        var next = start
        while let rule = scratch.candidates.first(from: next, to: end) {
            if rules[rule].matches(&scratch.texts, &scratch.memory) { return rule }
            next = rule + 1
        }
        return nil
    }
}
