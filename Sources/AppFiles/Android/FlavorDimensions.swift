/// The dimensions of flavours that a script names, as literals or as expressions (Android, "Configure build variants").
/// Releases have one flavour of each.
struct FlavorDimensions {
    private var names = Set<[UInt8]>()

    /// Takes `flavorDimensions "store", "stage"`.
    /// - Parameter own: the parts of its first word.
    mutating func take(_ statement: [GradleToken], _ own: [String]) {
        guard own.contains(where: { $0 == "flavorDimensions" || $0 == "setFlavorDimensions" })
        else { return }
        for token in statement.dropFirst() {
            switch token {
            case .word where token.parts.last.map(listMakers.contains) == true: break
            case .text, .filled, .word: names.insert(Self.expression([token]))
            case .symbol, .newline: break
            }
        }
    }

    /// Whether releases combine flavours: those that are known are of several dimensions, or others are of one that has none
    /// of these.
    func areCombined(_ flavors: [GradleSettings]) -> Bool {
        let own = Set(flavors.map(\.dimension))
        return own.count > 1 || !flavors.isEmpty && names.count > own.count
    }

    /// What a dimension is called: different expressions can be different ones.
    static func expression(_ tokens: [GradleToken]) -> [UInt8] {
        let parts = tokens.map { token -> [UInt8] in
            switch token {
            case .text(let text): Array((text ?? "?").utf8)
            case .word(let bytes): [UInt8(ascii: "$")] + bytes
            case .filled(let bytes): bytes
            case .symbol(let byte): [byte]
            case .newline: []
            }
        }
        return Array(parts.joined(separator: [0x20]))
    }
}

private let listMakers: Set = [
    "String", "arrayListOf", "arrayOf", "as", "flavorDimensions", "listOf", "mutableListOf",
    "mutableSetOf", "setOf", "toTypedArray",
]
