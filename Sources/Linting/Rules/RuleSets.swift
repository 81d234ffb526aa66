import Associations
import Diagnostics

// The effect of all rules of one entry.

extension [RuleReading] {
    /// Whether nothing opens at all, or everything.
    /// - Parameter catchAll: the first rule that matches every link.
    func outcomeFindings(
        of detail: Finding.Spot, catchAll: RuleReading?, sensitivePaths: Bool
    ) -> [Finding] {
        guard contains(where: { !$0.exclude }) else {
            guard let first else {
                return [
                    Finding(
                        .warning, .onlyExcludes, detail,
                        "the entry's list of rules is empty: nothing opens",
                        advice: "add a rule, or remove the entry")
                ]
            }
            return [
                Finding(
                    .error, .onlyExcludes, Finding.Spot(first),
                    "every rule of the entry excludes: nothing opens",
                    advice: "add a rule without exclude after them")
            ]
        }
        return [onlyRootFinding, catchAllFinding(catchAll, sensitivePaths)].compactMap(\.self)
    }

    /// `/` for `/*`: a home page alone is seldom what an app opens.
    private var onlyRootFinding: Finding? {
        let opening = filter { !$0.exclude }
        guard let first = opening.first,
            opening.allSatisfy({ rule in
                rule.path?.value.isScalarwise("/") == true && rule.query == nil
                    && rule.fragment == nil
            })
        else { return nil }
        return Finding(
            .warning, .onlyRoot, first.pathSpot, "only the home page opens the app",
            advice: "write \"/*\" for every path")
    }

    private func catchAllFinding(_ rule: RuleReading?, _ sensitivePaths: Bool) -> Finding? {
        guard !contains(where: \.exclude), let rule else { return nil }
        return Finding(
            sensitivePaths ? .warning : .note, .catchAllAlone, rule.pathSpot,
            "every link opens the app, because nothing is excluded: not even the pages to log in, "
                + "reset a password or unsubscribe",
            advice: "exclude pages that the app cannot show in an earlier rule")
    }

    /// Whether a path is one that apps seldom show, but that catch-alls match.
    var nameSensitivePaths: Bool {
        contains { rule in
            let path = (rule.path?.value ?? "").lowercased().utf8
            let words = path.split { !isAlphanumeric($0) }
            return path.contains("/.well-known")
                || words.contains { word in
                    sensitiveWords.contains { word.elementsEqual($0.utf8) }
                }
        }
    }
}

private let sensitiveWords = [
    "login", "logout", "signin", "auth", "oauth", "api", "unsubscribe", "password", "reset",
    "admin",
]

// MARK: - Old and new rules beside each other

extension DetailReading {
    /// A path for which `paths` and `components` have different results. Systems that follow
    /// `paths` know the app only by `appID`.
    func disagreement(_ variables: [SubstitutionVariable]) -> Finding? {
        guard singular != nil, let components, let paths, !components.isEmpty, !paths.isEmpty else {
            return nil
        }
        let matcher = RuleMatcher(
            [components.map(RuleText.init), paths.map(RuleText.init)], variables: variables)
        for path in (components + paths).prefix(samplesMax).compactMap(\.examplePath)
        where path.utf8.allSatisfy(hasOneSpelling) {
            let opening = matcher.opens(path: path)
            guard opening.count == 1 else { continue }
            return Finding(
                .warning, .pathsDisagree, Finding.Spot(paths[0]),
                "\(quoted(path)) opens the app by the \(opening == [0] ? "components" : "paths") "
                    + "only, so systems before iOS 13 differ from later ones",
                advice: "write both lists from one source")
        }
        return nil
    }

    /// An entry for new systems that names its app only in the old form.
    var singularFinding: Finding? {
        guard let singular, plural == nil, components != nil, paths == nil else { return nil }
        return Finding(
            .warning, .singularAppID, Finding.Spot(singular),
            "appID is beside components, which belong to appIDs",
            advice: "write \"appIDs\": [\(quoted(singular.value))]")
    }
}

/// Escapes, and letters beyond ASCII, have several spellings.
private func hasOneSpelling(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "%")
}

/// The number of rules of an entry that are compared by their example paths.
private let samplesMax = 200
