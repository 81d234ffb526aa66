import Associations

/// What the measurements and the test of the hostile case have in common.
enum MatchingWorkload {
    /// `#` is the number of the rule.
    static let rules = [
        ("prefixes", "/section#/*"), ("literals", "/shop/item-#"), ("suffixes", "*/item-#"),
        ("middles", "/$(lang)/item-#/*"), ("any case", "/Section#/*"), ("query", "/search?q=#"),
    ]

    static let hostile = [
        ("stars and letters", "/" + repeated("*a", 30) + "$(a)$(a)$(a)$(a)$(a)b"),
        ("variables between stars", "/" + repeated("*a", 25) + repeated("*$(a)", 5) + "*b"),
        ("predefined", "/" + repeated("*a", 30) + "$(lang)$(region)$(alpha)$(alnum)$(w)*b"),
        ("wildcards in values", "/" + repeated("*?", 30) + "$(w)$(w)$(w)$(w)$(w)b"),
    ]

    static let variables = [
        SubstitutionVariable(
            name: "a", values: (1...40).map { repeated("a", $0) } + ["ab", "aab", "b", ""]),
        SubstitutionVariable(
            name: "w", values: (1...20).map { repeated("a?", $0) } + ["*a", "a*a", "a*b*a", "*"]),
    ]

    /// It holds every literal of the patterns, so that no index spares them the work.
    static let longPath = "/b/" + repeated("a", 8189)
    static let longURL = "https://example.com" + longPath

    static func matcher(_ patterns: [String], caseSensitive: Bool = true) -> LinkMatcher {
        let rules = patterns.map { pattern in
            let parts = pattern.split(separator: "?q=")
            return RuleText(
                path: String(parts[0]),
                query: parts.count > 1
                    ? .items([QueryItemPattern(name: "q", pattern: String(parts[1]))]) : nil,
                caseSensitive: caseSensitive)
        }
        return LinkMatcher([AppRules(appID: "A", rules: rules)], variables: variables)
    }

    static func urls(_ template: String) -> [[UInt8]] {
        let path = template.replacing("$(lang)", with: "de").replacing("*", with: "x/some-page")
        let leading = path.utf8.first == UInt8(ascii: "/") ? "" : "/"
        return (0..<100_000).map { number in
            let path = leading + path.replacing("#", with: String(number % 1_500))
            let mark = path.contains("?") ? "&" : "?"
            return Array("https://www.example.com\(path)\(mark)utm_source=mail&id=\(number)".utf8)
        }
    }

    static func rate(_ template: String) throws -> Double {
        let matcher = matcher(
            (0..<1_000).map { template.replacing("#", with: String($0)) },
            caseSensitive: !template.contains("S"))
        let urls = urls(template)
        var scratch = MatchScratch()
        var opened = 0
        let time = try ContinuousClock().measure {
            for url in urls {
                matcher.decide(try LinkURL(utf8: url), &scratch)
                if matcher.decision(forApp: 0, scratch).verdict == .open { opened += 1 }
            }
        }
        precondition(opened > 60_000 && opened < 70_000, "\(opened)")
        return Double(urls.count) / (time / .seconds(1))
    }

    static func ratio(_ pattern: String) throws -> Double {
        try time(pattern, longURL) / time(longPath, longURL)
    }

    static func time(_ pattern: String, _ url: String) throws -> Double {
        let matcher = matcher([pattern])
        let url = Array(url.utf8)
        var scratch = MatchScratch()
        let time = try ContinuousClock().measure {
            for _ in 0..<50 { matcher.decide(try LinkURL(utf8: url), &scratch) }
        }
        return time / .seconds(50)
    }

    static func repeated(_ text: String, _ count: Int) -> String {
        String(repeating: text, count: count)
    }
}
