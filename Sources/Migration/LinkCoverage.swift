import Associations

/// The links of a migration, to know which of them leaves another one nothing.
struct LinkCoverage {
    private var reach: RuleReach
    /// The numbers of each link's rules that do not exclude, and whether it has no others.
    private var rules = [String: (numbers: Range<Int>, isAll: Bool)]()

    init(_ links: [PlannedLink]) {
        var all = [RuleText]()
        for link in links {
            let own = link.rules.map(\.rule).filter { !$0.exclude }
            rules[link.key] = (all.count..<all.count + own.count, own.count == link.rules.count)
            all += own
        }
        reach = RuleReach(all)
    }

    /// Whether one link matches every URL of another one. False if that would take too long to know.
    mutating func isAll(of link: String, takenBy taker: String) -> Bool {
        guard let wanted = rules[link]?.numbers, let own = rules[taker], own.isAll,
            wanted.count * own.numbers.count <= Self.pairsMax
        else { return false }
        for rule in wanted {
            guard own.numbers.contains(where: { reach.takesAll($0, of: rule) }) else {
                return false
            }
        }
        return true
    }

    private static let pairsMax = 4_096
}
