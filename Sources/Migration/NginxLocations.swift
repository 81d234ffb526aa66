private import URISyntax

// The rewrite directives of nginx, of a server and of its locations.

extension RedirectFile {
    mutating func readLocations(_ block: [NginxDirective], _ values: [String: String]) {
        var taken = TakenPaths(block)
        for location in NginxLocation.inOrder(block) {
            let start = rules.count
            let isComplete = readLocation(location, values)
            if !isComplete, location.isRough,
                untranslated.last?.source != location.directive.source
            {
                skip(location.directive.source, leftOut(location))
            }
            skipIncludes(location.directive.block ?? [])
            taken.add(location, rules: start..<rules.count, isComplete: isComplete)
        }
        for (number, paths) in taken.exclusions() { exclude(paths, fromRule: number) }
        for (source, reason) in taken.untranslated { skip(source, reason) }
        let fallbacks = Set(block.filter { $0.name == "error_page" }.compactMap(\.words.last))
        for named in block where named.name == "location" && named.isRedirecting {
            let name = named.words.first ?? ""
            guard name.utf8.first == UInt8(ascii: "@"), !fallbacks.contains(name) else { continue }
            skip(named.source, "other locations ask it")
        }
    }

    /// - Returns: whether all paths of the location are answered.
    private mutating func readLocation(
        _ location: NginxLocation, _ values: [String: String]
    ) -> Bool {
        let block = location.directive.block ?? []
        if location.kind == .prefix, location.path == "/", let files = location.directive.fallback,
            let page = files.fallbackPage
        {
            answerRest(with: page, status: 200, files.source)
            return true
        }
        for inner in block {
            if inner.name == "break" { break }
            if read(inner, values, within: location) { return true }
            // What follows is not reached, and what it says was listed.
            if inner.name == "return" { return false }
        }
        let isHandled = block.contains { $0.isHandler }
        if isHandled || !location.directive.isRedirecting {
            let what = location.directive.isRedirecting ? "what else" : "what"
            let paths = location.isRough ? ": \(leftOut(location))" : ""
            skip(location.directive.source, "\(what) it serves is not a redirect\(paths)")
        }
        return false
    }

    /// Patterns cannot say exactly which paths are the location's, so other links lose more.
    private func leftOut(_ location: NginxLocation) -> String {
        "links leave out \(location.patterns.joined(separator: ", "))"
    }

    /// - Parameter location: nil for a directive of the server.
    /// - Returns: whether it answers all paths of the location.
    mutating func read(
        _ directive: NginxDirective, _ values: [String: String], within location: NginxLocation?
    ) -> Bool {
        switch directive.name {
        case "return": return readReturn(directive, values, location)
        case "rewrite": return readRewrite(directive, values, location)
        case "if":
            let block = directive.block ?? []
            guard directive.isRedirecting || block.contains(where: \.isEnd) else {
                skipIncludes(block)
                break
            }
            skip(directive.source, "Waymark has no condition such as `if`")
        case "location" where location != nil:
            skip(directive.source, "it is a location within another one")
        case "error_page" where location != nil && directive.words.contains("404"):
            skip(directive.source, "a location has no answer of its own for what is not found")
        case "internal": skip(directive.source, "only the server itself asks its location")
        default: break
        }
        return false
    }

    private mutating func readReturn(
        _ directive: NginxDirective, _ values: [String: String], _ location: NginxLocation?
    ) -> Bool {
        let source = directive.source
        let before = untranslated.count
        let status = directive.words.first.flatMap { Int($0) }
        let url = status == nil ? directive.words.first : directive.words.dropFirst().first
        let code = status ?? 302
        guard nginxRedirects.contains(code) || [403, 404, 410].contains(code) else {
            skip(source, "there is no answer with status \(code) and a text")
            return false
        }
        let target = code < 400 ? url : nil
        if code < 400, target == nil {
            skip(source, "there is no URL")
            return false
        }
        if url == "https://$host$request_uri" || url == "https://$http_host$request_uri" {
            pass(source, upgradeReason)
            return false
        }
        if let location, location.kind == .expression {
            // An expression that was tried since has other groups.
            let isLast = !(location.directive.block ?? []).contains {
                $0.name == "rewrite" || $0.name == "if"
            }
            let found = target.map { keepingHost($0) }
            let start = rules.count
            add(
                location.path, status: code, source, isCaseSensitive: location.isCaseSensitive
            ) { groups in
                guard let target else { return .notFound }
                let known = isLast ? groups : groups.filter { Int($0.key) == nil }
                return nginxAnswer(target, values.merging(known) { $1 }, status: code)?.answer
            }
            if found?.keepsHost == true { keepHost(from: start) }
            return untranslated.count == before
        }
        let patterns = location?.patterns ?? ["/*"]
        guard let target else {
            refuse(patterns, code, source)
            return true
        }
        guard let found = nginxAnswer(target, values, status: code) else {
            skip(source, unusableDestination)
            return false
        }
        var rule = RedirectRule(source: source, match: patterns, answer: found.answer)
        rule.keepsHost = found.keepsHost
        if location == nil, case .url(let url) = found.answer {
            let upgraded = currentHosts.filter { url == "https://\($0){path}?{query}" }
            rule.hosts = currentHosts.filter { !upgraded.contains($0) }
            if !upgraded.isEmpty, rule.hosts.isEmpty {
                pass(source, upgradeReason)
                return false
            }
        }
        rule.status = code
        append(rule)
        return true
    }

