import Associations
import Diagnostics
import URISyntax

/// Rules that links can be held against, and what is said of the answers.
struct LinkRules {
    let matcher: LinkMatcher
    let kind: Kind
    /// The hosts whose file this is; nil where it is not known.
    let hosts: [HostName]?
    /// What people call rules, by their JSON pointers; others are named by their lines.
    var names = [String: String]()
    /// Apps that Google does not let open links, because it refuses their statements, and why.
    var refused = [(app: String, reason: String)]()
    /// Apps that are only named in an include of an include.
    var distant = Set<String>()
    /// URLs that the file includes and nobody has given.
    var missingIncludes = [String]()

    enum Kind {
        case apple, android
    }

    /// Whether links of this URL's host are decided by these rules.
    func answers(for url: LinkURL) -> Bool {
        guard let hosts else { return true }
        guard let host = try? HostName(url.requestedHost) else { return false }
        return hosts.contains(host)
    }

    /// What becomes of the URL for each app.
    func verdicts(for url: LinkURL) -> [AppAnswer] {
        guard answers(for: url) else {
            return matcher.apps.map { app in
                AppAnswer(
                    app: app.appID, outcome: .none, rule: nil,
                    reason: strangeHost(url.requestedHost), earlier: [])
            }
        }
        return matcher.verdicts(for: url).map { verdict in
            AppAnswer(
                app: verdict.appID, outcome: verdict.verdict, rule: verdict.rule,
                reason: reason(verdict, url), earlier: verdict.steps)
        }
            + refused.map { app, reason in
                AppAnswer(
                    app: app, outcome: .none, rule: nil,
                    reason: "Google refuses its statement: \(reason)", earlier: [])
            }
    }

    /// What may name apps besides; nil where all is known.
    var dependence: String? {
        missingIncludes.isEmpty
            ? nil
            : "depends on \(missingIncludes.joined(separator: ", ")), which the file includes and "
                + "no --include gives"
    }

    /// Why no rule here is asked.
    private func strangeHost(_ host: String) -> String {
        host.utf8.allSatisfy { $0 < 0x80 }
            ? "host \(quoted(host)) is none of this environment's, and has a file of its own"
            : "host \(quoted(host)) is known by its name in punycode, xn--…, which browsers send"
    }

    private func reason(_ verdict: AppVerdict, _ url: LinkURL) -> String {
        var caveats = verdict.caveats.map(\.description)
        if verdict.verdict == .open, let port = url.portCaveat(kind) { caveats.append(port) }
        if distant.contains(verdict.appID) {
            caveats.append("the app is named in an include of an include, which devices pass over")
        }
        return decision(verdict)
            + (caveats.isEmpty
                ? "" : "; depends on the system: \(caveats.joined(separator: "; "))")
            + (dependence.map { "; \($0)" } ?? "")
    }

    private func decision(_ verdict: AppVerdict) -> String {
        switch (verdict.verdict, verdict.rule) {
        case (.open, let rule?) where rule.index != nil: return "\(name(rule)) matches"
        case (.open, _):
            return kind == .android
                ? "the statement has no rules of its own: the app's manifest decides"
                : "the entry has no list of rules: every link opens the app (reported of current "
                    + "systems)"
        case (.exclude, let rule?): return "\(name(rule)) excludes it"
        case (.exclude, nil): return "a rule excludes it"
        case (.none, _):
            guard let nearest = verdict.nearest else { return "no rule matches" }
            return "no rule matches; the nearest is \(name(nearest.position)), and \(nearest)"
        }
    }

    /// Rules are counted from 1 in text for people, as lines are.
    private func name(_ rule: RulePosition) -> String {
        let number = rule.index.map { "rule \($0 + 1)" } ?? "the entry"
        if let name = names[rule.pointer] { return "\(number) (\(name))" }
        return rule.line > 0 ? "\(number) (line \(rule.line))" : number
    }
}

extension LinkURL {
    /// What a port of its own means for a link; nil where the link has its scheme's.
    func portCaveat(_ kind: LinkRules.Kind) -> String? {
        guard let port, port != (isSecure ? 443 : 80) else { return nil }
        switch kind {
        case .apple:
            return "the link has port \(port), and Apple's associated domains have no port (Apple, "
                + "TN3155)"
        case .android:
            return "port \(port) has statements of its own: Google reads them from that port's "
                + "/.well-known/assetlinks.json"
        }
    }
}

/// The answer for one app, worded.
struct AppAnswer {
    let app: String
    let outcome: LinkOutcome
    let rule: RulePosition?
    let reason: String
    let earlier: [RuleStep]
}

extension AppAnswer {
    /// The answer where an app's own browser follows the link.
    func kept(byBrowserOf browser: String) -> AppAnswer {
        guard outcome == .open else { return self }
        return AppAnswer(
            app: app, outcome: .none, rule: rule,
            reason: "\(browser)'s own browser keeps links to itself; from elsewhere the link opens "
                + "the app because \(reason)", earlier: earlier)
    }

    /// The shape that scripts rely on: members may be added, and are never renamed.
    func json(isVerbose: Bool) -> JSONText {
        var members: [(key: String, value: JSONText)] = [
            ("id", .string(app)), ("verdict", .string(outcome.rawValue)),
            ("rule", .orNull(rule?.pointer)),
            ("line", .orNull(rule?.line)), ("reason", .string(reason)),
        ]
        if isVerbose {
            members.append(
                (
                    "earlier",
                    .array(
                        earlier.map { step in
                            .object([
                                ("rule", .string(step.position.pointer)),
                                ("line", .number(step.position.line)),
                                ("reason", .string(step.description)),
                            ])
                        })
                ))
        }
        return .object(members)
    }

    /// A line for people.
    var sentence: String {
        outcome == .open
            ? "opens \(app) because \(reason)" : "stays in the browser for \(app): \(reason)"
    }
}
