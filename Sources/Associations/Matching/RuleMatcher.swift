/// Lists of rules, compiled once: those of a file's apps, or of a configuration's links. Each list
/// decides on its own: the first of its rules that matches a URL decides. One index finds the
/// candidates of all lists.
package struct RuleMatcher: Sendable {
    let rules: [CompiledRule]
    /// The texts of `rules`, in the same order.
    let texts: [RuleText]
    let variables: Variables
    /// For each list, the range of its rules.
    let lists: [Range<Int>]
    /// For each rule, its list.
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

    /// Begins with another URL, to which the other functions refer.
    package func look(at url: LinkURL, _ scratch: inout MatchScratch) {
        scratch.texts.look(at: url)
        index.findCandidates(&scratch)
    }

    /// The decision of a list's rules about the scratch's URL.
    package func decision(of list: Int, _ scratch: inout MatchScratch) -> LinkDecision {
        let range = lists[list]
        guard let rule = firstMatch(from: range.lowerBound, to: range.upperBound, &scratch) else {
            return .none
        }
        return LinkDecision(
            verdict: rules[rule].isExcluded ? .exclude : .open, rule: rule - range.lowerBound)
    }

    /// The next list that opens the scratch's URL, and the rule that decides.
    /// - Parameter next: the first list to try; it becomes the one after the result.
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

    /// The first rule of `start..<end`, in any list, that matches the scratch's URL.
    func firstMatch(from start: Int, to end: Int, _ scratch: inout MatchScratch) -> Int? {
        var next = start
        while let rule = scratch.candidates.first(from: next, to: end) {
            if rules[rule].matches(&scratch.texts, &scratch.memory) { return rule }
            next = rule + 1
        }
        return nil
    }
}
