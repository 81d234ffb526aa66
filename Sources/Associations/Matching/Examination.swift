private import Diagnostics
private import URISyntax

/// Compares one URL with each part of a rule, and with other interpretations of the rule and the
/// URL.
struct Examination {
    let url: LinkURL
    var variables: Variables
    var texts = URLTexts()
    private var memory = MatchMemory()

    init(_ url: LinkURL, _ variables: Variables) {
        self.url = url
        self.variables = variables
        texts.look(at: url)
    }

    mutating func examine(_ rule: CompiledRule, _ text: RuleText) -> RuleFinding {
        let failures = failures(rule, text)
        let path = text.path.map { commonBytes($0, rule.variant) } ?? 0
        return RuleFinding(
            failures: failures,
            caveats: caveats(rule, text, matches: failures.isEmpty),
            nearness: Nearness(
                isPathMatched: text.path != nil && !failures.contains { $0.part == .path },
                failures: failures.count, pathBytes: path))
    }

    /// Every part that does not match, the path first.
    private mutating func failures(_ rule: CompiledRule, _ text: RuleText) -> [PartFailure] {
        var failures = [PartFailure]()
        func add(_ part: LinkPart, _ pattern: String, _ compiled: Pattern, _ text: [UInt8]?) {
            failures.append(
                PartFailure(
                    part: part, pattern: pattern,
                    text: String(decoding: text ?? [], as: UTF8.self), isMissing: text == nil,
                    fault: compiled.fault))
        }
        if let path = rule.path, let pattern = text.path {
            let seen = texts.path(rule.variant)
            if !path.matches(seen.span, &memory) { add(.path, pattern, path, seen) }
        }
        switch (rule.query, text.query) {
        case (.whole(let query)?, .whole(let pattern)?):
            let seen = texts.query(rule.variant)
            if !query.matches(seen.span, &memory) {
                add(.query, pattern, query, url.queryRange == nil ? nil : seen)
            }
        case (.items(let items)?, .items(let patterns)?):
            for (item, pattern) in zip(items, patterns) {
                guard case .fails(let value) = outcome(item, rule.variant) else { continue }
                add(.queryItem(pattern.name), pattern.pattern, item.pattern, value)
            }
        default: break
        }
        if let fragment = rule.fragment, let pattern = text.fragment {
            let seen = texts.fragment(rule.variant)
            if !fragment.matches(seen.span, &memory) {
                add(.fragment, pattern, fragment, url.fragmentRange == nil ? nil : seen)
            }
        }
        return failures
    }

    /// The values of all query items with the rule's name; one empty value if there is none.
    mutating func values(of item: CompiledRule.Item, _ variant: TextVariant) -> [[UInt8]] {
        var values = [[UInt8]]()
        var found = false
        _ = texts.items(named: item.name, variant, found: &found) { value in
            var bytes = [UInt8]()
            append(value, to: &bytes)
            values.append(bytes)
            return true
        }
        return found ? values : [[]]
    }

    private enum ItemOutcome {
        case holds
        /// With the value that fails, or nil if the item is missing.
        case fails([UInt8]?)
    }

    private mutating func outcome(
        _ item: CompiledRule.Item, _ variant: TextVariant
    ) -> ItemOutcome {
        var (found, failing) = (false, [UInt8]())
        var memory = MatchMemory()
        let holds = texts.items(named: item.name, variant, found: &found) { value in
            if item.pattern.matches(value, &memory) { return true }
            append(value, to: &failing)
            return false
        }
        guard holds else { return .fails(failing) }
        return found || item.pattern.matches([UInt8]().span, &memory) ? .holds : .fails(nil)
    }

    /// The number of bytes at the beginning of the path that agree with a pattern.
    private mutating func commonBytes(_ pattern: String, _ variant: TextVariant) -> Int {
        var wanted = [UInt8]()
        TextVariant(decoded: false, folded: variant.isFolded)
            .write(Array(pattern.utf8).span, isPath: true, into: &wanted)
        return commonBytes(wanted, variant)
    }

    /// The same with a pattern in the compared form.
    mutating func commonBytes(_ wanted: [UInt8], _ variant: TextVariant) -> Int {
        let path = texts.path(variant)
        let end = min(wanted.count, path.count)
        var count = 0
        while count < end, wanted[count] == path[count] { count += 1 }
        return count
    }
}

