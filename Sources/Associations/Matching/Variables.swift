/// The variables of one file, compiled when a pattern first names them. A file's own shadow the
/// predefined ones (Apple, "applinks.SubstitutionVariables").
struct Variables {
    let own: [String: [String]]
    /// Names that the file defines more than once; systems may differ in which one counts.
    let repeated: Set<String>
    private var compiled = [Key: Alternation]()

    private struct Key: Hashable {
        let name: String
        let folded: Bool
    }

    init(_ variables: [SubstitutionVariable]) {
        var own = [String: [String]]()
        var repeated = Set<String>()
        for variable in variables
        where own.updateValue(variable.values, forKey: variable.name) != nil {
            repeated.insert(variable.name)
        }
        self.own = own
        self.repeated = repeated
    }

    /// What the name stands for, or nil when nothing defines it.
    mutating func alternation(_ name: String, folded: Bool) -> Alternation? {
        let key = Key(name: name, folded: folded)
        if let known = compiled[key] { return known }
        let new = compile(name, folded: folded)
        compiled[key] = new
        return new
    }

    private func compile(_ name: String, folded: Bool) -> Alternation? {
        if let values = own[name] { return alternatives(values, folded: folded) }
        switch name {
        case "region": return alternatives(ISOCodes.regions, folded: folded)
        case "lang": return alternatives(ISOCodes.languages, folded: folded)
        default:
            guard let set = predefinedSets[name] else { return nil }
            var bytes = Array(set.utf8)
            if folded { bytes = foldedBytes(bytes) }
            return Alternation(AlternationBuilder([], set: bytes))
        }
    }

    private func alternatives(_ values: [String], folded: Bool) -> Alternation {
        let items = values.map {
            patternItems(Array($0.utf8), variables: false, folded: folded)
        }
        return Alternation(AlternationBuilder(Array(Set(items))))
    }
}

/// The names in `$(name)` of a pattern, in their order; nil for one that does not end.
package func variableNames(in pattern: String) -> [String?] {
    patternItems(Array(pattern.utf8), variables: true, folded: false).compactMap { item in
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
let predefinedSets = [
    "alpha": upperCase + lowerCase, "upper": upperCase, "lower": lowerCase,
    "alnum": upperCase + lowerCase + digits, "digit": digits,
    "xdigit": digits + "ABCDEFabcdef",
]
