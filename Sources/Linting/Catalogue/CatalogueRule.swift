package import Diagnostics

/// A rule of `lint` as people read about it: what is wrong, how it shows, how to mend it, and who
/// says so.
package struct CatalogueRule: Sendable {
    /// The name of its findings.
    package let name: RuleName
    /// The letter of the group and a number, `R07`; names that are one fault in several forms
    /// share it. Nil for what only Waymark's own configuration can have wrong.
    package let code: String?
    /// The severity that its findings have, unless one of them is a milder case.
    package let severity: Severity
    package let title: String
    package let wrong: String
    package let shows: String
    package let fix: String
    package let source: String
    package let evidence: Evidence

    /// The evidence that systems behave so.
    package enum Evidence: String, Sendable {
        case documented = "documented by the system's maker"
        case observed = "seen with the maker's own tool or tests"
        case reported = "reported once, and not confirmed by others"
        case judgement = "our judgement: legal, and seldom meant"

        /// A mark for tables.
        package var word: String {
            switch self {
            case .documented: "documented"
            case .observed: "observed"
            case .reported: "reported once"
            case .judgement: "judgement"
            }
        }
    }

    init(
        _ name: RuleName, _ code: String?, _ severity: Severity, _ title: String, wrong: String,
        shows: String, fix: String, source: String, _ evidence: Evidence
    ) {
        self.name = name
        self.code = code
        self.severity = severity
        self.title = title
        self.wrong = wrong
        self.shows = shows
        self.fix = fix
        self.source = source
        self.evidence = evidence
    }
}

/// Every rule that `lint` knows, in the order in which they are documented.
package enum Catalogue {
    package static let groups: [(title: String, rules: [CatalogueRule])] = [
        ("The text", textRules), ("The top level of an association file", topLevelRules),
        ("App identifiers", appRules), ("Rules: their shape", shapeRules),
        ("Rules: their patterns", patternRules), ("Rules: their order", orderRules),
        ("Substitution variables", variableRules), ("assetlinks.json", assetLinksRules),
        ("An app's half", appHalfRules + manifestRules),
        ("The configuration", configurationRules), ("The web", webRules),
        ("Operations", operationsRules), ("Stored links", storedRules),
        ("Starting", startingRules), ("Running", runningRules),
        ("The run", runRules),
    ]

    package static let rules = groups.flatMap(\.rules)

    /// The rules of this name or code; small letters do.
    package static func rules(called word: String) -> [CatalogueRule] {
        let wanted = word.lowercased()
        return rules.filter {
            $0.name.rawValue.isSpelled(wanted) || $0.code?.lowercased().isSpelled(wanted) == true
        }
    }

    /// The rule of this name.
    package static func rule(_ name: RuleName) -> CatalogueRule? { byName[name] }

    /// The rules whose findings depend on the machine and the moment, such as certificates that are
    /// on the server only.
    fileprivate static let ofMachine = Set(
        startingRules.map(\.name) + runningRules.map(\.name)
            + [.linkStore, .databaseFile, .databaseLibrary])

    private static let byName = [RuleName: CatalogueRule](
        rules.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
}

extension String {
    fileprivate func isSpelled(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension RuleName {
    /// Whether the same file can have a finding of the rule on one machine and none on another.
    package var dependsOnMachine: Bool { Catalogue.ofMachine.contains(self) }
}
