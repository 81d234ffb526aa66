private import Diagnostics

extension [GradleToken] {
    /// Whether it hands a block of settings on to a method that is not known, or calls one in such a block. The method can
    /// set anything there.
    /// - Parameter outer: the blocks around it.
    func isUnknownCall(in outer: OpenBlocks) -> Bool {
        let blocks = outer.path
        guard count > 1, case let own = self[0].parts, let name = own.last else { return false }
        // `ktlint { android.set(true) }`: no method of Android's plugin has this name.
        if own == ["android", "set"] { return false }
        let isSetter = isSetterName(name)
        let isKnown = isKnownMethod(name) || isSetter && !hasNoArguments
        let hasSigns = self[1] == .symbol(UInt8(ascii: "("))
        if !isKnown || isSetter || self[0].isDefinition, let around = settingBlock(blocks) {
            let isOfFlavors =
                hasSigns && around.isEmpty && holds("flavor", in: name.lowercased())
            if isOfFlavors
                || (startOfRun..<count).contains(where: {
                    handsOn(at: $0, inBlock: !around.isEmpty && !outer.isOfOther)
                })
            {
                return true
            }
        }
        guard !outer.isOfOther else { return false }
        if indices.contains(where: callsUnknown) { return true }
        guard let block = settingBlock(blocks + own.dropLast()) else { return false }
        let isBlock = isSettingBlock(name, in: block)
        switch self[1] {
        case .symbol(UInt8(ascii: "(")):
            return isBlock || !block.isEmpty && !isKnown && !isOfValue(name)
        case .text, .filled, .word, .symbol(UInt8(ascii: "[")):
            return isBlock || !block.isEmpty && ["configure", "with"].contains(name)
        default: return false
        }
    }

    /// Whether a call at its beginning makes a value that sets nothing: of a constructor, and of a function without arguments
    /// whose value is used, such as `Properties()` and `load().forEach`.
    private func isOfValue(_ name: String) -> Bool {
        if let first = name.utf8.first, (0x41...0x5A).contains(first) { return true }
        return hasNoArguments && count > 3 && self[3] == .symbol(UInt8(ascii: "."))
    }

    private var hasNoArguments: Bool {
        count > 2 && self[1] == .symbol(UInt8(ascii: "(")) && self[2] == .symbol(UInt8(ascii: ")"))
    }

    /// The place from which arguments of calls are looked for: behind the parameters of a function that the statement defines, which are no arguments.
    private var startOfRun: Int {
        guard let keyword = prefix(4).firstIndex(where: { $0.isWord("fun") || $0.isWord("def") }),
            let list = self[keyword...].firstIndex(of: .symbol(UInt8(ascii: "("))),
            list == keyword + 2 || self[keyword].isWord("fun")
        else { return 1 }
        return self[list...].closingParenthesis ?? count
    }

    /// Whether it calls a method that is not known at the top of a script, which may be of the project's own plugins.
    var isOwnCall: Bool {
        count > 1 && self[1] == .symbol(UInt8(ascii: "(")) && isOfOwn
    }

    /// Whether it is the name alone of a block at the top of a script that may be of the project's own plugins: `shop { }`.
    var isOwnBlock: Bool { count == 1 && isOfOwn && !isOfRun }

    /// Whether it begins with a method that neither Gradle nor a usual plugin has.
    private var isOfOwn: Bool {
        let parts = self[0].parts.drop { $0 == "project" }
        guard parts.count == 1, let name = parts.first else { return false }
        return !isKnownMethod(name) && !isSetterName(name) && !topBlocks.contains(name)
            && !gradleAliases.contains(letters(of: name.utf8))
    }

    /// Whether a method that is not known is called on the settings, such as `android.shop()`, whatever is done with its value.
    private func callsUnknown(at index: Int) -> Bool {
        guard index + 1 < count, self[index + 1] == .symbol(UInt8(ascii: "(")) else { return false }
        let parts = [String](self[index].parts.drop { $0 == "project" })
        guard parts.first == "android", let name = parts.last,
            let block = settingBlock(parts.dropLast()), !block.isEmpty
        else { return false }
        return !isKnownMethod(name) && !isSetterName(name) && !isReader(name)
    }

    /// Whether a token is an argument by which a method can set anything, or gives a block of settings another name.
    private func handsOn(at index: Int, inBlock: Bool) -> Bool {
        let before = self[index - 1], parts = self[index].parts
        // `val android = a` is looked at by itself.
        if before.isDefinition, self[index].isWord("android") { return false }
        let isArgument = index == 1 || "(,".utf8.map(GradleToken.symbol).contains(before)
        let isBlock = parts.last.map { isSettingBlock($0, in: parts.dropLast()) } == true
        guard isArgument else { return isBlock && before == .symbol(UInt8(ascii: "=")) }
        let isCall = index + 1 < count && self[index + 1] == .symbol(UInt8(ascii: "("))
        return isBlock || ["this", "delegate"].contains(where: self[index].isWord)
            || inBlock && self[index].isWord("it") || !isCall && self[index].isWord("project")
    }
}

