private import URISyntax

extension RedirectFile {
    /// Reads the `redir` directives of a Caddyfile (Caddy, "redir"), for each host those of its
    /// block, in the order in which Caddy tries them: paths first, the longest before others, then
    /// other matchers, and then those without one.
    static func caddy(_ text: [UInt8], file: String) -> RedirectFile {
        var result = RedirectFile()
        let (top, fault) = CaddyReader.read(text, file: file)
        if let fault {
            result.faults = [fault]
            return result
        }
        let isSnippet = { (directive: CaddyDirective) in
            directive.name.utf8.first == UInt8(ascii: "(")
        }
        let snippets = CaddySnippets(top.filter(isSnippet))
        let items = top.filter { !$0.words.isEmpty && !isSnippet($0) }
        for directive in items where directive.name == "import" && directive.block == nil {
            result.skip(directive.source, "imports are not followed; give the file, too")
        }
        let sites = items.filter { $0.name != "import" || $0.block != nil }
        // A file of one site can have its addresses in the first line, and no block.
        if let first = sites.first, sites.contains(where: { $0.block == nil }) {
            let isAddress = first.block == nil && !first.isRedirecting
            result.readSite(
                isAddress ? first.words : [],
                snippets.expand(isAddress ? Array(sites.dropFirst()) : sites))
        } else {
            for site in sites { result.readSite(site.words, snippets.expand(site.block ?? [])) }
        }
        return result
    }

    private mutating func readSite(_ addresses: [String], _ block: [CaddyDirective]) {
        currentHosts = addresses.flatMap { $0.utf8.split(separator: UInt8(ascii: ",")) }.compactMap
        {
            Self.caddyHost(String(decoding: $0, as: UTF8.self))
        }
        name(currentHosts)
        let matchers = CaddyMatchers(block)
        var found = [(rank: Int, length: Int, rules: [RedirectRule])]()
        for directive in block { readCaddy(directive, matchers, within: nil, &found) }
        // The order of equal ones stays.
        let order = found.indices.sorted { left, right in
            (found[left].rank, -found[left].length, left)
                < (found[right].rank, -found[right].length, right)
        }
        for index in order { for rule in found[index].rules { append(rule) } }
    }

    /// The host of an address, which can have a scheme, a port and a path.
    private static func caddyHost(_ address: String) -> String? {
        var text = address.lowercased()[...].utf8
        for scheme in ["https://", "http://"] where text.starts(with: scheme.utf8) {
            text = text.dropFirst(scheme.utf8.count)
        }
        let host = text.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "/") }
        return host.isEmpty ? nil : String(decoding: host, as: UTF8.self)
    }

    private mutating func readCaddy(
        _ directive: CaddyDirective, _ matchers: CaddyMatchers, within outer: CaddyMatcher?,
        _ found: inout [(rank: Int, length: Int, rules: [RedirectRule])]
    ) {
        let isBlock = directive.name == "handle" || directive.name == "route"
        switch directive.name {
        case "redir":
            let start = rules.count
            let rank = readRedirection(directive, matchers, outer)
            let added = takeRules(from: start)
            found.append((rank.order, rank.length, added))
        case _ where isBlock && outer == nil && directive.isRedirecting:
            guard let matcher = matchers.matcher(directive.words.dropFirst().first) else {
                return skip(directive.source, "its matcher has no equal")
            }
            for inner in directive.block ?? [] {
                readCaddy(inner, matchers, within: matcher, &found)
            }
        case "import": skip(directive.source, "imports are not followed; give the file, too")
        case let name where directive.isRedirecting:
            skip(directive.source, "there is no \(name)")
        case "reverse_proxy", "file_server", "respond", "php_fastcgi", "rewrite", "uri", "handle",
            "route", "handle_path", "error", "try_files":
            skip(directive.source, "it is not a redirect")
        default: break
        }
    }

    /// - Returns: where Caddy tries it.
    private mutating func readRedirection(
        _ directive: CaddyDirective, _ matchers: CaddyMatchers, _ outer: CaddyMatcher?
    ) -> (order: Int, length: Int) {
        var words = Array(directive.words.dropFirst())
        let source = directive.source
        var matcher = outer ?? CaddyMatcher()
        let first = words.first ?? ""
        let isMatcher =
            words.count > 1 && (first == "*" || "/@".utf8.contains(first.utf8.first ?? 0))
            && !Self.isCaddyStatus(words[1])
        if isMatcher {
            guard outer == nil || outer?.paths.isEmpty == true, let own = matchers.matcher(first)
            else {
                skip(source, "its matcher has no equal")
                return (0, 0)
            }
            matcher = own
            words.removeFirst()
        }
        let code = words.count > 1 ? words[1] : "302"
        guard code != "html" else {
            skip(source, "it is a page that leads on by itself, not a redirect")
            return (0, 0)
        }
        let status = ["permanent": 301, "temporary": 302][code] ?? Int(code)
        guard let target = words.first, let status, (300...399).contains(status) else {
            skip(source, "there is no destination with the status of a redirect")
            return (0, 0)
        }
        add(matcher, to: target, status, source)
        let isPath = matcher.paths.count == 1
        return (
            isPath ? 0 : matcher.isEmpty ? 2 : 1,
            isPath ? matcher.paths[0].utf8.filter { $0 != UInt8(ascii: "*") }.count : 0
        )
    }

    private static func isCaddyStatus(_ word: String) -> Bool {
        ["permanent", "temporary", "html"].contains(word) || Int(word) != nil
    }

    private mutating func add(
        _ matcher: CaddyMatcher, to target: String, _ status: Int, _ source: SourceLine
    ) {
        if let reason = matcher.fault { return skip(source, reason) }
        let hosts = matcher.hosts
        let asked = hosts.isEmpty ? currentHosts : hosts
        let (own, keepsHost) = keepingHost(target)
        // Of several hosts, only the request knows which one it is.
        let host = asked.count == 1 && asked[0].utf8.first != UInt8(ascii: "*") ? asked[0] : nil
        func found(_ values: [String: String]) -> RedirectRule.Answer? {
            let filled = caddyDestination(own, values, host: host)
            return keepsHost
                ? filled.map { .own($0) } : filled.flatMap { answer(to: $0, status: status) }
        }
        let start = rules.count
        if let expression = matcher.expression {
            add(expression.text, status: status, source) { groups in
                found(
                    Dictionary(
                        groups.flatMap { [("re.\(expression.name).\($0)", $1), ("re.\($0)", $1)] },
                        uniquingKeysWith: { $1 }))
            }
        } else if let found = found([:]) {
            var rule = RedirectRule(
                source: source, match: matcher.paths.isEmpty ? ["/*"] : matcher.paths,
                answer: found)
            rule.status = status
            rule.isCaseSensitive = matcher.paths.isEmpty
            append(rule)
        } else {
            skip(source, unusableDestination)
        }
        for var rule in takeRules(from: start) {
            rule.hosts = hosts.isEmpty ? rule.hosts : hosts
            rule.keepsHost = keepsHost
            let isUpgrade =
                rule.match == ["/*"]
                && (rule.answer == .own("{path}?{query}")
                    || rule.hosts.contains {
                        rule.answer == .url("https://\($0){path}?{query}")
                    })
            if isUpgrade { pass(source, upgradeReason) } else { append(rule) }
        }
    }
}

