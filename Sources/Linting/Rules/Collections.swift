import Associations
import Diagnostics
import SiteConfiguration

// Collections whose stored links no request reaches, because an earlier link takes their paths.

extension Site {
    /// One finding for each such collection.
    var collectionFindings: [Diagnostic] {
        webLinks.enumerated().compactMap { index, link in
            guard link.collection != nil, let position = link.matchPosition else { return nil }
            let earlier = webLinks[..<index].first { $0.takesAll(of: link) }
            guard let earlier, let other = earlier.matchPosition else { return nil }
            return Diagnostic(
                .error, .unreachableRule, at: position,
                "no link of the collection \(quoted(link.key)) is reached: link "
                    + "\(quoted(earlier.key)) in line \(other.line) takes its paths first",
                advice: "write \(quoted(link.key)) before \(quoted(earlier.key)), or give it other "
                    + "paths")
        }
    }
}

extension Link {
    /// The position of its first rule that does not exclude.
    fileprivate var matchPosition: SourcePosition? {
        zip(components, positions).first { !$0.0.exclude }?.1.whole
    }

    /// Whether the link answers, at any time, every request that the other link would get.
    fileprivate func takesAll(of other: Link) -> Bool {
        guard web != nil || collection != nil, times == nil else { return false }
        let own = components.filter { !$0.exclude }.map(RuleText.init)
        let taken = other.components.filter { !$0.exclude }
        // A later link gets what an earlier one excludes.
        let mayExclude = components.contains { rule in
            rule.exclude && taken.contains { $0.mayMeet(rule) }
        }
        var reach = RuleReach(own + taken.map(RuleText.init))
        return !mayExclude
            && taken.indices.allSatisfy { number in
                reach.deciders(of: own.count + number).contains { $0 < own.count }
            }
    }
}

extension Component {
    /// Whether some path may match both rules, by what is literal at their beginnings.
    fileprivate func mayMeet(_ other: Component) -> Bool {
        let (first, second) = (literal, other.literal)
        return first.starts(with: second) || second.starts(with: first)
    }

    private var literal: [UInt8] { Array((path ?? "").utf8.prefix { !"*?$%".utf8.contains($0) }) }
}