/// The path of a block whose statements set what is read, such as `android` and `buildTypes`, `release`; empty at the top of a
/// script, and nil for another block.
/// - Parameter blocks: the block with those around it.
private func settingBlock(_ blocks: [String]) -> [String]? {
    // Conditions decide whether their statements run, and not what these set.
    let path = blocks.filter { $0 != "?" && $0 != "apply" }
    if path.isEmpty || path == ["android"] { return path }
    let inner = path.drop { $0 == "android" }
    switch (inner.count, inner.first) {
    case (1, "defaultConfig"), (1, "buildTypes"), (1...2, "productFlavors"): return path
    case (2, "buildTypes"): return inner.last == "release" ? path : nil
    default: return nil
    }
}

/// Whether a block has settings that are read.
private func isSettingBlock(
    _ name: String, in blocks: some BidirectionalCollection<String>
) -> Bool {
    switch name {
    case "android": blocks.isEmpty
    case "defaultConfig", "buildTypes", "productFlavors":
        blocks.allSatisfy { $0 == "android" }
    case "release": blocks.last == "buildTypes"
    default: false
    }
}

/// Whether a method sets no more than its name says.
private func isKnownMethod(_ name: String) -> Bool {
    if knownMethods.contains(name) || gradleKeys[name] != nil || gradleMakers.contains(name) {
        return true
    }
    return name.utf8.starts(with: "buildConfigField".utf8)
}

/// Whether a method is that of a property by its name, which sets no more. One of a project's own can be called so, too.
private func isSetterName(_ name: String) -> Bool {
    let isSetter = name.utf8.dropFirst(3).first.map { (0x41...0x5A).contains($0) } == true
    return isSetter && name.utf8.starts(with: "set".utf8)
        && !holds("flavor", in: name.lowercased())
}

/// Whether a method only reads, by its name.
private func isReader(_ name: String) -> Bool {
    ["get", "is", "has"].contains { word in
        name.utf8.starts(with: word.utf8)
            && name.utf8.dropFirst(word.utf8.count).first.map { (0x41...0x5A).contains($0) } == true
    } || ["size", "contains", "toString"].contains(name)
}

/// The blocks and methods at the top of a script that are of Gradle, and of plugins that set nothing which is read. Those of
/// other such plugins have their names.
private let topBlocks: Set = [
    "aboutLibraries", "afterEvaluate", "agcp", "allprojects", "androidComponents", "ant", "apply",
    "artifacts", "base", "beforeEvaluate", "buildscript", "components", "configurations",
    "configure", "copy", "copySpec", "delete", "dependencies", "dependencyAnalysis",
    "dependencyCheck", "dependencyLocking", "dependencyResolutionManagement", "dependencyUpdates",
    "develocity", "dokka", "easylauncher", "exec", "ext", "extensions", "extra",
    "firebaseAppDistribution", "firebaseCrashlytics", "firebasePerformance", "flutter", "gradle",
    "gradleEnterprise", "gradlePlugin", "greendao", "javaexec", "koverReport", "ktfmt", "layout",
    "licenseReport", "logging", "mavenPublishing", "mkdir", "moduleGraphConfig",
    "multiplatformResources", "node", "normalization", "play", "pluginManagement", "plugins",
    "project", "publishing", "react", "repositories", "rootProject", "ruler", "settings", "skie",
    "sonar", "sonarqube", "sourceSets", "spotbugs", "subprojects", "sync", "task", "tasks",
    "testing", "uri", "versionCatalogs", "wrapper", "zipTree",
]
/// The methods of Gradle and of Android's plugin that are called in blocks of settings (Android, "Build configuration
/// reference").
private let knownMethods: Set = [
    "applyNativeModules", "applyNativeModulesAppBuildGradle", "assert",
    "buildToolsVersion", "catch", "check", "checkNotNull", "compileSdk", "compileSdkAddon",
    "compileSdkExtension", "compileSdkMinor", "compileSdkPreview", "compileSdkVersion",
    "consumerProguardFile", "consumerProguardFiles", "crunchPngs", "debuggable", "def",
    "defaultPublishConfig", "embedMicroApp", "error",
    "exclude", "file", "files", "fileTree", "findProperty", "flavorDimensions", "for",
    "generatePureSplits", "getDefaultProguardFile", "hasProperty", "if", "initWith",
    "isDebuggable", "isDefault", "jniDebuggable",
    "listOf", "mapOf", "matchingFallbacks", "maxSdk", "maxSdkVersion", "minSdkPreview",
    "minifyEnabled",
    "missingDimensionStrategy", "multiDexEnabled", "multiDexKeepFile", "multiDexKeepProguard",
    "namespace", "ndkVersion", "print", "println", "proguardFile", "proguardFiles", "property",
    "pseudoLocalesEnabled", "publishNonDefault", "renderscriptDebuggable",
    "renderscriptNdkModeEnabled", "renderscriptOptimLevel", "renderscriptSupportModeEnabled",
    "renderscriptTargetApi", "require", "requireNotNull", "resConfig", "resConfigs",
    "resourceConfigurations", "resourcePrefix", "return", "setFlavorDimensions",
    "shrinkResources", "signingConfig", "switch", "targetSdkPreview", "testApplicationId",
    "testBuildType", "testCoverageEnabled", "testFunctionalTest", "testHandleProfiling",
    "testInstrumentationRunner", "testInstrumentationRunnerArgument",
    "testInstrumentationRunnerArguments", "testNamespace", "testProguardFile", "testProguardFiles",
    "useLibrary", "val", "var", "vectorDrawables", "versionCode", "versionName",
    "versionNameSuffix", "wearAppUnbundled", "when", "while", "zipAlignEnabled",
]