/// The result for one rule; it matches if there are no failures.
struct RuleFinding {
    let failures: [PartFailure]
    let caveats: [LinkCaveat]
    let nearness: Nearness
}

/// The nearness of a rule to a match.
struct Nearness: Comparable {
    let isPathMatched: Bool
    let failures: Int
    let pathBytes: Int

    /// All paths have the first slash in common.
    var isWorthMentioning: Bool { isPathMatched || pathBytes > 1 }

    static func < (left: Nearness, right: Nearness) -> Bool {
        if left.isPathMatched != right.isPathMatched { return right.isPathMatched }
        if left.isPathMatched, left.failures != right.failures {
            return left.failures > right.failures
        }
        return left.pathBytes < right.pathBytes
    }
}

/// A caveat is reported only if it changes the verdict: if another interpretation of the rule or
/// the URL has another result.
extension Examination {
    mutating func caveats(_ rule: CompiledRule, _ text: RuleText, matches: Bool) -> [LinkCaveat] {
        var caveats = [LinkCaveat]()
        for (caveat, isDoubtful) in doubts(about: text) {
            // The doubtful part may match or fail, so the verdict is in doubt only if the other
            // parts match.
            if isMatch(text.without(isDoubtful), url) { caveats.append(caveat) }
        }
        for (caveat, other) in readings(of: text, matches: matches)
        where isMatch(other, url) != matches { caveats.append(caveat) }
        for (caveat, other) in url.readings(for: text)
        where isMatch(rule, other) != matches { caveats.append(caveat) }
        // A system may put one character (U+FFFD) in the place of what it cannot decode.
        if !text.percentEncoded, !caveats.contains(.undecodableEscape),
            url.replacingUndecodable.contains(where: { isMatch(rule, $0) != matches })
        {
            caveats.append(.undecodableEscape)
        }
        if let (folded, other) = folding(of: text), isMatch(folded, other) != matches {
            caveats.append(.letterFolding)
        }
        guard matches else { return caveats }
        // A system may also decode nothing of such a part, and compare it with no pattern.
        if !text.percentEncoded, !caveats.contains(.undecodableEscape),
            text.comparedRanges(of: url).contains(where: { !url.isDecodable($0) })
        {
            caveats.append(.undecodableEscape)
        }
        if rule.patterns.contains(where: \.mayBeTooComplex) { caveats.append(.nesting) }
        if text.inheritsExclude { caveats.append(.legacyDefaults) }
        if endsBehindStar(rule, text) { caveats.append(.nothingAfterStar) }
        if let name = listedCode(text) { caveats.append(.codeList(name)) }
        return caveats
    }

    /// The rule and the URL as a system reads them that folds letters where others take their lower
    /// case; nil if there is no such letter.
    private func folding(of rule: RuleText) -> (RuleText, LinkURL)? {
        guard !rule.caseSensitive, !rule.percentEncoded else { return nil }
        let folded = rule.map(LetterFolding.fold)
        let other = LetterFolding.fold(url)
        return other == nil && folded == rule ? nil : (folded, other ?? url)
    }

    /// The variable that stands for a code which some systems do not know, if the rule matches only
    /// because of this code.
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

    /// Whether some part matches only if the pattern after a star matches nothing at the end.
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
            // The value of one item contains no separators.
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

    /// The possible reasons for doubt about patterns, and the patterns that each concerns.
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

/// Variables of one rule that are checked; more caveats would not help a reader.
private let doubtsMax = 8

extension RuleText {
    /// The patterns of all its parts.
    var patterns: [String] { [path, fragment].compactMap(\.self) + (query?.patterns ?? []) }

    /// The parts of a URL that the rule compares.
    fileprivate func comparedRanges(of url: LinkURL) -> [Range<Int>] {
        [
            path == nil ? nil : url.pathRange, query == nil ? nil : url.queryRange,
            fragment == nil ? nil : url.fragmentRange,
        ].compactMap(\.self)
    }

    /// The rule with other patterns.
    fileprivate func map(_ change: (String) -> String) -> RuleText {
        var rule = self
        rule.path = path.map(change)
        rule.fragment = fragment.map(change)
        switch query {
        case nil: break
        case .whole(let pattern): rule.query = .whole(change(pattern))
        case .items(let items):
            rule.query = .items(
                items.map { item in
                    var item = item
                    item.pattern = change(item.pattern)
                    return item
                })
        }
        return rule
    }

    /// The rule without the parts that have doubtful patterns.
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
