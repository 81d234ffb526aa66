import Diagnostics

extension HeaderRule {
    /// The rules of `headers`, as far as they are valid.
    static func read(_ value: Value?, into findings: inout Findings) -> [HeaderRule] {
        guard let value else { return [] }
        if value.items.count > ConfigurationLimits.headerRulesMax {
            findings.error(
                .tooMany, at: value.position,
                "`headers` has \(value.items.count) rules, may have "
                    + "\(ConfigurationLimits.headerRulesMax)",
                advice: "write rules of the same fields as one, with a list of patterns")
            return []
        }
        let rules = value.items.map { HeaderRule($0, into: &findings) }
        // The origin's own fields fit in the rest of what is written at once.
        var longest = [String: Int]()
        for field in rules.flatMap(\.fields) {
            let name = field.name.lowercased()
            longest[name] = max(longest[name] ?? 0, field.line.utf8.count + 2)
        }
        let bytes = longest.values.reduce(0, +)
        if bytes > ConfigurationLimits.headerBytesMax {
            findings.error(
                .tooMany, at: value.position,
                "the fields of `headers` have up to \(bytes) bytes in one response, may have "
                    + "\(ConfigurationLimits.headerBytesMax)",
                advice: "shorten the longest value, or remove fields")
        }
        return rules
    }

    private init(_ value: Value, into findings: inout Findings) {
        let match = value["match"]
        for pattern in match?.items ?? [] {
            guard let text = pattern.text, let path = Self.association(namedBy: text) else {
                continue
            }
            findings.error(
                .headerField, at: pattern.position,
                "\(quoted(text)) names \(path), which has the same fields for everybody, because "
                    + "links break if Apple or Google reads it differently",
                advice: "name other files")
        }
        var fields = [ConfiguredField]()
        for entry in value["set"]?.entries ?? [] {
            if let first = fields.first(where: { $0.isNamed(entry.key) }) {
                findings.error(
                    .duplicateName, at: entry.position,
                    "\(entry.key) is already set in line \(first.position.line): letter case does "
                        + "not matter in names of fields", advice: "remove one of them")
            }
            guard let text = entry.value.text else { continue }
            for slip in FieldValueSlip.all(in: text, of: entry.key) {
                findings.warning(
                    .headerField, at: entry.value.position, "\(entry.key): \(slip.fact)",
                    advice: slip.advice)
            }
            fields.append(ConfiguredField(name: entry.key, value: text, position: entry.position))
        }
        self.init(
            patterns: match?.items.compactMap(\.text) ?? ["*"], fields: fields,
            position: value.position)
    }

    /// The path of an association file that a pattern means; nil for one that merely covers it.
    private static func association(namedBy pattern: String) -> String? {
        let literal = pattern.prefix { $0 != "*" && $0 != "?" && $0 != "$" }
        return [
            "/.well-known/apple-app-site-association", "/apple-app-site-association",
            "/.well-known/assetlinks.json",
        ].first { literal.utf8.starts(with: $0.utf8) }
    }
}
