private import Diagnostics
private import URISyntax

/// The verdicts of a matcher without the reasons of earlier rules, for many links. They are those
/// of `LinkMatcher.verdicts`, but `steps` is empty, and `nearest` is nil if a rule matches.
package struct BriefVerdicts: Sendable {
    private let matcher: LinkMatcher
    private let hints: [RuleHint]

    /// The facts about a rule before it sees a URL.
    private struct RuleHint: Sendable {
        /// Whether the rule can have a caveat for a URL although it does not match.
        let isDoubtful: Bool
        /// The path pattern in the compared form; nil if the rule has none.
        let path: [UInt8]?
        /// The bytes of it that are literal, from the beginning.
        let literalBytes: Int
    }

    package init(_ matcher: LinkMatcher) {
        self.matcher = matcher
        let hasRepeated = !matcher.matcher.variables.repeated.isEmpty
        hints = zip(matcher.matcher.texts, matcher.matcher.rules).map { text, rule in
            let path = text.path.map { pattern in
                var bytes = [UInt8]()
                TextVariant(decoded: false, folded: rule.variant.isFolded)
                    .write(Array(pattern.utf8).span, isPath: true, into: &bytes)
                return bytes
            }
            let literal = path?.prefix { !"*?$".utf8.contains($0) }
            return RuleHint(
                isDoubtful: hasRepeated || text.isDoubtful, path: path,
                literalBytes: literal?.count ?? 0)
        }
    }

    /// A verdict for each app in file order.
    package func verdicts(for url: LinkURL, _ scratch: inout MatchScratch) -> [AppVerdict] {
        var examination = Examination(url, matcher.matcher.variables)
        matcher.decide(url, &scratch)
        let isPlain = url.isPlain
        let answers = matcher.matcher.lists.indices.map {
            answer($0, isPlain: isPlain, scratch.decisions[$0], &examination)
        }
        return matcher.verdicts(of: answers).map { verdict in
            AppVerdict(
                appID: verdict.appID, verdict: verdict.verdict, rule: verdict.rule, steps: [],
                nearest: verdict.verdict == .none ? verdict.nearest : nil, caveats: verdict.caveats)
        }
    }

    private func answer(
        _ list: Int, isPlain: Bool, _ decision: LinkDecision, _ examination: inout Examination
    ) -> LinkMatcher.Answer {
        let rules = matcher.matcher.lists[list]
        let end = decision.rule.map { rules.lowerBound + $0 } ?? rules.upperBound
        var answer = LinkMatcher.Answer(decision: decision)
        func add(_ number: Int) {
            let finding = examination.examine(
                matcher.matcher.rules[number], matcher.matcher.texts[number])
            answer.findings.append((number - rules.lowerBound, finding))
        }
        for number in rules.lowerBound..<end where !isPlain || hints[number].isDoubtful {
            add(number)
        }
        if end < rules.upperBound {
            add(end)
        } else if let nearest = nearest(rules, &examination) {
            let index = nearest - rules.lowerBound
            let isKnown = answer.findings.contains { $0.index == index }
            if !isKnown { add(nearest) }
            answer.findings.sort { $0.index < $1.index }
        }
        return answer
    }

    /// The opening rule that comes nearest to the URL, although none matches.
    private func nearest(_ rules: Range<Int>, _ examination: inout Examination) -> Int? {
        var best: (rule: Int, nearness: Nearness)?
        for number in rules where !matcher.matcher.rules[number].isExcluded {
            guard let pattern = hints[number].path else { continue }
            let rule = matcher.matcher.rules[number]
            let common = examination.commonBytes(pattern, rule.variant)
            // Unless the text agrees with all that is literal, the path does not match.
            if common < hints[number].literalBytes {
                let nearness = Nearness(isPathMatched: false, failures: 1, pathBytes: common)
                if best.map({ $0.nearness < nearness }) ?? true { best = (number, nearness) }
                continue
            }
            let nearness = examination.examine(rule, matcher.matcher.texts[number]).nearness
            if best.map({ $0.nearness < nearness }) ?? true { best = (number, nearness) }
        }
        return best?.rule
    }
}

extension RuleText {
    /// Whether another interpretation of the rule may match a plain URL that the rule does not
    /// match (`Examination.caveats`).
    fileprivate var isDoubtful: Bool {
        let patterns = [path, fragment].compactMap(\.self) + (query?.patterns ?? [])
        if patterns.contains(where: { $0.utf8.contains(UInt8(ascii: "\\")) }) { return true }
        if let path {
            if path.utf8.count > 1, path.utf8.last == UInt8(ascii: "?") { return true }
            if PathDecoding.resolvingDotSegments(Array(path.utf8)) != nil { return true }
        }
        let isChanged = !caseSensitive || !percentEncoded || query != nil || fragment != nil
        if isLegacy, isChanged { return true }
        if !caseSensitive, case .items? = query { return true }
        return !caseSensitive && !percentEncoded
            && patterns.contains { !LetterFolding.fold($0).isScalarwise($0) }
    }
}
