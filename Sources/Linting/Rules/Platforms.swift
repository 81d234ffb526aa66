import Associations
import Diagnostics

extension AssetLinksReading {
    /// The first path that opens an app on one platform only, for each statement with dynamic
    /// rules. Apps without them have their paths in their manifests, which nobody sees here.
    func differences(from file: AssociationReading) -> [Finding] {
        let lists = file.details.compactMap { $0.rules?.compactMap(RulePattern.init) }
        guard !lists.isEmpty else { return [] }
        return statements.compactMap { $0.difference(from: lists) }
    }
}

extension StatementReading {
    fileprivate func difference(from lists: [[RulePattern]]) -> Finding? {
        guard let dynamicComponents, let first = dynamicComponents.first else { return nil }
        let own = dynamicComponents.compactMap(RulePattern.init)
        var steps = stepsMax
        for pattern in (own + lists.joined()).prefix(samplesMax) where pattern.query == nil {
            guard pattern.fragment == nil, !pattern.isCatchAll, steps > 0,
                let sample = SamplePath(of: pattern.path)
            else { continue }
            let opensHere = own.opens(sample, steps: &steps)
            let opensThere = lists.contains { $0.opens(sample, steps: &steps) }
            guard opensHere != opensThere else { continue }
            return Finding(
                .warning, .platformsDiffer, Finding.Spot(first),
                "\(quoted(sample.text)) opens an app on \(opensHere ? "Android" : "iOS") only",
                advice: "generate both files from one configuration")
        }
        return nil
    }
}

/// Rules that samples are made of.
private let samplesMax = 500
