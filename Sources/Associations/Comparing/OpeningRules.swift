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
        var scratch = MatchScratch()
        func opens(_ link: String?) -> Bool {
            guard let link, let url = try? LinkURL(link) else { return false }
            matcher.decide(url, &scratch)
            let decision = matcher.decision(forApp: 0, scratch)
            guard decision.verdict == .open, let rule = decision.rule else { return false }
            // A character that browsers encode may stand for a wildcard, but not for itself.
            return url.isAsBrowsersSend || rules[rule].isAsBrowsersSend
        }
        let variables = Variables(variables)
        if rules.contains(where: { !$0.exclude && opens($0.example(host: host, variables)) }) {
            return true
        }
        let sampler = LinkSampler(
            [.init(rules: rules, variables: variables)], host: host, stepsMax: steps)
        steps -= sampler.steps
        return !sampler.isComplete || sampler.samples.contains { opens($0.link) }
    }
}

extension RuleText {
    /// Whether its patterns have only characters that browsers leave as they are.
    fileprivate var isAsBrowsersSend: Bool {
        func isSent(_ pattern: String?, _ part: LinkURL.Part) -> Bool {
            pattern?.utf8.allSatisfy { LinkURL.isSent($0, in: part) } ?? true
        }
        return isSent(path, .path) && isSent(fragment, .fragment)
            && (query?.patterns ?? []).allSatisfy { isSent($0, .query) }
    }
}

private let host = "example.com"
