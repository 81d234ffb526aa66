private import URISyntax

extension RedirectFile {
    /// Reads the redirects of an Apache configuration or of a `.htaccess` (Apache HTTP Server,
    /// mod_alias and mod_rewrite), for each host those of its virtual host.
    /// - Parameter base: the path of the directory in which a `.htaccess` is, with a slash at its
    ///   end. Nil for the server's own configuration, whose rules compare whole paths.
    static func apache(_ text: [UInt8], file: String, below base: String? = nil) -> RedirectFile {
        var reader = ApacheReader(file: file, base: base)
        var pending = ""
        for (number, part) in lines(of: text).enumerated() {
            // A backslash at the end continues a line.
            if part.utf8.last == UInt8(ascii: "\\") {
                pending += part.dropLast() + " "
                continue
            }
            let line = trimmed(pending + part)
            pending = ""
            guard !line.isEmpty, line.utf8.first != UInt8(ascii: "#") else { continue }
            reader.read(line, number: number + 1)
        }
        return reader.finished()
    }
}

/// Reads the lines of a configuration of Apache.
private struct ApacheReader {
    let file: String
    let base: String?
    private var result = RedirectFile()
    private var hosts = [VirtualHost()]
    /// The sections that are open, but for those that limit nothing.
    private var scopes = [Scope]()

    init(file: String, base: String?) { (self.file, self.base) = (file, base) }

    private struct Scope {
        let name: String
        let source: SourceLine
        /// Whether its rules apply to some requests only.
        let isLimit: Bool
        /// The path of a directory below the host's documents.
        let base: String?
    }

    /// A virtual host, or what is outside of all.
    private struct VirtualHost {
        var names = [String]()
        var isSecure = false
        var documents: String?
        /// mod_rewrite comes before mod_alias.
        var rewrites = RedirectFile()
        var aliases = RedirectFile()
        /// The conditions of the next rule.
        var conditions = RewriteConditions()
        var isOff = false
        var isChained = false
    }

    mutating func read(_ line: String, number: Int) {
        let words = words(of: line)
        guard let first = words.first else { return }
        let source = SourceLine(file: file, line: number, text: line)
        if first.utf8.first == UInt8(ascii: "<") {
            return readSection(first.lowercased(), words, source)
        }
        let name = first.lowercased()
        let last = hosts.count - 1
        let index = scopes.contains { $0.name == "virtualhost" } ? last : 0
        var host = VirtualHost()
        swap(&host, &hosts[index])
        read(name, Array(words.dropFirst()), source, &host)
        swap(&host, &hosts[index])
    }

    private mutating func readSection(_ name: String, _ words: [String], _ source: SourceLine) {
        if name.utf8.starts(with: "</".utf8) {
            let closed = String(name.dropFirst(2).prefix { $0 != ">" })
            if let open = scopes.lastIndex(where: { $0.name == closed }) {
                scopes.removeSubrange(open...)
            }
            return
        }
        let kind = String(name.dropFirst().prefix { $0 != ">" })
        let argument = words.dropFirst().joined(separator: " ").prefix { $0 != ">" }
        if kind == "virtualhost" {
            hosts.append(VirtualHost())
            hosts[hosts.count - 1].isSecure = argument.utf8.suffix(4).elementsEqual(":443".utf8)
        }
        guard scopes.count < Self.depthMax else {
            return result.skip(source, "sections have more than \(Self.depthMax) levels")
        }
        let documents = hosts[hosts.count - 1].documents
        let below = kind == "directory" ? Self.path(of: String(argument), below: documents) : nil
        let limits = [
            "location", "directory", "files", "if", "else", "elseif", "locationmatch",
            "directorymatch", "filesmatch", "proxy", "limit", "limitexcept", "macro",
        ]
        scopes.append(
            Scope(
                name: kind, source: source, isLimit: limits.contains(kind) && below == nil,
                base: below))
    }

    private static let depthMax = 32

    /// The path of a directory of a host; nil if it is another one.
    private static func path(of directory: String, below documents: String?) -> String? {
        guard let documents else { return nil }
        func tidy(_ text: String) -> String {
            let bytes = text.utf8.filter { $0 != UInt8(ascii: "\"") }
            let isOpen = bytes.last != UInt8(ascii: "/")
            return String(decoding: bytes, as: UTF8.self) + (isOpen ? "/" : "")
        }
        let (path, root) = (tidy(directory), tidy(documents))
        guard path.utf8.starts(with: root.utf8) else { return nil }
        return "/" + String(decoding: path.utf8.dropFirst(root.utf8.count), as: UTF8.self)
    }

