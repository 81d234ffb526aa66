/// The literals of the script that builds an Android module (Android, "Configure your build"). It is a
/// program, so each statement that may set something is read, or leaves open what it could set: a value that is no
/// literal, or stands in a condition, leaves its setting open; a setting whose place is not known, all apps; and code
/// elsewhere, the flavours.
struct GradleScript {
    private var definitions = GradleDefinitions()
    private(set) var base = GradleSettings()
    private(set) var release = GradleSettings()
    private(set) var flavors = [(name: String, settings: GradleSettings)]()
    private(set) var dimensions = FlavorDimensions()
    /// The build types beside that of releases.
    private(set) var buildTypes = Set<String>()
    /// Those that have settings which are read.
    private var keyedTypes = Set<String>()
    /// The build types whose settings others begin with, by these; a question mark for one that is not known.
    private var inherited = [String: String]()
    /// Whether there may be flavours that are not known, and whether there are some without a block.
    private(set) var (hasOtherFlavors, hasNamelessFlavors) = (false, false)
    /// Whether resources are made in a place that is not known.
    private(set) var hasOtherValues = false
    /// Whether a script around the module may set its flavours.
    private(set) var isOpenAbove = false
    private(set) var effects = GradleEffects()
    private(set) var namespace = GradleNamespace()
    /// Whether something is set whose place is known only when the script runs.
    private(set) var isOpen = false
    /// The limit that it exceeds, a clause of its own, so that its rest is not read; nil for most scripts.
    private(set) var excess: String?

    /// Reads a script that it applies; nil if there is none, and without bytes if all of them are too large.
    private var apply: (AppliedScript) -> (name: String, bytes: [UInt8]?)?
    /// The paths that were applied, and whether that was so in any case.
    private var applied = [String: Bool]()
    /// The names of those that were read, once for each of both.
    private var appliedFiles = [String: Bool]()
    /// Whether it sets what other modules are in ways that are not read, or may write their manifests.
    private(set) var setsModules = false
    private let isOfModule: Bool
    /// The effects of it and of each script that it applies, by their files.
    private(set) var unknown = [(file: String, effects: UnknownEffects)]()

    /// - Parameters:
    ///   - name: that of its file, which says the language.
    ///   - isOfModule: whether it is the script of a module, and not one above it.
    ///   - catalog: the one that its aliases of plugins are of.
    ///   - apply: reads a script that it applies; nil if the checkout does not have it.
    init(
        _ bytes: [UInt8], name: String = "build.gradle", isOfModule: Bool = true,
        catalog: GradleCatalog = GradleCatalog(),
        apply: @escaping (AppliedScript) -> (name: String, bytes: [UInt8]?)? = { _ in nil }
    ) {
        (self.apply, self.isOfModule) = (apply, isOfModule)
        (effects.plugins.catalog, namespace.catalog) = (catalog, catalog)
        read(bytes, name)
        self.apply = { _ in nil }
        effects.take(isOfModule ? sourceSets : nil)
        if effects.writes.isFound || effects.filters.switchOff { setsModules = true }
        effects.take(buildTypes: buildTypes)
    }

    /// - Parameter blocks: those around the script, if it is applied.
    private mutating func read(
        _ bytes: [UInt8], _ name: String, in blocks: OpenBlocks = OpenBlocks()
    ) {
        var open = blocks
        var statement = [GradleToken]()
        var depth = 0
        let tokens = GradleLexer.tokens(of: bytes, in: name)
        unknown.append((name, UnknownEffects(tokens, isOfModule: isOfModule)))
        for token in tokens {
            effects.take(token)
            switch token {
            case .symbol(UInt8(ascii: "{")):
                effects.enter(statement, in: open)
                if let ended = open.take(return: statement) { enter(ended) }
                let block = statement.blockName
                // The block can be a part of a value, such as a condition's.
                open.append(block, statement)
                if open.isTooDeep {
                    isOpen = true
                    excess =
                        "the script has more than \(AppFileLimits.depthMax) blocks within each other"
                    return
                }
                if block == ["?"] {
                    take(statement, in: open)
                } else {
                    definitions.take(statement, depth: open.count)
                }
                if open.setsModules(statement) { setsModules = true }
                enter(open.path)
                (statement, depth) = ([], 0)
            case .symbol(UInt8(ascii: "}")):
                end(&statement, in: &open)
                open.removeLast()
                effects.leave(depth: open.count)
                definitions.leave(depth: open.count)
                depth = 0
            case .newline where depth <= 0 && statement.goesOn: break
            case .newline where depth <= 0, .symbol(UInt8(ascii: ";")):
                end(&statement, in: &open)
            case .newline: break
            default:
                depth += token.nesting
                statement.append(token)
            }
        }
        take(statement, in: open)
    }

