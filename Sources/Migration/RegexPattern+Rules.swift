private import URISyntax

extension RegexPattern {
    /// A rule for each variant, with the groups' values in the destination.
    /// - Parameters:
    ///   - destination: fills in the values; nil if it needs one that has none.
    func rules(
        _ source: SourceLine, isCaseSensitive: Bool,
        answer: ([String: String]) -> RedirectRule.Answer?
    ) -> [RedirectRule]? {
        var rules = [RedirectRule]()
        for variant in variants {
            guard let found = answer(variant.groups) else { return nil }
            let (match, exclude) = variant.pattern.finished()
            var rule = RedirectRule(source: source, match: [match], answer: found)
            rule.exclude = exclude.map { ExcludedPaths(pattern: $0) }
            rule.isCaseSensitive = isCaseSensitive && self.isCaseSensitive
            rule.notes = notes
            if !rule.isCaseSensitive, Self.changes(answer, withCaseOf: variant.groups) {
                rule.notes.append("letters of the destination have the case of the expression")
            }
            if variant.pattern.isAmbiguous {
                rule.notes.append(
                    "a star takes as little as it can, and the expression may take more")
            }
            if let star = variant.pattern.emptyStar {
                rule.differences.append(
                    "the link also takes paths of \(match) in which star \(star + 1) is empty")
            }
            if let star = variant.pattern.repeatedStar {
                rule.differences.append(
                    "the link leaves out paths of \(match) in which the text behind star \(star + 1) "
                        + "is there again")
            }
            rules.append(rule)
        }
        return rules
    }

    /// Whether a destination has letters of a group that an expression matches in either case.
    private static func changes(
        _ answer: ([String: String]) -> RedirectRule.Answer?, withCaseOf groups: [String: String]
    ) -> Bool {
        func changed(_ text: String) -> String {
            var isName = false
            let bytes = text.utf8.map { byte in
                if byte == UInt8(ascii: "{") { isName = true }
                if byte == UInt8(ascii: "}") { isName = false }
                return byte.isLetter && !isName ? byte ^ 0x20 : byte
            }
            return String(decoding: bytes, as: UTF8.self)
        }
        let others = groups.mapValues(changed)
        return others != groups && answer(others) != answer(groups)
    }
}
