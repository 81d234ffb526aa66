private import Diagnostics

/// Reads the lines of a configuration of Apache.
struct ApacheReader {
    let file: String
    let base: String?
    private var result = RedirectFile()
    private var hosts = [VirtualHost()]
    /// The sections that are open, but for those that limit nothing.
    private var scopes = [ApacheScope]()
    /// What the file says of rewriting, by virtual host and directory.
    private(set) var rewriting = [RewritingPlace: RewritingSettings]()
    /// The same of the whole file; empty while it is found.
    private let settings: [RewritingPlace: RewritingSettings]

    init(file: String, base: String?, _ settings: [RewritingPlace: RewritingSettings] = [:]) {
        (self.file, self.base, self.settings) = (file, base, settings)
    }

    mutating func read(_ line: String, number: Int) {
        var words = words(of: line, .apache)
        guard let first = words.first else { return }
        if ["rewriterule", "rewritecond"].contains(first.lowercased()) {
            words = [first] + rewriteArguments(line.utf8.dropFirst(first.utf8.count))
        }
        let source = SourceLine(file: file, line: number, text: line)
        if let scope = scopes.first(where: \.isAbsent), first.utf8.first != UInt8(ascii: "<") {
            if Self.isRule(first.lowercased()) {
                result.pass(source, "\(scope.source.text) is not met where redirects are")
            }
            return
        }
        if first.utf8.first == UInt8(ascii: "<") {
            return readSection(first.lowercased(), words, source)
        }
        let name = first.lowercased()
        let index = place.host
        var host = VirtualHost()
        swap(&host, &hosts[index])
        note(name, words)
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
        scopes.append(ApacheScope(kind, String(argument), below: below, source))
    }

    /// Takes note of a setting of mod_rewrite.
    private mutating func note(_ name: String, _ words: [String]) {
        guard name.utf8.starts(with: "rewrite".utf8), !scopes.contains(where: \.isLimit) else {
            return
        }
        if base != nil { result.setsRewriting = true }
        switch name {
        case "rewriteengine":
            rewriting[place, default: .init()].isOn = words.last?.lowercased() == "on"
        case "rewritebase":
            rewriting[place, default: .init()].setBase(words.dropFirst().last ?? "")
        default: break
        }
    }

    /// The directory of the lines; nil for those of a host or the server.
    private var directory: String? { scopes.last?.base ?? base }

    /// The virtual host and the directory of the lines.
    private var place: RewritingPlace {
        .init(host: scopes.contains(where: \.isHost) ? hosts.count - 1 : 0, directory: directory)
    }

    /// Whether rules are on; nil if the file does not say it. A virtual host has the state of the
    /// server, unless it has its own.
    private var isOn: Bool? {
        if let own = settings[place]?.isOn { return own }
        return directory == nil ? settings[.init(host: 0, directory: nil)]?.isOn : nil
    }

