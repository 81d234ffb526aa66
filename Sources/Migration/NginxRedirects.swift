private import URISyntax

extension RedirectFile {
    /// Reads the `return` and `rewrite` directives of an nginx configuration (nginx, "Module
    /// ngx_http_rewrite_module"), for each host those of the server that answers it over https.
    static func nginx(_ text: [UInt8], file: String) -> RedirectFile {
        var result = RedirectFile()
        let (top, fault) = NginxReader.read(text, file: file)
        if let fault {
            result.faults = [fault]
            return result
        }
        let blocks = top.flatMap { $0.all("server") }.compactMap(\.block)
        let others = top.filter { directive in
            directive.all("server").allSatisfy { $0.block == nil }
        }
        if !others.isEmpty, blocks.isEmpty || others.contains(where: \.isRedirecting) {
            result.readServer(others, hosts: [])
        }
        result.readServers(blocks.map(NginxServer.init))
        for map in top.flatMap({ $0.all("map") }) {
            result.skip(map.source, "maps are not read; give their entries as a CSV file")
        }
        return result
    }

    private mutating func readServers(_ servers: [NginxServer]) {
        // Plain HTTP is redirected to https, so that only a host without TLS gets those of http.
        var owners = [String: Int]()
        let inOrder =
            servers.indices.filter { servers[$0].isSecure }
            + servers.indices.filter { !servers[$0].isSecure }
        for number in inOrder {
            for host in servers[number].hosts where owners[host] == nil { owners[host] = number }
        }
        for (number, server) in servers.enumerated() {
            let own = server.hosts.filter { owners[$0] == number }
            name(own)
            for (name, source) in server.otherNames {
                skip(source, "\(name) is not the name of a host, and hosts have whole names here")
            }
            if !own.isEmpty || owners.isEmpty {
                readServer(server.block, hosts: own)
            } else {
                skipServer(server, Set(owners.keys))
            }
        }
    }

    /// A server whose hosts another one answers, or that answers hosts without a name.
    private mutating func skipServer(_ server: NginxServer, _ owned: Set<String>) {
        let redirecting = server.block.filter(\.isRedirecting)
        for directive in redirecting {
            let target = directive.name == "return" ? directive.words.last ?? "" : ""
            let host =
                target.utf8.starts(with: "https://".utf8) && target.hasSuffix("$request_uri")
                ? String(target.dropFirst(8).dropLast(12)) : ""
            if host.utf8.first == UInt8(ascii: "$") || owned.contains(host) && !server.hosts.isEmpty
            {
                pass(directive.source, upgradeReason)
            } else {
                let names = server.nameSource.map { " of \($0.text)" } ?? ""
                skip(
                    directive.source,
                    server.hosts.isEmpty
                        ? "the server\(names) is for hosts that have no name here"
                        : "plain HTTP is redirected to https, where another server answers")
            }
        }
    }

    private mutating func readServer(_ block: [NginxDirective], hosts: [String]) {
        currentHosts = hosts
        var values = [
            "scheme": "https", "request_uri": "{path}?{query}", "uri": "{path}",
            "document_uri": "{path}", "args": "{query}", "query_string": "{query}", "is_args": "?",
        ]
        if let host = hosts.first(where: { $0.utf8.first != UInt8(ascii: "*") }) {
            for name in ["host", "http_host", "server_name"] { values[name] = host }
        }
        for page in block where page.name == "error_page" && page.words.first == "404" {
            if let path = page.words.last, path.utf8.first == UInt8(ascii: "/") {
                answerRest(with: path, status: 404, page.source)
            }
        }
        skipIncludes(block)
        // The server's own directives come before all locations, up to a `return`.
        for directive in block {
            read(directive, values, within: nil)
            guard directive.name == "return" else { continue }
            for location in block where location.name == "location" && location.isRedirecting {
                skip(location.source, "the server's own `return` comes before it")
            }
            return
        }
        readLocations(block, values)
    }

    private mutating func skipIncludes(_ block: [NginxDirective]) {
        for directive in block where directive.name == "include" {
            let path = directive.words.first ?? ""
            let isHarmless = ["mime.types", "params", "ssl", "fastcgi", "letsencrypt"].contains {
                path.contains($0)
            }
            if !isHarmless {
                skip(directive.source, "includes are not followed; give the file, too")
            }
        }
    }

    private mutating func readLocations(
        _ block: [NginxDirective], _ values: [String: String]
    ) {
        var taken = TakenPaths()
        var locations = [NginxLocation]()
        var ranges = [Range<Int>]()
        for location in NginxLocation.inOrder(block) {
            let (start, skipped) = (rules.count, untranslated.count)
            for inner in location.directive.block ?? [] { read(inner, values, within: location) }
            skipIncludes(location.directive.block ?? [])
            let isComplete = (location.directive.block ?? []).contains { $0.name == "return" }
            if isComplete, untranslated.count == skipped {
                locations.append(location)
                ranges.append(start..<rules.count)
                continue
            }
            taken.insert(location)
            if !location.directive.isRedirecting {
                skip(location.directive.source, "what it serves is not a redirect")
            }
        }
        for (number, patterns) in taken.exclusions(from: locations) {
            for rule in ranges[number] { exclude(patterns, fromRule: rule) }
        }
    }

