import Diagnostics
import JSONSyntax

// The dynamic rules of a statement, which Android 15 reads under `relation_extensions` (Google,
// "Dynamic App Links"). They look like Apple's components, but have fewer keys.

extension AssetLinksReading {
    /// Nil if the statement has none that are read.
    mutating func dynamicComponents(
        _ statement: JSONValue, _ relations: [Located<String>], _ pointer: String
    ) -> [RuleReading]? {
        guard let extensions = statement["relation_extensions"] else { return nil }
        guard let members = extensions.members else {
            reportForm(.error, extensions.start, "relation_extensions", extensions, "an object")
            return nil
        }
        for member in members where !relations.contains(where: { $0.value == member.key }) {
            report(
                .warning, .dynamicRuleForm, member.keyStart,
                "\(quoted(member.key)) is not a relation of this statement, so its value is "
                    + "ignored",
                advice: "write it as in `relation`")
        }
        let key = AssetRelation.handleAllURLs.rawValue
        guard let own = extensions[key] else { return nil }
        guard own.members != nil else {
            reportForm(.error, own.start, key, own, "an object")
            return nil
        }
        guard let value = own[Self.listKey] else {
            report(
                .warning, .dynamicRuleForm, own.start,
                "there is no \(Self.listKey) here, so there are no rules",
                advice: "write \(quoted(Self.listKey)): […]")
            return nil
        }
        guard let elements = value.elements else {
            reportForm(.error, value.start, Self.listKey, value, "an array")
            return nil
        }
        let pointer = "\(pointer)/relation_extensions/\(pointerToken(key))/\(Self.listKey)"
        var rules = [RuleReading]()
        for (index, element) in elements.enumerated() {
            guard element.members != nil else {
                report(
                    .error, .dynamicRuleForm, element.start,
                    "a dynamic rule is \(element.kind), must be an object",
                    advice: "write {\"/\": \(quoted(element.text ?? "/path"))}")
                continue
            }
            reportKeys(element)
            rules.append(dynamicRule(element, "\(pointer)/\(index)"))
        }
        return rules
    }

    private static let listKey = "dynamic_app_link_components"
    private static let keys = ["/", "?", "#", "exclude", "comments"]

    private mutating func reportForm(
        _ severity: Severity, _ start: TextPosition, _ key: String, _ value: JSONValue,
        _ wanted: String
    ) {
        report(
            severity, .dynamicRuleForm, start,
            "\(quoted(key)) is \(value.kind), must be \(wanted)", advice: "write \(wanted)")
    }

    private mutating func reportKeys(_ rule: JSONValue) {
        let isUnlimited = !["/", "?", "#"].contains { rule[$0] != nil }
        // Android ignores Apple's `comment`, so it is harmless.
        for member in rule.members ?? []
        where member.key != "comment" && !Self.keys.contains(where: member.key.isScalarwise) {
            let meant =
                ["path": "/", "paths": "/", "query": "?", "fragment": "#"][member.key.lowercased()]
                ?? nearestName(to: member.key, among: ["exclude", "comments"])
            if isUnlimited {
                let verb = rule["exclude"]?.boolean == true ? "excludes" : "matches"
                return report(
                    .error, .dynamicRuleForm, member.keyStart,
                    "\(quoted(member.key)) is not a key of a dynamic rule; without another key, "
                        + "the rule \(verb) every link",
                    advice: meant.map(didYouMean) ?? "write {\"/\": \"/path\"}")
            }
            report(
                .warning, .dynamicRuleForm, member.keyStart,
                "\(quoted(member.key)) is not a key of a dynamic rule, and is ignored",
                advice: meant.map(didYouMean)
                    ?? "remove it, or use the key \"comments\"")
        }
    }

    private mutating func dynamicRule(_ value: JSONValue, _ pointer: String) -> RuleReading {
        RuleReading(
            start: value.start, pointer: pointer, isLegacy: false,
            path: dynamicText("/", value, pointer), query: dynamicQuery(value),
            fragment: dynamicText("#", value, pointer), exclude: isExcluded(value),
            caseSensitive: true, percentEncoded: true, comment: value["comments"]?.text)
    }

    private mutating func dynamicText(
        _ key: String, _ rule: JSONValue, _ pointer: String
    ) -> Located<String>? {
        guard let part = rule[key] else { return nil }
        guard let text = part.text else {
            reportForm(.error, part.start, key, part, "a string")
            return nil
        }
        reportVariable(text, part.start)
        return Located(value: text, start: part.start, pointer: "\(pointer)/\(pointerToken(key))")
    }

    private mutating func dynamicQuery(_ rule: JSONValue) -> QueryPattern? {
        guard let query = rule["?"] else { return nil }
        // Android ignores a string here, although Apple reads it. The rule then matches every query
        // (AOSP, StatementParser).
        guard query.members != nil else {
            reportForm(.error, query.start, "?", query, "an object")
            return nil
        }
        var items = [QueryItemPattern]()
        for member in query.lastMembers {
            guard let pattern = member.value.text else {
                reportForm(.error, member.value.start, member.key, member.value, "a string")
                continue
            }
            reportVariable(pattern, member.value.start)
            items.append(QueryItemPattern(name: member.key, pattern: pattern))
        }
        return .items(items)
    }

    private mutating func reportVariable(_ pattern: String, _ start: TextPosition) {
        guard case .some(.some(let name)) = variableNames(in: pattern).first else { return }
        report(
            .warning, .dynamicRuleForm, start,
            "the variable \(quoted(name)) is ordinary text, because dynamic rules have no "
                + "variables",
            advice: "write its values out")
    }

    private mutating func isExcluded(_ rule: JSONValue) -> Bool {
        guard let value = rule["exclude"] else { return false }
        if let flag = value.boolean { return flag }
        reportForm(.error, value.start, "exclude", value, "true or false")
        return false
    }
}