    private mutating func read(
        _ name: String, _ words: [String], _ source: SourceLine, _ host: inout VirtualHost
    ) {
        let isRule =
            name.utf8.starts(with: "redirect".utf8) || name == "rewriterule"
        if isRule, let scope = scopes.last(where: \.isLimit) {
            return result.skip(source, "it applies only within \(scope.source.text)")
        }
        switch name {
        case "servername": host.names = words.prefix(1).map(Self.host) + host.names
        case "serveralias": host.names += words.map(Self.host)
        case "sslengine": host.isSecure = words.first?.lowercased() == "on"
        case "documentroot": host.documents = words.first
        case "redirect": host.aliases.readRedirect(words, 302, source)
        case "redirectpermanent": host.aliases.readRedirect(words, 301, source)
        case "redirecttemp": host.aliases.readRedirect(words, 302, source)
        case "redirectmatch": host.aliases.readRedirectMatch(words, source)
        case "rewriteengine": host.isOff = words.first?.lowercased() == "off"
        case "rewritecond": host.conditions.add(words, source)
        case "rewriterule": readRule(words, source, &host)
        case "errordocument":
            if words.count == 2, words[0] == "404", words[1].utf8.first == UInt8(ascii: "/"),
                base == nil || base == "/"
            {
                host.aliases.answerRest(with: words[1], status: 404, source)
            }
        case "proxypass", "proxypassmatch":
            result.skip(source, "a proxy to another host has no equal")
        case "rewritemap":
            result.skip(source, "maps are not read; give their entries as a CSV file")
        case "include", "includeoptional", "use":
            let isConfiguration = words.contains {
                $0.contains("redirect") || $0.contains("rewrite")
            }
            if isConfiguration {
                result.skip(source, "includes are not followed; give the file, too")
            }
        default: break
        }
    }

    /// The host of a `ServerName`, which can have a scheme and a port.
    private static func host(_ word: String) -> String {
        let start = word.utf8.lastIndex(of: UInt8(ascii: "/")).map { word.utf8.index(after: $0) }
        let name = word.utf8[(start ?? word.startIndex)...].prefix { $0 != UInt8(ascii: ":") }
        return String(decoding: name, as: UTF8.self).lowercased()
    }

    // MARK: mod_rewrite

    private mutating func readRule(
        _ words: [String], _ source: SourceLine, _ host: inout VirtualHost
    ) {
        let conditions = host.conditions
        host.conditions = RewriteConditions()
        let flags = RewriteFlags(words.count > 2 ? words[2] : "")
        let wasChained = host.isChained
        host.isChained = flags.has("C", "CHAIN")
        guard !host.isOff else { return result.skip(source, "RewriteEngine is off") }
        if let condition = conditions.untranslated {
            return result.skip(
                source, "it has the condition \(condition), and there are no conditions")
        }
        guard !wasChained, !host.isChained, !flags.has("S", "SKIP"), !flags.has("N", "NEXT") else {
            return result.skip(source, "it depends on other rules")
        }
        host.rewrites.currentHosts = conditions.hosts
        host.rewrites.readRewrite(
            words, flags, source, below: scopes.last?.base ?? base, isUpgrade: conditions.isUpgrade)
        host.rewrites.currentHosts = []
    }

    // MARK: The end

    /// The rules of all virtual hosts. A host belongs to the first that names it, one with TLS
    /// before others, because plain HTTP is redirected to https.
    mutating func finished() -> RedirectFile {
        let main = hosts[0]
        var owners = [String: Int]()
        let named = hosts.indices.dropFirst()
        let inOrder = named.filter { hosts[$0].isSecure } + named.filter { !hosts[$0].isSecure }
        for number in inOrder {
            for name in hosts[number].names where owners[name] == nil { owners[name] = number }
        }
        for number in named {
            let own = hosts[number].names.filter { owners[$0] == number }
            result.name(own)
            if own.isEmpty, !owners.isEmpty {
                for rule in rules(of: hosts[number]) {
                    if rule.isUpgrade {
                        result.pass(rule.source, upgradeReason)
                    } else {
                        result.skip(
                            rule.source, "another virtual host answers its hosts over https")
                    }
                }
            } else {
                add(hosts[number], for: own)
            }
        }
        if owners.isEmpty { result.name(main.names) }
        add(main, for: owners.isEmpty ? main.names : [])
        return result
    }