/// The destination without a host, if it is the host of the request.
private func keepingHost(_ target: String) -> (target: String, keepsHost: Bool) {
    for scheme in ["{scheme}://", "https://", "http://"] {
        for host in ["{host}", "{hostport}", "{http.request.host}"] {
            guard target.utf8.starts(with: (scheme + host).utf8) else { continue }
            let rest = String(target.dropFirst(scheme.utf8.count + host.utf8.count))
            if rest.isEmpty || rest.utf8.first == UInt8(ascii: "?") { return ("/" + rest, true) }
            let isPath = ["/", "{uri}", "{path}", "{http.request.uri"].contains {
                rest.utf8.starts(with: $0.utf8)
            }
            if isPath { return (rest, true) }
        }
    }
    return (target, false)
}

/// The blocks that a Caddyfile imports by their names.
private struct CaddySnippets {
    private var blocks = [String: [CaddyDirective]]()

    init(_ snippets: [CaddyDirective]) {
        for snippet in snippets {
            blocks[String(snippet.name.dropFirst().dropLast())] = snippet.block ?? []
        }
    }

    /// The directives, with those of snippets that are imported without arguments. A snippet that
    /// imports is left, so that they cannot grow without bounds.
    func expand(_ directives: [CaddyDirective]) -> [CaddyDirective] {
        directives.flatMap { directive -> [CaddyDirective] in
            guard directive.name == "import", directive.words.count == 2,
                let block = blocks[directive.words[1]],
                !block.contains(where: {
                    $0.name == "import"
                        || $0.words.contains { $0.contains("{args") || $0 == "{block}" }
                })
            else { return [directive] }
            return block
        }
    }
}

/// A destination of Caddy with its placeholders; nil if one has no equal.
private func caddyDestination(
    _ text: String, _ values: [String: String], host: String?
) -> String? {
    var known = values
    let fixed = [
        "uri": "{path}?{query}", "path": "{path}", "query": "{query}", "scheme": "https",
        "http.request.uri": "{path}?{query}", "http.request.uri.path": "{path}",
        "http.request.uri.query": "{query}",
    ]
    known.merge(fixed) { $1 }
    if let host { (known["host"], known["http.request.host"]) = (host, host) }
    for (name, value) in values { known["http.regexp.\(name.dropFirst(3))"] = value }
    var (result, rest) = ("", Array(text.utf8)[...])
    while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "{") else {
            result += literalURL(CollectionOfOne(byte))
            continue
        }
        guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else { return nil }
        let name = String(decoding: rest[..<end], as: UTF8.self)
        rest = rest[(end + 1)...]
        let item = name.utf8.dropFirst("query.".utf8.count)
        if let value = known[name] {
            result += value
        } else if name.utf8.starts(with: "query.".utf8), !item.isEmpty {
            result += "{\(name)}"
        } else {
            return nil
        }
    }
    return result
}

/// A matcher of Caddy: paths, an expression and hosts. All of them must fit.
private struct CaddyMatcher {
    /// As patterns; one of them must fit. Letter case makes no difference.
    var paths = [String]()
    var expression: (name: String, text: String)?
    var hosts = [String]()
    var fault: String?

    var isEmpty: Bool { paths.isEmpty && expression == nil && hosts.isEmpty }

    mutating func add(_ words: [String]) {
        let arguments = Array(words.dropFirst())
        switch words.first {
        case "path" where paths.isEmpty && expression == nil:
            paths = arguments.map(Self.pattern)
            if arguments.isEmpty { fault = "it has no path" }
        case "host" where hosts.isEmpty: hosts = arguments.map { $0.lowercased() }
        case "path_regexp" where paths.isEmpty && expression == nil && !arguments.isEmpty:
            expression =
                arguments.count > 1 ? (arguments[0], arguments[1]) : ("", arguments[0])
        default: fault = "there is no condition such as \(words.joined(separator: " "))"
        }
    }

    static func pattern(_ path: String) -> String {
        path.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
            .map { literalPattern($0) }.joined(separator: "*")
    }
}

/// The named matchers of a site.
private struct CaddyMatchers {
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
