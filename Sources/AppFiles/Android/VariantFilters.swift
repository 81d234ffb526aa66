/// The blocks of a script that switch variants off, so that no release of a flavour may be built: `variantFilter`, and
/// `beforeVariants` (Android, "Configure build variants"). They are programs, of which conditions by names are read.
struct VariantFilters {
    private var filters = [VariantFilter]()
    /// Whether there are more than are looked at, or some that are no blocks.
    private var isOpen = false
    /// The block that is open: the tokens of its heading and of what is in it, and how many blocks are around it.
    private var open: (heading: [GradleToken], tokens: [GradleToken], depth: Int)?
    private var tokensLeft = AppFileLimits.filterTokensMax
    /// The build types of the script beside that of releases.
    var buildTypes = Set<String>()

    /// Takes the beginning of a block.
    /// - Parameters:
    ///   - statement: what stands before the brace.
    ///   - depth: the number of blocks around it.
    mutating func enter(_ statement: [GradleToken], depth: Int) {
        guard open == nil, let start = Self.start(of: statement) else { return }
        let heading = statement[start...]
        guard heading.count <= tokensLeft else { return isOpen = true }
        tokensLeft -= heading.count
        open = (Array(heading), [], depth)
    }

    mutating func take(_ token: GradleToken) {
        guard open != nil else { return }
        guard tokensLeft > 0 else { return isOpen = true }
        tokensLeft -= 1
        open?.tokens.append(token)
    }

    /// Takes a statement, which can hand a filter on without a block: `variantFilter(skipped)`.
    mutating func take(_ statement: [GradleToken]) {
        if open == nil, Self.start(of: statement) != nil { isOpen = true }
    }

    /// Takes the end of a block.
    /// - Parameter depth: the number of blocks around it.
    mutating func leave(depth: Int) {
        guard let block = open, depth <= block.depth else { return }
        open = nil
        let filter = VariantFilter(block.heading, block.tokens)
        if filter.switchesOff { filters.append(filter) }
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
        statement.firstIndex { $0.parts.last.map(blocks.contains) == true }
    }
}

private let blocks: Set = ["variantFilter", "beforeVariants"]
