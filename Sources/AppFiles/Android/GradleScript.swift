/// The literals of the script that builds an Android module (Android, "Configure your build"). It is a
/// program, so a value that is not a literal is open.
struct GradleScript {
    private var definitions = GradleDefinitions()
    private var base = GradleSettings()
    private var release = GradleSettings()
    private var flavors = [(name: String, settings: GradleSettings)]()
    /// The build types beside that of releases.
    private var buildTypes = Set<String>()
    /// Those that have settings which are read.
    private var keyedTypes = Set<String>()
    /// The build types whose settings others begin with, by these; a question mark for one that is not known.
    private var inherited = [String: String]()
    /// Whether there may be flavours that are not known: without a block, or of another script.
    private var hasOtherFlavors = false
    private var effects = GradleEffects()
    /// The package of the components. An inner nil is open.
    private(set) var namespace: String??
    /// Whether flavours are combined, or parts of the script decide when it runs.
    private var isOpen = false
    /// The limit that it exceeds, a clause of its own, so that its rest is not read; nil for most scripts.
    private(set) var excess: String?

    /// Reads a script that it applies; nil if there is none.
    private let apply: (AppliedScript) -> (name: String, bytes: [UInt8])?
    /// The names of those that were read, each once.
    private var applied = Set<String>()

    /// - Parameter apply: reads a script that it applies; nil if the checkout does not have it.
    init(
        _ bytes: [UInt8],
        apply: @escaping (AppliedScript) -> (name: String, bytes: [UInt8])? = { _ in nil }
    ) {
        self.apply = apply
        read(bytes)
    }

    private mutating func read(_ bytes: [UInt8]) {
        var open = OpenBlocks()
        var statement = [GradleToken]()
        var depth = 0
        for token in GradleLexer.tokens(of: bytes) {
            effects.take(token)
            switch token {
            case .symbol(UInt8(ascii: "{")):
                effects.enter(statement, depth: open.count)
                let block = Self.block(statement)
                // The block can be a part of a value, such as a condition's.
                open.append(block)
                if open.isTooDeep {
                    isOpen = true
                    excess =
                        "the script has more than \(AppFileLimits.depthMax) blocks within each other"
                    return
                }
                if block == ["?"] { take(statement, in: open) }
                enter(open.path)
                (statement, depth) = ([], 0)
            case .symbol(UInt8(ascii: "}")):
                take(statement, in: open)
                open.removeLast()
                effects.leave(depth: open.count)
                (statement, depth) = ([], 0)
            case .newline where depth <= 0, .symbol(UInt8(ascii: ";")):
                take(statement, in: open)
                statement = []
            case .newline: break
            default:
                if case .symbol(let byte) = token {
                    if byte == UInt8(ascii: "(") || byte == UInt8(ascii: "[") { depth += 1 }
                    if byte == UInt8(ascii: ")") || byte == UInt8(ascii: "]") { depth -= 1 }
                }
                statement.append(token)
            }
        }
        take(statement, in: open)
    }

    /// The name of a block: `release`, or `getByName("release")`. Of another one, such as a condition, it is
    /// a question mark.
    private static func block(_ statement: [GradleToken]) -> [String] {
        if statement.count == 1, case .word(let name) = statement[0] {
            let parts = parts(of: name)
            return parts.last.map(loops.contains) == true ? ["?"] : parts
        }
        if statement.count == 4, makers.contains(where: statement[0].isWord),
            case .text(let name?) = statement[2]
        {
            return [name]
        }
        return ["?"]
    }

