/// The rules of a list that decide links, and the earlier rules that prevent the others.
///
/// Most rules decide the link that a person would write for them, and the matcher confirms it. For
/// the other rules, the automaton finds links that distinguish them from the rules that decided so
/// far. This continues until the matcher leaves one of these links to the rule, or there are no
/// more such links. Then the rule decides no link, for `lint` as for `diff`.
package struct RuleReach {
    private let rules: [RuleText]
    private let variables: Variables
    private let matcher: RuleMatcher
    private var scratch = MatchScratch()
    /// A link that a person would write for each rule.
    private let examples: [LinkURL?]
    /// For rules that were checked in advance, whether the first rule that matches their example
    /// matches all their links.
    private var isHidden = [Int: Bool]()
    private var pairsMax = 32
    /// The remaining steps of automata. If a list needs more, only a part of it is checked.
    private var steps = 40_000_000

    /// - Parameter variables: those of the rules' file.
    package init(_ rules: [RuleText], variables: [SubstitutionVariable] = []) {
        self.rules = rules
        let known = Variables(variables)
        self.variables = known
        matcher = RuleMatcher([rules], variables: variables)
        examples = rules.map { rule in
            rule.example(host: host, known).flatMap { try? LinkURL($0) }
        }
    }

    /// The first rule that matches every link.
    package mutating func firstForAll() -> Int? {
        guard let probe else { return nil }
        matcher.look(at: probe, &scratch)
        var next = 0
        while let found = matcher.firstMatch(from: next, to: rules.count, &scratch) {
            if matchesAll(found) { return found }
            next = found + 1
        }
        return nil
    }

    /// Whether the rule matches every link.
    package mutating func isForAll(_ rule: Int) -> Bool {
        probe.map { matches(rule, $0) } == true && matchesAll(rule)
    }

    /// The earlier rules that decide every link of a rule: if possible a single rule, the first
    /// that does so alone. Empty if the rule decides a link or matches none, or if the search would
    /// take too long.
    package mutating func deciders(of rule: Int) -> [Int] {
        guard var link = link(of: rule) else { return [] }
        var (deciders, links) = ([Int](), [LinkURL]())
        if let first = firstMatch(link), first < rule {
            if isHidden[rule] == nil, rules[rule].hasSimplePath { lookAhead(from: rule) }
            if isHidden[rule] == true { return [first] }
        }
        for _ in 0..<Self.roundsMax {
            // The result counts only if the matcher confirms it.
            guard let first = firstMatch(link), first < rule, !deciders.contains(first) else {
                return []
            }
            deciders.append(first)
            deciders.sort()
            links.append(link)
            let sampler = sampler(deciders, then: rule)
            guard let sample = sampler.samples.first(where: { $0.rules == [deciders.count] })
            else { return sampler.isComplete ? simplest(deciders, of: rule, links) : [] }
            guard let next = try? LinkURL(sample.link) else { return [] }
            link = next
        }
        return []
    }

    /// Whether `other` matches links, and `rule` matches all of them.
    package mutating func takesAll(_ rule: Int, of other: Int) -> Bool {
        guard let link = link(of: other), matches(rule, link) else { return false }
        let sampler = sampler([rule], then: other)
        return sampler.isComplete && !sampler.samples.contains { $0.rules == [1] }
    }

    /// A link that the rule matches; nil if none was found.
    private mutating func link(of rule: Int) -> LinkURL? {
        if let example = examples[rule], matches(rule, example) { return example }
        let sample = sampler([], then: rule).samples.first { $0.rules == [0] }
        return sample.flatMap { try? LinkURL($0.link) }
    }

    /// If several rules decide together, a single one that matches all these links may decide
    /// alone.
    private mutating func simplest(_ deciders: [Int], of rule: Int, _ links: [LinkURL]) -> [Int] {
        guard deciders.count > 1 else { return deciders }
        for earlier in deciders[0]..<rule where links.allSatisfy({ matches(earlier, $0) }) {
            if takesAll(earlier, of: rule) { return [earlier] }
        }
        return deciders
    }

    /// Checks many rules with one automaton, because it takes longer to make than to use. If the
    /// first rule that matches the example compares only the path, then only the paths of both
    /// rules have to be compared. Paths with several stars are left out, because together they
    /// would have too many states.
    private mutating func lookAhead(from rule: Int) {
        var pairs = [(rule: Int, first: Int)]()
        var next = rule
        while next < rules.count, pairs.count < pairsMax, next < rule + 8 * pairsMax {
            if rules[next].hasSimplePath, let example = examples[next], matches(next, example),
                let first = firstMatch(example), first < next, rules[first].isPathAlone,
                rules[first].hasSimplePath
            {
                pairs.append((next, first))
            }
            next += 1
        }
        guard pairs.count > 1 else { return }
        let deciders = Array(Set(pairs.map(\.first))).sorted()
        let sampler = sampler(
            pairs.map { [RuleText(pathOf: rules[$0.rule])] } + deciders.map { [rules[$0]] })
        guard sampler.isComplete else {
            pairsMax = 1
            return
        }
        for (number, pair) in pairs.enumerated() {
            guard let decider = deciders.firstIndex(of: pair.first) else { continue }
            isHidden[pair.rule] = !sampler.samples.contains { sample in
                sample.rules[number] != nil && sample.rules[pairs.count + decider] == nil
            }
        }
    }

    private mutating func matchesAll(_ rule: Int) -> Bool {
        let sampler = sampler([rule], then: nil)
        return sampler.isComplete && sampler.samples.allSatisfy { $0.rules == [0] }
    }

    private mutating func firstMatch(_ link: LinkURL) -> Int? {
        matcher.look(at: link, &scratch)
        return matcher.firstMatch(from: 0, to: rules.count, &scratch)
    }

    private mutating func matches(_ rule: Int, _ link: LinkURL) -> Bool {
        matcher.look(at: link, &scratch)
        return matcher.firstMatch(from: rule, to: rule + 1, &scratch) != nil
    }

    /// Links that distinguish rules from the rules before them. Of the rules that shall match
    /// everything, only matches on which the sources agree count. It is not complete if no steps
    /// remain.
    private mutating func sampler(_ deciders: [Int], then rule: Int?) -> LinkSampler {
        var all = deciders.map { rules[$0].withNarrowStars }
        if let rule { all.append(rules[rule]) }
        return sampler([all])
    }

    private mutating func sampler(_ lists: [[RuleText]]) -> LinkSampler {
        let sides = lists.map { LinkSampler.Side(rules: $0, variables: variables) }
        let sampler = LinkSampler(sides, host: host, stepsMax: steps)
        steps -= sampler.steps
        return sampler
    }

    /// The maximum number of rules that hide one together; more would not help a reader.
    private static let roundsMax = 8
}

