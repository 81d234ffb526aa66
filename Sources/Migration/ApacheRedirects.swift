private import URISyntax

extension RedirectFile {
    /// Reads the redirects of an Apache configuration or a `.htaccess` (Apache HTTP Server, mod_alias
    /// and mod_rewrite).
    static func apache(_ text: [UInt8], file: String) -> RedirectFile {
        var result = RedirectFile()
        // Paths of rewrite rules begin without a slash in a directory's file.
        let isRelative = file.utf8.suffix(9).elementsEqual(".htaccess".utf8)
        var (isConditional, scopes) = (false, [SourceLine]())
        var pending = ""
        for (number, part) in lines(of: text).enumerated() {
            // A backslash at the end continues a line.
            if part.utf8.last == UInt8(ascii: "\\") {
                pending += part.dropLast() + " "
                continue
            }
            let line = pending + part
            pending = ""
            let words = words(of: line)
            guard let name = words.first?.lowercased(), name.utf8.first != UInt8(ascii: "#") else {
                continue
            }
            let source = SourceLine(file: file, line: number + 1, text: line)
            if name.utf8.first == UInt8(ascii: "<") {
                let limits = [
                    "<location", "<directory", "<files", "<if", "<else", "<locationmatch",
                ]
                if name.utf8.starts(with: "</".utf8) {
                    if limits.contains("<" + (name.dropFirst(2).prefix { $0 != ">" })) {
                        _ = scopes.popLast()
                    }
                } else if limits.contains(name) {
                    scopes.append(source)
                }
                continue
            }
            let isRule = name.utf8.starts(with: "redirect".utf8) || name == "rewriterule"
            if isRule, let scope = scopes.last {
                result.skip(source, "it applies only within \(scope.text)")
            } else if name == "rewriterule", isConditional {
                result.skip(source, "it has a RewriteCond, and there are no conditions")
            } else {
                result.readApache(name, Array(words.dropFirst()), source, isRelative)
            }
            if name == "rewritecond" { isConditional = true }
            if name == "rewriterule" { isConditional = false }
        }
        return result
    }

    private mutating func readApache(
        _ name: String, _ words: [String], _ source: SourceLine, _ isRelative: Bool
    ) {
        switch name {
        case "servername", "serveralias": hosts += words
        case "redirect": readRedirect(words, 302, source)
        case "redirectpermanent": readRedirect(words, 301, source)
        case "redirecttemp": readRedirect(words, 302, source)
        case "redirectmatch": readRedirectMatch(words, source)
        case "rewriterule": readRewrite(words, source, isRelative)
        case "errordocument":
            if words.count == 2, words[0] == "404", words[1].utf8.first == UInt8(ascii: "/"),
                unmatched == nil
            {
                (unmatched, unmatchedSource) = ((words[1], 404), source)
            }
        default: break
        }
    }

    /// The status as a word or a number.
    private static func status(_ word: String) -> Int? {
        let names = ["permanent": 301, "temp": 302, "seeother": 303, "gone": 410]
        return names[word.lowercased()] ?? Int(word)
    }

    /// `Redirect` takes the path and everything below it, and appends the rest to the URL.
    private mutating func readRedirect(
        _ words: [String], _ usual: Int, _ source: SourceLine
    ) {
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
        let status302 = status ?? usual
        // The rest of the path is appended as it is.
        let below = (isFolder ? pattern : pattern + "/") + "*"
        let joined = isFolder ? url + "{1}" : url + "/{1}"
        for (pattern, url) in isFolder ? [(below, joined)] : [(pattern, url), (below, joined)] {
            guard let answer = answer(to: passingQuery(url), status: status302) else {
                return skip(source, "the destination is not a URL")
            }
            var rule = RedirectRule(source: source, match: [pattern], answer: answer)
            rule.status = status302
            rules.append(rule)
        }
    }

    mutating func refuse(_ patterns: [String], _ status: Int, _ source: SourceLine) {
        var rule = RedirectRule(source: source, match: patterns, answer: .notFound)
        rule.status = status
        rules.append(rule)
    }

