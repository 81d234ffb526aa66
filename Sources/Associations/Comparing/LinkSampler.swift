/// Links that tell the rules of two lists apart: at least one for each set of rules that a link
/// can match, as far as the limits reach.
struct LinkSampler {
    private(set) var isComplete = true
    private let host: String
    private let sides: [Side]

    /// A list of rules, and the variables of its file.
    struct Side {
        let rules: [RuleText]
        let variables: Variables
    }

    init(_ sides: [Side], host: String) {
        self.sides = sides
        self.host = host
    }

    mutating func links() -> [String] {
        var automaton = PatternAutomaton()
        var rules = [(rule: RuleText, variables: Variables, pattern: Int?)]()
        // What both lists have, which is nearly all of them, is one pattern.
        var known = [PatternAutomaton.Source: Int]()
        for side in sides {
            if side.variables.own != sides[0].variables.own { known = [:] }
            for rule in side.rules {
                let pattern = rule.path.map { path in
                    let source = source(path, rule, isPath: true)
                    let number = known[source] ?? automaton.add(source, side.variables)
                    known[source] = number
                    return number
                }
                rules.append((rule, side.variables, pattern))
            }
        }
        let space = PatternSpace(automaton, isPath: true, excluding: ByteSet("?#".utf8))
        isComplete = space.isComplete
        return space.samples.flatMap { sample in
            let relevant = rules.filter { $0.pattern.map(sample.patterns.contains) ?? true }
            return tails(relevant.map { ($0.rule, $0.variables) }).map { tail in
                "https://\(host)\(path(sample.text))\(tail)"
            }
        }
    }

    /// Without the slash that normalisation puts after a path.
    private func path(_ text: [UInt8]) -> String {
        String(decoding: text.count > 1 ? text.dropLast() : text[...], as: UTF8.self)
    }

    private func source(
        _ pattern: String, _ rule: RuleText, isPath: Bool
    ) -> PatternAutomaton.Source {
        .init(
            text: Array(pattern.utf8), isPath: isPath, caseSensitive: rule.caseSensitive,
            percentEncoded: rule.percentEncoded)
    }

    // MARK: Queries and fragments

    private typealias RuleInFile = (rule: RuleText, variables: Variables)

    /// What stands after the path, in all combinations that the rules tell apart.
    private mutating func tails(_ rules: [RuleInFile]) -> [String] {
        let looking = rules.filter { $0.rule.query != nil || $0.rule.fragment != nil }
        guard !looking.isEmpty else { return [""] }
        let fragments = values(looking, excluding: "") { $0.fragment }.map {
            $0.isEmpty ? "" : "#\($0)"
        }
        var tails = [String]()
        for query in queries(looking) {
            for fragment in fragments { tails.append(query + fragment) }
        }
        if tails.count > Self.tailsMax { isComplete = false }
        return Array(tails.prefix(Self.tailsMax))
    }

    private mutating func queries(_ rules: [RuleInFile]) -> [String] {
        var names = [String]()
        for case .items(let items)? in rules.map(\.rule.query) {
            for item in items where !names.contains(where: item.name.isScalarwise) {
                names.append(item.name)
            }
        }
        var queries = [[String]()]
        for name in names {
            let values = values(rules, excluding: "&#") { rule in
                guard case .items(let items)? = rule.query else { return nil }
                return items.last { $0.name.isScalarwise(name) }?.pattern
            }
            queries = queries.flatMap { query in
                values.map { $0.isEmpty ? query : query + ["\(name)=\($0)"] }
            }
            if queries.count > Self.tailsMax {
                isComplete = false
                queries = Array(queries.prefix(Self.tailsMax))
            }
        }
        let whole = values(rules, excluding: "#") { rule in
            guard case .whole(let pattern)? = rule.query else { return nil }
            return pattern
        }
        return queries.map { $0.isEmpty ? "" : "?" + $0.joined(separator: "&") }
            + whole.filter { !$0.isEmpty }.map { "?\($0)" }
    }

    /// Texts that the rules' patterns for one part tell apart; the empty one is always there.
    private mutating func values(
        _ rules: [RuleInFile], excluding excluded: String, _ pattern: (RuleText) -> String?
    ) -> [String] {
        var automaton = PatternAutomaton()
        for (rule, variables) in rules {
            guard let text = pattern(rule) else { continue }
            _ = automaton.add(source(text, rule, isPath: false), variables)
        }
        guard !automaton.nodes.isEmpty else { return [""] }
        let space = PatternSpace(
            automaton, isPath: false, excluding: ByteSet(excluded.utf8))
        if !space.isComplete { isComplete = false }
        let texts = space.samples.map { String(decoding: $0.text, as: UTF8.self) }
        return texts.contains("") ? texts : [""] + texts
    }

    /// For one path; more would be of use to nobody.
    private static let tailsMax = 200
}
