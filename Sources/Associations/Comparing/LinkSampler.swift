/// Links that distinguish the rules of two lists: one link for each pair of rules (or of a rule and
/// none) that can decide the same link, within the limits.
struct LinkSampler {
    private(set) var samples = [Sample]()
    private(set) var isComplete = true
    private let host: String
    private let sides: [Side]
    private var variables: [Variables]
    private var patterns = [PatternSpace.Pattern]()
    private var numbers = [PatternSpace.Pattern: Int]()
    private var spaces = [Spaced: PatternSpace]()
    private var known = Set<[Int?]>()
    private var combinations = 0
    /// The steps that automata have taken, and the limit.
    private(set) var steps = 0
    private let stepsMax: Int

    /// A link, and for each list the rule that decides it, counted from 0. With a manifest, one more number says which
    /// part of it takes the link.
    struct Sample {
        let link: String
        let rules: [Int?]
    }

    /// A list of rules, with the variables of its file.
    struct Side {
        let rules: [RuleText]
        let variables: Variables
    }

    private struct Spaced: Hashable {
        let part: PatternAutomaton.Part
        let patterns: [Int]
    }

    init(
        _ sides: [Side], beside manifest: ManifestLinks? = nil, host: String, stepsMax: Int = .max
    ) {
        self.stepsMax = stepsMax
        self.sides = sides
        self.host = host
        variables = sides.map(\.variables)
        let rules = sides.indices.map { side in
            NumberedRules(sides[side].rules.map { number($0, side) })
        }
        findSamples(rules + (manifest.map { lists(of: $0) } ?? []))
        spaces = [:]
    }

    // MARK: Patterns

    /// The links that a manifest takes, as lists of rules: its paths, and each list of groups for both forms of the path.
    private mutating func lists(of manifest: ManifestLinks) -> [NumberedRules] {
        let paths = NumberedRule(paths: [number(.manifest(manifest.paths))], takes: 0)
        var (lists, count) = ([NumberedRules([paths])], 0)
        for groups in manifest.groups {
            for isOfOtherForm in [false, true] {
                var rules = [NumberedRule]()
                for (index, group) in groups.enumerated() {
                    rules.append(number(group, isOfOtherForm, takes: count + index + 1))
                }
                lists.append(NumberedRules(rules))
            }
            count += groups.count
        }
        return lists
    }

    private mutating func number(
        _ group: ManifestLinks.Group, _ isOfOtherForm: Bool, takes taker: Int
    ) -> NumberedRule {
        var rule = NumberedRule(takes: group.allows ? taker : nil)
        for condition in group.conditions {
            let isOther = isOfOtherForm && condition.part == .path
            let number = number(
                .condition(
                    ManifestCondition(
                        part: condition.part, pattern: condition.pattern, isOfOtherForm: isOther)))
            switch condition.part {
            case .path: rule.paths.append(number)
            case .query: rule.query.append(number)
            case .fragment: rule.fragment.append(number)
            }
        }
        return rule
    }

    private mutating func number(_ rule: RuleText, _ side: Int) -> NumberedRule {
        func number(_ pattern: String?, _ part: PatternAutomaton.Part) -> Int? {
            pattern.map { self.number($0, part, rule, side) }
        }
        var query = [Int]()
        switch rule.query {
        case nil: break
        case .whole(let pattern): query = [self.number(pattern, .query, rule, side)]
        case .items(let items):
            query = items.map {
                self.number($0.pattern, .item(name: Array($0.name.utf8)), rule, side)
            }
        }
        return NumberedRule(
            paths: [number(rule.path, .path)].compactMap(\.self), query: query,
            fragment: [number(rule.fragment, .fragment)].compactMap(\.self))
    }

    /// A pattern that is in both lists gets one number. Most patterns are.
    private mutating func number(
        _ text: String, _ part: PatternAutomaton.Part, _ rule: RuleText, _ side: Int
    ) -> Int {
        let hasVariables = !variableNames(in: text).isEmpty
        let isSame = !hasVariables || variables[side].own == variables[0].own
        return number(
            .rule(
                PatternAutomaton.Source(
                    part: part, text: Array(text.utf8), caseSensitive: rule.caseSensitive,
                    percentEncoded: rule.percentEncoded), file: isSame ? 0 : side))
    }

