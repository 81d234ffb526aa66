private import Diagnostics

/// The statements of an Android app's keys. Builds that are signed with a key have the dynamic rules
/// of the first statement that lists it.
package struct RulesByKey {
    private var byKey = [String: (statement: StatementReading, rules: Int)]()

    /// Lists of dynamic rules by their content, because a statement can have many keys.
    private struct DistinctRules {
        private var numbers = [[[[UInt8]]]?: Int]()

        mutating func number(of statement: StatementReading) -> Int {
            let identity = statement.dynamicIdentity
            let number = numbers[identity, default: numbers.count]
            numbers[identity] = number
            return number
        }
    }

    private mutating func add(_ statement: StatementReading, _ rules: Int) {
        for key in statement.fingerprints.map({ $0.value.uppercased() }) where byKey[key] == nil {
            byKey[key] = (statement, rules)
        }
    }

    private static func byPackage(
        _ reading: AssetLinksReading, _ distinct: inout DistinctRules
    ) -> [String: RulesByKey] {
        var result = [String: RulesByKey]()
        for statement in reading.statements where statement.opensLinks {
            guard let package = statement.package?.value else { continue }
            result[package, default: RulesByKey()].add(statement, distinct.number(of: statement))
        }
        return result
    }

    /// The rules of all apps in both versions under the names that compare them: an app's own, or,
    /// if keys have different rules, one for the keys that have the same.
    package static func pairs(
        _ old: AssetLinksReading, _ new: AssetLinksReading
    ) -> (old: LinkRuleSet, new: LinkRuleSet, names: [String: [String]]) {
        var distinct = DistinctRules()
        let before = byPackage(old, &distinct)
        let after = byPackage(new, &distinct)
        let several = (old.ruleSets.dropFirst() + new.ruleSets.dropFirst()).flatMap(\.apps)
        var (olds, news) = ([AppRules](), [AppRules]())
        var names = [String: [String]]()
        for package in Set(several.map(\.appID)).sorted() {
            guard let was = before[package]?.byKey, let now = after[package]?.byKey else {
                continue
            }
            let common = was.keys.filter { now[$0] != nil }.sorted()
            let groups = Dictionary(grouping: common) { key in [was[key]?.rules, now[key]?.rules] }
            for keys in groups.values.sorted(by: { $0[0] < $1[0] }) {
                guard let mine = was[keys[0]]?.statement, let other = now[keys[0]]?.statement
                else { continue }
                let more = keys.count > 1 ? " or \(counted(keys.count - 1, "other key"))" : ""
                let name = groups.count > 1 ? "\(package), signed with \(keys[0])\(more)" : package
                names[package, default: []].append(name)
                olds.append(AppRules(mine, of: name))
                news.append(AppRules(other, of: name))
            }
        }
        let others = { (reading: AssetLinksReading) in
            reading.ruleSet.apps.filter { names[$0.appID] == nil }
        }
        return (
            LinkRuleSet(apps: others(old) + olds, variables: []),
            LinkRuleSet(apps: others(new) + news, variables: []), names
        )
    }
}
