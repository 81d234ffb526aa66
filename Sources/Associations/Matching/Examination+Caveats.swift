private import URISyntax

/// A caveat counts only where the answer hangs on it: where another reading of the rule, or of
/// the URL, gives another one.
extension Examination {
    mutating func caveats(
        _ rule: CompiledRule, _ text: RuleText, matches: Bool
    ) -> [LinkCaveat] {
        var caveats = [LinkCaveat]()
        for (caveat, isDoubtful) in doubts(about: text) {
            // A doubtful part may hold or fail, so only the others can settle the question.
            if isMatch(text.without(isDoubtful), url) { caveats.append(caveat) }
        }
        for (caveat, other) in readings(of: text, matches: matches)
        where isMatch(other, url) != matches { caveats.append(caveat) }
        for (caveat, other) in url.readings(for: text)
        where isMatch(rule, other) != matches { caveats.append(caveat) }
        guard matches else { return caveats }
        if rule.patterns.contains(where: \.mayBeTooComplex) { caveats.append(.nesting) }
        if rule.patterns.contains(where: \.mayEndAfterStar) { caveats.append(.nothingAfterStar) }
        return caveats
    }

    private mutating func isMatch(_ text: RuleText, _ url: LinkURL) -> Bool {
        isMatch(CompiledRule(text, &variables), url)
    }

    private func isMatch(_ rule: CompiledRule, _ url: LinkURL) -> Bool {
        var texts = URLTexts()
        var memory = MatchMemory()
        texts.look(at: url)
        return rule.matches(&texts, &memory)
    }

    /// What makes patterns doubtful, and which ones.
    private func doubts(about rule: RuleText) -> [(LinkCaveat, (String) -> Bool)] {
        var doubts = [(LinkCaveat, (String) -> Bool)]()
        let hasBackslash = { (text: String) in text.utf8.contains(UInt8(ascii: "\\")) }
        if rule.patterns.contains(where: hasBackslash) { doubts.append((.backslash, hasBackslash)) }
        guard !variables.repeated.isEmpty else { return doubts }
        let named = Set(
            rule.patterns.flatMap { variableNames(in: $0).compactMap(\.self) }
                .map { Array($0.utf8) })
        let repeated = named.intersection(variables.repeated)
            .map { String(decoding: $0, as: UTF8.self) }.sorted()
        for name in repeated.prefix(doubtsMax) {
            let isNamed = { (text: String) in
                variableNames(in: text).contains { $0?.isScalarwise(name) == true }
            }
            doubts.append((.repeatedVariable(name), isNamed))
        }
        return doubts
    }

    private func readings(of rule: RuleText, matches: Bool) -> [(LinkCaveat, RuleText)] {
        var readings = [(LinkCaveat, RuleText)]()
        if let path = rule.path {
            var other = rule
            if !matches, path.utf8.count > 1, path.utf8.last == UInt8(ascii: "?") {
                other.path = String(decoding: path.utf8.dropLast(), as: UTF8.self)
                readings.append((.finalQuestionMark, other))
            }
            if let resolved = PathDecoding.resolvingDotSegments(Array(path.utf8)) {
                other.path = String(decoding: resolved, as: UTF8.self)
                readings.append((.dotSegment, other))
            }
        }
        if rule.isLegacy, !rule.caseSensitive || !rule.percentEncoded {
            var other = rule
            (other.caseSensitive, other.percentEncoded) = (true, true)
            readings.append((.legacyDefaults, other))
        }
        if !rule.percentEncoded, !url.escapesAreUTF8 {
            var other = rule
            other.percentEncoded = true
            readings.append((.undecodableEscape, other))
        }
        return readings
    }
}

/// Variables of one rule that are doubted; a reader of more learns nothing new.
private let doubtsMax = 8

extension RuleText {
    /// Those that are compared: of a legacy path nothing else is.
    fileprivate var patterns: [String] {
        let path = path.map { [$0] } ?? []
        return isLegacy ? path : path + (fragment.map { [$0] } ?? []) + (query?.patterns ?? [])
    }

    /// The rule without the parts whose patterns are doubtful.
    fileprivate func without(_ isDoubtful: (String) -> Bool) -> RuleText {
        var rule = self
        rule.path = path.flatMap { isDoubtful($0) ? nil : $0 }
        rule.fragment = fragment.flatMap { isDoubtful($0) ? nil : $0 }
        switch query {
        case nil: break
        case .whole(let pattern): rule.query = isDoubtful(pattern) ? nil : query
        case .items(let items): rule.query = .items(items.filter { !isDoubtful($0.pattern) })
        }
        return rule
    }
}
