extension RegexPattern {
    /// The expression for the paths of a place only.
    /// - Parameters:
    ///   - path: the path of the place, or what all of its paths begin with.
    ///   - place: what the place is called.
    /// - Returns: the patterns, of which there are none if no path fits both, and whether they match
    ///   all paths of the place.
    func confined(
        to path: String, isPrefix: Bool, _ place: String
    ) throws(Refusal) -> (pattern: RegexPattern, isComplete: Bool) {
        guard isCaseSensitive || matchesEverything else { throw Self.notConfined(place) }
        var (result, isComplete) = (self, false)
        let literal = literalPattern(path, isDecoded: true)
        let whole = literal + (isPrefix ? "*" : "")
        result.variants = []
        for var variant in variants {
            switch variant.pattern.confinement(to: literal, isPrefix: isPrefix) {
            case .own: break
            case .nothing: continue
            case .unclear: throw Self.notConfined(place)
            case .literal(let star):
                variant.pattern = StarPattern(literal)
                if isPrefix { variant.pattern.openEnd() }
                let value = star + (isPrefix ? "{1}" : "")
                for (name, text) in variant.groups {
                    let parts = text.split(separator: "{1}", omittingEmptySubsequences: false)
                    variant.groups[name] = parts.joined(separator: value)
                }
            }
            let (match, exclude) = variant.pattern.finished()
            isComplete = isComplete || (match == whole && exclude.isEmpty)
            result.variants.append(variant)
        }
        return (result, isComplete)
    }

    static func notConfined(_ place: String) -> Refusal {
        Refusal(reason: "no pattern says which of its paths belong to its \(place)")
    }
}