    /// `buildTypes.getByName("release").a "b"` as `buildTypes.release.a "b"`, and the same with brackets.
    private static func flattened(_ statement: [GradleToken]) -> [GradleToken] {
        guard case .word(var name)? = statement.first else { return statement }
        var index = 1
        while index + 4 < statement.count, case .text(let text?) = statement[index + 1],
            statement[index + 3] == .symbol(UInt8(ascii: ".")),
            case .word(let rest) = statement[index + 4]
        {
            switch (statement[index], statement[index + 2]) {
            case (.symbol(UInt8(ascii: "[")), .symbol(UInt8(ascii: "]"))): break
            case (.symbol(UInt8(ascii: "(")), .symbol(UInt8(ascii: ")"))):
                guard
                    let method = makers.first(where: {
                        name.suffix($0.utf8.count + 1).elementsEqual(".\($0)".utf8)
                    })
                else { return statement }
                name.removeLast(method.utf8.count + 1)
            default: return statement
            }
            name.append(UInt8(ascii: "."))
            name += text.utf8
            name.append(UInt8(ascii: "."))
            name += rest
            index += 5
        }
        return index == 1 ? statement : [.word(name)] + statement[index...]
    }

    private static func parts(of name: [UInt8]) -> [String] { GradleEffects.parts(of: name) }

    /// Reads a script that is applied, as if it stood here. Those of packages set nothing that is read.
    private mutating func take(applied statement: [GradleToken]) {
        let script = AppliedScript(statement)
        guard !script.isOfPackage else { return }
        guard applied.count < AppFileLimits.referencesMax, let (name, bytes) = apply(script) else {
            hasOtherFlavors = true
            return effects.add(unread: script)
        }
        if applied.insert(name).inserted { read(bytes) }
    }

    /// Takes the type or flavour whose settings another one begins with.
    private mutating func take(inherited statement: [GradleToken], in path: ArraySlice<String>) {
        guard path.first == "buildTypes", path.count == 2, let type = path.last else {
            return isOpen = isOpen || path.first == "productFlavors"
        }
        var names = statement.dropFirst().compactMap { token -> String? in
            switch token {
            case .text(let text): text
            case .word(let word): Self.parts(of: word).last
            default: nil
            }
        }
        names.removeAll { makers.contains($0) }
        inherited[type] = names.count == 1 ? names[0] : "?"
    }

    /// Whether releases begin with the settings of another build type that has some.
    private var inheritsSettings: Bool {
        var (type, seen) = ("release", Set<String>())
        while let next = inherited[type], seen.insert(next).inserted {
            if keyedTypes.contains(next) || next == "?" { return true }
            type = next
        }
        return false
    }

