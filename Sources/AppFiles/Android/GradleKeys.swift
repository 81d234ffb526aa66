/// The words that set what is read, as they can be written, and the setting of each.
let gradleKeys: [String: String] = {
    let names = [
        "applicationId", "applicationIdSuffix", "manifestPlaceholders", "dimension", "minSdk",
        "minSdkVersion", "targetSdk", "targetSdkVersion",
    ]
    var keys = [
        "resValue": "resValue", "addManifestPlaceholders": "addManifestPlaceholders",
        "getManifestPlaceholders": "manifestPlaceholders",
    ]
    for name in names {
        keys[name] = name
        // A method with the setting's name.
        keys["set\(name.prefix(1).uppercased())\(name.dropFirst())"] = name
    }
    return keys
}()

/// The words with which a plugin, or a script for other modules, sets what these are.
private let settingWords: Set<String> = Set(
    gradleKeys.filter { !isGradleVersion($0.value) && $0.value != "dimension" }.keys
).union(["srcFile", "setSrcFile", "setRoot"])

/// The words with which a plugin sets what modules are. Flavours that it adds are looked at by their source sets.
let gradlePluginWords = settingWords.union([
    "MERGED_MANIFEST", "addGeneratedManifest", "addGeneratedManifestFile", "addResValue",
    "addStaticManifestFile", "makeResValueKey", "manifestFile", "processManifest",
])

/// Whether a file can have one of the words of plugins, most of which have none.
func holdsPluginWord(_ bytes: [UInt8]) -> Bool {
    bytes.indices.contains { index in
        switch bytes[index] {
        case UInt8(ascii: "a"):
            bytes[index...].starts(with: "anifest".utf8)
                || bytes[index...].starts(with: "apply".utf8)
                    && bytes[index...].prefix(100).contains("from".utf8)
        case UInt8(ascii: "s"): bytes[index...].starts(with: "src/main".utf8)
        case UInt8(ascii: "b"): bytes[index...].starts(with: "beforeVariants".utf8)
        case UInt8(ascii: "v"): bytes[index...].starts(with: "variantFilter".utf8)
        case UInt8(ascii: "F"): bytes[index...].starts(with: "Flavors.re".utf8)
        case UInt8(ascii: "T"): bytes[index...].starts(with: "Types.re".utf8)
        case UInt8(ascii: "M"): bytes[index...].starts(with: "MANIFEST".utf8)
        case UInt8(ascii: "p"): bytes[index...].starts(with: "pplicationId".utf8)
        case UInt8(ascii: "P"): bytes[index...].starts(with: "Placeholders".utf8)
        case UInt8(ascii: "r"):
            bytes[index...].starts(with: "resValue".utf8)
                || bytes[index...].starts(with: "rcFile".utf8)
        case UInt8(ascii: "R"):
            bytes[index...].starts(with: "Root".utf8)
                || bytes[index...].starts(with: "ResValue".utf8)
        default: false
        }
    }
}

/// The words with which a script sets what other modules are.
let gradleModuleWords = settingWords.union([
    "productFlavors", "flavorDimensions", "applicationVariants", "onVariants", "buildFileName",
    "setBuildFileName",
])

/// The blocks for other modules than that of the script (Gradle, "Project").
let gradleModuleBlocks: Set = [
    "subprojects", "allprojects", "childProjects", "afterProject", "beforeProject",
    "projectsEvaluated", "projectsLoaded", "getSubprojects", "getAllprojects", "getChildProjects",
]

/// Whether a setting is a version of Android.
func isGradleVersion(_ key: String) -> Bool {
    key.utf8.starts(with: "minSdk".utf8) || key.utf8.starts(with: "targetSdk".utf8)
}

/// The settings that have many values, which a script can also change by the collection that has them.
let gradleCollections: Set = ["manifestPlaceholders", "addManifestPlaceholders", "resValue"]

/// The names by which a block speaks of itself, and that of one without a name.
let gradleOwnNames: Set = ["?", "this", "it"]

/// The words that define a variable.
private let definingWords = ["def", "val", "var"]
/// The blocks and words of variables of a script, whose names can be those of settings.
let gradleVariables = Set(["ext", "extra", "buildscript"] + definingWords)

/// The scripts that build a module, and those that say which modules and builds there are.
let gradleBuildScripts = ["build.gradle", "build.gradle.kts"]
package let gradleSettingsScripts = ["settings.gradle", "settings.gradle.kts"]

extension GradleToken {
    /// Whether it is a word that defines the variable behind it.
    var isDefinition: Bool { definingWords.contains(where: isWord) }
}
