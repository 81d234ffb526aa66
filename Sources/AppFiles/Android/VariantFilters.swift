/// The blocks of a script that switch variants off, so that no release of a flavour may be built: `variantFilter`, and
/// `beforeVariants` (Android, "Configure build variants"). They are programs, of which conditions by names are read.
struct VariantFilters {
    private var filters = [Filter]()
    /// Whether there are more than are looked at.
    private var isOpen = false
    /// The block that is open: the tokens of its heading and of what is in it, and how many blocks are around it.
    private var open: (heading: [GradleToken], tokens: [GradleToken], depth: Int)?
    private var tokensLeft = AppFileLimits.filterTokensMax
    /// The build types of the script beside that of releases.
    var buildTypes = Set<String>()

    /// The conditions of a block: those of its selector, and those of each statement that switches a variant off.
    private struct Filter {
        let selector: Condition
        let parts: [Condition]
    }

    /// Takes the beginning of a block.
    /// - Parameters:
    ///   - statement: what stands before the brace.
    ///   - depth: the number of blocks around it.
    mutating func enter(_ statement: [GradleToken], depth: Int) {
        guard open == nil,
            let start = statement.firstIndex(where: { $0.parts.last.map(blocks.contains) == true })
        else { return }
        open = (Array(statement[start...]), [], depth)
    }

    mutating func take(_ token: GradleToken) {
        guard open != nil else { return }
        guard tokensLeft > 0 else { return isOpen = true }
        tokensLeft -= 1
        open?.tokens.append(token)
    }

    /// Takes the end of a block.
    /// - Parameter depth: the number of blocks around it.
    mutating func leave(depth: Int) {
        guard let block = open, depth <= block.depth else { return }
        open = nil
        let parts = Self.parts(of: block.tokens[...])
        guard !parts.isEmpty else { return }
        filters.append(Filter(selector: Condition(of: block.heading[...]), parts: parts))
    }

    /// The flavours whose releases may be switched off.
    func dropped(of flavors: [String]) -> Set<String> {
        guard !isOpen else { return Set(flavors) }
        guard !filters.isEmpty else { return [] }
        let names = Names(flavors, buildTypes)
        return Set(
            flavors.filter { flavor in
                filters.contains { filter in
                    filter.selector.mayHold(for: flavor, names)
                        && filter.parts.contains { $0.mayHold(for: flavor, names) }
                }
            })
    }

    /// The conditions of the statements that switch a variant off, each with what stands before it.
    private static func parts(of tokens: ArraySlice<GradleToken>) -> [Condition] {
        var parts = [Condition]()
        var start = tokens.startIndex
        for index in tokens.indices where index >= start {
            guard let setter = tokens[index].filterSetter,
                index == tokens.startIndex || tokens[index - 1] != .symbol(UInt8(ascii: "."))
            else { continue }
            let line = tokens[(index + 1)...].prefix {
                $0 != .newline && $0 != .symbol(UInt8(ascii: "}"))
                    && $0 != .symbol(UInt8(ascii: ";"))
            }
            let value = line.filter { !"=()".utf8.map(GradleToken.symbol).contains($0) }
            guard !value.isEmpty else { continue }
            // One that another statement switches off may be switched on again.
            let isDropped = value.count == 1 && value[0].isWord(setter.off)
            if value.count == 1, value[0].isWord(setter.on) { continue }
            if isDropped {
                parts.append(Condition(of: tokens[start..<index]))
            } else if setter.off == "true" {
                parts.append(Condition(of: tokens[start..<index] + line))
            } else {
                parts.append(Condition())
            }
            start = line.endIndex
        }
        return parts
    }
}

extension VariantFilters {
    /// A condition, as far as it consists of names that have to be those of a variant. What else it asks can only make it
    /// narrower.
    private struct Condition {
        /// The names; nil if it can hold for variants of other names.
        private let texts: [String]?
        /// The number of its signs for `or`.
        private let alternatives: Int

        /// One that can hold for each variant.
        init() { (texts, alternatives) = (nil, 0) }

