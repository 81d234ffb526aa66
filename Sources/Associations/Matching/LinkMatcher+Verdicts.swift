extension LinkMatcher {
    /// The full answer, one for each app in file order: which rule decides, why each earlier one
    /// does not match, and on what points systems may differ.
    package func verdicts(for url: LinkURL) -> [AppVerdict] {
        var examination = Examination(url, variables)
        let answers = groups.map { answer($0, &examination) }
        let verdicts = zip(apps, groupOfApp).map { app, group in verdict(app, answers[group]) }
        guard verdicts.count(where: { $0.verdict == .open }) > 1 else { return verdicts }
        return verdicts.map { $0.verdict == .open ? $0.adding(.severalApps) : $0 }
    }

    /// What an app's rules come to, before places are put to it.
    private struct Answer {
        var findings = [RuleFinding]()
        var decision = LinkDecision.none
    }

    private func answer(_ group: Group, _ examination: inout Examination) -> Answer {
        guard let range = group.range else { return Answer(decision: .everything) }
        var answer = Answer()
        for (index, rule) in rules[range].enumerated() {
            let finding = examination.examine(rule, texts[range.lowerBound + index])
            answer.findings.append(finding)
            if finding.failures.isEmpty {
                answer.decision = LinkDecision(
                    verdict: rule.isExcluded ? .exclude : .open, rule: index)
                break
            }
        }
        return answer
    }

    private func verdict(_ app: AppRules, _ answer: Answer) -> AppVerdict {
        let rules = app.rules ?? []
        func position(_ index: Int) -> RulePosition {
            RulePosition(index: index, pointer: rules[index].pointer, line: rules[index].line)
        }
        let failed = answer.findings.enumerated().filter { !$1.failures.isEmpty }
        let steps = failed.map { index, finding in
            RuleStep(
                position: position(index), failures: finding.failures, caveats: finding.caveats)
        }
        // Whoever looks for the rule that should have opened is not helped by an exclusion.
        let opening = zip(steps, failed).filter { !rules[$1.offset].exclude }
        let nearest = opening.max { $0.1.element.nearness < $1.1.element.nearness }
        var caveats = [LinkCaveat]()
        for caveat in answer.findings.flatMap(\.caveats) where !caveats.contains(caveat) {
            caveats.append(caveat)
        }
        let entry = RulePosition(index: nil, pointer: app.pointer, line: app.line)
        return AppVerdict(
            appID: app.appID, verdict: answer.decision.verdict,
            rule: answer.decision == .everything ? entry : answer.decision.rule.map(position),
            steps: steps,
            nearest: nearest.flatMap { $1.element.nearness.isWorthMentioning ? $0 : nil },
            caveats: caveats)
    }
}

extension AppVerdict {
    fileprivate func adding(_ caveat: LinkCaveat) -> AppVerdict {
        AppVerdict(
            appID: appID, verdict: verdict, rule: rule, steps: steps, nearest: nearest,
            caveats: caveats + [caveat])
    }
}
