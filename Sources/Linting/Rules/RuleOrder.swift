import Associations
import Diagnostics

// The first rule that matches decides: what stands after a rule that takes as much is never
// tried.

/// The rules of one list, each with the form in which it is compared; nil for one that matches
/// nothing.
struct RuleOrder {
    let rules: [RuleReading]
    let patterns: [RulePattern?]
    /// How much comparing is left; a list that is too long for it is looked at in part.
    private var steps = stepsMax

    init(_ rules: [RuleReading]) {
        self.rules = rules
        // What a rule matches by mistake says nothing about the order.
        patterns = rules.map { $0.isUnintended ? nil : RulePattern($0) }
    }

    /// What is wrong with the order, one finding for each rule at most.
    mutating func findings() -> [Finding] {
        var findings = [Finding]()
        var seen = [RulePattern: Int]()
        let catchAll = patterns.firstIndex { $0?.isCatchAll == true }
        let lastInclude = rules.lastIndex { !$0.exclude } ?? -1
        for index in rules.indices {
            guard let pattern = patterns[index] else { continue }
            if let earlier = seen[pattern] {
                findings.append(duplicate(index, of: earlier))
            } else if let catchAll, catchAll < index {
                if rules[catchAll].exclude != pattern.exclude {
                    findings.append(unreachable(index, behind: catchAll))
                }
            } else if let earlier = coverer(of: index) {
                findings.append(covered(index, by: earlier))
            } else if pattern.exclude, index > lastInclude, lastInclude >= 0, !pattern.isCatchAll {
                findings.append(needless(index))
            } else if let later = widerNeighbour(of: index) {
                findings.append(redundant(index, beside: later))
            }
            if seen[pattern] == nil { seen[pattern] = index }
        }
        if let catchAll, let finding = notLast(catchAll) { findings.append(finding) }
        return findings
    }

    /// The first of the earlier rules that takes all that this one takes.
    private mutating func coverer(of index: Int) -> Int? {
        guard let pattern = patterns[index] else { return nil }
        for earlier in 0..<index {
            guard steps > 0 else { return nil }
            if patterns[earlier]?.covers(pattern, steps: &steps) == true { return earlier }
        }
        return nil
    }

    /// The next rule, where it does the same and takes all that this one takes, and more: of two
    /// that take the same, the second is named, and one of them must stay.
    private mutating func widerNeighbour(of index: Int) -> Int? {
        guard index + 1 < rules.count, let pattern = patterns[index],
            let next = patterns[index + 1], next.exclude == pattern.exclude, !next.isCatchAll,
            next.covers(pattern, steps: &steps), !pattern.covers(next, steps: &steps)
        else { return nil }
        return index + 1
    }

    private func duplicate(_ index: Int, of earlier: Int) -> Finding {
        Finding(
            .note, .duplicate, Finding.Spot(rules[index]),
            "this rule says the same as the one in \(lineMark)",
            other: Finding.Spot(rules[earlier]), advice: "remove it")
    }

    private func covered(_ index: Int, by earlier: Int) -> Finding {
        rules[index].exclude == rules[earlier].exclude
            ? redundant(index, beside: earlier) : unreachable(index, behind: earlier)
    }

    private func unreachable(_ index: Int, behind earlier: Int) -> Finding {
        let rule = rules[index]
        return Finding(
            .error, .unreachable, Finding.Spot(rule),
            "never tried: the rule in \(lineMark) takes all that this one takes, so "
                + (rule.exclude ? "nothing is excluded here" : "nothing opens here"),
            other: Finding.Spot(rules[earlier]), advice: "move it before that rule")
    }

    private func redundant(_ index: Int, beside other: Int) -> Finding {
        Finding(
            .note, .redundant, Finding.Spot(rules[index]),
            "the rule in \(lineMark) takes all that this one takes, and does the same",
            other: Finding.Spot(rules[other]), advice: "remove this one")
    }

    private func needless(_ index: Int) -> Finding {
        Finding(
            .note, .redundant, Finding.Spot(rules[index]),
            "nothing opens behind this exclude, so it excludes nothing that would open",
            advice: "excludes stand before the rules that they narrow")
    }

    private func notLast(_ catchAll: Int) -> Finding? {
        guard catchAll + 1 < rules.count else { return nil }
        let count = rules.count - catchAll - 1
        return Finding(
            .warning, .catchAllNotLast, Finding.Spot(rules[catchAll]),
            "this rule matches every link, so the \(count == 1 ? "rule" : "\(count) rules") "
                + "behind it \(count == 1 ? "is" : "are") never tried", advice: "move it to the end"
        )
    }
}

/// Comparisons of one list; some seconds of work would be too much for any file.
let stepsMax = 5_000_000
