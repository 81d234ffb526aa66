/// Links that distinguish lists of rules that use no variables of a file: one for each combination
/// of rules that can decide the same link in their lists.
/// - Parameter stepsMax: the steps that automata may take; beyond them the result is not complete.
package func distinguishingLinks(
    of lists: [[RuleText]], host: String, stepsMax: Int
) -> (links: [String], isComplete: Bool) {
    let sampler = LinkSampler(
        lists.map { .init(rules: $0, variables: Variables([])) }, host: host, stepsMax: stepsMax)
    return (sampler.samples.map(\.link), sampler.isComplete)
}

extension RuleText {
    /// A link that a person would write for a rule that uses no variables of a file; it may not
    /// match.
    package func exampleLink(host: String) -> String? { example(host: host, Variables([])) }
}
