import Associations
import Diagnostics

extension AssetLinksReading {
    /// The first path that opens an app on one platform only, for each statement with dynamic
    /// rules. Apps without such rules have their paths in their manifests, which are not available
    /// here.
    func differences(from file: AssociationReading) -> [Finding] {
        let lists = file.details.compactMap(\.rules)
        guard !lists.isEmpty else { return [] }
        let matcher = RuleMatcher(
            lists.map { $0.map(RuleText.init) }, variables: file.substitutionVariables)
        return statements.compactMap { $0.difference(from: matcher, lists.flatMap(\.self)) }
    }
}

extension StatementReading {
    fileprivate func difference(from matcher: RuleMatcher, _ rules: [RuleReading]) -> Finding? {
        guard let dynamicComponents, let first = dynamicComponents.first else { return nil }
        let own = RuleMatcher([dynamicComponents.map(RuleText.init)])
        for rule in (dynamicComponents + rules).prefix(samplesMax) {
            guard let path = rule.examplePath, !RuleText(rule).matchesAll() else { continue }
            let opensHere = !own.opens(path: path).isEmpty
            guard opensHere == matcher.opens(path: path).isEmpty else { continue }
            return Finding(
                .warning, .platformsDiffer, Finding.Spot(first),
                "\(quoted(path)) opens an app on \(opensHere ? "Android" : "iOS") only",
                advice: "generate both files from one configuration")
        }
        return nil
    }
}

/// The number of rules that are compared by their example paths.
private let samplesMax = 500