        init(of tokens: ArraySlice<GradleToken>) {
            var texts = [String]()
            var isOpen = false
            var bars = 0
            for index in tokens.indices {
                let next =
                    index + 1 < tokens.endIndex ? tokens[index + 1] : .newline
                switch tokens[index] {
                case .text(let text?) where text.utf8.count <= nameBytesMax:
                    // The dimension of a flavour stands before it.
                    if !next.isWord("to"), !tokens.isDimension(at: index) { texts.append(text) }
                case .text, .filled, .symbol(UInt8(ascii: "!")): isOpen = true
                case .symbol(UInt8(ascii: "?")):
                    if next != .symbol(UInt8(ascii: ".")) { isOpen = true }
                case .symbol(UInt8(ascii: "|")): bars += 1
                default:
                    if tokens[index].parts.contains(where: turning.contains) { isOpen = true }
                }
            }
            self.texts = isOpen ? nil : texts
            alternatives = bars / 2
        }

        /// Whether it may hold for the release of a flavour.
        func mayHold(for flavor: String, _ names: Names) -> Bool {
            guard let texts, flavor.utf8.count <= nameBytesMax else { return true }
            let own = Array("\(flavor)Release".lowercased().utf8)
            var (ofFlavors, ofTypes) = ([Bool](), [Bool]())
            for text in texts {
                if names.buildTypes.contains(text) {
                    ofTypes.append(text == "release" || isGradleProduction(text))
                } else if names.contain(text) {
                    ofFlavors.append(own.contains(Array(text.lowercased().utf8)))
                } else {
                    return true
                }
            }
            guard alternatives == 0 else {
                // Something else can be an alternative, too.
                return alternatives != texts.count - 1 || (ofFlavors + ofTypes).contains(true)
            }
            return [ofFlavors, ofTypes].allSatisfy { $0.isEmpty || $0.contains(true) }
        }
    }
}

extension VariantFilters {
    /// The names of the build types of a script, and of its flavours and their variants.
    private struct Names {
        let buildTypes: Set<String>
        private let variants: Set<[UInt8]>

        init(_ flavors: [String], _ buildTypes: Set<String>) {
            self.buildTypes = buildTypes.union(["release", "debug"])
            let types = [""] + self.buildTypes
            variants = flavors.filter { $0.utf8.count <= nameBytesMax }
                .reduce(into: []) { names, flavor in
                    for type in types { names.insert(Array((flavor + type).lowercased().utf8)) }
                }
        }

        /// Whether a text is the name of a flavour, or of a variant of one, in any letter case.
        func contain(_ text: String) -> Bool { variants.contains(Array(text.lowercased().utf8)) }
    }
}

extension GradleToken {
    /// The value with which a setter of a variant switches it off, and the other one; nil for another word.
    fileprivate var filterSetter: (off: String, on: String)? {
        let parts = parts
        // `it.androidTest.enable` is of tests.
        guard (1...2).contains(parts.count), let name = parts.last,
            parts.count == 1 || !testBuilders.contains(parts[0])
        else { return nil }
        if ["ignore", "setIgnore"].contains(name) { return ("true", "false") }
        let isOfVariant = ["enable", "enabled", "setEnable", "setEnabled"].contains(name)
        return isOfVariant ? ("false", "true") : nil
    }
}

extension ArraySlice<GradleToken> {
    /// Whether a text is the dimension of `withFlavor("dimension", "flavor")` or of a pair.
    fileprivate func isDimension(at index: Int) -> Bool {
        guard index > startIndex + 1, index + 1 < endIndex,
            self[index + 1] == .symbol(UInt8(ascii: ",")),
            self[index - 1] == .symbol(UInt8(ascii: "("))
        else { return false }
        return ["withFlavor", "Pair"].contains(self[index - 2].parts.last)
    }
}

/// The longest name of a flavour or build type that is looked at, in bytes.
private let nameBytesMax = 100
private let blocks: Set = ["variantFilter", "beforeVariants"]
private let testBuilders: Set = ["androidTest", "unitTest", "hostTests", "deviceTests"]
/// The words by which a condition can hold where a name in it is another one.
private let turning: Set = [
    "else", "when", "switch", "case", "not", "none", "filterNot", "minus", "false", "return",
    "continue", "break", "or", "xor",
]
