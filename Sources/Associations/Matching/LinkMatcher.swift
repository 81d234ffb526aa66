/// All apps of one file, compiled once (Apple, "Supporting associated domains"). Every app is
/// asked on its own.
package struct LinkMatcher: Sendable {
    package let apps: [AppRules]
    /// The lists of all apps; apps with the same rules are asked once.
    let matcher: RuleMatcher
    /// Nil for an app whose entry has no pattern list.
    let listOfApp: [Int?]

    /// - Parameter apps: in file order, each app once; of two entries of one app the caller drops
    ///   the second.
    package init(_ apps: [AppRules], variables: [SubstitutionVariable]) {
        var lists = [[RuleText]]()
        var known = [[RuleText]: Int]()
        listOfApp = apps.map { app in
            guard let rules = app.rules else { return nil }
            // Of one app alone there is nothing to compare with.
            if apps.count > 1 {
                if let list = known[rules] { return list }
                known[rules] = lists.count
            }
            lists.append(rules)
            return lists.count - 1
        }
        self.apps = apps
        matcher = RuleMatcher(lists, variables: variables)
    }

    /// Which apps the URL opens, by their numbers in `apps`.
    package func opens(_ url: LinkURL) -> [Int] {
        var scratch = MatchScratch()
        decide(url, &scratch)
        return apps.indices.filter { decision(forApp: $0, scratch).verdict == .open }
    }

    /// Decides for all apps at once, without reasons: for streams of links. `decision(forApp:_:)`
    /// reads the answers until the next call.
    package func decide(_ url: LinkURL, _ scratch: inout MatchScratch) {
        matcher.look(at: url, &scratch)
        scratch.decisions.removeAll(keepingCapacity: true)
        for list in matcher.lists.indices {
            scratch.decisions.append(matcher.decision(of: list, &scratch))
        }
    }

    /// What was decided for the app of that number in `apps`.
    package func decision(forApp app: Int, _ scratch: borrowing MatchScratch) -> LinkDecision {
        listOfApp[app].map { scratch.decisions[$0] } ?? .everything
    }
}

extension LinkMatcher {
    /// The full answer, one for each app in file order: which rule decides, why each earlier one
    /// does not match, and on what points systems may differ.
    package func verdicts(for url: LinkURL) -> [AppVerdict] {
        var examination = Examination(url, matcher.variables)
        let answers = matcher.lists.map { answer($0, &examination) }
        let verdicts = zip(apps, listOfApp).map { app, list in
            verdict(app, list.map { answers[$0] } ?? Answer(decision: .everything))
        }
        guard verdicts.count(where: { $0.verdict == .open }) > 1 else { return verdicts }
        return verdicts.map { $0.verdict == .open ? $0.adding(.severalApps) : $0 }
    }

    /// What an app's rules come to, before places are put to it.
    private struct Answer {
        var findings = [RuleFinding]()
        var decision = LinkDecision.none
    }

    private func answer(_ list: Range<Int>, _ examination: inout Examination) -> Answer {
        var answer = Answer()
        for (index, number) in list.enumerated() {
            let rule = matcher.rules[number]
            let finding = examination.examine(rule, matcher.texts[number])
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
