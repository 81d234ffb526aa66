/// The blocks of a script that switch variants off, so that no release of a flavour may be built: `variantFilter`, and
/// `beforeVariants` (Android, "Configure build variants"). They are programs, of which conditions by names are read.
struct VariantFilters {
    private var filters = [VariantFilter]()
    /// Whether there are more than are looked at, or some that are no blocks.
    private var isOpen = false
    /// The block that is open: the tokens of its heading and of what is in it, and how many blocks are around it.
    private var open: (heading: [GradleToken], tokens: [GradleToken], depth: Int)?
    private var tokensLeft = AppFileLimits.filterTokensMax
    /// The last tokens, and the members of a variant whose names something else of the script has.
    private var last = [GradleToken](), hidden = Set<String>()
    /// The build types of the script beside that of releases.
    var buildTypes = Set<String>()

    /// Takes the beginning of a block.
    /// - Parameters:
    ///   - statement: what stands before the brace.
    ///   - depth: the number of blocks around it.
    mutating func enter(_ statement: [GradleToken], depth: Int) {
        if statement.removesFlavors { isOpen = true }
        guard open == nil, let start = Self.start(of: statement) else { return }
        let heading = statement[start...]
        guard heading.count <= tokensLeft else { return isOpen = true }
        tokensLeft -= heading.count
        open = (Array(heading), [], depth)
    }

    mutating func take(_ token: GradleToken) {
        hide(before: token)
        guard open != nil else { return }
        // A longer chain is of many calls, and would be split for each setter.
        if case .word(let word) = token, word.count > GradleLexer.namesMax { return isOpen = true }
        guard tokensLeft > 0 else { return isOpen = true }
        tokensLeft -= 1
        open?.tokens.append(token)
    }

    /// Takes a statement, which can hand a filter on without a block: `variantFilter(skipped)`.
    mutating func take(_ statement: [GradleToken]) {
        if open == nil, Self.start(of: statement) != nil { isOpen = true }
        if statement.removesFlavors { isOpen = true }
    }

    /// Keeps the name of a variable or parameter that hides a member of the variant: `def name = a`, `name: String` and `name ->`.
    private mutating func hide(before token: GradleToken) {
        if let name = last.last?.parts.first, last.last?.parts.count == 1,
            VariantWords.members.contains(name)
        {
            let before = last.dropLast()
            let isTyped =
                before.last?.parts.isEmpty == false
                && !["in", "return", "else"].contains { before.last?.isWord($0) == true }
            let isParameter = ":-".utf8.map(GradleToken.symbol).contains(token)
            if isTyped || isParameter || before.first?.isWord("for") == true { hidden.insert(name) }
        }
        last = last.suffix(2) + [token]
    }

    /// Takes the end of a block.
    /// - Parameter depth: the number of blocks around it.
    mutating func leave(depth: Int) {
        guard let block = open, depth <= block.depth else { return }
        open = nil
        let filter = VariantFilter(block.heading, block.tokens, hidden)
        if filter.switchesOff { filters.append(filter) }
    }

    /// Whether a variant may be switched off at all.
    var switchOff: Bool { isOpen || !filters.isEmpty }

    /// Whether the release may be switched off of a module without flavours.
    var dropRelease: Bool {
        var names = VariantNames([], buildTypes)
        return isOpen || filters.contains { $0.mayHold(for: "", &names) }
    }

    /// The flavours whose releases may be switched off.
    func dropped(of flavors: [String]) -> Set<String> {
        guard !isOpen else { return Set(flavors) }
        guard !filters.isEmpty else { return [] }
        var names = VariantNames(flavors, buildTypes)
        return Set(
            flavors.filter { flavor in filters.contains { $0.mayHold(for: flavor, &names) } })
    }

    private static func start(of statement: [GradleToken]) -> Int? {
        statement.firstIndex { $0.parts.last.map(VariantWords.blocks.contains) == true }
    }
}

extension [GradleToken] {
    /// Whether a file may switch variants off that are of modules which apply it.
    var switchesVariantsOff: Bool {
        removesFlavors
            || mentions(VariantWords.blocks.contains) && contains { $0.filterSetter != nil }
    }

    /// Whether it takes flavours or build types away: `productFlavors.removeIf`.
    fileprivate var removesFlavors: Bool {
        contains { token in
            let parts = token.parts
            return parts.contains { ["productFlavors", "buildTypes"].contains($0) }
                && ["remove", "retain"].contains { parts.last?.utf8.starts(with: $0.utf8) == true }
        }
    }
}
