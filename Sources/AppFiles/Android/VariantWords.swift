/// The words of a block that switches variants off which are surely about the variant.
struct VariantWords {
    /// The blocks that can switch variants off.
    static let blocks: Set = ["variantFilter", "beforeVariants"]
    /// The members of a variant that have its names.
    static let members: Set = [
        "buildType", "flavorName", "flavors", "getBuildType", "getFlavorName", "getFlavors",
        "getName", "getProductFlavors", "name", "productFlavors",
    ]

    /// The names of the variant, and of what its members have.
    private var subjects = Set<String>()
    /// The members that can stand without the variant.
    private let bare: Set<String>

    /// - Parameters:
    ///   - heading: that of the block.
    ///   - hidden: the members whose names something else of the script has.
    init(_ heading: [GradleToken], _ hidden: Set<String>) {
        let isReceiver = heading.first?.parts.last == "variantFilter"
        bare = isReceiver ? Self.members.subtracting(hidden) : []
    }

    /// Takes the parameters of a block, which is `it` without one.
    /// - Parameter tokens: those behind its brace.
    mutating func takeParameters(of tokens: ArraySlice<GradleToken>) {
        let heading = tokens.prefix(12).prefix { !ends.contains($0) }
        let end = tokens.index(tokens.startIndex, offsetBy: heading.count)
        guard end + 1 < tokens.endIndex, tokens[end] == minus, tokens[end + 1] == arrow else {
            subjects.insert("it")
            return
        }
        // `v`, `VariantFilter v` and `v: VariantBuilder`.
        for part in heading.split(separator: .symbol(UInt8(ascii: ","))) {
            let name = part.prefix { $0 != .symbol(UInt8(ascii: ":")) }.last?.parts
            if let name, name.count == 1 { subjects.insert(name[0]) }
        }
    }

    /// Whether a word begins with the variant, or with what it has.
    func begin(_ token: GradleToken) -> Bool { token.parts.first.map(subjects.contains) == true }

    /// Whether all words of a condition are about the variant, and some if it has texts.
    func areAll(of tokens: ArraySlice<GradleToken>) -> Bool {
        var words = self
        var (isAbout, hasTexts) = (false, false)
        for index in tokens.indices {
            if tokens[index] == .symbol(UInt8(ascii: "{")) {
                words.takeParameters(of: tokens[(index + 1)...])
            }
            if case .text = tokens[index] { hasTexts = true }
            let parts = tokens[index].parts
            // `flavors[0]`.
            guard let first = parts.first, !first.utf8.allSatisfy({ (0x30...0x39).contains($0) })
            else { continue }
            let isMember = tokens[..<index].last { $0 != .newline }?.endsInFullStop == true
            let isOfVariant = words.subjects.contains(first) || bare.contains(first)
            if !isMember, !isOfVariant {
                // `selector().withName("a")`, `androidComponents.selector()`, `listOf("a")` and `ignore = a`.
                let known = first == "androidComponents" ? parts.dropFirst() : parts[...]
                guard known.count == 1, known.allSatisfy(functions.contains) else { return false }
                continue
            }
            let rest = isMember || bare.contains(first) ? parts[...] : parts.dropFirst()
            guard rest.allSatisfy({ Self.members.contains($0) || methods.contains($0) }) else {
                return false
            }
            isAbout =
                isAbout || isOfVariant && !isMember
                || rest.contains { $0.utf8.starts(with: "with".utf8) }
        }
        return isAbout || !hasTexts
    }

    /// Whether the variant is handed on to a function, which can switch it off: `off(it)`, `off v` and `it.off()`.
    func handOn(_ tokens: [GradleToken], at index: Int) -> Bool {
        let parts = tokens[index].parts
        guard let first = parts.first, subjects.contains(first) else { return false }
        let next = index + 1 < tokens.count ? tokens[index + 1] : .newline
        if parts.count > 1 {
            // Its own methods only read it, or are setters.
            return next == .symbol(UInt8(ascii: "(")) && tokens[index].filterSetter == nil
                && !parts.dropFirst().allSatisfy {
                    Self.members.contains($0) || methods.contains($0)
                }
        }
        let isEnd = ",)".utf8.map(GradleToken.symbol).contains(next)
        guard index > 0 else { return false }
        if isEnd, "(,".utf8.map(GradleToken.symbol).contains(tokens[index - 1]) {
            let call = tokens[..<index].last { !$0.parts.isEmpty }?.parts.last ?? ""
            return !methods.contains(call) && !functions.contains(call)
        }
        let before = tokens[index - 1].parts
        return !before.isEmpty && next != minus && !functions.contains(before.last ?? "")
    }
}

extension GradleToken {
    /// Whether a member follows, also of a word in the line before.
    fileprivate var endsInFullStop: Bool {
        if case .word(let word) = self { return word.last == UInt8(ascii: ".") }
        return self == .symbol(UInt8(ascii: "."))
    }
}

let minus = GradleToken.symbol(UInt8(ascii: "-"))
private let arrow = GradleToken.symbol(UInt8(ascii: ">"))
/// The tokens before which the parameters of a block end.
private let ends: [GradleToken] =
    [.newline] + "-{}()=;".utf8.map(GradleToken.symbol)
/// The methods of the variant and of its names that a condition can be read with.
private let methods: Set = [
    "all", "any", "collect", "contains", "each", "endsWith", "equals", "equalsIgnoreCase",
    "forEach", "get", "getSecond", "ignore", "lowercase", "map", "orEmpty", "second", "setIgnore",
    "startsWith", "toLowerCase", "toString", "withBuildType", "withFlavor", "withName",
]
/// The functions and words that can stand in such a condition without the variant.
private let functions: Set = [
    "Pair", "arrayOf", "else", "if", "ignore", "in", "listOf", "print", "println", "selector",
    "setIgnore", "setOf", "to", "true",
]