extension RuleText {
    /// Whether the rule matches every link.
    /// - Parameter variables: those of its file.
    package func matchesAll(_ variables: [SubstitutionVariable] = []) -> Bool {
        var reach = RuleReach([self], variables: variables)
        return reach.firstForAll() == 0
    }

    /// Whether the rule matches the link.
    package func matches(_ link: LinkURL, _ variables: [SubstitutionVariable] = []) -> Bool {
        let matcher = RuleMatcher([[self]], variables: variables)
        var scratch = MatchScratch()
        matcher.look(at: link, &scratch)
        return matcher.firstMatch(from: 0, to: 1, &scratch) != nil
    }
}

extension RuleText {
    var isPathAlone: Bool { query == nil && fragment == nil }

    /// Whether the path has at most one star.
    fileprivate var hasSimplePath: Bool { (path ?? "").utf8.count { $0 == UInt8(ascii: "*") } < 2 }

    /// The rule without its query and fragment.
    fileprivate init(pathOf rule: RuleText) {
        self = rule
        (query, fragment) = (nil, nil)
    }

    /// The rule with `?*` instead of two stars at the end of a query or fragment, because sources
    /// disagree on whether the second star can match nothing. A path never has two stars in a row.
    fileprivate var withNarrowStars: RuleText {
        guard !isPathAlone else { return self }

        func narrow(_ pattern: String) -> String {
            guard pattern.utf8.suffix(2).elementsEqual("**".utf8) else { return pattern }
            return String(decoding: pattern.utf8.dropLast(2), as: UTF8.self) + "?*"
        }
        var rule = self
        rule.fragment = fragment.map(narrow)
        switch query {
        case nil: break
        case .whole(let pattern): rule.query = .whole(narrow(pattern))
        case .items(let items):
            rule.query = .items(
                items.map { QueryItemPattern(name: $0.name, pattern: narrow($0.pattern)) })
        }
        return rule
    }
}

private let host = "example.com"
/// A link that few rules match unless they match every link.
private let probe = try? LinkURL("https://\(host)/~?~=~#~")
