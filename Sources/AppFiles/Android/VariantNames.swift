/// The names of the build types of a script, and of its flavours and their variants, in small letters.
struct VariantNames {
    /// The longest name of a flavour or build type that is looked at, in bytes.
    static let bytesMax = 100

    enum Kind {
        /// That of a flavour, or of a variant of one.
        case flavor
        case type
    }

    private let flavors: Set<[UInt8]>
    private let types: Set<[UInt8]>
    /// The kinds that were found; an inner nil for another name.
    private var known = [[UInt8]: Kind?]()

    init(_ flavors: [String], _ types: Set<String>) {
        self.flavors = Set(flavors.map { Array($0.lowercased().utf8) })
        self.types = Set(types.union(["release", "debug"]).map { Array($0.lowercased().utf8) })
    }

    /// Nil for another name.
    mutating func kind(of text: [UInt8]) -> Kind? {
        if let kind = known[text] { return kind }
        var kind: Kind?
        if types.contains(text) {
            kind = .type
        } else if (0...text.count).contains(where: { end in
            flavors.contains(Array(text[..<end]))
                && (end == text.count || types.contains(Array(text[end...])))
        }) {
            kind = .flavor
        }
        known[text] = .some(kind)
        return kind
    }
}