    private func rules(of host: VirtualHost) -> [RedirectRule] {
        host.rewrites.rules + host.aliases.rules
    }

    private mutating func add(_ host: VirtualHost, for names: [String]) {
        result.currentHosts = names
        let upgraded = names.filter { name in
            rules(of: host).contains { $0.isUpgrade(of: name) }
        }
        for var rule in rules(of: host) {
            // Where it leads to itself it is a redirect from http to https.
            let rest = names.filter { !rule.isUpgrade(of: $0) }
            if rest.isEmpty, !names.isEmpty {
                result.pass(rule.source, upgradeReason)
                continue
            }
            if !upgraded.isEmpty, rule.hosts.isEmpty { rule.hosts = rest }
            result.append(rule)
        }
        for part in [host.rewrites, host.aliases] {
            for lost in part.untranslated { result.skip(lost.source, lost.reason) }
            for lost in part.notNeeded { result.pass(lost.source, lost.reason) }
            for page in part.unmatched {
                result.answerRest(with: page.page, status: page.status, page.source)
            }
        }
    }
}

extension RedirectRule {
    /// Whether it leads every path to the same one over https, of any host.
    fileprivate var isUpgrade: Bool {
        guard case .url(let url) = answer, isURL(url) else { return false }
        return isUpgrade(of: String(url.utf8.dropFirst(8).prefix { $0 != UInt8(ascii: "/") }) ?? "")
    }

    fileprivate func isUpgrade(of host: String) -> Bool {
        guard case .url(let url) = answer, match == ["/*"] || match == ["*"] else { return false }
        return ["/{1}", "{path}"].contains { url == "https://\(host)\($0)?{query}" }
    }
}

// MARK: - mod_alias

extension RedirectFile {
    /// The status as a word or a number.
    private static func status(_ word: String) -> Int? {
        let names = ["permanent": 301, "temp": 302, "seeother": 303, "gone": 410]
        return names[word.lowercased()] ?? Int(word)
    }

    /// `Redirect` takes the path and everything below it, and appends the rest to the URL.
    fileprivate mutating func readRedirect(_ words: [String], _ usual: Int, _ source: SourceLine) {
        let status = words.first.flatMap(Self.status)
        let rest = status == nil ? words[...] : words.dropFirst()
        guard let path = rest.first, path.utf8.first == UInt8(ascii: "/") else {
            return skip(source, "there is no path that begins with /")
        }
        let isFolder = path.utf8.last == UInt8(ascii: "/")
        let pattern = literalPattern(path)
        guard let target = rest.dropFirst().first else {
            guard let status, status >= 400 else { return skip(source, "there is no URL") }
            return refuse([pattern, isFolder ? pattern + "*" : pattern + "/*"], status, source)
        }
        let url = literalURL(target.utf8)
        let code = status ?? usual
        // The rest of the path is appended as it is.
        let below = (isFolder ? pattern : pattern + "/") + "*"
        let joined = isFolder ? url + "{1}" : url + "/{1}"
        for (pattern, url) in isFolder ? [(below, joined)] : [(pattern, url), (below, joined)] {
            guard let answer = answer(to: passingQuery(url), status: code) else {
                return skip(source, "the destination is not a URL")
            }
            var rule = RedirectRule(source: source, match: [pattern], answer: answer)
            rule.status = code
            append(rule)
        }
    }

    fileprivate mutating func readRedirectMatch(_ words: [String], _ source: SourceLine) {
        let status = words.first.flatMap(Self.status)
        let rest = status == nil ? words[...] : words.dropFirst()
        guard let expression = rest.first else { return skip(source, "there is no expression") }
        let (target, code) = (rest.dropFirst().first, status ?? 302)
        add(expression, status: code, source) { groups in
            guard let target else { return .notFound }
            return FilledDestination.apache(target, groups, isEscaped: false).flatMap {
                answer(to: passingQuery($0), status: code)
            }
        }
    }

    // MARK: - mod_rewrite

