private import URISyntax

/// A search for a link that opens an app, in the rules of the apps of one file.
///
/// For most lists, the link that a person would write for one of the rules opens the app. For the
/// others, the automaton finds a link for each rule that decides one, and the matcher has the last word.
package struct OpeningRules {
    private let variables: [SubstitutionVariable]
    private var known = [[RuleText]: Bool]()
    /// The remaining steps of automata.
    private var steps = 4_000_000

    /// - Parameter variables: those of the rules' file.
    package init(variables: [SubstitutionVariable]) {
        self.variables = variables
    }

    /// Whether a link opens the app. If the search would take too long, one is taken to do so.
    package mutating func open(_ app: AppRules) -> Bool {
        guard let rules = app.rules else { return true }
        if let known = known[rules] { return known }
        let result = search(rules)
        known[rules] = result
        return result
    }

    private mutating func search(_ rules: [RuleText]) -> Bool {
        guard rules.contains(where: { !$0.exclude }) else { return false }
        let matcher = LinkMatcher([AppRules(appID: "", rules: rules)], variables: variables)
        for choice in choices where search(rules, matcher, Variables(choice)) { return true }
        return false
    }

    /// - Parameter variables: those that links are made of.
    private mutating func search(
        _ rules: [RuleText], _ matcher: LinkMatcher, _ variables: Variables
    ) -> Bool {
        var scratch = MatchScratch()
        func opening(_ url: LinkURL) -> RuleText? {
            matcher.decide(url, &scratch)
            let decision = matcher.decision(forApp: 0, scratch)
            return decision.verdict == .open ? decision.rule.map { rules[$0] } : nil
        }
        func opens(_ link: String?) -> Bool {
            guard let link, let url = try? LinkURL(link) else { return false }
            if let sent = url.asBrowsersSend, opening(sent) != nil { return true }
            // A character that browsers encode may stand for a wildcard, but not for itself.
            return opening(url)?.isAsBrowsersSend(variables) == true
        }
        if rules.contains(where: { !$0.exclude && opens($0.example(host: host, variables)) }) {
            return true
        }
        let sampler = LinkSampler(
            [.init(rules: rules, variables: variables)], host: host, stepsMax: steps)
        steps -= sampler.steps
        return !sampler.isComplete || sampler.samples.contains { opens($0.link) }
    }

    /// The variables with all values, and then, for each part of a link, with those that browsers
    /// leave as they are there, if that is less.
    private var choices: [[SubstitutionVariable]] {
        var choices = [variables]
        for part in [LinkURL.Part.path, .query, .fragment] {
            let sent = variables.map { variable in
                SubstitutionVariable(
                    name: variable.name,
                    values: variable.values.filter { isAsBrowsersSend($0.utf8, in: part) })
            }
            if !choices.contains(sent) { choices.append(sent) }
        }
        return choices
    }
}

extension LinkURL {
    /// The same URL, with its characters escaped and its segments of dots resolved as browsers do
    /// before they send it (WHATWG URL, "URL parsing").
    fileprivate var asBrowsersSend: LinkURL? {
        var path = sent(pathRange, .path)
        path = PathDecoding.resolvingDotSegments(path) ?? path
        var text = bytes[..<pathRange.lowerBound] + path
        if let queryRange { text += "?".utf8 + sent(queryRange, .query) }
        if let fragmentRange { text += "#".utf8 + sent(fragmentRange, .fragment) }
        return try? LinkURL(utf8: Array(text))
    }

    private func sent(_ range: Range<Int>, _ part: Part) -> [UInt8] {
        var text = [UInt8]()
        for byte in bytes[range] {
            if Self.isSent(byte, in: part) {
                text.append(byte)
            } else if byte == UInt8(ascii: "\\") {
                text.append(UInt8(ascii: "/"))
            } else {
                text.append(percentEncoded: byte)
            }
        }
        return text
    }
}

extension RuleText {
    /// Whether its patterns, with any value of their variables, have only what browsers leave as it
    /// is.
    fileprivate func isAsBrowsersSend(_ variables: Variables) -> Bool {
        func isSent(_ pattern: String?, _ part: LinkURL.Part) -> Bool {
            guard let pattern else { return true }
            let values = variableNames(in: pattern).compactMap(\.self).flatMap {
                variables.own[Array($0.utf8)] ?? []
            }
            return Associations.isAsBrowsersSend(pattern.utf8, in: part)
                && values.allSatisfy { Associations.isAsBrowsersSend($0, in: part) }
        }
        if case .items(let items) = query, !items.allSatisfy({ isSent($0.name, .query) }) {
            return false
        }
        return isSent(path, .path) && isSent(fragment, .fragment)
            && (query?.patterns ?? []).allSatisfy { isSent($0, .query) }
    }
}

/// Whether a pattern, or the value of a variable, has only what browsers leave as it is in a part.
private func isAsBrowsersSend(_ text: some Collection<UInt8>, in part: LinkURL.Part) -> Bool {
    text.allSatisfy { LinkURL.isSent($0, in: part) }
        && (part != .path || PathDecoding.resolvingDotSegments(Array("/".utf8) + text) == nil)
}

private let host = "example.com"