    private mutating func readRedirectMatch(_ words: [String], _ source: SourceLine) {
        let status = words.first.flatMap(Self.status)
        let rest = status == nil ? words[...] : words.dropFirst()
        guard let expression = rest.first else { return skip(source, "there is no expression") }
        add(
            expression, to: rest.dropFirst().first, status: status ?? 302, source,
            isRelative: false, isCaseSensitive: true)
    }

    private mutating func readRewrite(
        _ words: [String], _ source: SourceLine, _ isRelative: Bool
    ) {
        guard words.count >= 2 else { return skip(source, "there is no destination") }
        let list = words.count > 2 ? words[2] : ""
        let flags = list.utf8.filter { !"[] ".utf8.contains($0) }.split(
            separator: UInt8(ascii: ",")
        ).map { String(decoding: $0, as: UTF8.self) }
        func value(_ names: String...) -> String? {
            for flag in flags {
                let parts = flag.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1).map {
                    String(decoding: $0, as: UTF8.self)
                }
                if names.contains((parts.first ?? "").uppercased()) {
                    return parts.count > 1 ? parts[1] : ""
                }
            }
            return nil
        }
        let isCaseSensitive = value("NC", "NOCASE") == nil
        if value("G", "GONE") != nil || value("F", "FORBIDDEN") != nil {
            return add(
                words[0], to: nil, status: value("G", "GONE") != nil ? 410 : 403, source,
                isRelative: isRelative, isCaseSensitive: isCaseSensitive)
        }
        let isURL = answer(to: words[1], status: 302).map {
            if case .url = $0 { true } else { false }
        }
        guard let status = value("R", "REDIRECT") ?? (isURL == true ? "" : nil) else {
            return skip(source, "it rewrites a path within the server")
        }
        guard words[0].utf8.first != UInt8(ascii: "!") else {
            return skip(source, "it applies to all other paths")
        }
        add(
            words[0], to: words[1], status: Self.status(status) ?? 302, source,
            isRelative: isRelative, isCaseSensitive: isCaseSensitive)
    }

    /// Adds the rules of a regular expression.
    /// - Parameter url: with `$1` for groups; nil for an answer without a redirect.
    mutating func add(
        _ expression: String, to url: String?, status: Int, _ source: SourceLine,
        isRelative: Bool, isCaseSensitive: Bool, values: [String: String] = [:],
        passesQuery: Bool = true
    ) {
        do throws(RegexPattern.Refusal) {
            let pattern = try RegexPattern(expression, isRelative: isRelative)
            let found = pattern.rules(source, isCaseSensitive: isCaseSensitive) { groups in
                guard let url else { return .notFound }
                guard let filled = fill(url, groups, values) else { return nil }
                return answer(
                    to: passesQuery ? passingQuery(filled) : tidy(filled), status: status)
            }
            guard var found else {
                return skip(source, "the destination uses something that a URL cannot have here")
            }
            for index in found.indices { found[index].status = status }
            rules += found
        } catch {
            skip(source, error.reason)
        }
    }
}

/// A destination with `$1` and named variables filled in; nil if one has no value.
func fill(_ url: String, _ groups: [Int: String], _ values: [String: String]) -> String? {
    var result = ""
    var rest = Array(url.utf8)[...]
    while let byte = rest.popFirst() {
        let isVariable = byte == UInt8(ascii: "$")
        if isVariable, let digit = rest.first, digit.isDigit {
            rest = rest.dropFirst()
            guard let value = groups[Int(digit - 0x30)] else { return nil }
            result += value
        } else if isVariable {
            let isBraced = rest.first == UInt8(ascii: "{")
            if isBraced { rest = rest.dropFirst() }
            let name = rest.prefix { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }
            rest = rest.dropFirst(name.count + (isBraced ? 1 : 0))
            guard let value = values[String(decoding: name, as: UTF8.self)] else { return nil }
            result += value
        } else if byte == UInt8(ascii: "%"), rest.first == UInt8(ascii: "{") {
            // Apache's server variables.
            return nil
        } else {
            result += literalURL([byte])
        }
    }
    return result
}
