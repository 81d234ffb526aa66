/// A matcher of Caddy: paths, an expression and hosts. All of them must fit.
struct CaddyMatcher {
    /// As patterns; one of them must fit. Letter case makes no difference.
    var paths = [String]()
    /// Paths with wildcards within them, as they are written, each with its expression.
    private(set) var globs = [(text: String, expression: String)]()
    /// The paths as they are written, by whose length Caddy orders directives.
    private(set) var written = [String]()
    var expression: (name: String, text: String)?
    var hosts = [String]()
    var fault: String?

    var isEmpty: Bool { isForAllPaths && hosts.isEmpty }
    var isForAllPaths: Bool { paths.isEmpty && globs.isEmpty && expression == nil }

    mutating func add(_ words: [String]) {
        let arguments = Array(words.dropFirst())
        switch words.first {
        case "path" where isForAllPaths:
            written = arguments
            paths = arguments.filter { !Self.isGlob($0) }.map(Self.pattern)
            globs = arguments.filter(Self.isGlob).map { ($0, Self.expression($0)) }
            if arguments.isEmpty { fault = "it has no path" }
        case "host" where hosts.isEmpty: hosts = arguments.map { $0.lowercased() }
        case "path_regexp" where isForAllPaths && !arguments.isEmpty:
            expression = arguments.count > 1 ? (arguments[0], arguments[1]) : ("", arguments[0])
        default: fault = "there is no condition such as \(words.joined(separator: " "))"
        }
    }

    /// Takes over the hosts of a matcher around it.
    /// - Returns: whether that is all that both say.
    mutating func meet(_ outer: CaddyMatcher) -> Bool {
        fault = fault ?? outer.fault
        guard hosts.isEmpty || outer.hosts.isEmpty else { return false }
        hosts += outer.hosts
        return true
    }

    /// The patterns of its paths, as far as they are only paths; nil for other conditions.
    var taken: [String]? {
        if isEmpty { return ["/*"] }
        return globs.isEmpty && expression == nil && hosts.isEmpty && fault == nil ? paths : nil
    }

    /// Whether a path is compared as a glob, whose stars stay in one segment. A single star at an
    /// end, and one at each, take any text in paths without an escape.
    private static func isGlob(_ path: String) -> Bool {
        let stars = path.utf8.count { $0 == star }
        let (begins, ends) = (path.utf8.first == star, path.utf8.last == star)
        let isOpen = stars == 1 ? begins || ends : stars == 2 && begins && ends
        guard path != "*", !isOpen || isEscaped(path) else { return false }
        return path.utf8.contains { "*?[\\".utf8.contains($0) }
    }

    /// Whether a path is compared with its escapes.
    static func isEscaped(_ path: String) -> Bool { path.utf8.contains(UInt8(ascii: "%")) }

    /// A glob (Go, "path.Match") as a regular expression.
    private static func expression(_ glob: String) -> String {
        var (result, rest) = (Array("^".utf8), Array(glob.utf8)[...])
        while let byte = rest.popFirst() {
            switch byte {
            case star: result += "[^/]*".utf8
            case UInt8(ascii: "?"): result += "[^/]".utf8
            case UInt8(ascii: "["):
                let end = rest.firstIndex(of: UInt8(ascii: "]")) ?? rest.endIndex
                result += [byte] + rest[..<end]
                rest = rest[end...]
                if rest.popFirst() != nil { result.append(UInt8(ascii: "]")) }
            case UInt8(ascii: "\\"):
                result += literalExpression(rest.prefix(1))
                rest = rest.dropFirst()
            default: result += literalExpression(CollectionOfOne(byte))
            }
        }
        return String(decoding: result + "$".utf8, as: UTF8.self)
    }

    private static let star = UInt8(ascii: "*")

    static func pattern(_ path: String) -> String {
        path.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
            .map { literalPattern($0) }.joined(separator: "*")
    }
}

/// The named matchers of a site.
struct CaddyMatchers {
    private var named = [String: CaddyMatcher]()

    init(_ block: [CaddyDirective]) {
        for directive in block where directive.name.utf8.first == UInt8(ascii: "@") {
            var matcher = CaddyMatcher()
            if directive.words.count > 1 { matcher.add(Array(directive.words.dropFirst())) }
            for condition in directive.block ?? [] { matcher.add(condition.words) }
            named[directive.name] = matcher
        }
    }

    /// The matcher of a directive's first word; nil if it is not known.
    func matcher(_ word: String?) -> CaddyMatcher? {
        guard let word, word != "*" else { return CaddyMatcher() }
        guard word.utf8.first == UInt8(ascii: "/") else { return named[word] }
        var matcher = CaddyMatcher()
        matcher.add(["path", word])
        return matcher
    }
}
