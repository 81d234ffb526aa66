/// The literals of a part of a Gradle script, such as `defaultConfig`. An inner nil is open.
struct GradleSettings {
    private(set) var applicationID: String??
    /// Whether an application ID is set in any case. Modules that are apps or libraries set theirs in a condition.
    private(set) var isOfApplication = false
    private(set) var suffix: String??
    /// The dimension of a flavour: its name, or the expression that is it.
    private(set) var dimension: [UInt8]?
    /// The API level of the oldest version of Android.
    private(set) var leastAPI: Int??
    /// The API level of the version that the app is made for.
    private(set) var targetAPI: Int??
    private(set) var placeholders = [[UInt8]: String?]()
    /// Whether placeholders are set whose names are not literals.
    private(set) var hasOtherPlaceholders = false
    /// Of resources, by kind and name, such as `string/host`.
    private(set) var values = [[UInt8]: String?]()
    /// The beginnings of the names of resources whose names are no literals, such as `string/host_`.
    private(set) var openValues = Set<[UInt8]>()

    /// Takes a statement.
    /// - Parameters:
    ///   - rest: what follows the key.
    ///   - definitions: the variables of the script.
    ///   - isCertain: false where a condition decides.
    mutating func take(
        _ key: String, _ rest: ArraySlice<GradleToken>, _ definitions: GradleDefinitions,
        isCertain: Bool
    ) {
        let arguments = Self.arguments(
            key == "resValue" ? rest.inOrderOfResource : rest, definitions)
        let text = isCertain ? Self.literal(arguments) : nil
        switch key {
        case "applicationId":
            applicationID = .some(text)
            if isCertain { isOfApplication = true }
        case "applicationIdSuffix": suffix = .some(text)
        case "dimension": dimension = FlavorDimensions.expression(arguments)
        case "minSdk", "minSdkVersion":
            leastAPI = .some(isCertain ? Self.number(arguments) : nil)
        case "targetSdk", "targetSdkVersion":
            targetAPI = .some(isCertain ? Self.number(arguments) : nil)
        case "resValue": takeValue(arguments, isCertain: isCertain)
        default: takePlaceholders(key, rest, isCertain ? definitions : nil)
        }
    }

    /// The tokens of a statement without the signs of Groovy and Kotlin around and between values, and with the values of
    /// variables.
    private static func arguments(
        _ tokens: ArraySlice<GradleToken>, _ definitions: GradleDefinitions
    ) -> [GradleToken] {
        let signs = "=,()".utf8.map(GradleToken.symbol)
        return tokens.filter { !signs.contains($0) }.map(definitions.value)
    }

    /// The text that is all of a statement, in Groovy or Kotlin: `"a"`, `= "a"` or `("a")`.
    private static func literal(_ arguments: [GradleToken]) -> String? {
        guard arguments.count == 1, case .text(let text) = arguments[0] else { return nil }
        return text
    }

    /// The number that is all of a statement.
    private static func number(_ arguments: [GradleToken]) -> Int? {
        guard arguments.count == 1, case .word(let digits) = arguments[0] else { return nil }
        return Int(String(decoding: digits, as: UTF8.self))
    }

    /// `resValue "string", "host", "www.example.com"`.
    private mutating func takeValue(_ arguments: [GradleToken], isCertain: Bool) {
        switch (arguments.first, arguments.dropFirst().first) {
        case (.text(let kind?)?, .text(let name?)?):
            var value: String?
            if isCertain, arguments.count == 3, case .text(let text) = arguments[2] { value = text }
            values[Array("\(kind)/\(name)".utf8)] = .some(value)
        case (.text(let kind?)?, .filled(let name)?):
            let start = name.prefix { $0 != UInt8(ascii: "$") && $0 != UInt8(ascii: "\\") }
            openValues.insert(Array("\(kind)/".utf8) + start)
        default: openValues.insert([])
        }
    }

    /// `manifestPlaceholders = [host: "a", "b": c]`, `["host"] = "a"` and `mapOf("host" to "a")`.
    /// - Parameter definitions: the variables of the script; nil where a condition decides.
    private mutating func takePlaceholders(
        _ key: String, _ rest: ArraySlice<GradleToken>, _ definitions: GradleDefinitions?
    ) {
        let adds = rest.first == .symbol(UInt8(ascii: "+"))
        let value = rest.drop {
            [UInt8(ascii: "+"), UInt8(ascii: "=")].map(GradleToken.symbol).contains($0)
        }
        guard let definitions, let map = GradleMap(value, definitions) else {
            return hasOtherPlaceholders = true
        }
        // The map takes the place of another one.
        let isOne = rest.first == .symbol(UInt8(ascii: "["))
        if key == "manifestPlaceholders", !adds, !isOne { placeholders = [:] }
        for (name, value) in map.pairs { placeholders[name] = .some(value) }
    }
}

extension ArraySlice<GradleToken> {
    /// The values of `(name = "host", type = "string", value = "www.example.com")` in the order of `resValue`; the same tokens
    /// if they are others.
    fileprivate var inOrderOfResource: ArraySlice<GradleToken> {
        let tokens = Array(self)
        let names = ["type", "name", "value"]
        let places = names.compactMap { name in tokens.firstIndex { $0.isWord(name) } }
        let isWhole =
            places.sorted() == [1, 5, 9]
            && places.allSatisfy { tokens.isSymbol("=", $0 + 1) }
            && (tokens.count == 13 || tokens.count == 14 && tokens.isSymbol(",", 12))
        return isWhole ? places.map { tokens[$0 + 2] }[...] : self
    }
}