    private mutating func keepHost(from start: Int) {
        for var rule in takeRules(from: start) {
            rule.keepsHost = true
            append(rule)
        }
    }

    private mutating func readRewrite(
        _ directive: NginxDirective, _ values: [String: String], _ location: NginxLocation?
    ) -> Bool {
        let (words, source) = (directive.words, directive.source)
        guard words.count >= 2 else {
            skip(source, "there is no destination")
            return false
        }
        let flag = words.count > 2 ? words[2] : ""
        let isURL = isURL(words[1]) || words[1].utf8.starts(with: "$scheme".utf8)
        guard flag == "permanent" || flag == "redirect" || isURL else {
            skip(source, "it rewrites a path within the server")
            return false
        }
        // A question mark at the end drops the query.
        let drops = words[1].utf8.last == UInt8(ascii: "?")
        let target = drops ? String(words[1].dropLast()) : words[1]
        let status = flag == "permanent" ? 301 : 302
        do throws(RegexPattern.Refusal) {
            let whole = try RegexPattern(words[0])
            let confined = try location.map { place throws(RegexPattern.Refusal) in
                try place.confine(whole, words[0])
            }
            let pattern = confined?.pattern ?? whole
            let found = pattern.rules(
                source, isCaseSensitive: confined?.isCaseSensitive ?? true
            ) { groups in
                let merged = values.merging(groups) { $1 }
                let found = nginxAnswer(
                    target, merged, status: status, change: drops ? { $0 } : passingOn)
                return found?.answer
            }
            guard let found else {
                skip(source, unusableDestination)
                return false
            }
            let isTwice =
                !drops
                && ["$request_uri", "$args", "$query_string"].contains { target.contains($0) }
            for var rule in found {
                rule.status = status
                rule.keepsHost = keepingHost(target).keepsHost
                if isTwice { rule.notes.append("once with the query, which nginx appends twice") }
                append(rule)
            }
            return confined?.isComplete ?? false
        } catch {
            refuse(error, source)
            return false
        }
    }
}

// MARK: - Destinations

private func keepingHost(_ target: String) -> (target: String, keepsHost: Bool) {
    keepingHost(
        target, schemes: ["$scheme://", "https://", "http://"],
        hosts: ["$host", "$http_host", "${host}", "${http_host}"],
        paths: ["$request_uri", "$uri", "$document_uri"])
}

/// The redirect to a destination as nginx writes it; nil if it uses a value that has no equal.
/// - Parameter change: what becomes of the URL that is filled in.
func nginxAnswer(
    _ target: String, _ values: [String: String], status: Int,
    change: (String) -> String = { $0 }
) -> (answer: RedirectRule.Answer, keepsHost: Bool)? {
    let (text, keepsHost) = keepingHost(target)
    guard let filled = FilledDestination.nginx(text, values) else { return nil }
    if keepsHost { return (.own(change(filled)), true) }
    return answer(to: change(filled), status: status).map { ($0, false) }
}

/// nginx's `rewrite` adds the query of the request behind one that the destination has.
private func passingOn(_ url: String) -> String {
    url.contains("{query}") ? url : addingQuery(to: url)
}

extension NginxDirective {
    /// The `try_files` of a location that only shows a page for every path without a file; nil for others.
    var fallback: NginxDirective? {
        guard name == "location", !isRedirecting, let block,
            block.count(where: { $0.isHandler && $0.name != "root" }) == 1
        else { return nil }
        return block.first { $0.fallbackPage != nil }
    }

    /// The page of a `try_files` that shows it for every path without a file, as an application in
    /// one page needs it.
    fileprivate var fallbackPage: String? {
        guard name == "try_files", words.count > 1, let page = words.last,
            page.utf8.first == UInt8(ascii: "/"),
            !page.utf8.contains(where: { "$?".utf8.contains($0) }),
            words.dropLast().allSatisfy({ ["$uri", "$uri/"].contains($0) })
        else { return nil }
        return page
    }

    /// Whether it ends the server's or the location's directives.
    fileprivate var isEnd: Bool { name == "break" }

    /// Whether it says what a location serves.
    fileprivate var isHandler: Bool {
        ["root", "alias", "try_files", "autoindex", "stub_status", "empty_gif", "content_by_lua"]
            .contains(name) || name.utf8.suffix(5).elementsEqual("_pass".utf8)
            || name.utf8.starts(with: "content_by".utf8)
    }
}
