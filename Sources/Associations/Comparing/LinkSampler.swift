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

    /// A link, and for each list the rule that decides it, counted from 0.
    struct Sample {
        let link: String
        let rules: [Int?]
    }

    /// A list of rules, with the variables of its file.
    struct Side {
        let rules: [RuleText]
        let variables: Variables
    }

    /// The paths of a manifest beside the lists: the last rule of each sample is then 0 if the manifest
    /// takes the link.
    private let manifest: ManifestPaths?

    /// A rule whose patterns are numbers in `patterns`.
    private struct NumberedRule {
        let path: Int?
        /// The patterns of the query or its items, and of the fragment.
        let query: [Int]
        let fragment: Int?

        /// Whether the path alone decides.
        var isPathAlone: Bool { query.isEmpty && fragment == nil }

        /// Whether query and fragment match if these patterns do.
        func holds(_ matched: Set<Int>) -> Bool {
            query.allSatisfy(matched.contains) && fragment.map(matched.contains) ?? true
        }
    }

    private struct NumberedRules {
        let all: [NumberedRule]
        private var byPath = [Int: [Int]]()
        private var withoutPath = [Int]()

        init(_ rules: [NumberedRule]) {
            all = rules
            for (index, rule) in rules.enumerated() {
                if let path = rule.path {
                    byPath[path, default: []].append(index)
                } else {
                    withoutPath.append(index)
                }
            }
        }

        /// The rules that can decide if the paths of these rules match: all up to the first that
        /// compares nothing else.
        func candidates(_ matched: Set<Int>) -> [Int] {
            let matching = (matched.flatMap { byPath[$0] ?? [] } + withoutPath).sorted()
            let last = matching.firstIndex { all[$0].isPathAlone }
            return Array(matching[..<(last.map { $0 + 1 } ?? matching.count)])
        }
    }

    private struct Spaced: Hashable {
        let part: PatternAutomaton.Part
        let patterns: [Int]
    }

    init(
        _ sides: [Side], beside manifest: ManifestPaths? = nil, host: String, stepsMax: Int = .max
    ) {
        (self.stepsMax, self.manifest) = (stepsMax, manifest)
        self.sides = sides
        self.host = host
        variables = sides.map(\.variables)
        var rules = sides.indices.map { side in
            NumberedRules(sides[side].rules.map { number($0, side) })
        }
        if let manifest {
            let rule = NumberedRule(path: number(.manifest(manifest)), query: [], fragment: nil)
            rules.append(NumberedRules([rule]))
        }
        findSamples(rules)
        spaces = [:]
    }

    // MARK: Patterns

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
            path: number(rule.path, .path), query: query,
            fragment: number(rule.fragment, .fragment))
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
        for path in texts(.path, Set(rules.flatMap(\.all).compactMap(\.path))) {
            let candidates = rules.map { $0.candidates(path.patterns) }
            guard seen.insert(candidates).inserted else { continue }
            let looking = zip(rules, candidates).flatMap { rules, numbers in
                numbers.map { rules.all[$0] }
            }
            let queries = texts(.query, Set(looking.flatMap(\.query)))
            let fragments = texts(.fragment, Set(looking.compactMap(\.fragment)))
            for query in queries {
                for fragment in fragments {
                    let matched = query.patterns.union(fragment.patterns)
                    let deciding = zip(rules, candidates).map { rules, numbers in
                        numbers.first { rules.all[$0].holds(matched) }
                    }
                    combinations += 1
                    guard known.insert(deciding).inserted else { continue }
                    let link = link(path.text, query.text, fragment.text)
                    samples.append(Sample(link: link, rules: deciding))
                }
                steps += Self.stepsOfCombination * fragments.count
                guard combinations < Self.combinationsMax, steps < stepsMax else {
                    isComplete = false
                    return
                }
            }
        }
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