    /// Takes a statement that has ended.
    private mutating func end(_ statement: inout [GradleToken], in open: inout OpenBlocks) {
        take(statement, in: open)
        if let ended = open.take(return: statement) { enter(ended) }
        statement = []
    }

    /// Reads a script that is applied, as if it stood here. Those of packages that are not there set nothing that is read.
    /// - Parameter heading: that of the block around it.
    private mutating func take(
        applied statement: [GradleToken], in blocks: OpenBlocks, if heading: [GradleToken]
    ) {
        let script = AppliedScript(statement)
        let isOptional = [statement, heading].contains { $0.isExistence(of: script) }
        // Each is looked for once: a script can apply another one many times.
        let isCertain = blocks.isCertain
        let scope = blocks.isOfModules ? "modules " : ""
        let kind = script.isOfPackage ? "package " : isOptional ? "optional " : ""
        let key = "\(kind)\(scope)\(script.isOfRoot ? "/" : "")\(script.path)"
        if let known = applied[key], known || !isCertain { return }
        guard applied.count < AppFileLimits.referencesMax else {
            effects.appliesTooMany = true
            return missApplied(in: blocks)
        }
        let found = apply(script)
        guard let (name, content) = found, let bytes = content else {
            applied[key] = true
            if found == nil, script.isOfPackage || isOptional { return }
            if found == nil { effects.add(unread: script) } else { effects.appliesTooMany = true }
            return missApplied(in: blocks)
        }
        applied[key] = isCertain
        let file = scope + name
        guard appliedFiles[file] != true, isCertain || appliedFiles[file] == nil else { return }
        appliedFiles[file] = isCertain
        // Variables are of one script.
        let own = definitions
        definitions = GradleDefinitions()
        read(bytes, name, in: OpenBlocks(ofScriptIn: blocks))
        definitions = own
    }

    private mutating func missApplied(in blocks: OpenBlocks) {
        if blocks.isOfModules { setsModules = true }
        hasOtherFlavors = true
    }

    /// Takes the type or flavour whose settings another one begins with.
    private mutating func take(inherited statement: [GradleToken], in path: ArraySlice<String>) {
        guard path.first == "buildTypes", let type = path.dropFirst().first, type != "?" else {
            return isOpen =
                isOpen || path.contains { ["buildTypes", "productFlavors"].contains($0) }
        }
        var names = statement.dropFirst().compactMap { token -> String? in
            switch token {
            case .text(let text): text
            default: token.parts.last
            }
        }
        names.removeAll { gradleMakers.contains($0) }
        inherited[type] = names.count == 1 && path.count == 2 ? names[0] : "?"
    }

    /// Whether releases begin with the settings of another build type that has some, or are of one.
    var inheritsSettings: Bool {
        var (type, seen) = ("release", Set<String>())
        while let next = inherited[type], seen.insert(next).inserted {
            if keyedTypes.contains(next) || next == "?" { return true }
            type = next
        }
        // A build type that is one of releases by its name is another app.
        return keyedTypes.contains(where: isGradleProduction)
    }

    /// Takes the name of a flavour or a build type, which can set nothing.
    private mutating func enter(_ blocks: [String]) {
        let path = blocks.drop { $0 == "android" }
        if path.count == 2, path.first == "buildTypes", let name = path.last, name != "release",
            name != "?", buildTypes.count < AppFileLimits.flavorsMax
        {
            buildTypes.insert(name)
        }
        // In a condition, it is not known whether there are any.
        if path.count > 1, path.first != "productFlavors", path.last == "productFlavors" {
            hasOtherFlavors = true
            isOpen = true
        }
        guard path.count == 2, path.first == "productFlavors", let name = path.last else { return }
        guard name != "?" else { return isOpen = true }
        guard !flavors.contains(where: { $0.name.utf8.elementsEqual(name.utf8) }) else { return }
        guard flavors.count < AppFileLimits.flavorsMax else {
            excess = "the script has more than \(AppFileLimits.flavorsMax) flavors"
            return isOpen = true
        }
        flavors.append((name, GradleSettings()))
    }

