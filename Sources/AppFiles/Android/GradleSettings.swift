/// The literals of a part of a Gradle script, such as `defaultConfig`. An inner nil is open.
struct GradleSettings {
    private(set) var applicationID: String??
    /// Whether an application ID is set in any case. Modules that are apps or libraries set theirs in a condition.
    private(set) var isOfApplication = false
    private(set) var suffix: String??
    private(set) var dimension: String?
    /// The API level of the oldest version of Android.
    private(set) var leastAPI: Int??
    /// The API level of the version that the app is made for.
    private(set) var targetAPI: Int??
    private(set) var placeholders = [[UInt8]: String?]()
    /// Whether placeholders are set whose names are not literals.
    private(set) var hasOtherPlaceholders = false
    /// Of resources, by kind and name, such as `string/host`.
    private(set) var values = [[UInt8]: String?]()

    /// Takes a statement.
    /// - Parameter rest: what follows the key.
    /// - Parameter isCertain: false where a condition decides.
    mutating func take(_ key: String, _ rest: ArraySlice<GradleToken>, isCertain: Bool) {
        let text = isCertain ? Self.literal(rest) : nil
        switch key {
        case "applicationId":
            applicationID = .some(text)
            if isCertain { isOfApplication = true }
        case "applicationIdSuffix": suffix = .some(text)
        case "dimension": dimension = text
        case "minSdk", "minSdkVersion":
            leastAPI = .some(isCertain ? Self.number(rest) : nil)
        case "targetSdk", "targetSdkVersion":
            targetAPI = .some(isCertain ? Self.number(rest) : nil)
        case "resValue": takeValue(rest, isCertain: isCertain)
        default: takePlaceholders(rest, isCertain: isCertain)
        }
    }

    /// The tokens of a statement without the signs of Groovy and Kotlin around and between values.
    private static func arguments(_ tokens: ArraySlice<GradleToken>) -> [GradleToken] {
        let signs = "=,()".utf8.map(GradleToken.symbol)
        return tokens.filter { !signs.contains($0) && $0 != .newline }
    }

    /// The text that is all of a statement, in Groovy or Kotlin: `"a"`, `= "a"` or `("a")`.
    private static func literal(_ tokens: ArraySlice<GradleToken>) -> String? {
        let rest = arguments(tokens)
        guard rest.count == 1, case .text(let text) = rest[0] else { return nil }
        return text
    }

    /// The number that is all of a statement.
    private static func number(_ tokens: ArraySlice<GradleToken>) -> Int? {
        let rest = arguments(tokens)
        guard rest.count == 1, case .word(let digits) = rest[0] else { return nil }
        return Int(String(decoding: digits, as: UTF8.self))
    }

    /// `resValue "string", "host", "www.example.com"`.
    private mutating func takeValue(_ tokens: ArraySlice<GradleToken>, isCertain: Bool) {
        let rest = Self.arguments(tokens)
        guard rest.count >= 2, case .text(let kind?) = rest[0], case .text(let name?) = rest[1]
        else {
            return
        }
        var value: String?
        if isCertain, rest.count == 3, case .text(let text) = rest[2] { value = text }
        values[Array("\(kind)/\(name)".utf8)] = .some(value)
    }

    /// `manifestPlaceholders = [host: "a", "b": "c"]`, `["host"] = "a"` and `mapOf("host" to "a")`.
    private mutating func takePlaceholders(_ tokens: ArraySlice<GradleToken>, isCertain: Bool) {
        let pairs = isCertain ? Self.pairs(tokens) : []
        for (name, value) in pairs {
            placeholders[name] = .some(nil)
            if case .text(let text) = value { placeholders[name] = .some(text) }
        }
        if pairs.isEmpty { hasOtherPlaceholders = true }
    }

    /// The names in a statement with their values, which are new lines where they are not one token.
    static func pairs(_ tokens: ArraySlice<GradleToken>) -> [(name: [UInt8], value: GradleToken)] {
        let tokens = tokens.filter { $0 != .newline }
        let ends = Array(",])".utf8).map(GradleToken.symbol)
        var pairs = [(name: [UInt8], value: GradleToken)]()
        for index in tokens.indices.dropLast() {
            let name: [UInt8]
            switch tokens[index] {
            case .text(let text?): name = Array(text.utf8)
            case .word(let word): name = word
            default: continue
            }
            var next = index + 1
            if tokens[next] == .symbol(UInt8(ascii: "]")) { next += 1 }
            guard next < tokens.count,
                tokens[next] == .symbol(UInt8(ascii: ":")) && next == index + 1
                    || tokens[next] == .symbol(UInt8(ascii: "=")) && next == index + 2
                    || tokens[next].isWord("to") && next == index + 1
            else { continue }
            let isWhole = next + 2 >= tokens.count || ends.contains(tokens[next + 2])
            pairs.append((name, isWhole && next + 1 < tokens.count ? tokens[next + 1] : .newline))
        }
        return pairs
    }
}
