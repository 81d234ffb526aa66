import Associations
import Diagnostics

// The first rule that matches decides. A rule after one that matches all its links is never tried.

/// The rules of one list, in the order in which they are tried.
struct RuleOrder {
    let rules: [RuleReading]
    /// The rules that are compared. A rule that matches by mistake means nothing for the order.
    private let compared: [Int]
    private var reach: RuleReach
    /// The first rule that matches every link, by its index in `compared`.
    private let forAll: Int?

    init(_ rules: [RuleReading], _ variables: [SubstitutionVariable]) {
        self.rules = rules
        compared = rules.indices.filter { !rules[$0].isUnintended }
        reach = RuleReach(compared.map { RuleText(rules[$0]) }, variables: variables)
        forAll = reach.firstForAll()
    }

    /// The first rule that matches every link.
    var catchAll: RuleReading? { forAll.map { rules[compared[$0]] } }

    /// The findings about the order, at most one for each rule.
    mutating func findings() -> [Finding] {
        var findings = [Finding]()
        var seen = [[[UInt8]]: Int]()
        let lastInclude = rules.lastIndex { !$0.exclude } ?? -1
        for (number, index) in compared.enumerated() {
            let rule = RuleText(rules[index]).identity
            if let earlier = seen[rule] {
                findings.append(duplicate(index, of: earlier))
                continue
            }
            seen[rule] = index
            if let forAll, forAll < number {
                let catchAll = compared[forAll]
                if rules[catchAll].exclude != rules[index].exclude {
                    findings.append(unreachable(index, behind: [catchAll]))
                } else if reach.isForAll(number) {
                    findings.append(duplicate(index, of: catchAll))
                }
                continue
            }
            let deciders = reach.deciders(of: number)
            if !deciders.isEmpty {
                findings.append(covered(number, by: deciders))
            } else if rules[index].exclude, index > lastInclude, lastInclude >= 0, forAll != number
            {
                findings.append(needless(index))
            } else if hasWiderNeighbour(number) {
                findings.append(redundant(index, beside: [index + 1]))
            }
        }
        if let forAll, let finding = notLast(compared[forAll]) { findings.append(finding) }
        return findings
    }

    /// Whether the next rule has the same effect and matches all links of this rule, and more. If
    /// the two match the same links, the second gets a finding, and one of them must stay.
    private mutating func hasWiderNeighbour(_ number: Int) -> Bool {
        let (index, next) = (compared[number], number + 1)
        guard next < compared.count, compared[next] == index + 1, next != forAll,
            rules[index].exclude == rules[index + 1].exclude
        else { return false }
        return reach.takesAll(next, of: number) && !reach.takesAll(number, of: next)
    }

    private mutating func covered(_ number: Int, by deciders: [Int]) -> Finding {
        let (index, others) = (compared[number], deciders.map { compared[$0] })
        guard others.allSatisfy({ rules[$0].exclude == rules[index].exclude }) else {
            return unreachable(index, behind: others)
        }
        guard deciders.count == 1, reach.takesAll(number, of: deciders[0]) else {
            return redundant(index, beside: others)
        }
        return duplicate(index, of: others[0])
    }

    private func duplicate(_ index: Int, of earlier: Int) -> Finding {
        Finding(
            .note, .duplicateRule, Finding.Spot(rules[index]),
            others: [Finding.Spot(rules[earlier])], advice: "remove it"
        ) { "this rule is equal to the rule in \($0)" }
    }

    private func unreachable(_ index: Int, behind earlier: [Int]) -> Finding {
        let rule = rules[index]
        return Finding(
            .error, .unreachableRule, Finding.Spot(rule),
            others: earlier.map { Finding.Spot(rules[$0]) },
            advice: "move it before \(earlier.count == 1 ? "that rule" : "those rules")"
        ) { lines in
            "never tried: \(takers(earlier, lines)), so "
                + (rule.exclude ? "nothing is excluded here" : "nothing opens here")
        }
    }

    private func redundant(_ index: Int, beside others: [Int]) -> Finding {
        Finding(
            .note, .redundantRule, Finding.Spot(rules[index]),
            others: others.map { Finding.Spot(rules[$0]) }, advice: "remove this rule"
        ) { lines in
            takers(others, lines)
                + (others.count == 1 ? ", and does the same" : ", and do the same")
        }
    }

    private func needless(_ index: Int) -> Finding {
        Finding(
            .note, .redundantRule, Finding.Spot(rules[index]),
            "no later rule opens a link, so this exclude has no effect",
            advice: "write excludes before the rules that they restrict")
    }

    private func notLast(_ catchAll: Int) -> Finding? {
        guard catchAll + 1 < rules.count else { return nil }
        let count = rules.count - catchAll - 1
        // Where all have the same effect, their order does not matter.
        let differs = rules[(catchAll + 1)...].contains { $0.exclude != rules[catchAll].exclude }
        return Finding(
            .warning, .catchAllNotLast, Finding.Spot(rules[catchAll]),
            "this rule matches every link, so the \(count == 1 ? "rule" : "\(count) rules") "
                + "behind it \(count == 1 ? "is" : "are") never tried",
            advice: differs
                ? "move it to the end"
                : "remove what is behind it, which has the same effect, or narrow this rule")
    }
}

/// Not a method, because the closures of findings would then keep a copy of the whole matcher.
private func takers(_ rules: [Int], _ lines: String) -> String {
    rules.count == 1
        ? "the rule in \(lines) matches all links of this rule"
        : "the rules in \(lines) together match all links of this rule"
}