    private mutating func take(_ written: [GradleToken], in outer: OpenBlocks) {
        let whole = written.flattened
        guard !whole.isEmpty else { return }
        for part in [whole] + whole.filledIn {
            definitions.take(part, depth: outer.count)
            takeLater(part)
        }
        if whole.replacesAndroid { leaveOpen() }
        effects.take(whole, in: outer)
        namespace.take(plugins: whole, in: outer)
        if outer.setsModules(whole) { setsModules = true }
        let statement = Array(whole.behindConditions)
        var blocks = outer
        if statement.count < whole.count { blocks.append(["?"], []) }
        if whole.appliesScript(in: outer) {
            if !statement.beginsWithApply(in: outer) { blocks.append(["?"], []) }
            return take(applied: whole, in: blocks, if: outer.heading)
        }
        if statement.isUnknownCall(in: blocks) || whole.mentions({ $0 == "evaluate" }) {
            leaveOpen()
        }
        guard case .word? = statement.first, !statement[0].isDefinition else {
            // `(a, b) -> put(a, b)`, and `val a = put("b", "c")`.
            let mayPut = !statement.isEmpty && blocks.path.contains("manifestPlaceholders")
            return mayPut ? leaveOpen() : ()
        }
        let own = statement[0].parts
        if let place = statement.firstIndex(where: { $0.parts.last == "initWith" }) {
            let path = blocks.path + statement[place].parts.dropLast()
            take(inherited: Array(statement[place...]), in: path.drop { $0 == "android" })
        }
        if own.contains("productFlavors") || blocks.path.last == "productFlavors" {
            (hasOtherFlavors, hasNamelessFlavors) = (true, true)
        }
        dimensions.take(statement, own)
        namespace.take(statement, own, in: blocks.path, definitions)
        // Most statements set nothing that is read.
        guard blocks.hasKey || own.contains(where: { gradleKeys[$0] != nil }),
            case let parts = blocks.path + own,
            let index = parts.firstIndex(where: { gradleKeys[$0] != nil }),
            let key = gradleKeys[parts[index]]
        else { return }
        let path = parts[..<index].drop { $0 == "android" }
        switch parts[(index + 1)...] {
        case []:
            let rest = namespace.filled(in: statement.dropFirst(), of: key)
            take(key, rest, in: Array(path))
        case ["put"], ["putAll"]:
            take("addManifestPlaceholders", statement.dropFirst(), in: Array(path))
        default: take(key, [], in: path + ["?"])
        }
    }

    /// Takes a setting.
    /// - Parameter path: the blocks around it.
    private mutating func take(
        _ key: String, _ rest: ArraySlice<GradleToken>, in path: [String]
    ) {
        let isOfVersion = isGradleVersion(key)
        // What stands in a block by its own name is of another one, as in `debug { release.applicationIdSuffix ".a" }`.
        let isOfOther = path.dropFirst(2).contains { !gradleOwnNames.contains($0) }
        if !isOfVersion && isOfOther || path.dropFirst().contains("defaultConfig") {
            leaveOpen(key)
        }
        switch (path.count, path.first) {
        case (1..., "defaultConfig"): base.take(key, rest, definitions, isCertain: path.count == 1)
        case (2..., "buildTypes"):
            let name = path[1]
            if name == "release" {
                release.take(key, rest, definitions, isCertain: path.count == 2)
            }
            if !isOfVersion { keyedTypes.insert(name) }
            // A name that is of no build type is a variable.
            let isKnown = name == "release" || name == "debug" || buildTypes.contains(name)
            if !isKnown, !isOfVersion { leaveOpen(key) }
        case (2..., "productFlavors"):
            guard
                let flavor = flavors.firstIndex(where: { $0.name.utf8.elementsEqual(path[1].utf8) })
            else { return leaveOpen(key) }
            flavors[flavor].settings.take(key, rest, definitions, isCertain: path.count == 2)
        default:
            // `ext { minSdkVersion = 24 }` is a variable of the script.
            if !isOfVersion {
                leaveOpen(key)
            } else if path.contains("defaultConfig") {
                base.take(key, rest, definitions, isCertain: false)
            }
        }
    }

    /// Takes the manifests of the module that can be its main one.
    mutating func take(manifests: [String]) { effects.take(manifests: manifests) }

    /// Leaves open what a script around the module sets.
    mutating func open() { (isOpen, isOpenAbove) = (true, true) }

    /// Takes flavors that something else may have beside those of the script.
    mutating func openFlavors() {
        hasOtherFlavors = true
        effects.take(sourceSets)
    }

    /// Leaves open what apps there are, or only resources.
    /// - Parameter key: that of a setting whose place is not known; nil for any.
    mutating func leaveOpen(_ key: String? = nil) {
        if key != "resValue" { isOpen = true }
        if key == nil || key == "resValue" { hasOtherValues = true }
    }

    /// Leaves open the values of a setting that has many.
    mutating func open(_ key: String) { base.take(key, [], definitions, isCertain: false) }

    /// Takes what a statement sets behind its beginning, which is open: `a(b).applicationId "c"`, `if (a) applicationId "c"`, and
    /// `(applicationId, b) = c`.
    private mutating func takeLater(_ statement: [GradleToken]) {
        if statement.setsOtherwise { leaveOpen() }
        for index in statement.indices {
            if statement.setsMember(at: index) { leaveOpen() }
            let parts = statement[index].parts
            guard index > 0, let key = parts.lazy.compactMap({ gradleKeys[$0] }).first,
                statement.sets(key, at: index)
            else { continue }
            if !isGradleVersion(key) || statement[index - 1] == .symbol(UInt8(ascii: ".")) {
                leaveOpen(key)
            } else {
                base.take(key, [], definitions, isCertain: false)
            }
        }
    }
}
