/// The variables of one file, compiled when a pattern first names them. A file's own variables
/// replace predefined ones of the same name (Apple, "applinks.SubstitutionVariables").
struct Variables {
    /// Names and values in bytes, because canonically equivalent texts are different ones here.
    let own: [[UInt8]: [[UInt8]]]
    /// Names that the file defines more than once; systems may disagree on which definition counts.
    let repeated: Set<[UInt8]>
    private var compiled = [Key: Alternation]()
    /// Whether `region` and `lang` have only the codes that are in every known list.
    private var areEstablished = false

    private struct Key: Hashable {
        let name: [UInt8]
        let folded: Bool
    }

    /// The value of a name.
    enum Meaning {
        case oneCharacter(of: [UInt8])
        case texts([[UInt8]])
    }

    init(_ variables: [SubstitutionVariable]) {
        var own = [[UInt8]: [[UInt8]]]()
        var repeated = Set<[UInt8]>()
        for variable in variables {
            let name = Array(variable.name.utf8)
            let values = variable.values.map { Array($0.utf8) }
            if own.updateValue(values, forKey: name) != nil { repeated.insert(name) }
        }
        self.own = own
        self.repeated = repeated
    }

    /// The same variables, with the shortest lists of regions and languages that any known system
    /// has.
    var established: Variables {
        var variables = self
        variables.areEstablished = true
        variables.compiled = [:]
        return variables
    }

    /// The value of the name; nil if it is not defined.
    mutating func alternation(_ name: String, folded: Bool) -> Alternation? {
        let key = Key(name: Array(name.utf8), folded: folded)
        if let known = compiled[key] { return known }
        let new = compile(name, folded: folded)
        compiled[key] = new
        return new
    }

    private func compile(_ name: String, folded: Bool) -> Alternation? {
        switch meaning(of: name) {
        case .texts(let values):
            let items = values.map { patternItems($0, variables: false, folded: folded) }
            return Alternation(AlternationBuilder(Array(Set(items))))
        case .oneCharacter(let set):
            return Alternation(AlternationBuilder([], set: folded ? foldedBytes(set) : set))
        case nil: return nil
        }
    }

    /// The texts of the name; none if it is not defined.
    func texts(of name: String) -> [[UInt8]] {
        switch meaning(of: name) {
        case .oneCharacter(let set): set.map { [$0] }
        case .texts(let values): values
        case nil: []
        }
    }

    /// A value of the name that every known system has, and that people know; nil if there is none.
    func example(of name: String) -> [UInt8]? {
        let values = texts(of: name)
        return values.first { [Array("US".utf8), Array("en".utf8)].contains($0) } ?? values.first
    }

    /// The value of the name; nil if it is not defined.
    func meaning(of name: String) -> Meaning? {
        if let values = own[Array(name.utf8)] { return .texts(values) }
        switch name {
        case "region":
            return .texts(areEstablished ? ISOCodes.establishedRegions : ISOCodes.regions)
        case "lang":
            return .texts(areEstablished ? ISOCodes.establishedLanguages : ISOCodes.languages)
        default: return predefinedSets[name].map { .oneCharacter(of: Array($0.utf8)) }
        }
    }
}

/// The names in `$(name)` of a pattern, in their order; nil for a name without an end.
package func variableNames(in pattern: String) -> [String?] {
    guard pattern.utf8.contains(UInt8(ascii: "$")) else { return [] }
    return patternItems(Array(pattern.utf8), variables: true, folded: false).compactMap { item in
        switch item {
        case .variable(let name): .some(.some(name))
        case .unterminated: .some(nil)
        default: nil
        }
    }
}

/// The names that every file can use without defining them (Apple,
/// "applinks.SubstitutionVariables").
package let predefinedVariables = [
    "alpha", "upper", "lower", "alnum", "digit", "xdigit", "region", "lang",
]

func foldedBytes(_ bytes: [UInt8]) -> [UInt8] {
    var folded = [UInt8]()
    appendFolded(bytes.span, to: &folded)
    return folded
}

private let lowerCase = "abcdefghijklmnopqrstuvwxyz"
private let upperCase = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
private let digits = "0123456789"

/// Each stands for one ASCII character.
private let predefinedSets = [
    "alpha": upperCase + lowerCase, "upper": upperCase, "lower": lowerCase,
    "alnum": upperCase + lowerCase + digits, "digit": digits,
    "xdigit": digits + "ABCDEFabcdef",
]
