private import URISyntax

extension RedirectFile {
    /// Reads the `return` and `rewrite` directives of an nginx configuration (nginx, "Module
    /// ngx_http_rewrite_module"), in the order in which nginx asks locations: exact paths, prefixes
    /// with `^~`, regular expressions, and prefixes, the longest first.
    static func nginx(_ text: [UInt8], file: String) -> RedirectFile {
        var result = RedirectFile()
        let top = NginxDirective.read(text, file: file)
        let servers = top.flatMap { $0.all("server") }
        let others = top.filter { $0.all("server").isEmpty }
        if !others.isEmpty, servers.isEmpty || others.contains(where: \.isRedirecting) {
            result.readServer(others)
        }
        for server in servers { result.readServer(server.block) }
        for map in top.flatMap({ $0.all("map") }) {
            result.skip(map.source, "maps are not read; give their entries as a CSV file")
        }
        return result
    }

    private mutating func readServer(_ block: [NginxDirective]) {
        let names = block.filter { $0.name == "server_name" }.flatMap(\.words)
        let usable = names.filter { (try? HostName($0)) != nil && $0 != "_" }
        for host in usable where !hosts.contains(host) { hosts.append(host) }
        for page in block where page.name == "error_page" && page.words.first == "404" {
            if let path = page.words.last, path.utf8.first == UInt8(ascii: "/"), unmatched == nil {
                (unmatched, unmatchedSource) = ((path, 404), page.source)
            }
        }
        var values = [
            "scheme": "https", "request_uri": "{path}?{query}", "uri": "{path}",
            "args": "{query}", "query_string": "{query}", "is_args": "?",
        ]
        if let host = usable.first {
            for name in ["host", "http_host", "server_name"] { values[name] = host }
        }
        // The server's own directives come before all locations, up to a `return`.
        for directive in block {
            read(directive, values, within: nil)
            guard directive.name == "return" else { continue }
            for location in block where location.name == "location" && location.isRedirecting {
                skip(location.source, "the server's own `return` comes before it")
            }
            return
        }
        var taken = [String]()
        for location in NginxLocation.inOrder(block) { readLocation(location, values, &taken) }
    }

    /// - Parameter taken: patterns of locations that answer in another way, so that later ones do
    ///   not get their paths.
    private mutating func readLocation(
        _ location: NginxLocation, _ values: [String: String], _ taken: inout [String]
    ) {
        let directive = location.directive
        let start = rules.count
        let skipped = untranslated.count
        for inner in directive.block { read(inner, values, within: location) }
        for index in rules.indices.dropFirst(start) { rules[index].exclude += taken }
        let isComplete = directive.block.contains { $0.name == "return" }
        if !isComplete || untranslated.count > skipped {
            if location.kind != .expression { taken += location.patterns }
            if !directive.isRedirecting {
                skip(directive.source, "what it serves is not a redirect")
            }
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
                location.path, to: target, status: code, source, isRelative: false,
                isCaseSensitive: location.isCaseSensitive, values: values, passesQuery: false)
        }
        let patterns = location?.patterns ?? ["/*"]
        guard let target else { return refuse(patterns, code, source) }
        guard let filled = fill(target, [:], values),
            let found = answer(to: tidy(filled), status: code)
        else { return skip(source, "the destination uses something that a URL cannot have here") }
        let isUpgrade = values["host"].map { filled == "https://\($0){path}?{query}" } ?? false
        if location == nil, isUpgrade || target == "https://$host$request_uri" {
            return skip(source, "not needed: plain HTTP is redirected to https")
        }
        var rule = RedirectRule(source: source, match: patterns, answer: found)
        rule.status = code
        rules.append(rule)
    }

    private mutating func readRewrite(_ directive: NginxDirective, _ values: [String: String]) {
        let words = directive.words
        guard words.count >= 2 else { return skip(directive.source, "there is no destination") }
        let flag = words.count > 2 ? words[2] : ""
        let isURL =
            words[1].utf8.starts(with: "http".utf8) || words[1].utf8.starts(with: "$scheme".utf8)
        guard flag == "permanent" || flag == "redirect" || isURL else {
            return skip(directive.source, "it rewrites a path within the server")
        }
        // A question mark at the end drops the query.
        let drops = words[1].utf8.last == UInt8(ascii: "?")
        add(
            words[0], to: drops ? String(words[1].dropLast()) : words[1],
            status: flag == "permanent" ? 301 : 302, directive.source, isRelative: false,
            isCaseSensitive: true, values: values, passesQuery: !drops)
    }
}