    /// - Parameter location: nil for a directive of the server.
    private mutating func read(
        _ directive: NginxDirective, _ values: [String: String], within location: NginxLocation?
    ) {
        switch directive.name {
        case "return": readReturn(directive, values, location)
        case "rewrite": readRewrite(directive, values)
        case "if" where directive.isRedirecting:
            skip(directive.source, "there is no `if`")
        case "location" where location != nil && directive.isRedirecting:
            skip(directive.source, "it is a location within another one")
        default: break
        }
    }

    private mutating func readReturn(
        _ directive: NginxDirective, _ values: [String: String], _ location: NginxLocation?
    ) {
        let source = directive.source
        let status = directive.words.first.flatMap { Int($0) }
        let url = status == nil ? directive.words.first : directive.words.dropFirst().first
        let code = status ?? 302
        guard (300...399).contains(code) || [403, 404, 410].contains(code) else {
            return skip(source, "there is no answer with status \(code) and a text")
        }
        let target = code < 400 ? url : nil
        if code < 400, target == nil { return skip(source, "there is no URL") }
        if let location, location.kind == .expression {
            return add(
                location.path, status: code, source, isCaseSensitive: location.isCaseSensitive
            ) { groups in
                guard let target else { return .notFound }
                let filled = FilledDestination.nginx(target, values.merging(groups) { $1 })
                return filled.flatMap { answer(to: $0, status: code) }
            }
        }
        let patterns = location?.patterns ?? ["/*"]
        guard let target else { return refuse(patterns, code, source) }
        guard let filled = FilledDestination.nginx(target, values),
            let found = answer(to: filled, status: code)
        else { return skip(source, unusableDestination) }
        var rule = RedirectRule(source: source, match: patterns, answer: found)
        if location == nil {
            if target == "https://$host$request_uri" { return pass(source, upgradeReason) }
            let upgraded = currentHosts.filter { filled == "https://\($0){path}?{query}" }
            rule.hosts = currentHosts.filter { !upgraded.contains($0) }
            if !upgraded.isEmpty, rule.hosts.isEmpty { return pass(source, upgradeReason) }
        }
        rule.status = code
        append(rule)
    }

    private mutating func readRewrite(_ directive: NginxDirective, _ values: [String: String]) {
        let words = directive.words
        guard words.count >= 2 else { return skip(directive.source, "there is no destination") }
        let flag = words.count > 2 ? words[2] : ""
        let isURL = isURL(words[1]) || words[1].utf8.starts(with: "$scheme".utf8)
        guard flag == "permanent" || flag == "redirect" || isURL else {
            return skip(directive.source, "it rewrites a path within the server")
        }
        // A question mark at the end drops the query.
        let drops = words[1].utf8.last == UInt8(ascii: "?")
        let target = drops ? String(words[1].dropLast()) : words[1]
        let status = flag == "permanent" ? 301 : 302
        add(words[0], status: status, directive.source) { groups in
            FilledDestination.nginx(target, values.merging(groups) { $1 }).flatMap {
                answer(to: drops ? $0 : passingOn($0), status: status)
            }
        }
    }

    /// Adds the rules of a regular expression.
    /// - Parameter answer: for the values of groups; nil if it needs one that has none.
    mutating func add(
        _ expression: String, status: Int, _ source: SourceLine, isCaseSensitive: Bool = true,
        below base: String? = nil, answer: ([String: String]) -> RedirectRule.Answer?
    ) {
        do throws(RegexPattern.Refusal) {
            let pattern = try RegexPattern(expression, below: base)
            let found = pattern.rules(source, isCaseSensitive: isCaseSensitive, answer: answer)
            guard let found else { return skip(source, unusableDestination) }
            for var rule in found {
                rule.status = status
                append(rule)
            }
        } catch {
            skip(source, error.reason)
        }
    }
}

/// nginx's `rewrite` adds the query of the request behind one that the destination has.
private func passingOn(_ url: String) -> String {
    url.contains("{query}") ? url : addingQuery(to: url)
}

/// A server of nginx, and the hosts that it answers.
private struct NginxServer {
    let block: [NginxDirective]
    /// Names that a configuration can have.
    let hosts: [String]
    /// Names that are expressions, or have a wildcard at their end.
    let otherNames: [(String, SourceLine)]
    let nameSource: SourceLine?
    let isSecure: Bool

    init(_ block: [NginxDirective]) {
        self.block = block
        let named = block.filter { $0.name == "server_name" }
        var (hosts, others) = ([String](), [(String, SourceLine)]())
        for directive in named {
            for word in directive.words.map({ $0.lowercased() }) where word != "_" && word != "" {
                let isDomain = word.utf8.first == UInt8(ascii: ".")
                let base = isDomain ? String(word.dropFirst()) : word
                let name = base.utf8.starts(with: "*.".utf8) ? String(base.dropFirst(2)) : base
                guard let host = try? HostName(name), !host.isAddress else {
                    if (try? HostName(name)) == nil { others.append((word, directive.source)) }
                    continue
                }
                hosts += isDomain ? [base, "*.\(base)"] : [base]
            }
        }
        self.hosts = hosts
        otherNames = others
        nameSource = named.first?.source
        isSecure = block.contains { directive in
            directive.name == "listen"
                && (directive.words.contains("ssl") || directive.words.contains("quic")
                    || directive.words.first?.utf8.suffix(3).elementsEqual("443".utf8) == true)
        }
    }
}