    /// Takes the name of a flavour or a build type, which can set nothing.
    private mutating func enter(_ blocks: [String]) {
        let path = blocks.drop { $0 == "android" }
        if path.count == 2, path.first == "buildTypes", let name = path.last, name != "release",
            name != "?", buildTypes.count < AppFileLimits.flavorsMax
        {
            buildTypes.insert(name)
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

    private mutating func take(_ written: [GradleToken], in blocks: OpenBlocks) {
        let statement = Self.flattened(written)
        effects.take(statement, in: blocks.path)
        // It goes on behind a block.
        if statement.first == .symbol(UInt8(ascii: ".")), Self.setsLater(statement) {
            isOpen = true
        }
        guard case .word(let word)? = statement.first else { return }
        if statement[0].isWord("def") || statement[0].isWord("val") { return define(statement) }
        let own = Self.parts(of: word)
        if own == ["apply"], statement.contains(where: { $0.isWord("from") }) {
            return take(applied: statement)
        }
        if own.last == "initWith" {
            take(inherited: statement, in: (blocks.path + own.dropLast()).drop { $0 == "android" })
        }
        if own.contains("productFlavors")
            || Array(blocks.path.drop { $0 == "android" }) == ["productFlavors"]
        {
            hasOtherFlavors = true
        }
        if own.last == "namespace" || own.last == "setNamespace" {
            takeNamespace(statement, blocks.path + own)
        }
        // Most statements set nothing that is read.
        guard blocks.hasKey || own.contains(where: keys.contains),
            case let parts = blocks.path + own, let index = parts.firstIndex(where: keys.contains)
        else {
            // A variable that changes.
            if statement.dropFirst().first == .symbol(UInt8(ascii: "=")) {
                definitions.open(word)
            }
            if Self.setsLater(statement) { isOpen = true }
            return
        }
        let path = parts[..<index].drop { $0 == "android" }
        let isOfVersion =
            parts[index].utf8.starts(with: "minSdk".utf8)
            || parts[index].utf8.starts(with: "targetSdk".utf8)
        let rest = definitions.values(of: statement.dropFirst())
        switch (path.count, path.first) {
        case (1..., "defaultConfig"): base.take(parts[index], rest, isCertain: path.count == 1)
        case (2..., "buildTypes"):
            let name = path.dropFirst().first
            if name == "release" { release.take(parts[index], rest, isCertain: path.count == 2) }
            if let name, !isOfVersion { keyedTypes.insert(name) }
            if name == "?", !isOfVersion { isOpen = true }
        case (2..., "productFlavors"):
            enter(Array(path.prefix(2)))
            guard let name = path.dropFirst().first,
                let flavor = flavors.firstIndex(where: { $0.name.utf8.elementsEqual(name.utf8) })
            else { return }
            flavors[flavor].settings.take(parts[index], rest, isCertain: path.count == 2)
        default:
            // `ext { minSdkVersion = 24 }` is a variable of the script.
            if !isOfVersion { isOpen = true }
        }
    }

    /// Whether a setting stands behind a call, as in `a(b).applicationId "c"`.
    private static func setsLater(_ statement: [GradleToken]) -> Bool {
        statement.indices.dropFirst().contains { index in
            guard case .word(let word) = statement[index],
                statement[index - 1] == .symbol(UInt8(ascii: "."))
            else { return false }
            return parts(of: word).contains(where: keys.contains)
        }
    }

    /// `namespace "com.example.shop"` in `android`.
    private mutating func takeNamespace(_ statement: [GradleToken], _ path: [String]) {
        let texts = definitions.values(of: statement.dropFirst()).compactMap { token -> String?? in
            if case .text(let text) = token { text } else { nil }
        }
        let isCertain = path.count == 2 && path.first == "android" && texts.count == 1
        namespace = .some(isCertain && namespace == nil ? texts[0] : nil)
    }

    /// `def host = "www.example.com"`, and `def app = [host: "www.example.com"]`, whose text is `app.host`.
    private mutating func define(_ statement: [GradleToken]) {
        guard statement.count > 3, case .word(let name) = statement[1],
            statement[2] == .symbol(UInt8(ascii: "="))
        else { return }
        if statement.count == 4 { return definitions.add(statement[3], name) }
        for (key, value) in GradleSettings.pairs(statement.dropFirst(3)) {
            definitions.add(value, name + [UInt8(ascii: ".")] + key)
        }
    }
}

extension GradleScript {
    /// An app that releases of the module are.
    struct Variant {
        let flavor: String?
        /// Nil where only the build knows it.
        let applicationID: String?
        /// The values of `${name}` in the manifest. Nil where only the build knows them.
        let placeholders: [[UInt8]: String?]
        /// The API level of the oldest version of Android; nil if the script does not set it. The inner value is nil where
        /// only the build knows it.
        var leastAPI: Int??
        /// The API level of the version that the app is made for; nil if it is not known.
        var targetAPI: Int?
    }

    /// The names of the source sets that the script makes.
    var sourceSets: SourceSetNames {
        let isCombined = Set(flavors.map { $0.settings.dimension.map { Array($0.utf8) } }).count > 1
        let isKnown =
            !isCombined && !isOpen && !inheritsSettings && excess == nil && !effects.hasOwnManifest
        let others: SourceSetNames.Others =
            if isKnown, !hasOtherFlavors, !(flavors.isEmpty && effects.hasOtherPlugins) {
                .none
            } else {
                // Without any flavour, most scripts have none elsewhere either.
                flavors.isEmpty ? .open : .released
            }
        return SourceSetNames(
            flavors: flavors.map(\.name), buildTypes: buildTypes, others: others)
    }

    /// The facts for which nothing of the module is certain, clauses of their own.
    var facts: [String] { [excess].compactMap(\.self) + effects.facts }

    /// Whether it changes what manifests declare in ways that are not read.
    var isUncertain: Bool { !effects.facts.isEmpty }

    /// Whether resources stand in other directories.
    var hasOwnResources: Bool { effects.hasOwnResources }

    /// Whether it builds an app in any case: a library has no application ID.
    var isOfApplication: Bool {
        base.isOfApplication || flavors.contains { $0.settings.isOfApplication }
    }

    /// The apps that the literals say: one for each flavour.
    var variants: [Variant] {
        let dimensions = Set(flavors.map { $0.settings.dimension.map { Array($0.utf8) } })
        guard !isOpen, !inheritsSettings, effects.variants == nil, dimensions.count <= 1 else {
            return [
                Variant(flavor: nil, applicationID: nil, placeholders: [:], leastAPI: .some(nil))
            ]
        }
        guard !flavors.isEmpty else { return [variant(nil, GradleSettings())] }
        return flavors.map { variant($0.name, $0.settings) }
    }

    private func variant(_ flavor: String?, _ own: GradleSettings) -> Variant {
        let all = [base, own, release]
        let suffixes = all.compactMap(\.suffix)
        var id: String?
        if let known = own.applicationID ?? base.applicationID, let known,
            !suffixes.contains(where: { $0 == nil })
        {
            id = ([known] + suffixes.compactMap(\.self)).joined()
        }
        var placeholders = all.reduce(into: [[UInt8]: String?]()) { merged, settings in
            merged.merge(settings.placeholders) { $1 }
        }
        if all.contains(where: \.hasOtherPlaceholders) { placeholders = [:] }
        placeholders[Array("applicationId".utf8)] = .some(id)
        return Variant(
            flavor: flavor, applicationID: id, placeholders: placeholders,
            leastAPI: own.leastAPI ?? base.leastAPI,
            targetAPI: (own.targetAPI ?? base.targetAPI) ?? nil)
    }

    /// Adds the resources that the script makes.
    func addValues(to module: inout SourceModule) {
        let all = [(nil, base), (nil, release)] + flavors.map { ($0.name, $0.settings) }
        for (flavor, settings) in all {
            for (name, value) in settings.values {
                module.add(value, String(decoding: name, as: UTF8.self), of: flavor)
            }
        }
    }
}

/// The blocks around a statement of a script, and the parts of their names.
private struct OpenBlocks {
    private(set) var path = [String]()
    /// The number of parts before each block.
    private var starts = [Int]()
    /// For each block, whether its name or that of a block around it has a key.
    private var keyed = [Bool]()

    var hasKey: Bool { keyed.last ?? false }
    var count: Int { starts.count }
    /// A name with many full stops is as deep as many blocks.
    var isTooDeep: Bool { max(path.count, starts.count) > AppFileLimits.depthMax }

    mutating func append(_ block: [String]) {
        keyed.append(hasKey || block.contains(where: keys.contains))
        starts.append(path.count)
        path += block
    }

    mutating func removeLast() {
        guard let start = starts.popLast() else { return }
        _ = keyed.popLast()
        path.removeSubrange(start...)
    }
}

private let makers = ["create", "getByName", "named", "register", "maybeCreate"]
private let loops: Set = ["all", "each", "forEach", "configureEach", "whenObjectAdded"]
private let keys: Set = [
    "applicationId", "applicationIdSuffix", "manifestPlaceholders", "addManifestPlaceholders",
    "resValue", "dimension", "minSdk", "minSdkVersion", "targetSdk", "targetSdkVersion",
]

/// The variables of a script whose values are literals.
private struct GradleDefinitions {
    /// Nil for one with several values.
    private var texts = [[UInt8]: String?]()

    mutating func add(_ value: GradleToken, _ name: [UInt8]) {
        var text: String?
        if case .text(let literal) = value { text = literal }
        texts[name] = texts[name] == nil ? .some(text) : .some(nil)
    }

    mutating func open(_ name: [UInt8]) { texts[name] = .some(nil) }

    /// Tokens with the values of variables in their places.
    func values(of tokens: ArraySlice<GradleToken>) -> ArraySlice<GradleToken> {
        tokens.map { token in
            if case .word(let name) = token, let text = texts[name] { .text(text) } else { token }
        }[...]
    }
}