    private mutating func number(_ pattern: PatternSpace.Pattern) -> Int {
        if let known = numbers[pattern] { return known }
        numbers[pattern] = patterns.count
        patterns.append(pattern)
        return patterns.count - 1
    }

    /// The texts that distinguish the patterns of one part, and the numbers of the patterns that
    /// each matches.
    private mutating func texts(
        _ part: PatternAutomaton.Part, _ wanted: Set<Int>
    ) -> [(text: [UInt8], patterns: Set<Int>)] {
        if wanted.isEmpty, part != .path { return [([], [])] }
        let key = Spaced(part: part, patterns: wanted.sorted())
        guard steps < stepsMax else {
            isComplete = false
            return []
        }
        let space: PatternSpace
        if let known = spaces[key] {
            space = known
        } else {
            space = PatternSpace(
                key.patterns.map { patterns[$0] }, part, &variables, stepsMax: stepsMax - steps)
            spaces[key] = space
            steps += space.steps
        }
        if !space.isComplete { isComplete = false }
        return space.samples.map { sample in
            (sample.text, Set(sample.patterns.map { key.patterns[$0] }))
        }
    }

    // MARK: Combining parts

    private mutating func findSamples(_ rules: [NumberedRules]) {
        var seen = Set<[[Int]]>()
        for path in texts(.path, Set(rules.flatMap(\.all).flatMap(\.paths))) {
            let candidates = rules.map { $0.candidates(path.patterns) }
            let count = path.patterns.count + candidates.reduce(rules.count) { $0 + $1.count }
            steps += count
            guard seen.insert(candidates).inserted else { continue }
            let looking = zip(rules, candidates).flatMap { rules, numbers in
                numbers.map { rules.all[$0] }
            }
            let queries = texts(.query, Set(looking.flatMap(\.query)))
            let fragments = texts(.fragment, Set(looking.flatMap(\.fragment)))
            for query in queries {
                for fragment in fragments {
                    let matched = query.patterns.union(fragment.patterns)
                    let deciding = deciding(rules, candidates, matched)
                    combinations += 1
                    var combination = deciding
                    // A manifest can take the empty path, which is the other form of "/", and block "/" itself. A
                    // longer path therefore gets a sample of its own.
                    if rules.count > sides.count, path.text.count <= 1 { combination.append(nil) }
                    guard known.insert(combination).inserted else { continue }
                    let link = link(path.text, query.text, fragment.text)
                    samples.append(Sample(link: link, rules: deciding))
                }
                steps += (Self.stepsOfCombination + count) * fragments.count
                guard combinations < Self.combinationsMax, steps < stepsMax else {
                    isComplete = false
                    return
                }
            }
        }
    }

    /// The rule of each side that decides, and the part of a manifest that takes the link.
    private func deciding(
        _ rules: [NumberedRules], _ candidates: [[Int]], _ matched: Set<Int>
    ) -> [Int?] {
        let first = zip(rules, candidates).map { rules, numbers in
            numbers.first { rules.all[$0].holds(matched) }
        }
        guard rules.count > sides.count else { return first }
        let takers = zip(rules, first).dropFirst(sides.count).compactMap { rules, number in
            number.flatMap { rules.all[$0].takes }
        }
        return first.prefix(sides.count) + [takers.first]
    }

    private func link(_ path: [UInt8], _ query: [UInt8], _ fragment: [UInt8]) -> String {
        var link = Array("https://\(host)".utf8) + path
        if !query.isEmpty { link += [UInt8(ascii: "?")] + query }
        if !fragment.isEmpty { link += [UInt8(ascii: "#")] + fragment }
        return String(decoding: link, as: UTF8.self)
    }

    private static let combinationsMax = 200_000
    private static let stepsOfCombination = 8
}
