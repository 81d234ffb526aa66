/// One file's rules for an app, in a comparison.
struct ComparedList {
    let rules: [RuleText]
    let variables: Variables
    private let matcher: LinkMatcher

    /// - Parameters:
    ///   - app: nil if the file has no entry for the app.
    ///   - compiled: the same variables.
    init(_ app: AppRules?, _ variables: Variables, _ compiled: [SubstitutionVariable]) {
        rules = app?.rules ?? []
        self.variables = variables
        matcher = LinkMatcher(app.map { [$0] } ?? [], variables: compiled)
    }

    var sampled: LinkSampler.Side { .init(rules: rules, variables: variables) }

    func decide(_ url: LinkURL) -> LinkDecision {
        guard !matcher.apps.isEmpty else { return .none }
        var scratch = MatchScratch()
        matcher.decide(url, &scratch)
        return matcher.decision(forApp: 0, scratch)
    }

    func rule(_ decision: LinkDecision) -> RuleText? { decision.rule.map { rules[$0] } }
}