    private static func isRule(_ name: String) -> Bool {
        name.utf8.starts(with: "redirect".utf8) || name == "rewriterule"
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
        if Self.isRule(name), let scope = scopes.last(where: \.isLimit) {
            if name == "rewriterule" { host.conditions = RewriteConditions() }
            return result.skip(source, "it applies only within \(scope.source.text)")
        }
        if Self.isRule(name), let base = settings[place]?.invalidBase {
            if name == "rewriterule" { host.conditions = RewriteConditions() }
            return result.skip(
                source, "Apache refuses RewriteBase \(base), which does not begin with a slash")
        }
        let directory = scopes.last?.base ?? base ?? "/"
        switch name {
        case "servername": host.names = words.prefix(1).map(Self.host) + host.names
        case "serveralias": host.names += words.map(Self.host)
        case "sslengine": host.isSecure = words.first?.lowercased() == "on"
        case "documentroot":
            host.documents = words.first
            if let path = words.first { result.documents.append((path, source)) }
        case "redirect": host.aliases.readRedirect(words, 302, source, within: directory)
        case "redirectpermanent": host.aliases.readRedirect(words, 301, source, within: directory)
        case "redirecttemp": host.aliases.readRedirect(words, 302, source, within: directory)
        case "redirectmatch": host.aliases.readRedirectMatch(words, source, within: directory)
        case "rewritecond": host.conditions.add(words)
        case "rewriterule": readRule(words, source, &host)
        case "rewriteoptions":
            if words.contains(where: { $0.lowercased().utf8.starts(with: "inherit".utf8) }) {
                result.skip(source, "the rules that it inherits are not read for its paths")
            }
        case "errordocument": readDocument(words, source, &host)
        case "fallbackresource": readFallback(words, source, &host)
        case "proxypass", "proxypassmatch":
            result.skip(source, "a proxy to another host has no equal")
        case "rewritemap":
            let map = quoted(words.dropFirst().first ?? "")
            result.skip(
                source, "the map \(map) is not read: give its entries to --from as a CSV file")
        case "accessfilename" where words.contains { $0 != ".htaccess" }:
            result.skip(
                source,
                "files of this name are not read: rename them to .htaccess, and give their directory "
                    + "to --from")
        case "use": result.skip(source, "macros are not expanded")
        case "include", "includeoptional":
            result.include(
                words.first ?? "", source,
                isOuter: base == nil && scopes.allSatisfy(\.isForWholeServer))
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
        guard let isOn else {
            return result.skip(
                source,
                "there is no RewriteEngine On here"
                    + (directory == nil ? "" : "; write it if a directory above has it"))
        }
        guard isOn else { return result.skip(source, "RewriteEngine is off") }
        if host.skipped > 0 {
            host.skipped -= 1
            return result.skip(source, "the rule before it can leave it out")
        }
        host.skipped = (flags["S"] ?? flags["SKIP"]).flatMap { Int($0) } ?? 0
        if let condition = conditions.untranslated {
            if let other = conditions.otherHost { result.name([other]) }
            return result.skip(
                source, "it has the condition \(condition), and there are no conditions")
        }
        guard !wasChained, !host.isChained, !flags.has("S", "SKIP"), !flags.has("N", "NEXT") else {
            return result.skip(source, "it depends on other rules")
        }
        let below = scopes.last?.base ?? base
        defer { host.rewrites.currentHosts = [] }
        switch conditions.requests {
        case .none: return result.pass(source, "its conditions exclude each other")
        case .plainHTTP:
            let isUpgrade = words.count > 1 && Self.isUpgrade(words[1])
            return isUpgrade
                ? result.pass(source, upgradeReason)
                : result.skip(source, "it is for plain HTTP only, which is redirected to https")
        case .files:
            return words.dropFirst().first == "-"
                ? result.pass(source, "public files come first")
                : result.skip(source, "it is for files that are there, which come first")
        case .hosts(let hosts): host.rewrites.currentHosts = hosts
        case .all: break
        }
        host.endRulesBefore(words, source)
        if flags.passes(words) {
            if flags.has("L", "LAST", "END"), conditions.requests == .all,
                host.keep(words[0], isCaseSensitive: !flags.has("NC", "NOCASE"), below: below)
            {
                return
            }
            if !flags.has("L", "LAST", "END") { return result.pass(source, "it changes nothing") }
        }
        let start = host.rewrites.rules.count
        host.rewrites.readRewrite(
            words, flags, source, below: below,
            base: directory == nil ? nil : settings[place]?.base)
        host.addRules(from: start, words, isLast: flags.isLast, source)
    }

    private static func isUpgrade(_ target: String) -> Bool {
        target.utf8.starts(with: "https://".utf8)
            && ["%{REQUEST_URI}", "/$1", "$1", "%{REQUEST_URI}?%{QUERY_STRING}"].contains {
                target.utf8.suffix($0.utf8.count).elementsEqual($0.utf8)
            }
    }

    /// `ErrorDocument 404`: a file, or a redirect of everything that is not found.
    private mutating func readDocument(
        _ words: [String], _ source: SourceLine, _ host: inout VirtualHost
    ) {
        guard words.count > 1 else { return }
        let isPage = words[1].utf8.first == UInt8(ascii: "/")
        guard words[0] == "404" else {
            // What an error shows is not a redirect.
            guard isURL(words[1]) else { return }
            return result.skip(source, "only paths without a link can be redirected")
        }
        guard isForWholeHost else {
            return result.skip(source, "only a whole host has an answer for its other paths")
        }
        if isPage {
            host.aliases.answerRest(with: words[1], status: 404, source)
        } else if isURL(words[1]) {
            host.aliases.answerRest(with: .url(literalURL(words[1].utf8)), status: 302, source)
        } else if words[1] != "default" {
            result.skip(source, "it is a text; make it a page")
        }
    }

    private var isForWholeHost: Bool {
        (scopes.last?.base ?? base ?? "/") == "/" && scopes.allSatisfy { !$0.isLimit }
    }

    /// `FallbackResource`: the page of what is neither a file nor redirected.
    private mutating func readFallback(
        _ words: [String], _ source: SourceLine, _ host: inout VirtualHost
    ) {
        guard let page = words.first, page.lowercased() != "disabled" else { return }
        guard isForWholeHost, page.utf8.first == UInt8(ascii: "/") else {
            return result.skip(source, "only a whole host has an answer for its other paths")
        }
        host.aliases.answerRest(with: page, status: 200, source)
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
                let names = Set(hosts[number].names)
                for rule in rules(of: hosts[number]) {
                    if let to = rule.upgradedHost, names.contains(to) {
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
        result.isForOtherHosts = owners.isEmpty && main.names.isEmpty
        return result
    }

    private func rules(of host: VirtualHost) -> [RedirectRule] {
        host.rewrites.rules.filter { !$0.match.isEmpty } + host.aliases.rules
    }

    private mutating func add(_ host: VirtualHost, for names: [String]) {
        result.currentHosts = names
        let start = result.rules.count
        defer { result.redirectMissing(from: start) }
        let all = rules(of: host)
        let upgraded = Set(all.compactMap(\.upgradedHost)).intersection(names)
        for var rule in all {
            // Where it leads to itself it is a redirect from http to https.
            let rest = rule.upgradedHost.map { to in names.filter { $0 != to } } ?? names
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
                result.answerRest(with: page.answer, status: page.status, page.source)
            }
        }
    }
}
