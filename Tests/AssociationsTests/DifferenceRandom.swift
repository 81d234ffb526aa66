@testable import Associations

/// One version of a random file: its rules, as they were read, and its variables.
struct RandomVersion {
    var rules: [RuleText]
    var variables: [String: [String]]

    var ruleSet: LinkRuleSet {
        LinkRuleSet(
            apps: [AppRules(appID: "A", rules: rules)],
            variables: variables.sorted { $0.key < $1.key }.map {
                SubstitutionVariable(name: $0.key, values: $0.value)
            })
    }

    /// The first rule that matches, by the plain matcher.
    func deciding(_ url: LinkURL) -> Int? {
        let plain = PlainMatcher(variables: variables)
        return rules.firstIndex { plain.matches($0, url) }
    }
}

/// Two versions of a file, and links among which a difference between them shows.
struct RandomPair {
    let old: RandomVersion
    let new: RandomVersion
    private var random: Random

    private static let pieces = [
        "a", "b", "x", "A", "/", "é", "É", "%61", "%2F", "%2f", "%C3%A9", "%c3%a9", "%", "%C3",
        "%2561", "1", "K", "\u{212A}", "k", "-", "*", "//", "%2A", "%3F", "%26", "%3D", " ", "+",
    ]
    private static let patterns =
        pieces + [
            "*", "*", "?", "/", "/", "a", "b", "$(v)", "$(v)", "$(w)", "$(digit)", "$(lower)",
            "$(nothing)",
        ]

    init(seed: UInt64) {
        var random = Random(state: seed)
        var variables = [String: [String]]()
        if random.chance(85) { variables["v"] = ["é", "caf%C3%A9", "a*"] }
        if random.chance(85) { variables["w"] = random.list(0...3) }
        if random.chance(20) { variables["digit"] = ["7"] }
        old = RandomVersion(rules: random.ruleTexts(Self.patterns), variables: variables)
        var new = old
        random.change(&new, Self.patterns)
        while random.chance(35) { random.change(&new, Self.patterns) }
        self.new = new
        self.random = random
    }

    // MARK: Links

    mutating func link() -> String {
        let version = random.chance(50) ? old : new
        let rule = version.rules.randomElement(using: &random) ?? RuleText()
        var link = "https://e.com"
        let path = text(rule.path ?? "*", version)
        link += path.hasPrefix("/") || path.isEmpty ? path : "/" + path
        link = link.replacing("?", with: "%3F").replacing("#", with: "%23")
        var query: String?
        switch rule.query {
        case .whole(let pattern): query = text(pattern, version)
        case .items(let items):
            query = items.shuffled(using: &random).map { item in
                spelled(item.name) + (random.chance(90) ? "=" + text(item.pattern, version) : "")
            }.joined(separator: "&")
        case nil: break
        }
        if random.chance(15) { query = (query.map { $0 + "&" } ?? "") + random.item(Self.pieces) }
        if let query { link += "?" + query.replacing("#", with: "%23") }
        if let fragment = rule.fragment {
            link += "#" + text(fragment, version)
        } else if random.chance(10) {
            link += "#" + random.text(Self.pieces, 0...2)
        }
        return link
    }

    /// A text that the pattern may match, in one of many spellings.
    private mutating func text(_ pattern: String, _ version: RandomVersion) -> String {
        var text = ""
        for token in PlainMatcher.tokens(Array(pattern.unicodeScalars), variables: true) {
            switch token {
            case .scalar(let scalar): text.unicodeScalars.append(scalar)
            case .any: text += random.text(Self.pieces, 1...1)
            case .star: text += random.text(Self.pieces, 0...2)
            case .variable(let name):
                text += version.variables[name]?.randomElement(using: &random) ?? "q"
            case .never: break
            }
        }
        return spelled(text)
    }

    private mutating func spelled(_ text: String) -> String {
        guard random.chance(70) else { return text }
        return text.unicodeScalars.map { scalar -> String in
            switch Int.random(in: 0..<20, using: &random) {
            case 0, 1, 2: escaped(scalar, isCapital: true)
            case 3: escaped(scalar, isCapital: false)
            case 4: String(scalar).uppercased()
            case 5: String(scalar).lowercased()
            case 6: random.text(Self.pieces, 0...1)
            default: String(scalar)
            }
        }.joined()
    }

    private func escaped(_ scalar: Unicode.Scalar, isCapital: Bool) -> String {
        String(scalar).utf8.map { byte in
            let digits = String(byte, radix: 16, uppercase: isCapital)
            return "%" + (digits.count < 2 ? "0" : "") + digits
        }.joined()
    }
}

extension Random {
    mutating func list(_ count: ClosedRange<Int>) -> [String] {
        (0..<Int.random(in: count, using: &self)).map { _ in
            text(["a", "b", "A", "é", "%C3%A9", "%61", "*", "?", "/", ""], 0...2)
        }
    }

    mutating func item(_ pieces: [String]) -> String {
        text(["q", "r", "%71", "Q"], 1...1) + (chance(80) ? "=" : "") + text(pieces, 0...2)
    }

    /// Rules as a file with `defaults` states them.
    mutating func ruleTexts(_ pieces: [String]) -> [RuleText] {
        let (caseSensitive, percentEncoded) = (chance(80), chance(75))
        return (0..<Int.random(in: 1...4, using: &self)).map { _ in
            var rule = ruleText(pieces)
            if chance(70) {
                (rule.caseSensitive, rule.percentEncoded) = (caseSensitive, percentEncoded)
            }
            return rule
        }
    }

    mutating func ruleText(_ pieces: [String]) -> RuleText {
        RuleText(
            path: chance(85) ? (chance(70) ? "/" : "") + text(pieces, 0...4) : nil,
            query: chance(30) ? queryPattern(pieces) : nil,
            fragment: chance(12) ? text(pieces, 0...3) : nil, exclude: chance(30),
            caseSensitive: chance(75), percentEncoded: chance(60), isLegacy: chance(5))
    }

    mutating func queryPattern(_ pieces: [String]) -> QueryPattern {
        if chance(30) { return .whole(text(pieces + ["q=", "&"], 0...3)) }
        return .items(
            ["q", "r", "q=é"].shuffled(using: &self)
                .prefix(Int.random(in: 0...2, using: &self))
                .map { QueryItemPattern(name: $0, pattern: text(pieces, 0...3)) })
    }

    /// Makes one change of the kinds that people make.
    mutating func change(_ version: inout RandomVersion, _ pieces: [String]) {
        let index = Int.random(in: 0..<max(version.rules.count, 1), using: &self)
        guard version.rules.indices.contains(index) else {
            return version.rules.append(ruleText(pieces))
        }
        switch Int.random(in: 0..<10, using: &self) {
        case 0: version.rules[index].percentEncoded.toggle()
        case 1: version.rules[index].caseSensitive.toggle()
        case 2: version.rules[index].exclude.toggle()
        case 3: version.rules.remove(at: index)
        case 4: version.rules.insert(ruleText(pieces), at: index)
        case 5: version.rules.swapAt(index, 0)
        case 6: version.rules[index].path = "/" + text(pieces, 0...4)
        case 7: version.rules[index].query = queryPattern(pieces)
        case 8:
            let flag = chance(50)
            for index in version.rules.indices {
                if flag {
                    version.rules[index].percentEncoded.toggle()
                } else {
                    version.rules[index].caseSensitive.toggle()
                }
            }
        default: version.variables[chance(50) ? "v" : "w"] = chance(80) ? list(0...3) : nil
        }
    }
}
