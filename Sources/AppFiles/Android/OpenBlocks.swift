/// The blocks around a statement of a script, and the parts of their names.
struct OpenBlocks {
    private(set) var path = [String]()
    /// The number of parts before each block.
    private var starts = [Int]()
    /// For each block, whether its name or that of a block around it has a key.
    private var keyed = [Bool]()
    /// For each block, the place in the source sets of a module.
    private var sets = [SourceSetPlace]()
    /// For each block, whether it is of a condition or a loop, so that a `return` in it ends what is around it, too.
    private var runs = [Bool]()
    /// For each block, the tokens before its brace; none if they are many.
    private var headings = [[GradleToken]]()
    /// The number of blocks within the outermost one that sets up other modules, with it; zero outside.
    private var moduleDepth = 0

    var hasKey: Bool { keyed.last ?? false }
    var count: Int { starts.count }
    /// A name with many full stops is as deep as many blocks.
    var isTooDeep: Bool { max(path.count, starts.count) > AppFileLimits.depthMax }
    var sourceSets: SourceSetPlace { sets.last ?? .outside }
    /// The tokens before the brace of the innermost block; none if they are many.
    var heading: [GradleToken] { headings.last ?? [] }
    /// Whether what stands here is in no block of its script.
    var isAtTop: Bool { count == around }
    /// Whether what stands here is for other modules than that of the script.
    var isOfModules: Bool { moduleDepth > 0 }
    /// Whether what stands here runs in any case, once, and is for the module of the script.
    var isCertain: Bool {
        !isOfModules && path.allSatisfy { ["android", "apply", "project"].contains($0) }
    }

    /// Whether a statement, or the heading of a block, sets what other modules are, or may where it is not of the script's own.
    func setsModules(_ statement: [GradleToken]) -> Bool {
        let places = path + (statement.first?.parts ?? [])
        let isOwn =
            places.first == "android" || places.first == "androidComponents"
            || places.contains(where: gradleVariables.contains)
        return (isOfModules || !isOwn) && statement.mentions(gradleModuleWords.contains)
    }

    /// The number of blocks within the outermost one that is of another thing, with it; zero outside.
    private var otherDepth = 0
    /// Whether methods are called here of another thing than the blocks with settings, such as a tree of files.
    var isOfOther: Bool { otherDepth > 0 }

    /// The number of blocks around the script, which its braces do not end.
    private var around = 0

    init() {}

    /// The blocks of a script that is applied within blocks.
    init(ofScriptIn blocks: OpenBlocks) {
        if !blocks.isCertain { append(["?"], []) }
        around = count
        if blocks.isOfModules { moduleDepth = 1 }
    }

    /// - Parameters:
    ///   - block: the parts of its name.
    ///   - heading: what stands before the brace.
    mutating func append(_ block: [String], _ heading: [GradleToken]) {
        keyed.append(hasKey || block.contains(where: { gradleKeys[$0] != nil }))
        sets.append(sourceSets.entering(heading))
        starts.append(path.count)
        runs.append(heading.isOfCondition)
        headings.append(heading.count <= existenceCount ? heading : [])
        path += block
        if isOfModules || heading.isOfModules { moduleDepth += 1 }
        if isOfOther || block.first == "?" && heading.isOfOther { otherDepth += 1 }
    }

    mutating func removeLast() {
        guard count > around, let start = starts.popLast() else { return }
        _ = keyed.popLast()
        _ = sets.popLast()
        _ = runs.popLast()
        _ = headings.popLast()
        path.removeSubrange(start...)
        if isOfModules { moduleDepth -= 1 }
        if isOfOther { otherDepth -= 1 }
    }

    /// Takes a statement that may return from a block or from the script. What follows there may then not run, as in a condition.
    /// - Returns: the blocks that it may end, with that of the condition; nil if it changes nothing.
    mutating func take(return statement: [GradleToken]) -> [String]? {
        guard let index = statement.firstIndex(where: { $0.isWord("return") }) else { return nil }
        var level = count
        // `return@android`; that of a method such as `create` is of the block around it.
        if index + 2 < statement.count, statement[index + 1] == .symbol(UInt8(ascii: "@")),
            case let label = statement[index + 2].parts.last ?? "", !gradleMakers.contains(label)
        {
            while level > around, !path[starts[level - 1]..<end(of: level)].contains(label) {
                level -= 1
            }
            // Other blocks than those with a name are as conditions anyway.
            guard level > around else { return nil }
        } else {
            while level > around, runs[level - 1] { level -= 1 }
        }
        let place = end(of: level)
        guard place == 0 || path[place - 1] != "?" else { return nil }
        path.insert("?", at: place)
        for inner in level..<count { starts[inner] += 1 }
        return Array(path[...place])
    }

    /// The end of the parts of a number of blocks.
    private func end(of level: Int) -> Int { level < count ? starts[level] : path.count }
}

/// The place of a statement in the source sets of a module.
enum SourceSetPlace {
    case outside
    /// In those of releases, or in some that are not known.
    case inside
    /// In one that no release has.
    case others

    /// The place of what a statement says, or of the block behind it.
    func entering(_ statement: [GradleToken]) -> SourceSetPlace {
        if self == .others {
            // The source sets of releases have their names there, too.
            let isOfReleases = statement.contains { token in
                token.parts.contains(where: releaseSets.contains) || token == .text("main")
            }
            return isOfReleases ? .inside : .others
        }
        guard self == .inside || statement.mentions({ $0 == "sourceSets" }) else { return .outside }
        guard var names = statement.first?.parts, !names.isEmpty else { return .inside }
        // `getByName("debug")` and `sourceSets["debug"]`.
        if statement.count > 3, case .text(let text?) = statement[2],
            statement[1] == .symbol(UInt8(ascii: "["))
                || names.last.map(gradleMakers.contains) == true
        {
            names.append(text)
        }
        return names.contains(where: otherSets.contains) ? .others : .inside
    }
}

/// The methods that give a thing of a name.
let gradleMakers: Set = ["create", "getByName", "named", "register", "maybeCreate"]
/// The words for source sets that releases have.
private let releaseSets: Set = ["main", "release", "sourceSets"]
/// Source sets that no release has.
let otherSets: Set = ["debug", "test", "androidTest", "profile"]
