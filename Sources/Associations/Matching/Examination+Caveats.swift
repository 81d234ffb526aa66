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
        if text.inheritsExclude { caveats.append(.legacyDefaults) }
        if endsBehindStar(rule, text) { caveats.append(.nothingAfterStar) }
        if let name = listedCode(text) { caveats.append(.codeList(name)) }
        return caveats
    }

    /// The variable that stands for a code which not every system knows, where the rule matches by
    /// that alone.
    private func listedCode(_ rule: RuleText) -> String? {
        let names = rule.patterns.flatMap { variableNames(in: $0).compactMap(\.self) }
        let lists = [("region", ISOCodes.otherRegions), ("lang", ISOCodes.newLanguages)]
        let named = lists.first { name, codes in
            names.contains(name) && variables.own[Array(name.utf8)] == nil
                && codes.contains(where: url.mentions)
        }
        guard let named else { return nil }
        var established = variables.established
        return isMatch(CompiledRule(rule, &established), url) ? nil : named.0
    }

    /// Whether some part matches only where what follows a star stands for nothing at the end.
    private mutating func endsBehindStar(_ rule: CompiledRule, _ text: RuleText) -> Bool {
        func isBehindStar(
            _ pattern: String, _ part: PatternAutomaton.Part, _ compiled: Pattern, _ seen: [UInt8]
        ) -> Bool {
            guard compiled.mayEndAfterStar else { return false }
            var automaton = PatternAutomaton()
            let source = PatternAutomaton.Source(
                part: part, text: Array(pattern.utf8), caseSensitive: text.caseSensitive,
                percentEncoded: text.percentEncoded)
            automaton.add(source, number: 0, &variables)
            return automaton.endsBehindStar(seen)
        }
        if let path = rule.path, let pattern = text.path,
            isBehindStar(pattern, .path, path, texts.path(rule.variant))
        {
            return true
        }
        if let fragment = rule.fragment, let pattern = text.fragment,
            isBehindStar(pattern, .fragment, fragment, texts.fragment(rule.variant))
        {
            return true
        }
        switch (rule.query, text.query) {
        case (.whole(let query)?, .whole(let pattern)?):
            return isBehindStar(pattern, .query, query, texts.query(rule.variant))
        case (.items(let items)?, .items(let patterns)?):
            // For one value, which separators cannot stand in.
            return zip(items, patterns).contains { item, pattern in
                values(of: item, rule.variant).contains {
                    isBehindStar(pattern.pattern, .fragment, item.pattern, $0)
                }
            }
        default: return false
        }
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
        if rule.isLegacy {
            var other = rule
            (other.caseSensitive, other.percentEncoded) = (true, true)
            (other.query, other.fragment) = (nil, nil)
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
    fileprivate var patterns: [String] {
        [path, fragment].compactMap(\.self) + (query?.patterns ?? [])
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
