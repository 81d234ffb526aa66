/// Looks closely at rules for one URL: every part of them, and other readings of both.
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

    /// Every part that fails, the path first.
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

    /// The values of every item of the query that the rule names, or an empty one.
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
        /// With the value that fails, or nil when the item is missing.
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

    /// How far the path agrees with a pattern, byte by byte.
    private mutating func commonBytes(_ pattern: String, _ variant: TextVariant) -> Int {
        var wanted = [UInt8]()
        TextVariant(decoded: false, folded: variant.isFolded)
            .write(Array(pattern.utf8).span, isPath: true, into: &wanted)
        return zip(wanted, texts.path(variant)).prefix { $0 == $1 }.count
    }
}

/// What looking at one rule found; no failures means that it matches.
struct RuleFinding {
    let failures: [PartFailure]
    let caveats: [LinkCaveat]
    let nearness: Nearness
}

/// How near a rule came to matching.
struct Nearness: Comparable {
    let isPathMatched: Bool
    let failures: Int
    let pathBytes: Int

    /// A slash is common to all paths.
    var isWorthMentioning: Bool { isPathMatched || pathBytes > 1 }

    static func < (left: Nearness, right: Nearness) -> Bool {
        if left.isPathMatched != right.isPathMatched { return right.isPathMatched }
        if left.isPathMatched, left.failures != right.failures {
            return left.failures > right.failures
        }
        return left.pathBytes < right.pathBytes
    }
}
