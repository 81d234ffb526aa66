/// Finds the few rules that can match a URL, so that the others need not be tried.
///
/// A pattern that begins with a literal text matches only texts that begin with it. A pattern that
/// contains a literal text matches only texts that contain it. From these literals of path and
/// query, the index chooses for each rule the one that the fewest other rules have. It finds all
/// chosen literals in one pass over each part of the URL, and one pass for each form of the part
/// that rules compare. A rule without a literal is always a candidate.
struct RuleIndex: Sendable {
    private let count: Int
    /// The rules that are always candidates, as words of a `RuleSet`.
    private let always: [(word: Int, bits: UInt64)]
    private let beginnings: [(part: Part, table: PrefixTable)]
    private let finders: [(part: Part, finder: LiteralFinder)]

    /// A part of a URL, in one of the forms that rules compare.
    private struct Part: Hashable, Sendable {
        let isPath: Bool
        let variant: TextVariant
    }

    /// A literal that a text must contain if a rule matches it.
    private struct Key: Hashable {
        let part: Part
        let literal: ArraySlice<UInt8>
        /// Whether the text must begin with the literal.
        let isBeginning: Bool

        /// Eight bytes at a time, because a `Hasher` takes as long for one byte as for eight.
        func hash(into hasher: inout Hasher) {
            hasher.combine(isBeginning)
            hasher.combine(literal.count)
            var word: UInt64 = 0
            for (offset, octet) in literal.enumerated() {
                word = word << 8 | UInt64(octet)
                if offset % 8 == 7 { hasher.combine(word) }
            }
            hasher.combine(word)
        }
    }

    init(_ rules: [CompiledRule]) {
        count = rules.count
        var always = [Int]()
        var beginnings = [Part: [(ArraySlice<UInt8>, Int)]]()
        var literals = [Part: [Int: ArraySlice<UInt8>]]()
        for (rule, key) in Self.rarest(rules).enumerated() {
            guard let key else {
                always.append(rule)
                continue
            }
            if key.isBeginning {
                beginnings[key.part, default: []].append((key.literal, rule))
            } else {
                literals[key.part, default: [:]][rule] = key.literal
            }
        }
        self.beginnings = beginnings.map { part, prefixes in (part, PrefixTable(prefixes)) }
        finders = literals.map { part, literals in (part, LiteralFinder(literals)) }
        always += finders.flatMap(\.finder.leftOver)
        self.always = Dictionary(grouping: always) { $0 / 64 }.map { word, rules in
            (word, rules.reduce(0) { $0 | 1 << UInt64($1 % 64) })
        }
    }

    /// Finds the rules that can match.
    func findCandidates(_ scratch: inout MatchScratch) {
        scratch.candidates.reset(count: count)
        for (word, bits) in always { scratch.candidates.insert(bits, word: word) }
        for (part, table) in beginnings { table.find(in: text(part, &scratch).span, &scratch) }
        for (part, finder) in finders { finder.find(in: text(part, &scratch).span, &scratch) }
    }

    private func text(_ part: Part, _ scratch: inout MatchScratch) -> [UInt8] {
        part.isPath ? scratch.texts.path(part.variant) : scratch.texts.query(part.variant)
    }

    /// All literals of the rule. Those of a query item must occur in the query, because a missing
    /// item counts as an empty one, which they do not match.
    private static func keys(_ rule: CompiledRule) -> [Key] {
        let path = rule.path.map { keys($0, Part(isPath: true, variant: rule.variant)) } ?? []
        let part = Part(isPath: false, variant: rule.variant)
        return switch rule.query {
        case nil: path
        case .whole(let pattern): path + keys(pattern, part)
        case .items(let items): path + items.flatMap { literals($0.pattern, part) }
        }
    }

    private static func keys(_ pattern: Pattern, _ part: Part) -> [Key] {
        [beginning(pattern, part)].compactMap(\.self) + literals(pattern, part)
    }

    private static func beginning(_ pattern: Pattern, _ part: Part) -> Key? {
        guard !pattern.beginning.isEmpty else { return nil }
        return Key(part: part, literal: pattern.beginning[...], isBeginning: true)
    }

    private static func literals(_ pattern: Pattern, _ part: Part) -> [Key] {
        pattern.literals.map {
            Key(part: part, literal: $0.suffix(LiteralFinder.bytesMax), isBeginning: false)
        }
    }

    /// For each rule, the key that the fewest others share. If several are equal, a beginning is
    /// preferred, because it needs less memory, and then the longest key. Most rules have a
    /// beginning that no other rule has, so their other keys are not computed.
    private static func rarest(_ rules: [CompiledRule]) -> [Key?] {
        let beginnings = rules.map { rule in
            rule.path.flatMap { beginning($0, Part(isPath: true, variant: rule.variant)) }
        }
        var uses = [Key: Int](minimumCapacity: rules.count)
        for case .some(let key) in beginnings { uses[key, default: 0] += 1 }
        let isAlone = beginnings.map { key in key.map { uses[$0] == 1 } ?? false }
        let others = rules.indices.filter { !isAlone[$0] }.map { ($0, keys(rules[$0])) }
        var shared = [Key: Int]()
        for (_, own) in others {
            for key in Set(own) { shared[key, default: 0] += 1 }
        }
        var chosen = zip(beginnings, isAlone).map { $1 ? $0 : nil }
        for (rule, own) in others {
            chosen[rule] = own.min { left, right in
                (shared[left] ?? 0, left.isBeginning ? 0 : 1, right.literal.count)
                    < (shared[right] ?? 0, right.isBeginning ? 0 : 1, left.literal.count)
            }
        }
        return chosen
    }
}
