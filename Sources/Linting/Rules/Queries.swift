import Associations
import Diagnostics

extension RuleReading {
    /// Items whose pattern is a star: a missing item counts as an empty one, and matches.
    var queryFindings: [Finding] {
        guard case .items(let items) = query else { return [] }
        return items.enumerated().compactMap { index, item in
            guard item.pattern.isScalarwise("*") else { return nil }
            return Finding(
                .warning, .queryStar, itemSpot(index),
                "\"*\" asks nothing of the query item \(quoted(item.name)): links without it match "
                    + "too", advice: "write \"?*\" for an item that is there and not empty")
        }
    }
}
