private import Diagnostics

/// The parts of a Gradle script that change what its module builds in ways that literals do not say: the plugins that it
/// applies, the code that changes variants when the script runs, and source sets with files of other names.
struct GradleEffects {
    var plugins = AppliedPlugins()
    /// Whether a source set of releases has a manifest of another name.
    private(set) var hasOwnManifest = false
    /// The source sets with directories of their own, which may be of no release.
    private var moved = Set<String>()
    /// The usual manifests that source sets name.
    private var namedManifests = Set<String>()
    /// Whether a source set of releases has resources in other directories, or they are changed when they are merged.
    private(set) var hasOwnResources = false
    /// Its blocks that switch variants off.
    private(set) var filters = VariantFilters()
    /// Its statements that may write a manifest.
    private(set) var writes = ManifestWrites()
    /// The name of the block that changes variants; nil if none does.
    private(set) var variants: String?
    /// The scripts that it applies and that were not read, for people.
    private(set) var unread = [String]()
    /// Whether it applies more scripts than the limits.
    var appliesTooMany = false
    /// The block for variants that is open, and how many blocks are around it.
    private var open: (name: String, depth: Int)?
    /// The number of blocks around the one for the task that merges resources, which is open; nil if none is.
    private var mergeDepth: Int?

    /// The facts for which nothing of the module is certain, clauses of their own.
    var facts: [String] {
        [
            variants.map { name in
                "its \(name) can change the application ID, values or the manifest when the script runs"
            },
            hasOwnManifest ? "its sourceSets name a manifest of another name" : nil,
            writes.isFound ? "it may write a manifest of its source when it runs" : nil,
        ].compactMap(\.self)
            + unread.map { name in "it applies \(name), which the directory does not have" }
            + [
                appliesTooMany
                    ? "it applies more than \(AppFileLimits.referencesMax) scripts, or all modules apply more than "
                        + "\(AppFileLimits.documentBytesMax) bytes of them" : nil
            ].compactMap(\.self)
    }

    /// Adds a script that is applied and was not read.
    mutating func add(unread script: AppliedScript) {
        guard unread.count < AppFileLimits.unreadMax else { return }
        unread.append(script.path.isEmpty ? "a script" : quoted(script.path))
    }

    /// Takes the beginning of a block.
    /// - Parameters:
    ///   - statement: what stands before the brace.
    ///   - blocks: those around it.
    mutating func enter(_ statement: [GradleToken], in blocks: OpenBlocks) {
        writes.take(statement, isOfOthers: blocks.isOfModules)
        if statement.changesResources { hasOwnResources = true }
        if mergeDepth == nil, statement.namesMergeOfResources { mergeDepth = blocks.count }
        filters.enter(statement, depth: blocks.count)
        if blocks.isAtTop, statement.isOwnCall || statement.isOwnBlock {
            plugins.hasOthers = true
        }
        if blocks.isAtTop, statement.count == 1, statement[0].isWord("secrets") {
            plugins.appliesSecrets = true
        }
        guard open == nil else { return }
        let name = statement.lazy.flatMap(\.parts).first(where: variantBlocks.contains)
        open = name.map { ($0, blocks.count) }
    }

    /// Takes the end of a block.
    /// - Parameter depth: the number of blocks around it.
    mutating func leave(depth: Int) {
        filters.leave(depth: depth)
        if let mergeDepth, depth <= mergeDepth { self.mergeDepth = nil }
        if let open, depth <= open.depth { self.open = nil }
    }

    /// Takes a token.
    mutating func take(_ token: GradleToken) {
        filters.take(token)
        if mergeDepth != nil, token.runsInTask { hasOwnResources = true }
        guard variants == nil else { return }
        if let open, token.parts.contains(where: variantSetters.contains) {
            variants = open.name
        } else {
            variants = token.manifestTask
        }
    }

    /// Takes a statement.
    /// - Parameter blocks: those around it.
    mutating func take(_ statement: [GradleToken], in blocks: OpenBlocks) {
        writes.take(statement, isOfOthers: blocks.isOfModules)
        if statement.changesResources { hasOwnResources = true }
        filters.take(statement)
        if let open, variants == nil, Self.setsIdentifier(statement) { variants = open.name }
        // `protobuf { plugins { grpc { artifact = "a" } } }` is of compilers.
        let isOfPlugin =
            blocks.path.contains("plugins") && !blocks.path.contains("protobuf")
            || blocks.path.last == "apply" && statement[0].isWord("plugin")
        if isOfPlugin {
            // `if (file("a").exists()) id("b")` applies what it names behind the condition.
            let rest = statement.behindConditions
            plugins.take(rest, isDeclared: blocks.path.contains("pluginManagement"))
        } else if statement[0].isWord("import") {
            plugins.take(import: statement[...])
        } else {
            takePlugins(of: statement)
        }
        if blocks.isAtTop, statement.isOwnCall { plugins.hasOthers = true }
        takeSourceSet(statement, in: blocks)
    }

