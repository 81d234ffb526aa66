/// A matcher of Caddy: paths, an expression and hosts. All of them must fit.
struct CaddyMatcher {
    /// As patterns; one of them must fit. Letter case makes no difference.
    var paths = [String]()
    /// The paths as they are written, by whose length Caddy orders directives.
    private(set) var written = [String]()
    var expression: (name: String, text: String)?
    var hosts = [String]()
    var fault: String?

    var isEmpty: Bool { paths.isEmpty && expression == nil && hosts.isEmpty }

    mutating func add(_ words: [String]) {
        let arguments = Array(words.dropFirst())
        switch words.first {
        case "path" where paths.isEmpty && expression == nil:
            written = arguments
            paths = arguments.map(Self.pattern)
            if arguments.isEmpty { fault = "it has no path" }
        case "host" where hosts.isEmpty: hosts = arguments.map { $0.lowercased() }
        case "path_regexp" where paths.isEmpty && expression == nil && !arguments.isEmpty:
            expression =
                arguments.count > 1 ? (arguments[0], arguments[1]) : ("", arguments[0])
        default: fault = "there is no condition such as \(words.joined(separator: " "))"
        }
    }

    /// The patterns of its paths, as far as they are only paths; nil for other conditions.
    var taken: [String]? {
        if isEmpty { return ["/*"] }
        return expression == nil && hosts.isEmpty && fault == nil ? paths : nil
    }

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
