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
        case .exact: [literalPattern(path)]
        case .firstPrefix, .prefix: [literalPattern(path) + "*"]
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

/// The paths of locations that serve something else, which later rules must not get.
struct TakenPaths {
    private var paths = [String]()
    private var patterns = [String: [String]]()
    /// Of regular expressions.
    private var expressions = [String]()
    /// Expressions and rules meet each other, so that their number is bounded.
    private static let expressionsMax = 100

    mutating func insert(_ location: NginxLocation) {
        if location.kind == .expression {
            if expressions.count < Self.expressionsMax { expressions += location.patterns }
        } else if patterns[location.path] == nil {
            paths.append(location.path)
            patterns[location.path] = location.patterns
        }
    }

    /// The patterns to exclude from the rules of each of these locations, by its number. Of two
    /// prefixes only the longer can take a path of the other.
    func exclusions(from locations: [NginxLocation]) -> [Int: [String]] {
        var result = [Int: [String]]()
        var owners = [[UInt8]: [Int]]()
        for (number, location) in locations.enumerated() {
            switch location.kind {
            case .exact: continue
            case .firstPrefix, .prefix:
                owners[Array(location.path.utf8), default: []].append(number)
            case .expression:
                result[number] = paths.prefix(Self.expressionsMax).flatMap { patterns[$0] ?? [] }
            }
            if location.kind == .prefix { result[number, default: []] += expressions }
        }
        let lengths = Set(owners.keys.map(\.count)).sorted()
        for path in paths {
            let bytes = Array(path.utf8)
            for length in lengths where length <= bytes.count {
                for number in owners[Array(bytes[..<length])] ?? [] {
                    result[number, default: []] += patterns[path] ?? []
                }
            }
        }
        return result
    }
}