    /// Takes what a statement applies, also in a condition, or behind `->`.
    private mutating func takePlugins(of statement: [GradleToken]) {
        var places = statement.indices.dropLast().filter { statement[$0].parts.last == "apply" }
        places.append(statement.count)
        for (start, end) in zip(places, places.dropFirst()) { plugins.take(statement[start..<end]) }
    }

    /// Takes what a statement says of files of source sets, also by the name of a variable.
    private mutating func takeSourceSet(_ statement: [GradleToken], in blocks: OpenBlocks) {
        let place = blocks.sourceSets.entering(statement)
        guard place != .others else { return }
        var names = Set(statement.flatMap(\.parts))
        let isInside = place == .inside
        let isOfManifest = names.contains("manifest") || blocks.path.contains("manifest")
        let isOfFile =
            !names.isDisjoint(with: fileSetters)
            && (isInside || isOfManifest || statement.callsFileSetter)
        let isOfDirectories = !names.isDisjoint(with: [
            "directories", "setSrcDirs", "srcDir", "srcDirs",
        ])
        let isMoved = !names.isDisjoint(with: ["setRoot", "root"])
        guard isOfFile || isOfDirectories || isMoved else { return }
        names.formUnion(blocks.path)
        let texts = statement.compactMap { token -> String? in
            switch token {
            case .text(let text): text ?? ""
            case .filled: ""
            default: nil
            }
        }
        if isMoved, isInside {
            moved.insert(Self.movedSet(blocks.path + statement[0].parts) ?? "")
        }
        if isOfFile {
            if texts.count == 1, usualManifests.contains(texts[0]) {
                namedManifests.insert(texts[0])
            } else {
                hasOwnManifest = true
            }
        }
        let isOfResources =
            names.contains("res") || isInside && names.isDisjoint(with: gradleCodeDirectories)
        if isOfDirectories, isOfResources, !statement.addsUsualResources(in: blocks.path) {
            hasOwnResources = true
        }
    }

    /// The source set of `sourceSets { beta { setRoot "a" } }`; nil in another form.
    private static func movedSet(_ path: [String]) -> String? {
        let end = path.suffix(3)
        guard end.count == 3, end.first == "sourceSets",
            ["setRoot", "root"].contains(end.last)
        else { return nil }
        return end.dropLast().last
    }

    /// Takes the build types beside that of releases.
    mutating func take(buildTypes: Set<String>) {
        filters.buildTypes = buildTypes
        guard moved.contains(where: { !buildTypes.contains($0) || isGradleProduction($0) }) else {
            return
        }
        (hasOwnManifest, hasOwnResources) = (true, true)
    }

    /// Takes the names of the source sets of the module; nil if they are not known.
    mutating func take(_ sourceSets: SourceSetNames?) { writes.take(sourceSets) }

    /// Takes the manifests of a module that can be its main one, of which the script can name another than is read.
    mutating func take(manifests: [String]) {
        let usual = manifests.filter(usualManifests.contains)
        if !namedManifests.isEmpty, !namedManifests.isSuperset(of: usual) { hasOwnManifest = true }
    }

    /// Whether a statement begins with the application ID and sets it.
    private static func setsIdentifier(_ statement: [GradleToken]) -> Bool {
        // Before it, the block names its variant: `v -> v.applicationId = "a"`.
        let start = statement.lastIndex(of: .symbol(UInt8(ascii: ">"))).map { $0 + 1 } ?? 0
        guard start < statement.count else { return false }
        return ["applicationId", "applicationIdSuffix"].contains { key in
            statement[start].parts.contains(key)
                && (statement.sets(key, at: start)
                    || statement[start].parts.last.map(propertySetters.contains) == true)
        }
    }
}

extension GradleToken {
    /// Whether it runs code when a task runs.
    fileprivate var runsInTask: Bool { parts.contains { ["doFirst", "doLast"].contains($0) } }

    /// The task that makes the manifest of a release, or the file that it writes; nil if it is none. Of a text that the script
    /// fills in, of a pattern, and of one that is only the end of such a name, it is a word for all of them.
    var manifestTask: String? {
        var names = parts
        var text: String?
        switch self {
        case .filled(let bytes): text = String(decoding: bytes, as: UTF8.self)
        case .text(let literal?):
            names = [literal]
            if !literal.utf8.contains(where: { "/ ".utf8.contains($0) }) { text = literal }
        default: break
        }
        let name = names.first { name in
            manifestTasks.contains(name)
                || ["process", "Process"].contains { name.utf8.starts(with: $0.utf8) }
                    && isOfManifest(name)
        }
        return name ?? text.flatMap { isOfManifestTasks($0) ? "tasks" : nil }
    }
}

