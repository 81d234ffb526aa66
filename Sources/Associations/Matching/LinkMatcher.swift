// How a link is matched
//
// The files of this directory decide what a URL does under lists of rules. This is the order in
// which to read them: first what is made once from the rules, then what happens for each URL.
//
// Once for the rules:
//
// - `RuleText` is a rule as a file states it, and `AppRules` is the list of an app.
// - `CompiledRule` has a compiled pattern for each part of the URL that the rule compares.
//   `Pattern` divides its text at the stars into `Segment`s. A segment is a literal, or a sequence
//   of `Alternation`s: sets of alternatives, in which each element is one bit. `Variables`
//   compiles the values of `$(name)`, and `ISOCodes` has the values of `$(region)` and `$(lang)`.
// - `RuleIndex` chooses for each rule a literal that a URL must contain. `PrefixTable` finds the
//   literals at the beginning of a path or query, and `LiteralFinder` the others.
// - `RuleMatcher` has several lists of rules, and one index for all of them. `LinkMatcher` is the
//   matcher of an association file, with one list for each app. For the links of a configuration,
//   `LinkResolver` (Resolution) has a `RuleMatcher` of its own.
//
// For each URL:
//
// 1. `LinkURL` divides the URL into host, path, query and fragment, and keeps each as written.
// 2. `URLTexts` has these parts in the forms that rules compare. A form is a `TextVariant`:
//    decoded or not, in lower case or not, and paths are normalized. It is made when a rule first
//    needs it.
// 3. `RuleIndex` looks the texts up, and collects the candidates in a `RuleSet`. The time depends
//    on the length of the URL, and not on the number of rules.
// 4. `RuleMatcher` tries the candidates of a list in order. The first rule that matches decides,
//    and opens the app or excludes the URL (`LinkDecision`).
// 5. If a redirect uses what the stars of this rule match, `StarCapture` finds it.
//
// All of this happens in a `MatchScratch`, the working memory, which is kept from one URL to the
// next. So a decision allocates nothing.
//
// `LinkMatcher.verdicts` explains a decision to people, and therefore does not use the index. An
// `Examination` compares the URL with each rule up to the one that decides. It finds the parts
// that do not match, and the points on which Apple's systems may decide differently. The result is
// an `AppVerdict`. `PublishedAssociationFile` gives it to users of the library. `BriefVerdicts`
// has the same for many links: it uses the index, and examines only the rules that are shown.
//
// The files in Comparing answer questions about all URLs at once, such as which rules never
// decide.

/// The apps of one file, compiled once (Apple, "Supporting associated domains"). The rules of each
/// app decide on their own.
package struct LinkMatcher: Sendable {
    package let apps: [AppRules]
    /// The lists of all apps. Apps with the same rules share one.
    let matcher: RuleMatcher
    /// Nil for an app whose entry has no pattern list.
    let listOfApp: [Int?]

    /// - Parameter apps: in file order. The caller drops the second of two entries of one app.
    package init(_ apps: [AppRules], variables: [SubstitutionVariable]) {
        var lists = [[RuleText]]()
        var known = [[RuleText]: Int]()
        listOfApp = apps.map { app in
            guard let rules = app.rules else { return nil }
            // A single app has no other to share with, so its rules need no hash.
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

    /// The apps that the URL opens, by their numbers in `apps`.
    package func opens(_ url: LinkURL) -> [Int] {
        var scratch = MatchScratch()
        decide(url, &scratch)
        return apps.indices.filter { decision(forApp: $0, scratch).verdict == .open }
    }

    /// Decides for all apps, without reasons, for streams of links. `decision(forApp:_:)` has the
    /// results until the next call.
    package func decide(_ url: LinkURL, _ scratch: inout MatchScratch) {
        matcher.look(at: url, &scratch)
        scratch.decisions.removeAll(keepingCapacity: true)
        for list in matcher.lists.indices {
            scratch.decisions.append(matcher.decision(of: list, &scratch))
        }
    }

    /// The decision of the last call of `decide` for the app with this number in `apps`.
    package func decision(forApp app: Int, _ scratch: borrowing MatchScratch) -> LinkDecision {
        listOfApp[app].map { scratch.decisions[$0] } ?? .everything
    }
}

extension LinkMatcher {
    /// A verdict for each app in file order: which rule decides, why each earlier rule does not
    /// match, and the points on which systems may decide differently.
    package func verdicts(for url: LinkURL) -> [AppVerdict] {
        var examination = Examination(url, matcher.variables)
        return verdicts(of: matcher.lists.map { answer($0, &examination) })
    }

    /// A verdict for each app, from the results of the lists.
    func verdicts(of answers: [Answer]) -> [AppVerdict] {
        let verdicts = zip(apps, listOfApp).map { app, list in
            verdict(app, list.map { answers[$0] } ?? Answer(decision: .everything))
        }
        guard verdicts.count(where: { $0.verdict == .open }) > 1 else { return verdicts }
        return verdicts.map { $0.verdict == .open ? $0.adding(.severalApps) : $0 }
    }

    /// The result of a list of rules, without their positions.
    struct Answer {
        /// With the number of the rule in the list, in order.
        var findings = [(index: Int, finding: RuleFinding)]()
        var decision = LinkDecision.none
    }

    private func answer(_ list: Range<Int>, _ examination: inout Examination) -> Answer {
        var answer = Answer()
        for (index, number) in list.enumerated() {
            let rule = matcher.rules[number]
            let finding = examination.examine(rule, matcher.texts[number])
            answer.findings.append((index, finding))
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
        let failed = answer.findings.filter { !$0.finding.failures.isEmpty }
        let steps = failed.map { index, finding in
            RuleStep(position: position(index), failures: finding.failures)
        }
        // People look for the rule that should have opened the app, not for an exclusion.
        let opening = zip(steps, failed).filter { !rules[$1.index].exclude }
        let nearest = opening.max { $0.1.finding.nearness < $1.1.finding.nearness }
        var caveats = [LinkCaveat]()
        for caveat in answer.findings.flatMap(\.finding.caveats) where !caveats.contains(caveat) {
            caveats.append(caveat)
        }
        let entry = RulePosition(index: nil, pointer: app.pointer, line: app.line)
        return AppVerdict(
            appID: app.appID, verdict: answer.decision.verdict,
            rule: answer.decision == .everything ? entry : answer.decision.rule.map(position),
            steps: steps,
            nearest: nearest.flatMap { $1.finding.nearness.isWorthMentioning ? $0 : nil },
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
