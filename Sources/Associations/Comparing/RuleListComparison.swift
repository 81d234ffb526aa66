/// The links that two lists of rules decide differently, and the rules that decide none.
struct RuleListComparison {
    private(set) var changes = [RuleComparison.LinkChange]()
    /// Rules of the new list that decide no link, but did before or are new.
    private(set) var unreachable = [RuleComparison.UnreachableRule]()
    private(set) var isComplete = true

    static let unchanged = RuleListComparison()
    /// The comparison of lists for which no steps are left.
    static let notCompared: RuleListComparison = {
        var comparison = RuleListComparison()
        comparison.isComplete = false
        return comparison
    }()

    private init() {}

    /// - Parameters:
    ///   - host: the host of the example links.
    ///   - stepsLeft: for automata; those that were taken are subtracted.
    init(_ before: ComparedList, _ after: ComparedList, host: String, _ stepsLeft: inout Int) {
        let sampler = LinkSampler([before.sampled, after.sampled], host: host, stepsMax: stepsLeft)
        stepsLeft -= sampler.steps
        isComplete = sampler.isComplete
        var cells = [Cell]()
        for sample in sampler.samples {
            guard let cell = Cell(sample.link, before, after) else { continue }
            cells.append(cell)
            // A difference counts only if the matcher confirms the automaton's result.
            if [cell.old.rule, cell.new.rule] != sample.rules { isComplete = false }
        }
        if !isComplete {
            let links = [before, after].flatMap { side in
                side.rules.prefix(Self.examplesMax).compactMap {
                    $0.example(host: host, side.variables)
                }
            }
            cells += links.compactMap { Cell($0, before, after) }
        }
        group(cells, before, after, host)
        findUnreachable(cells, before, after, &stepsLeft)
    }

    /// If the automaton's limits are reached, the number of rules of each file whose own examples
    /// are compared.
    private static let examplesMax = 5_000

    // MARK: Deciding

    /// A link, and its decision in both files.
    private struct Cell {
        let link: String
        let pair: Pair
        var old: LinkDecision { pair.old }
        var new: LinkDecision { pair.new }

        init?(_ link: String, _ before: ComparedList, _ after: ComparedList) {
            guard let url = try? LinkURL(link) else { return nil }
            self.link = link
            pair = Pair(old: before.decide(url), new: after.decide(url))
        }
    }

    private struct Pair: Hashable {
        let old: LinkDecision
        let new: LinkDecision

        var differs: Bool { (old.verdict == .open) != (new.verdict == .open) }
    }

    private mutating func group(
        _ cells: [Cell], _ before: ComparedList, _ after: ComparedList, _ host: String
    ) {
        // The pairs of each decision: a rule changes as a whole if it has one.
        let olds = Dictionary(grouping: Set(cells.map(\.pair)), by: \.old)
        let news = Dictionary(grouping: Set(cells.map(\.pair)), by: \.new)
        var seen = Set<Pair>()
        for cell in cells where cell.pair.differs && seen.insert(cell.pair).inserted {
            let starts = cell.new.verdict == .open
            let rule = starts ? after.rule(cell.new) : before.rule(cell.old)
            let pairs = starts ? news[cell.new] : olds[cell.old]
            changes.append(
                RuleComparison.LinkChange(
                    starts: starts, rule: rule,
                    counterpart: starts ? before.rule(cell.old) : after.rule(cell.new),
                    isWhole: pairs?.count == 1,
                    example: legible(rule, cell, before, after, host)))
        }
        // In the order in which reviewers read a file: by the rule that opens.
        let order = { (change: RuleComparison.LinkChange) in
            (change.starts ? 0 : 1, change.rule?.line ?? 0)
        }
        changes.sort { order($0) < order($1) }
    }

    /// The link that a person would write for the rule. If this link has other decisions, the one
    /// that was found, with the escapes of browsers if they change nothing.
    private func legible(
        _ rule: RuleText?, _ cell: Cell, _ before: ComparedList, _ after: ComparedList,
        _ host: String
    ) -> String {
        let variables = cell.new.verdict == .open ? after.variables : before.variables
        let links = [
            (rule ?? RuleText(path: "*")).example(host: host, variables),
            assignedRegions(in: cell.link), capitalEscapes(in: cell.link),
        ]
        return links.compactMap(\.self).first { Cell($0, before, after)?.pair == cell.pair }
            ?? cell.link
    }

    private mutating func findUnreachable(
        _ cells: [Cell], _ before: ComparedList, _ after: ComparedList, _ stepsLeft: inout Int
    ) {
        guard isComplete else { return }
        let reachedBefore = Set(cells.compactMap(\.old.rule))
        let reachedAfter = Set(cells.compactMap(\.new.rule))
        let known = Set(
            before.rules.indices.filter { !reachedBefore.contains($0) }
                .map { before.rules[$0].identity })
        for (index, rule) in after.rules.enumerated()
        where !reachedAfter.contains(index) && !known.contains(rule.identity) {
            unreachable.append(Self.examine(rule, after, &stepsLeft))
        }
    }

    /// Finds why a rule decides no link.
    private static func examine(
        _ rule: RuleText, _ side: ComparedList, _ stepsLeft: inout Int
    ) -> RuleComparison.UnreachableRule {
        var variables = side.variables
        let fault = CompiledRule(rule, &variables).patterns.compactMap(\.fault).first
        let alone = LinkSampler(
            [.init(rules: [rule], variables: side.variables)], host: "h", stepsMax: stepsLeft)
        stepsLeft -= alone.steps
        return RuleComparison.UnreachableRule(
            rule: rule,
            matchesNothing: alone.isComplete && !alone.samples.contains { $0.rules == [0] },
            fault: fault)
    }
}
