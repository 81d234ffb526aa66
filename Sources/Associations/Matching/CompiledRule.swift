/// A rule with compiled patterns. It is a class, so that trying it copies nothing.
final class CompiledRule: Sendable {
    let variant: TextVariant
    let isExcluded: Bool
    let path: Pattern?
    let query: Query?
    let fragment: Pattern?

    enum Query: Sendable {
        case whole(Pattern)
        case items([Item])
    }

    struct Item: Sendable {
        let name: [UInt8]
        let pattern: Pattern
    }

    init(_ text: RuleText, _ variables: inout Variables) {
        let folded = !text.caseSensitive
        variant = TextVariant(decoded: !text.percentEncoded, folded: folded)
        isExcluded = text.exclude
        func compile(_ pattern: String, isPath: Bool) -> Pattern {
            var bytes = [UInt8]()
            // Patterns are not decoded: they have to be written in the form of the compared text.
            TextVariant.written.write(Array(pattern.utf8).span, isPath: isPath, into: &bytes)
            return Pattern(bytes, folded: folded, &variables)
        }
        path = text.path.map { compile($0, isPath: true) }
        fragment = text.fragment.map { compile($0, isPath: false) }
        query =
            switch text.query {
            case nil: nil
            case .whole(let pattern): .whole(compile(pattern, isPath: false))
            case .items(let items):
                .items(
                    items.map {
                        Item(name: Array($0.name.utf8), pattern: compile($0.pattern, isPath: false))
                    })
            }
    }

    /// The patterns of all parts.
    var patterns: [Pattern] {
        let queries: [Pattern] =
            switch query {
            case nil: []
            case .whole(let pattern): [pattern]
            case .items(let items): items.map(\.pattern)
            }
        return [path, fragment].compactMap(\.self) + queries
    }

    /// Whether all parts match. It stops at the first part that does not.
    func matches(_ texts: inout URLTexts, _ memory: inout MatchMemory) -> Bool {
        if path?.matches(texts.path(variant).span, &memory) == false { return false }
        if fragment?.matches(texts.fragment(variant).span, &memory) == false { return false }
        switch query {
        case nil: return true
        case .whole(let pattern): return pattern.matches(texts.query(variant).span, &memory)
        case .items(let items):
            for item in items where !item.matches(&texts, variant, &memory) { return false }
            return true
        }
    }
}

extension CompiledRule.Item {
    /// Whether every item with this name matches; a missing item counts as an empty one.
    func matches(
        _ texts: inout URLTexts, _ variant: TextVariant, _ memory: inout MatchMemory
    ) -> Bool {
        var found = false
        let holds = texts.items(named: name, variant, found: &found) { value in
            pattern.matches(value, &memory)
        }
        return holds && (found || pattern.matches([UInt8]().span, &memory))
    }
}