    fileprivate mutating func readRewrite(
        _ words: [String], _ flags: RewriteFlags, _ source: SourceLine, below base: String?,
        isUpgrade: Bool
    ) {
        guard words.count >= 2 else { return skip(source, "there is no destination") }
        guard words[0].utf8.first != UInt8(ascii: "!") else {
            return skip(source, "it applies to all other paths")
        }
        let isCaseSensitive = !flags.has("NC", "NOCASE")
        if flags.has("G", "GONE") || flags.has("F", "FORBIDDEN") {
            return add(
                words[0], status: flags.has("G", "GONE") ? 410 : 403, source,
                isCaseSensitive: isCaseSensitive, below: base
            ) { _ in .notFound }
        }
        var target = words[1]
        let isAbsolute = isURL(target)
        guard !flags.has("P", "PROXY") else {
            return skip(source, "a proxy to another host has no equal")
        }
        guard let status = flags["R"] ?? flags["REDIRECT"] ?? (isAbsolute ? "" : nil) else {
            return skip(source, "it rewrites a path within the server")
        }
        if isUpgrade, target.hasSuffix("%{REQUEST_URI}") || target.hasSuffix("/$1") {
            return pass(source, upgradeReason)
        }
        if !isAbsolute, target.utf8.first != UInt8(ascii: "/"),
            target.utf8.first != UInt8(ascii: "%")
        {
            target = (base ?? "/") + target
        }
        let code = Self.status(status) ?? 302
        add(
            words[0], status: code, source, isCaseSensitive: isCaseSensitive, below: base
        ) { groups in
            let values = Self.variables.merging(groups) { $1 }
            let filled = FilledDestination.apache(
                target, values, isEscaped: !flags.has("NE", "NOESCAPE"))
            guard let filled else { return nil }
            if flags.has("QSD", "QSDISCARD") { return answer(to: filled, status: code) }
            // A question mark at the end drops the query.
            if filled.utf8.last == UInt8(ascii: "?") {
                return answer(to: String(filled.dropLast()), status: code)
            }
            let adds = flags.has("QSA", "QSAPPEND")
            return answer(
                to: adds ? addingQuery(to: filled) : passingQuery(filled), status: code)
        }
    }

    private static let variables = [
        "REQUEST_URI": "{path}", "QUERY_STRING": "{query}", "REQUEST_SCHEME": "https",
    ]
}

/// The flags of a `RewriteRule`.
private struct RewriteFlags {
    private var values = [String: String]()

    init(_ list: String) {
        let texts = list.utf8.filter { !"[] ".utf8.contains($0) }.split(
            separator: UInt8(ascii: ","))
        for text in texts {
            let parts = text.split(separator: UInt8(ascii: "="), maxSplits: 1).map {
                String(decoding: $0, as: UTF8.self)
            }
            values[(parts.first ?? "").uppercased()] = parts.count > 1 ? parts[1] : ""
        }
    }

    subscript(_ name: String) -> String? { values[name] }

    func has(_ names: String...) -> Bool { names.contains { values[$0] != nil } }
}

/// The conditions in front of a `RewriteRule`.
private struct RewriteConditions {
    /// The first that has no equal.
    private(set) var untranslated: String?
    /// The hosts to which they limit the rule.
    private(set) var hosts = [String]()
    /// Whether they limit it to plain HTTP.
    private(set) var isUpgrade = false

    mutating func add(_ words: [String], _ source: SourceLine) {
        let test = words.first?.uppercased() ?? ""
        let expression = words.dropFirst().first ?? ""
        let value = expression.lowercased()
        let isOff = test == "%{HTTPS}" && ["off", "!on", "!=on", "!^on$", "^off$"].contains(value)
        let isPlain = test == "%{SERVER_PORT}" && ["80", "^80$", "!^443$", "!443"].contains(value)
        if isOff || isPlain {
            isUpgrade = true
        } else if test == "%{REQUEST_FILENAME}", ["!-f", "!-d", "!-l"].contains(value) {
            // Public files come before links.
        } else if test == "%{HTTP_HOST}", let host = Self.host(value) {
            hosts.append(host)
        } else {
            untranslated = untranslated ?? words.prefix(2).joined(separator: " ")
        }
    }

    /// The host of an expression that matches only this one.
    private static func host(_ expression: String) -> String? {
        var bytes = Array(expression.utf8)[...]
        guard bytes.popFirst() == UInt8(ascii: "^"), bytes.popLast() == UInt8(ascii: "$") else {
            return nil
        }
        let name = String(decoding: bytes.filter { $0 != UInt8(ascii: "\\") }, as: UTF8.self)
        return (try? HostName(name)).map { "\($0)" }
    }
}
