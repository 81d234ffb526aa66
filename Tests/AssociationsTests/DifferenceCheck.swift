import Associations

/// What holding one comparison against the plain matcher came to.
struct DifferenceCheck {
    /// Whether the comparison says that it found every difference.
    private(set) var isComplete = true
    /// How many links change, of those that were tried.
    private(set) var changingLinks = 0
    private(set) var faults = [String]()

    init(_ pair: RandomPair, links: Int) {
        var pair = pair
        let comparison = RuleComparison.all(
            old: pair.old.numbered.ruleSet, new: pair.new.numbered.ruleSet, host: "e.com")[0]
        isComplete = comparison.isComplete
        for change in comparison.changes { checkExample(change, pair) }
        for _ in 0..<links {
            let link = pair.link()
            guard let url = try? LinkURL(link) else { continue }
            checkLink(url, pair, comparison)
        }
    }

    private mutating func checkExample(_ change: RuleComparison.LinkChange, _ pair: RandomPair) {
        guard let url = try? LinkURL(change.example) else {
            return faults.append("\(change.example) is no link")
        }
        let (old, new) = (pair.old.deciding(url), pair.new.deciding(url))
        let (before, after) = (pair.old.opens(old), pair.new.opens(new))
        let (opening, other) = change.starts ? (new, old) : (old, new)
        if before == after || after != change.starts || change.rule?.line != opening
            || change.counterpart?.line != other
        {
            faults.append("\(change.example) is no example: \(change)")
        }
    }

    private mutating func checkLink(
        _ url: LinkURL, _ pair: RandomPair, _ comparison: RuleComparison
    ) {
        let (old, new) = (pair.old.deciding(url), pair.new.deciding(url))
        if isComplete, let new, comparison.unreachable.contains(where: { $0.rule.line == new }) {
            faults.append("\(url) reaches rule \(new)")
        }
        let (before, after) = (pair.old.opens(old), pair.new.opens(new))
        guard before != after else { return }
        changingLinks += 1
        let (opening, other) = after ? (new, old) : (old, new)
        let isFound = comparison.changes.contains { change in
            change.starts == after && change.rule?.line == opening
                && change.counterpart?.line == other
        }
        if isComplete, !isFound { faults.append("\(url) is missed") }
    }
}

extension RandomVersion {
    /// The same with each rule's place among them, counted from 0, as its line.
    fileprivate var numbered: RandomVersion {
        var version = self
        for index in rules.indices { version.rules[index].line = index }
        return version
    }

    fileprivate func opens(_ rule: Int?) -> Bool { rule.map { !rules[$0].exclude } ?? false }
}