/// Whether a text is a pattern of such tasks, or their end, with any signs around it.
private func isOfManifestTasks(_ text: String) -> Bool {
    let isLetter: (UInt8) -> Bool = { (0x61...0x7A).contains($0 | 0x20) }
    let bytes = text.utf8
    guard let last = bytes.lastIndex(where: isLetter) else { return false }
    let name = String(Substring(bytes[...last].drop { !isLetter($0) }))
    if ["Manifest", "MainManifest", "ManifestForPackage"].contains(name) { return true }
    return (holds("process", in: name) || holds("Process", in: name)) && isOfManifest(name)
}

/// Whether the name of a task that processes something ends like those for manifests, and is not of debug builds alone.
private func isOfManifest(_ name: String) -> Bool {
    (!holds("Debug", in: name) || holds("Release", in: name))
        && ["Manifest", "ManifestForPackage"].contains { ending in
            name.utf8.suffix(ending.utf8.count).elementsEqual(ending.utf8)
        }
}

extension [GradleToken] {
    /// Whether it runs code with the task that merges the resources of a release.
    fileprivate var changesResources: Bool {
        contains(where: \.runsInTask) && namesMergeOfResources
    }

    /// Whether it names the task that merges the resources of a release.
    fileprivate var namesMergeOfResources: Bool {
        contains { token in
            var names = token.parts
            if case .text(let name?) = token { names = [name] }
            return names.contains { name in
                name.utf8.starts(with: "merge".utf8) && !holds("Debug", in: name)
                    && ["Resources", "ResourcesProvider"].contains {
                        name.utf8.suffix($0.utf8.count).elementsEqual($0.utf8)
                    }
            }
        }
    }

    /// Whether it only adds directories to the resources of `main` that are read anyway.
    /// - Parameter blocks: the parts of the names of those around it.
    fileprivate func addsUsualResources(in blocks: [String]) -> Bool {
        let path = (blocks + self[0].parts).drop { $0 == "android" }
        guard path.dropLast().elementsEqual(["sourceSets", "main", "res"]),
            ["srcDir", "srcDirs"].contains(path.last), !isSymbol("=", 1)
        else { return false }
        return dropFirst().allSatisfy { token in
            switch token {
            case .text(let text?): usualResources.contains(text)
            case .symbol(let byte): "(),[]+=".utf8.contains(byte)
            default: false
            }
        }
    }

    /// Whether it names a file by a method, of whatever it is, and by no variable: `m.srcFile "a"` and `srcFile("a")`, but not
    /// `def srcFile = a` nor `srcFile.exists()`.
    fileprivate var callsFileSetter: Bool {
        indices.contains { index in
            let parts = self[index].parts
            guard let name = parts.last, fileSetters.contains(name) else { return false }
            if parts.count > 1 { return !parts.contains(where: gradleVariables.contains) }
            if index > 0 { return self[index - 1] == .symbol(UInt8(ascii: ".")) }
            guard count > 1 else { return false }
            switch self[1] {
            case .text, .filled, .symbol(UInt8(ascii: "(")): return true
            default: return false
            }
        }
    }
}

/// The methods that give a property a value, besides `set` (Gradle, "Property").
private let propertySetters: Set = ["convention", "value"]
/// The methods that name the manifest of a source set.
private let fileSetters: Set = ["srcFile", "setSrcFile"]
/// The tasks that make merged manifests, and what of them is a file.
private let manifestTasks: Set = [
    "ManifestProcessorTask", "ProcessPackagedManifestTask", "manifestOutputDirectory",
    "mergedManifest", "mergedManifests", "multiApkManifestOutputDirectory", "packagedManifest",
    "processManifestProvider",
]
/// The blocks of Android's plugin that run for each variant (Android, "Extend the Android Gradle plugin").
private let variantBlocks: Set = ["applicationVariants", "onVariants", "libraryVariants"]
/// The words in them that change what this reads.
private let variantSetters: Set = [
    "setApplicationId", "setApplicationIdSuffix", "manifestPlaceholders", "addManifestPlaceholders",
    "setManifestPlaceholders", "resValue",
    "resValues", "addResValue", "makeResValueKey", "manifests", "processManifest",
    "processManifestProvider", "MERGED_MANIFEST", "manifestFile", "res",
    "registerGeneratedResFolders", "registerResGeneratingTask",
]
/// The manifests that Gradle reads anyway; the last one is of Kotlin Multiplatform.
private let usualManifests: Set = [
    "AndroidManifest.xml", "src/main/AndroidManifest.xml", "src/androidMain/AndroidManifest.xml",
]
/// The directories of resources that Gradle reads anyway; the last one is of Kotlin Multiplatform.
private let usualResources: Set = ["src/main/res", "src/androidMain/res"]
/// The words for directories of source sets that have no resources.
let gradleCodeDirectories: Set = [
    "java", "kotlin", "groovy", "assets", "jniLibs", "jni", "aidl", "renderscript", "resources",
    "shaders", "mlModels", "baselineProfiles", "proto", "antlr",
]
