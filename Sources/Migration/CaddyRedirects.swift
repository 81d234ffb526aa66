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
        var snippets = CaddySnippets(top.filter(isSnippet))
        let items = top.filter { !$0.words.isEmpty && !isSnippet($0) }
        for directive in items where directive.name == "import" && directive.block == nil {
            result.skip(directive.source, CaddySnippets.reason)
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
        var found = [CaddyEntry]()
        for directive in block { readCaddy(directive, matchers, within: nil, &found) }
        // The first block that matches is the only one.
        var taken = [ExcludedPaths]()
        for entry in CaddyEntry.inOrder(found) {
            for var rule in entry.rules {
                if entry.kind == .handle { rule.exclude += taken }
                append(rule)
            }
            guard entry.kind == .handle, !entry.answersAll else { continue }
            taken += entry.taken.map { ExcludedPaths(pattern: $0, isCaseSensitive: false) }
            if taken.count > Self.takenMax { taken = Array(taken.prefix(Self.takenMax)) }
        }
    }

    /// Blocks meet each other, so that their number is bounded.
    private static let takenMax = 100

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
        _ found: inout [CaddyEntry]
    ) {
        let isBlock = directive.name == "handle" || directive.name == "route"
        switch directive.name {
        case "redir":
            let start = rules.count
            var entry = readRedirection(directive, matchers, outer)
            entry.rules = takeRules(from: start)
            found.append(entry)
        case _ where isBlock && outer == nil:
            readBlock(directive, matchers, &found)
        case "import": skip(directive.source, CaddySnippets.reason)
        case let name where directive.isRedirecting:
            skip(directive.source, "Waymark has no \(name), and its redirects are not read")
        case "try_files"
        where directive.words.last?.utf8.suffix(5).elementsEqual(".html".utf8) == true:
            skip(
                directive.source,
                "it is not a redirect; a page for every other path is "
                    + "`unmatched: {page: /index.html, status: 200}`")
        case "reverse_proxy", "file_server", "respond", "php_fastcgi", "rewrite", "uri", "handle",
            "route", "handle_path", "error", "try_files":
            skip(directive.source, "it is not a redirect")
        default: break
        }
    }

    /// A `handle` or a `route`, which comes behind all redirects outside of it.
    private mutating func readBlock(
        _ directive: CaddyDirective, _ matchers: CaddyMatchers, _ found: inout [CaddyEntry]
    ) {
        let isHandle = directive.name == "handle"
        guard let matcher = matchers.matcher(directive.words.dropFirst().first) else {
            return skip(directive.source, "its matcher has no equal")
        }
        var inner = [CaddyEntry]()
        for each in directive.block ?? [] { readCaddy(each, matchers, within: matcher, &inner) }
        if !directive.isRedirecting { skip(directive.source, "it is not a redirect") }
        if isHandle, matcher.taken == nil {
            skip(directive.source, "blocks behind it get what it takes")
        }
        // A route keeps the order of its lines.
        var entry = CaddyEntry(kind: isHandle ? .handle : .route, matcher)
        entry.rules = (isHandle ? CaddyEntry.inOrder(inner) : inner).flatMap(\.rules)
        entry.taken = matcher.taken ?? []
        found.append(entry)
    }

    /// - Returns: where Caddy tries it.
    private mutating func readRedirection(
        _ directive: CaddyDirective, _ matchers: CaddyMatchers, _ outer: CaddyMatcher?
    ) -> CaddyEntry {
        var words = Array(directive.words.dropFirst())
        let source = directive.source
        var matcher = outer ?? CaddyMatcher()
        var entry = CaddyEntry(kind: .redirect, CaddyMatcher())
        let first = words.first ?? ""
        let isMatcher =
            words.count > 1 && (first == "*" || "/@".utf8.contains(first.utf8.first ?? 0))
            && !Self.isCaddyStatus(words[1])
        if isMatcher {
            guard matcher.isForAllPaths, var own = matchers.matcher(first),
                own.meet(matcher)
            else {
                skip(source, "its matcher has no equal")
                return entry
            }
            matcher = own
            entry = CaddyEntry(kind: .redirect, own)
            words.removeFirst()
        }
        let code = words.count > 1 ? words[1] : "302"
        guard code != "html" else {
            skip(source, "it is a page that leads on by itself, not a redirect")
            return entry
        }
        let status = ["permanent": 301, "temporary": 302][code] ?? Int(code)
        guard let target = words.first, let status, (300...399).contains(status) else {
            skip(source, "there is no destination with the status of a redirect")
            return entry
        }
        add(matcher, to: target, status, source)
        return entry
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
        let (own, keepsHost) = keepingHost(
            target, schemes: ["{scheme}://", "https://", "http://"],
            hosts: ["{host}", "{hostport}", "{http.request.host}"],
            paths: ["{uri}", "{path}", "{http.request.uri"])
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
            let match = matcher.isForAllPaths ? ["/*"] : matcher.paths
            if !match.isEmpty {
                var rule = RedirectRule(source: source, match: match, answer: found)
                rule.status = status
                rule.isCaseSensitive = matcher.isForAllPaths
                append(rule)
            }
            for glob in matcher.globs {
                add(
                    glob.expression, status: status, source, isCaseSensitive: false,
                    isDecoded: !CaddyMatcher.isEscaped(glob.text)
                ) { _ in found }
            }
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
