package import Associations
internal import Diagnostics
package import Resolution
package import SiteConfiguration
package import URISyntax

/// The rules that decide links, and what the output needs besides.
package struct LinkRules {
    /// The rules, compiled.
    package let matcher: LinkMatcher
    private let brief: BriefVerdicts
    /// Whose rules they are.
    package let kind: Kind
    /// The hosts to which the file belongs; nil if they are not known.
    package var hosts: [HostName]?
    /// The rules of other association files: of the same hosts for another system, or of other
    /// sites.
    package var others = [LinkRules]()
    /// The domains of wildcards among them.
    package var wildcards = [HostName]()
    /// The hosts that some site of the environment lists. A wildcard does not stand for them, as in
    /// what is served.
    package var listedHosts = [HostName]()
    /// The sources of the rules of a generated file, by their JSON pointers; other rules are shown
    /// with their lines.
    var sources = [String: RuleSource]()
    /// Apps that Google does not allow to open links because it refuses their statements, with the
    /// reasons.
    package var refused = [(app: String, reason: String)]()
    /// Apps that are only in an include of an included file.
    package var distant = Set<String>()
    /// The manifests of Android apps, by package, as far as the configuration names them.
    package var manifests = [String: SiteManifest]()
    /// The dynamic rules of other statements about the same Android apps.
    var matchersOfOtherKeys = [LinkMatcher]()
    /// URLs that the file includes and that were not given.
    package var missingIncludes = [String]()

    /// The system whose files the rules are in.
    package enum Kind {
        case apple, android
    }

    /// Rules of one association file.
    package init(
        matcher: LinkMatcher, kind: Kind, hosts: [HostName]?, wildcards: [HostName] = [],
        sources: [String: RuleSource] = [:]
    ) {
        (self.matcher, self.kind) = (matcher, kind)
        (self.hosts, self.wildcards, self.sources) = (hosts, wildcards, sources)
        brief = BriefVerdicts(matcher)
    }

    /// Whether these rules decide links of this URL's host.
    package func answers(for url: LinkURL) -> Bool {
        guard let hosts else { return true }
        guard let host = try? HostName(url.requestedHost) else { return false }
        if hosts.contains(host) { return true }
        guard !listedHosts.contains(host) else { return false }
        guard let dot = host.description.utf8.firstIndex(of: UInt8(ascii: ".")) else {
            return false
        }
        let domain = String(host.description[dot...].dropFirst())
        return wildcards.contains { $0.description == domain }
    }

    /// The result for each app of the files that the link's host has; none for the host of others.
    /// - Parameter showsSteps: whether the results have the reasons of earlier rules.
    package func verdicts(for url: LinkURL, showsSteps: Bool = false) -> [AppAnswer] {
        ([self] + others).filter { $0.answers(for: url) }.flatMap {
            $0.ownVerdicts(for: url, showsSteps: showsSteps)
        }
    }

    private func ownVerdicts(for url: LinkURL, showsSteps: Bool) -> [AppAnswer] {
        var scratch = MatchScratch()
        let verdicts = showsSteps ? matcher.verdicts(for: url) : brief.verdicts(for: url, &scratch)
        let others = matchersOfOtherKeys.flatMap { $0.verdicts(for: url) }
        let byApp = Dictionary(grouping: others, by: \.appID)
        return verdicts.map { answer($0, url, byApp[$0.appID] ?? []) }
            + refused.map { app, reason in
                AppAnswer(
                    app: app, outcome: .none, rule: nil,
                    reason: "Google refuses its statement: \(reason)", earlier: [])
            }
    }

    /// The effect of a decision with the app's manifest; nil if that has no part in it.
    private func manifestVerdict(
        of app: String, _ outcome: LinkOutcome, _ url: LinkURL
    ) -> ManifestRules.Verdict? {
        guard !manifests.isEmpty, kind == .android, outcome == .open else { return nil }
        return manifests[app]?.verdict(for: url)
    }

    /// - Parameter others: the verdicts of the app's other statements.
    private func answer(
        _ verdict: AppVerdict, _ url: LinkURL, _ others: [AppVerdict]
    ) -> AppAnswer {
        let manifest = manifestVerdict(of: verdict.appID, verdict.verdict, url)
        if case .leaves(let reason)? = manifest {
            return AppAnswer(
                app: verdict.appID, outcome: .none, rule: nil,
                reason: "\(reason) (\(manifests[verdict.appID]?.name ?? ""))",
                earlier: verdict.steps)
        }
        return AppAnswer(
            app: verdict.appID, outcome: verdict.verdict, rule: verdict.rule,
            reason: reason(verdict, url, manifest, contrary(to: verdict, among: others, url)),
            earlier: verdict.steps,
            isManifest: manifest != .takes && kind == .android && verdict.isWithoutRules)
    }

    /// The first of other statements' verdicts that has another effect on builds with its key.
    private func contrary(
        to verdict: AppVerdict, among others: [AppVerdict], _ url: LinkURL
    ) -> AppVerdict? {
        guard !others.isEmpty else { return nil }
        let own = effect(verdict, url)
        return others.first { effect($0, url) != own }
    }

    /// The effect of a verdict; links that a rule excludes stay in the browser like others.
    private func effect(_ verdict: AppVerdict, _ url: LinkURL) -> Effect {
        let outcome: LinkOutcome = verdict.verdict == .open ? .open : .none
        return effect(of: outcome, verdict.isWithoutRules, verdict.appID, url)
    }

    /// The effect of a link for an app.
    package enum Effect {
        case open, exclude, none
        /// The app's manifest decides, and it is not known.
        case manifest
    }

    /// The effect of a decision that the matcher has made.
    /// - Parameter app: the number of the app among the matcher's.
    package func effect(_ decision: LinkDecision, ofApp app: Int, _ url: LinkURL) -> Effect {
        effect(of: decision.verdict, decision.rule == nil, matcher.apps[app].appID, url)
    }

    private func effect(
        of outcome: LinkOutcome, _ isWithoutRules: Bool, _ app: String, _ url: LinkURL
    ) -> Effect {
        switch outcome {
        case .exclude: return .exclude
        case .none: return .none
        case .open:
            switch manifestVerdict(of: app, .open, url) {
            case .takes?: return .open
            case .leaves?: return .none
            case .open?, nil: return kind == .android && isWithoutRules ? .manifest : .open
            }
        }
    }

    /// The included files on which the result depends, in words; nil if everything is known.
    package var dependence: String? {
        missingIncludes.isEmpty
            ? nil
            : "depends on \(missingIncludes.joined(separator: ", ")), which the file includes; "
                + "give it with --include"
    }

    /// The reason why none of the files is that of the link's host; nil if one is.
    package func strangeHost(of url: LinkURL) -> String? {
        guard !([self] + others).contains(where: { $0.answers(for: url) }) else { return nil }
        let host = url.requestedHost
        return host.utf8.allSatisfy { $0 < 0x80 }
            ? "host \(quoted(host)) is not served by this environment, and has its own file"
            : "host \(quoted(host)) is compared in punycode, xn--…, as browsers send it"
    }

    /// - Parameter contrary: the verdict of another statement of the app that has another effect.
    private func reason(
        _ verdict: AppVerdict, _ url: LinkURL, _ manifest: ManifestRules.Verdict?,
        _ contrary: AppVerdict?
    ) -> String {
        var caveats = verdict.caveats.map(\.description)
        if verdict.verdict == .open, let port = url.portCaveat(kind) { caveats.append(port) }
        if distant.contains(verdict.appID) {
            caveats.append("the app is in an include of an included file, which devices ignore")
        }
        let words =
            switch manifest {
            case .takes? where verdict.isWithoutRules:
                "a filter of \(manifests[verdict.appID]?.name ?? "") takes the link"
            case .takes?:
                "\(decision(verdict)), and a filter of \(manifests[verdict.appID]?.name ?? "") takes "
                    + "the link"
            case .open(let open)?: "\(decision(verdict)); it is open, because \(open)"
            case .leaves?, nil: decision(verdict)
            }
        return words
            + (contrary.map {
                "; depends on the signing key: by another statement, \(decision($0))"
            } ?? "")
            + (caveats.isEmpty
                ? "" : "; depends on the system: \(caveats.joined(separator: "; "))")
            + (dependence.map { "; \($0)" } ?? "")
    }

    private func decision(_ verdict: AppVerdict) -> String {
        switch (verdict.verdict, verdict.rule) {
        case (.open, let rule?) where rule.index != nil: return "\(name(rule)) matches"
        case (.open, _):
            return kind == .android
                ? "the statement has no dynamic rules, so Android opens what the app's manifest "
                    + "lists for this host"
                : "the entry has no list of rules: every link opens the app (reported for current "
                    + "systems)"
        case (.exclude, let rule?): return "\(name(rule)) excludes it"
        case (.exclude, nil): return "a rule excludes it"
        case (.none, _):
            guard let nearest = verdict.nearest else { return "no rule matches" }
            return "no rule matches; the nearest is \(name(nearest.position)), and \(nearest)"
        }
    }

    /// Rules are counted from 1 in output for people, like lines.
    private func name(_ rule: RulePosition) -> String {
        let number = rule.index.map { "rule \($0 + 1)" } ?? "the entry"
        if let source = sources[rule.pointer] { return "\(number) (\(source))" }
        return rule.line > 0 ? "\(number) (line \(rule.line))" : number
    }
}

extension Site {
    /// The rules of apple-app-site-association; nil if the site has none.
    package var appleRules: LinkRules? {
        guard let file = associations.aasa else { return nil }
        let reading = AssociationReading(file, file: "apple-app-site-association")
        let sources = appleRuleSources
        return LinkRules(
            matcher: reading.ruleSet.placed(sources).matcher, kind: .apple, hosts: answeredHosts,
            wildcards: wildcards, sources: sources)
    }
}

extension LinkURL {
    /// The caveat for a link with a port other than its scheme's; nil for others.
    package func portCaveat(_ kind: LinkRules.Kind) -> String? {
        guard let port, port != (isSecure ? 443 : 80) else { return nil }
        switch kind {
        case .apple:
            return "the link has port \(port), and Apple's associated domains have no port (Apple, "
                + "TN3155)"
        case .android:
            return "port \(port) has its own statements: Google reads them from that port's "
                + "/.well-known/assetlinks.json"
        }
    }
}

extension AppVerdict {
    /// Whether the app has no list of rules.
    fileprivate var isWithoutRules: Bool { verdict == .open && rule?.index == nil }
}
