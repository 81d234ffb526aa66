private import Diagnostics

private import JSONSyntax

extension AssociationReading {
    /// The rules of each app as current systems follow them. If two entries name the same app, the
    /// first counts.
    package var appRules: [AppRules] {
        var seen = Set<[UInt8]>()
        var apps = [AppRules]()
        for id in unconstrainedApps where seen.insert(Array(id.value.utf8)).inserted {
            apps.append(
                AppRules(appID: id.value, rules: nil, pointer: id.pointer, line: id.start.line))
        }
        for (number, detail) in details.enumerated() {
            let rules = detail.rules?.map(RuleText.init)
            for id in detail.appIDs where seen.insert(Array(id.value.utf8)).inserted {
                apps.append(
                    AppRules(
                        appID: id.value, rules: rules, pointer: detail.pointer,
                        line: detail.start.line, entry: number))
            }
        }
        return apps
    }

    /// The file's rules.
    package var ruleSet: LinkRuleSet {
        LinkRuleSet(apps: appRules, variables: substitutionVariables)
    }

    /// The variables that the file defines.
    package var substitutionVariables: [SubstitutionVariable] {
        variables.map { SubstitutionVariable(name: $0.name.value, values: $0.values) }
    }

    /// The file's rules, compiled.
    package var matcher: LinkMatcher { ruleSet.matcher }
}

/// The rules of a file's apps, and its variables.
package struct LinkRuleSet: Sendable {
    package let apps: [AppRules]
    package let variables: [SubstitutionVariable]

    package init(apps: [AppRules], variables: [SubstitutionVariable]) {
        (self.apps, self.variables) = (apps, variables)
    }

    /// The rules, compiled.
    package var matcher: LinkMatcher { LinkMatcher(apps, variables: variables) }
}

extension AssetLinksReading {
    /// The first reading, with the statements of all readings that are wanted: those of a file, and
    /// of the files that it includes.
    /// - Parameter isWanted: called with each statement and the number of its reading.
    package init(
        joining readings: [AssetLinksReading], where isWanted: (Int, StatementReading) -> Bool
    ) {
        self = readings[0]
        statements = readings.enumerated().flatMap { number, reading in
            reading.statements.filter { isWanted(number, $0) }
        }
    }

    /// The dynamic rules of each app that may open links. An app without such rules has none, and
    /// its manifest decides alone (Google, "Dynamic App Links").
    package var ruleSet: LinkRuleSet { ruleSets.first ?? LinkRuleSet(apps: [], variables: []) }

    /// The dynamic rules of each app, by its first statement, and then by the others whose rules are
    /// different: they are those of builds that are signed with other keys.
    package var ruleSets: [LinkRuleSet] {
        var known = [[UInt8]: Set<[[[UInt8]]]?>]()
        var sets = [[AppRules]]()
        for statement in statements where statement.opensLinks {
            guard let package = statement.package else { continue }
            let name = Array(package.value.utf8)
            guard known[name, default: []].insert(statement.dynamicIdentity).inserted else {
                continue
            }
            let number = known[name, default: []].count - 1
            if number == sets.count { sets.append([]) }
            sets[number].append(AppRules(statement, of: package.value))
        }
        return sets.map { LinkRuleSet(apps: $0, variables: []) }
    }

    /// The dynamic rules, compiled.
    package var matcher: LinkMatcher { ruleSet.matcher }
}

extension StatementReading {
    /// Whether it lets its app open links.
    package var opensLinks: Bool {
        relations.contains { $0.value.isScalarwise(AssetRelation.handleAllURLs.rawValue) }
    }

    /// The content of its dynamic rules without their positions; nil if it has none.
    package var dynamicIdentity: [[[UInt8]]]? { dynamicComponents?.map { RuleText($0).identity } }
}

extension AppRules {
    /// The dynamic rules of a statement.
    /// - Parameter appID: the name under which they are compared.
    package init(_ statement: StatementReading, of appID: String) {
        self.init(
            appID: appID, rules: statement.dynamicComponents?.map(RuleText.init),
            pointer: statement.pointer, line: statement.start.line)
    }
}

extension RuleText {
    /// The rule as the file states it, with its defaults applied.
    package init(_ rule: RuleReading) {
        self.init(
            path: rule.path?.value, query: rule.query, fragment: rule.fragment?.value,
            exclude: rule.exclude, caseSensitive: rule.caseSensitive,
            percentEncoded: rule.percentEncoded, pointer: rule.pointer, line: rule.start.line,
            isLegacy: rule.isLegacy, inheritsExclude: rule.inheritsExclude)
    }
}

extension RuleText {
    /// A rule of a configuration, with Apple's defaults applied.
    package init(_ component: Component) {
        self.init(
            path: component.path, query: component.query, fragment: component.fragment,
            exclude: component.exclude, caseSensitive: component.caseSensitive ?? true,
            percentEncoded: component.percentEncoded ?? true)
    }
}
