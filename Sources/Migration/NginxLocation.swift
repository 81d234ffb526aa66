/// A location of nginx, and the paths that it takes.
struct NginxLocation {
    let directive: NginxDirective
    let kind: Kind
    let path: String
    var isCaseSensitive = true

    enum Kind: Int { case exact, firstPrefix, expression, prefix }

    init?(_ directive: NginxDirective) {
        guard directive.name == "location", let first = directive.words.first else { return nil }
        self.directive = directive
        let kinds: [String: Kind] = [
            "=": .exact, "^~": .firstPrefix, "~": .expression, "~*": .expression,
        ]
        if let kind = kinds[first], directive.words.count > 1 {
            (self.kind, path) = (kind, directive.words[1])
            isCaseSensitive = first != "~*"
        } else {
            (kind, path) = (.prefix, first)
        }
        guard kind == .expression || path.utf8.first == UInt8(ascii: "/") else { return nil }
    }

    /// The patterns of its paths. A prefix takes every path that begins with it.
    var patterns: [String] {
        switch kind {
        case .exact: [literalPattern(path, isDecoded: true)]
        case .firstPrefix, .prefix: [literalPattern(path, isDecoded: true) + "*"]
        case .expression:
            (try? RegexPattern(path))?.variants.map { $0.pattern.finished().match } ?? []
        }
    }

    /// The locations in the order in which nginx asks them: exact paths, prefixes with `^~`,
    /// regular expressions, and prefixes, the longest first.
    static func inOrder(_ block: [NginxDirective]) -> [NginxLocation] {
        let all = block.compactMap(NginxLocation.init)
        func of(_ kind: Kind) -> [NginxLocation] { all.filter { $0.kind == kind } }
        func longestFirst(_ locations: [NginxLocation]) -> [NginxLocation] {
            locations.sorted { $0.path.utf8.count > $1.path.utf8.count }
        }
        return of(.exact) + longestFirst(of(.firstPrefix)) + of(.expression)
            + longestFirst(of(.prefix))
    }
}

extension NginxLocation {
    /// Whether its patterns are not exactly its paths.
    var isRough: Bool {
        guard kind == .expression, let pattern = try? RegexPattern(path) else { return false }
        return !pattern.notes.isEmpty
            || pattern.variants.map(\.pattern).contains {
                !$0.finished().exclude.isEmpty || $0.emptyStar != nil
            }
    }

    /// The paths of a `rewrite` that are also the location's.
    struct Confined {
        var pattern: RegexPattern
        var isCaseSensitive = true
        /// Whether they are all paths of the location.
        var isComplete = false
    }

    /// - Throws: if patterns cannot say which paths belong to both.
    func confine(
        _ rewrite: RegexPattern, _ expression: String
    ) throws(RegexPattern.Refusal) -> Confined {
        if kind == .expression { return try confineToExpression(rewrite, expression) }
        let (pattern, isComplete) = try rewrite.confined(
            to: path, isPrefix: kind != .exact, "location")
        return Confined(pattern: pattern, isComplete: isComplete)
    }

    private func confineToExpression(
        _ rewrite: RegexPattern, _ expression: String
    ) throws(RegexPattern.Refusal) -> Confined {
        let own = try RegexPattern(path)
        if expression == path { return Confined(pattern: rewrite, isComplete: isCaseSensitive) }
        if rewrite.matchesEverything, let groups = rewrite.variants.first?.groups {
            var result = Confined(pattern: own, isCaseSensitive: isCaseSensitive, isComplete: true)
            for index in own.variants.indices {
                // The numbers are those of the last expression.
                let names = own.variants[index].groups.filter { Int($0.key) == nil }
                result.pattern.variants[index].groups = names.merging(groups) { $1 }
            }
            return result
        }
        let isPart = rewrite.variants.allSatisfy { variant in
            own.variants.contains { wide in
                let (text, exclude) = wide.pattern.finished()
                let literal = String(text.dropLast())
                return exclude.isEmpty && wide.pattern.emptyStar == nil
                    && text.utf8.last == UInt8(ascii: "*")
                    && !literal.utf8.contains { "*?".utf8.contains($0) }
                    && variant.pattern.confinement(to: literal, isPrefix: true) == .own
            }
        }
        guard isPart, rewrite.isCaseSensitive else { throw Self.refusal }
        return Confined(pattern: rewrite)
    }

    private static let refusal = RegexPattern.notConfined("location")
}
