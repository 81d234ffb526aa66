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
            // What takes all paths of a level also takes the site's own pages there.
            let isLevel = match.utf8.allSatisfy { "/*".utf8.contains($0) }
            rule.notes = isLevel ? [] : notes
            rule.differences += isLevel ? notes.map { "\($0), and takes all of \(match)" } : []
            if !rule.isCaseSensitive, Self.changes(answer, withCaseOf: variant.groups) {
                rule.notes.append("letters of the destination have the case of the expression")
            }
            if sharesOut || variant.pattern.isAmbiguous {
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
        for index in rules.indices {
            guard let short = rules.first(where: { $0.isWithoutEnd(of: rules[index]) }) else {
                continue
            }
            rules[index].differences.append(
                "for \(short.match[0])/ the destination has no slash at its end")
        }
        return rules
    }

    /// Whether a destination lacks nothing but the text of groups.
    func lacksGroup(_ answer: ([String: String]) -> RedirectRule.Answer?) -> Bool {
        variants.contains { variant in
            let all = Dictionary(uniqueKeysWithValues: (1...9).map { ("\($0)", "{1}") })
            return answer(variant.groups) == nil
                && answer(variant.groups.merging(all) { own, _ in own }) != nil
        }
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

extension RedirectRule {
    /// Whether another rule, of the same expression, has a star behind a slash more in its pattern and in its
    /// destination: then the slash was a part of the group, and links do not tell `/a/` from `/a`.
    fileprivate func isWithoutEnd(of other: RedirectRule) -> Bool {
        guard let own = answer.destination, let others = other.answer.destination,
            match.count == 1, other.match == [match[0] + "/*"]
        else { return false }
        func parts(_ text: String) -> (path: [UInt8], query: [UInt8]) {
            let path = Array(text.utf8.prefix { $0 != UInt8(ascii: "?") })
            return (path, Array(text.utf8.dropFirst(path.count)))
        }
        let (short, long) = (parts(own), parts(others))
        let end = long.path.dropFirst(short.path.count)
        return short.query == long.query && long.path.starts(with: short.path)
            && end.starts(with: "/{".utf8)
            && end.firstIndex(of: UInt8(ascii: "}")) == end.indices.last
    }
}

extension RedirectRule.Answer {
    /// The template of a redirect; nil for another answer.
    fileprivate var destination: String? {
        switch self {
        case .url(let text), .own(let text): text
        case .page, .notFound, .gone: nil
        }
    }
}
