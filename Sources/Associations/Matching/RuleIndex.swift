/// Which rules are worth a look for a URL, so that thousands need none.
///
/// A pattern that contains some literal text can match only texts that contain it too. For each
/// rule the rarest such text of path or query is looked for, all of them in one pass over the
/// part, one pass for each form of it that rules want. Rules without any are always candidates.
struct RuleIndex: Sendable {
    private let always: [UInt64]
    private let finders: [(place: Place, finder: LiteralFinder)]

    /// Where literals are looked for.
    private struct Place: Hashable, Sendable {
        let isPath: Bool
        let variant: TextVariant
    }

    private struct Key: Hashable {
        let place: Place
        let literal: ArraySlice<UInt8>
    }

    init(_ rules: [CompiledRule]) {
        var always = BitRow(words: (rules.count + 63) / 64)
        let keys = Self.rarest(rules.map(Self.keys))
        var literals = [Place: [Int: ArraySlice<UInt8>]]()
        for (rule, key) in keys.enumerated() {
            guard let key else {
                always.insert(rule)
                continue
            }
            literals[key.place, default: [:]][rule] = key.literal
        }
        finders = literals.map { place, literals in (place, LiteralFinder(literals)) }
        for rule in finders.flatMap(\.finder.leftOver) { always.insert(rule) }
        self.always = always.words
    }

    /// Sets the bits of the rules that may match.
    func findCandidates(_ scratch: inout MatchScratch) {
        scratch.candidates.removeAll(keepingCapacity: true)
        scratch.candidates += always
        for (place, finder) in finders {
            let text =
                place.isPath
                ? scratch.texts.path(place.variant) : scratch.texts.query(place.variant)
            finder.find(in: text.span, &scratch)
        }
    }

    /// Every literal without which the rule cannot match. A query item's must stand in the whole
    /// query, since a missing item is empty.
    private static func keys(_ rule: CompiledRule) -> [Key] {
        let path = rule.path.map { keys($0, Place(isPath: true, variant: rule.variant)) } ?? []
        let place = Place(isPath: false, variant: rule.variant)
        return switch rule.query {
        case nil: path
        case .whole(let pattern): path + keys(pattern, place)
        case .items(let items): path + items.flatMap { keys($0.pattern, place) }
        }
    }

    private static func keys(_ pattern: Pattern, _ place: Place) -> [Key] {
        pattern.literals.map { Key(place: place, literal: $0.suffix(LiteralFinder.bytesMax)) }
    }

    /// For each rule the literal that fewest others share, the longest among equals.
    private static func rarest(_ keys: [[Key]]) -> [Key?] {
        var uses = [Key: Int]()
        for key in keys.flatMap(Set.init) { uses[key, default: 0] += 1 }
        return keys.map { own in
            own.min { left, right in
                (uses[left] ?? 0, right.literal.count) < (uses[right] ?? 0, left.literal.count)
            }
        }
    }
}
