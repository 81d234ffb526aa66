/// Which rules are worth a look for a URL, so that thousands need none.
///
/// A path pattern that contains some literal text can match only paths that contain it too. For
/// each rule the rarest such text is looked for, all of them in one pass over the path, one pass
/// for each form of the path that rules want. Rules without any are always candidates.
struct RuleIndex: Sendable {
    private let always: [UInt64]
    private let finders: [(variant: TextVariant, finder: LiteralFinder)]

    init(_ rules: [CompiledRule]) {
        var always = BitRow(words: (rules.count + 63) / 64)
        var finders = [(TextVariant, LiteralFinder)]()
        for number in 0..<TextVariant.count {
            let members = rules.indices.filter { rules[$0].variant.rawValue == number }
            guard let first = members.first else { continue }
            let chosen = Self.choose(members, rules)
            for rule in members where chosen[rule] == nil { always.insert(rule) }
            let finder = LiteralFinder(chosen)
            for rule in finder.leftOver { always.insert(rule) }
            if !chosen.isEmpty { finders.append((rules[first].variant, finder)) }
        }
        self.always = always.words
        self.finders = finders
    }

    /// Sets the bits of the rules that may match.
    func findCandidates(_ scratch: inout MatchScratch) {
        scratch.candidates.removeAll(keepingCapacity: true)
        scratch.candidates += always
        for (variant, finder) in finders {
            finder.find(in: scratch.texts.path(variant).span, &scratch)
        }
    }

    /// For each rule the literal that fewest others share, the longest among equals.
    private static func choose(
        _ members: [Int], _ rules: [CompiledRule]
    ) -> [Int: ArraySlice<UInt8>] {
        let literals = members.map { rule in
            (rule, (rules[rule].path?.literals ?? []).map { $0.suffix(LiteralFinder.bytesMax) })
        }
        var uses = [ArraySlice<UInt8>: Int]()
        for literal in literals.flatMap({ Set($0.1) }) { uses[literal, default: 0] += 1 }
        var chosen = [Int: ArraySlice<UInt8>]()
        for (rule, own) in literals {
            chosen[rule] = own.min { (uses[$0] ?? 0, $1.count) < (uses[$1] ?? 0, $0.count) }
        }
        return chosen
    }
}
