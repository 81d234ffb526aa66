/// A virtual host of Apache, or what is outside of all.
struct VirtualHost {
    var names = [String]()
    var isSecure = false
    var documents: String?
    /// mod_rewrite comes before mod_alias.
    var rewrites = RedirectFile()
    var aliases = RedirectFile()
    /// The conditions of the next rule.
    var conditions = RewriteConditions()
    var isChained = false
    /// The number of rules that a rule with `S` can leave out.
    var skipped = 0
    /// Paths that a rule with `L` keeps from later ones.
    private var kept = [ExcludedPaths]()
    /// Destinations that later rules would go on with, and where their rules are.
    private var unended = [
        (destination: RewrittenDestination, rules: Range<Int>, source: SourceLine)
    ]()
    /// Each meets all later rules, so that their number is bounded.
    private static let keptMax = 100

    /// Keeps the paths of an expression from later rules.
    /// - Returns: whether patterns can say that.
    mutating func keep(_ expression: String, isCaseSensitive: Bool, below base: String?) -> Bool {
        guard kept.count < Self.keptMax,
            let pattern = try? RegexPattern(expression, below: base), pattern.notes.isEmpty
        else { return false }
        let found = pattern.variants.map { $0.pattern.finished() }
        guard found.allSatisfy(\.exclude.isEmpty),
            pattern.variants.allSatisfy({ $0.pattern.emptyStar == nil })
        else { return false }
        kept += found.map { ExcludedPaths(pattern: $0.match, isCaseSensitive: isCaseSensitive) }
        return true
    }

    /// Takes note of the rules of a line.
    mutating func addRules(from start: Int, _ words: [String], isLast: Bool, _ source: SourceLine) {
        for number in start..<rewrites.rules.count {
            rewrites.exclude(kept, fromRule: number)
        }
        guard !isLast, start < rewrites.rules.count else { return }
        unended.append((RewrittenDestination(words[1]), start..<rewrites.rules.count, source))
    }

    /// A rule without `L` gives its URL to the later ones. Where one of them can match it, the
    /// first is not the whole story.
    mutating func endRulesBefore(_ words: [String], _ source: SourceLine) {
        guard let expression = words.first, !unended.isEmpty else { return }
        let start = ExpressionStart(expression)
        let split = unended.partition { start.canMatch($0.destination) }
        let going = unended[split...].sorted { $0.rules.lowerBound < $1.rules.lowerBound }
        unended.removeSubrange(split...)
        for (_, range, first) in going {
            for number in range { rewrites.drop(number) }
            rewrites.skip(
                first, "it has no L, and line \(source.line) goes on with its destination")
        }
    }
}
