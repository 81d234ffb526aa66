private import Diagnostics

/// The parts of a Gradle script that change what its module builds in ways that literals do not say: the plugins that it
/// applies, the code that changes variants when the script runs, and source sets with files of other names.
struct GradleEffects {
    /// Whether a plugin is applied that may add flavours and build types.
    private(set) var hasOtherPlugins = false
    /// Whether a source set of releases has a manifest of another name.
    private(set) var hasOwnManifest = false
    /// Whether a source set of releases has resources in other directories.
    private(set) var hasOwnResources = false
    /// The name of the block that changes variants; nil if none does.
    private(set) var variants: String?
    /// The scripts that it applies and that were not read, for people.
    private(set) var unread = [String]()
    /// The block for variants that is open, and how many blocks are around it.
    private var open: (name: String, depth: Int)?

    /// The facts for which nothing of the module is certain, clauses of their own.
    var facts: [String] {
        [
            variants.map { name in
                "its \(name) can change the application ID, values or the manifest when the script runs"
            },
            hasOwnManifest ? "its sourceSets name a manifest of another name" : nil,
        ].compactMap(\.self)
            + unread.map { name in "it applies \(name), which the directory does not have" }
    }

    /// Adds a script that is applied and was not read.
    mutating func add(unread script: AppliedScript) {
        guard unread.count < AppFileLimits.unreadMax else { return }
        unread.append(script.path.isEmpty ? "a script" : quoted(script.path))
    }

    /// Takes the beginning of a block.
    /// - Parameters:
    ///   - statement: what stands before the brace.
    ///   - depth: the number of blocks around it.
    mutating func enter(_ statement: [GradleToken], depth: Int) {
        guard open == nil else { return }
        for case .word(let word) in statement {
            guard let name = Self.parts(of: word).first(where: variantBlocks.contains) else {
                continue
            }
            open = (name, depth)
            return
        }
    }

    /// Takes the end of a block.
    /// - Parameter depth: the number of blocks around it.
    mutating func leave(depth: Int) {
        if let open, depth <= open.depth { self.open = nil }
    }

    /// Takes a token.
    mutating func take(_ token: GradleToken) {
        guard let open, variants == nil, case .word(let word) = token,
            Self.parts(of: word).contains(where: variantSetters.contains)
        else { return }
        variants = open.name
    }

    /// Takes a statement.
    /// - Parameter blocks: the names of the blocks around it.
    mutating func take(_ statement: [GradleToken], in blocks: [String]) {
        if let open, variants == nil, Self.setsIdentifier(statement) { variants = open.name }
        if blocks.last == "plugins" || statement.first?.isWord("apply") == true {
            takePlugin(statement)
        }
        let word = Array("sourceSets".utf8)
        let isInside = blocks.contains { $0.utf8.elementsEqual(word) }
        var names = blocks
        for case .word(let text) in statement where isInside || text.count >= word.count {
            names += Self.parts(of: text)
        }
        guard names.contains("sourceSets") else { return }
        for case .word(let text) in statement { names += Self.parts(of: text) }
        let texts = statement.compactMap { token in
            if case .text(let text) = token { text } else { nil }
        }
        guard !(names + texts).contains(where: otherSets.contains) else { return }
        let isUsual = texts.contains { usualManifests.contains($0) }
        let isMoved = names.contains("setRoot")
        if isMoved || names.contains("srcFile") && !isUsual { hasOwnManifest = true }
        let isOfDirectories = names.contains { ["srcDir", "srcDirs", "setSrcDirs"].contains($0) }
        if isMoved || names.contains("res") && isOfDirectories { hasOwnResources = true }
    }

    /// Whether a statement begins with the application ID, which others only read.
    private static func setsIdentifier(_ statement: [GradleToken]) -> Bool {
        // Before it, the block names its variant: `v -> v.applicationId = "a"`.
        let start = statement.lastIndex(of: .symbol(UInt8(ascii: ">"))).map { $0 + 1 } ?? 0
        guard start < statement.count, case .word(let word) = statement[start] else { return false }
        return parts(of: word).contains { $0 == "applicationId" || $0 == "applicationIdSuffix" }
    }

    /// `id "NAME"`, `alias(libs.plugins.NAME)`, `kotlin("NAME")`, and `apply plugin: "NAME"`. Other scripts are looked at
    /// elsewhere.
    private mutating func takePlugin(_ statement: [GradleToken]) {
        let isOfScript = statement.contains { $0.isWord("from") }
        guard case .word(let first)? = statement.first, !isOfScript else { return }
        if first.elementsEqual("kotlin".utf8) { return }
        var name = statement.count == 1 ? first : nil
        for token in statement.dropFirst() {
            switch token {
            case .text(let text?): name = name ?? Array(text.utf8)
            case .word(let word) where word.starts(with: "libs.plugins.".utf8):
                name = Array(word.dropFirst("libs.plugins.".utf8.count))
            default: continue
            }
        }
        guard let name, knownPlugins.contains(where: { name.starts(with: $0.utf8) }) else {
            hasOtherPlugins = true
            return
        }
    }

    static func parts(of name: [UInt8]) -> [String] {
        name.split(separator: UInt8(ascii: ".")).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// The blocks of Android's plugin that run for each variant (Android, "Extend the Android Gradle plugin").
private let variantBlocks: Set = ["applicationVariants", "onVariants", "libraryVariants"]
/// The words in them that change what this reads.
private let variantSetters: Set = [
    "setApplicationId", "setApplicationIdSuffix", "manifestPlaceholders", "addManifestPlaceholders",
    "setManifestPlaceholders", "resValue",
    "resValues", "addResValue", "makeResValueKey", "manifests", "processManifest",
    "processManifestProvider", "MERGED_MANIFEST",
]
/// The manifests that Gradle reads anyway; the last one is of Kotlin Multiplatform.
private let usualManifests: Set = [
    "AndroidManifest.xml", "src/main/AndroidManifest.xml", "src/androidMain/AndroidManifest.xml",
]
/// Source sets that no release has.
private let otherSets: Set = ["debug", "test", "androidTest", "profile"]
/// The beginnings of the names of plugins that add no flavours.
private let knownPlugins = [
    "android", "com.android.", "androidx.", "app.cash.", "com.apollographql.",
    "com.autonomousapps.",
    "com.bugsnag.", "com.diffplug.", "com.facebook.", "com.github.", "com.google.", "com.huawei.",
    "com.jakewharton.", "com.onesignal.", "com.squareup.", "compose", "crashlytics", "dagger.",
    "detekt", "dev.flutter.", "firebase", "gms", "google", "hilt", "idea", "io.gitlab.", "io.realm",
    "io.sentry.", "jacoco", "java", "jetbrains", "kotlin", "ksp", "ktlint", "maven-publish",
    "org.jetbrains.", "org.jlleitschuh.", "org.sonarqube", "realm", "room", "sentry", "signing",
    "spotless",
]