/// `?{query}` written as nginx has it, `$is_args$args`.
func tidy(_ url: String) -> String {
    let bytes = Array(url.utf8)
    // `$request_uri` after a query of the URL's own would begin a second one.
    guard bytes.count(where: { $0 == UInt8(ascii: "?") }) > 1,
        let first = bytes.firstIndex(of: UInt8(ascii: "?"))
    else { return url }
    let rest = bytes[(first + 1)...].map { $0 == UInt8(ascii: "?") ? UInt8(ascii: "&") : $0 }
    return String(decoding: bytes[...first] + rest, as: UTF8.self)
}

/// A location, and which paths it takes.
private struct NginxLocation {
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

    /// A prefix takes every path that begins with it.
    var patterns: [String] {
        let literal = literalPattern(path)
        return kind == .exact ? [literal] : [literal + "*"]
    }

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

/// A directive with its words, and its block if it has one.
struct NginxDirective {
    let name: String
    let words: [String]
    let source: SourceLine
    var block = [NginxDirective]()

    /// The directives of this name in it, and itself.
    func all(_ wanted: String) -> [NginxDirective] {
        (name == wanted ? [self] : []) + block.flatMap { $0.all(wanted) }
    }

    /// Whether it or something in it redirects.
    var isRedirecting: Bool {
        name == "return" || name == "rewrite" || block.contains(where: \.isRedirecting)
    }

    /// Reads a whole file; a part that is not closed ends with it.
    static func read(_ text: [UInt8], file: String) -> [NginxDirective] {
        var reader = NginxReader(text[...], file: file)
        return reader.readBlock(depth: 0)
    }
}

private struct NginxReader {
    var rest: ArraySlice<UInt8>
    let file: String
    var line = 1

    init(_ text: ArraySlice<UInt8>, file: String) { (rest, self.file) = (text, file) }

    mutating func readBlock(depth: Int) -> [NginxDirective] {
        var directives = [NginxDirective]()
        var words = [String]()
        var start = line
        while let token = next() {
            switch token {
            case .word(let word):
                if words.isEmpty { start = line }
                words.append(word)
            case .end where words.isEmpty: continue
            case .end, .open:
                let source = SourceLine(
                    file: file, line: start, text: words.joined(separator: " "))
                var directive = NginxDirective(
                    name: words.first ?? "", words: Array(words.dropFirst()), source: source)
                if token == .open {
                    guard depth < 32 else { return directives }
                    directive.block = readBlock(depth: depth + 1)
                }
                directives.append(directive)
                words = []
            case .close: return directives
            }
        }
        return directives
    }

    private enum Token: Equatable { case word(String), end, open, close }

    private mutating func next() -> Token? {
        while let byte = rest.popFirst() {
            switch byte {
            case 0x0A: line += 1
            case 0x20, 0x09, 0x0D: continue
            case UInt8(ascii: "#"): rest = rest.drop { $0 != 0x0A }
            case UInt8(ascii: ";"): return .end
            case UInt8(ascii: "{"): return .open
            case UInt8(ascii: "}"): return .close
            case UInt8(ascii: "\""), UInt8(ascii: "'"): return .word(quotedWord(byte))
            default: return .word(word(byte))
            }
        }
        return nil
    }

    private mutating func quotedWord(_ quote: UInt8) -> String {
        var word = [UInt8]()
        while let byte = rest.popFirst(), byte != quote {
            if byte == 0x0A { line += 1 }
            let isEscape = byte == UInt8(ascii: "\\") && rest.first == quote
            word.append(isEscape ? rest.removeFirst() : byte)
        }
        return String(decoding: word, as: UTF8.self)
    }

    /// A brace within a word belongs to a variable or a regular expression.
    private mutating func word(_ first: UInt8) -> String {
        var word = [first]
        while let byte = rest.first {
            let isBrace = byte == UInt8(ascii: "{") && word.last == UInt8(ascii: "$")
            let isInBraces =
                word.lastIndex(of: UInt8(ascii: "{")).map { open in
                    !word[open...].contains(UInt8(ascii: "}"))
                } ?? false
            if byte <= 0x20 || byte == UInt8(ascii: ";") { break }
            if byte == UInt8(ascii: "{"), !isBrace { break }
            if byte == UInt8(ascii: "}"), !isInBraces { break }
            word.append(byte)
            rest = rest.dropFirst()
        }
        return String(decoding: word, as: UTF8.self)
    }
}
