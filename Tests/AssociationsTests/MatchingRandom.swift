import Associations

/// Numbers and texts that repeat for a seed (Steele, Lea & Flood's SplitMix).
struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    mutating func text(_ pieces: [String], _ count: ClosedRange<Int>) -> String {
        (0..<Int.random(in: count, using: &self))
            .map { _ in pieces.randomElement(using: &self) ?? "" }.joined()
    }

    mutating func variables() -> [String: [String]] {
        var variables = [String: [String]]()
        for name in ["v", "w", "digit"] where chance(60) {
            variables[name] = (0..<Int.random(in: 0...4, using: &self)).map { _ in
                text(["a", "A", "b", "/", "*", "?", "é", "$"], 0...3)
            }
        }
        return variables
    }

    static let letters = ["a", "a", "b"]

    mutating func values() -> [String] {
        (0..<Int.random(in: 0...3, using: &self)).map { _ in
            text(Self.letters + ["*", "?"], 0...3)
        }
    }

    mutating func rules() -> [RuleText] {
        (0..<Int.random(in: 1...8, using: &self)).map { _ in
            RuleText(
                path: chance(75) ? pattern() : nil, query: chance(35) ? query() : nil,
                fragment: chance(15) ? pattern() : nil, exclude: chance(30),
                caseSensitive: chance(70), percentEncoded: chance(70), isLegacy: chance(10))
        }
    }

    mutating func query() -> QueryPattern {
        if chance(40) { return .whole(pattern()) }
        return .items(
            ["a", "b", "A"].prefix(Int.random(in: 0...3, using: &self)).map {
                QueryItemPattern(name: $0, pattern: pattern())
            })
    }

    mutating func pattern() -> String {
        text(
            [
                "a", "a", "b", "A", "/", "/", "*", "*", "?", "=", "&", "é", "%61", "É", "1",
                "$(v)", "$(w)", "$(digit)", "$(alpha)", "$(V)", "$(", "$", "\\",
            ], 0...6)
    }

    mutating func url() -> String {
        let pieces = [
            "a", "a", "b", "A", "/", "/", "é", "É", "%61", "%2F", "%C3%A9", "%3f", "1", "$", "*",
        ]
        var url = "https://example.com"
        if chance(95) { url += "/" + text(pieces, 0...7) }
        if chance(50) { url += "?" + text(pieces + ["=", "=", "&", "&", "?"], 0...7) }
        if chance(25) { url += "#" + text(pieces + ["?"], 0...4) }
        return url
    }
}
