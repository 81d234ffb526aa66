/// The variables of one file, compiled when a pattern first names them. A file's own shadow the
/// predefined ones (Apple, "applinks.SubstitutionVariables").
struct Variables {
    /// Names and values in bytes: texts that are canonically equivalent are different ones.
    let own: [[UInt8]: [[UInt8]]]
    /// Names that the file defines more than once; systems may differ in which one counts.
    let repeated: Set<[UInt8]>
    private var compiled = [Key: Alternation]()
    /// Whether `region` and `lang` stand for those codes only that every known list has.
    private var areEstablished = false

    private struct Key: Hashable {
        let name: [UInt8]
        let folded: Bool
    }

    /// What a name stands for.
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

    /// The same on a system whose lists of regions and languages are the shortest known.
    var established: Variables {
        var variables = self
        variables.areEstablished = true
        variables.compiled = [:]
        return variables
    }

    /// What the name stands for, or nil when nothing defines it.
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
            return Alternation(
                AlternationBuilder([], set: folded ? foldedBytes(set) : set))
        case nil: return nil
        }
    }

    /// The texts that the name stands for; none when nothing defines it.
    func texts(of name: String) -> [[UInt8]] {
        switch meaning(of: name) {
        case .oneCharacter(let set): set.map { [$0] }
        case .texts(let values): values
        case nil: []
        }
    }

    /// What the name stands for, or nil when nothing defines it.
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

/// The names in `$(name)` of a pattern, in their order; nil for one that does not end.
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

/// The names that every file may use without defining them (Apple,
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
