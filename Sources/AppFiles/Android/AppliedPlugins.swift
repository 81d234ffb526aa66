/// The plugins that a script applies.
struct AppliedPlugins {
    /// Whether one is applied that may add flavours and build types.
    var hasOthers = false
    /// Those whose names are those of usual ones.
    private(set) var usual = Set<[UInt8]>()
    /// Those that are not known, as far as their names are.
    private(set) var others = [PluginName]()
    /// All of them that it applies itself: not those with `apply false`, or of `pluginManagement`.
    private(set) var applied = Set<[UInt8]>()
    /// Whether it applies the plugin that makes placeholders of secrets, or sets it up.
    var appliesSecrets = false
    /// The catalog that aliases are of.
    var catalog = GradleCatalog()
    /// The types that it imports, by their last names.
    private var imports = [[UInt8]: [UInt8]]()

    /// `id "NAME"`, `alias(libs.plugins.NAME)`, `kotlin("NAME")`, and `apply plugin: "NAME"`. Other scripts are looked at
    /// elsewhere.
    /// - Parameter isDeclared: whether the statement only gives plugins a version, in `pluginManagement`.
    mutating func take(_ statement: ArraySlice<GradleToken>, isDeclared: Bool = false) {
        // `id("a") apply false` is for other modules.
        let isApplied = !isDeclared && statement.last?.isWord("false") != true
        let isOfScript =
            statement.contains { $0.isWord("from") } && !statement.contains { $0.isWord("plugin") }
        // Kotlin's form with such signs around `maven-publish`, whose parts are words.
        if statement.first == .symbol(UInt8(ascii: "`")) {
            let words = statement.flatMap { token -> [UInt8] in
                if case .word(let word) = token { word } else { [] }
            }
            if !Self.isKnown(words) { add(other: .identifier(words), isApplied) }
        }
        guard case .word(let first)? = statement.first, !isOfScript else { return }
        if !first.elementsEqual("kotlin".utf8) { take(PluginName(statement), isApplied) }
    }

    private mutating func take(_ plugin: PluginName, _ isApplied: Bool) {
        var names = [plugin.text]
        switch plugin {
        case .identifier(let name):
            if !Self.isKnown(name) { add(other: plugin, isApplied) }
        case .alias(let alias):
            let identifier = catalog.plugin(alias).flatMap(\.self)?.identifier
            names = [identifier ?? alias, OwnPlugins.name(ofAlias: alias)]
            if isApplied, catalog.isOfSecrets(alias) { appliesSecrets = true }
            if !isKnownAlias(alias) {
                add(other: identifier.map(PluginName.identifier) ?? plugin, isApplied)
            }
        case .type(let written):
            names = []
            let type = imports[written] ?? written
            if isApplied, type.lastPart.isText("SecretsPlugin") { appliesSecrets = true }
            if !Self.isKnown(type: type) { add(other: .type(type), isApplied) }
        case .computed:
            names = []
            add(other: plugin, isApplied)
        }
        guard usual.count < AppFileLimits.flavorsMax else { return }
        usual.formUnion(names)
        guard isApplied else { return }
        applied.formUnion(names)
        if !gradleSecrets.isDisjoint(with: names) { appliesSecrets = true }
    }

    private mutating func add(other plugin: PluginName, _ isApplied: Bool) {
        hasOthers = true
        if isApplied, others.count < AppFileLimits.flavorsMax { others.append(plugin) }
    }

    /// Takes `import com.example.shop.Shop`, also with `as`.
    mutating func take(import statement: ArraySlice<GradleToken>) {
        let words = statement.dropFirst().compactMap { token -> [UInt8]? in
            if case .word(let word) = token { word } else { nil }
        }
        guard let type = words.first, type.lastPart.isOfTypeOrConstant else { return }
        imports[words.count > 2 ? words[2] : type.lastPart] = type
    }

    /// Whether the plugin of an alias adds no flavours. A catalog can give a usual alias to another plugin.
    private func isKnownAlias(_ alias: [UInt8]) -> Bool {
        guard let plugin = catalog.plugin(alias) else {
            return gradleAliases.contains(letters(of: alias))
        }
        return plugin.map { Self.isKnown($0.identifier) } ?? false
    }

    /// Whether a class is that of such a plugin: one of Gradle, which each script can name without its package, or of a package
    /// of such plugins.
    private static func isKnown(type: [UInt8]) -> Bool {
        gradlePluginTypes.contains(type) || type.parts.count > 1 && isKnown(type)
    }

    /// Whether the plugin of an identifier adds no flavours. Those of a project's own, such as `android.application`, can look like
    /// the usual aliases of others.
    static func isKnown(_ plugin: [UInt8]) -> Bool {
        if knownPlugins.contains(where: { plugin.starts(with: $0.utf8) }) { return true }
        return shortIdentifiers.contains(letters(of: plugin))
    }
}

/// The beginnings of the names of plugins that add no flavours.
private let knownPlugins = [
    "androidx.", "app.cash.", "co.touchlab.", "com.adarshr.", "com.android.", "com.apollographql.",
    "com.appdynamics.", "com.automattic.android.", "com.autonomousapps.", "com.bugsnag.",
    "com.codingfeline.", "com.cookpad.android.", "com.crowdin.", "com.datadoghq.", "com.diffplug.",
    "com.dropbox.", "com.dynatrace.", "com.emergetools.", "com.facebook.", "com.getkeepsafe.",
    "com.github.ben-manes.", "com.github.gmazzo.", "com.github.jk1.", "com.github.johnrengelman.",
    "com.github.kt3k.", "com.github.skydoves.", "com.github.spotbugs", "com.github.triplet.",
    "com.gladed.", "com.google.", "com.gradle.", "com.gradleup.", "com.hiya.", "com.huawei.",
    "com.instabug.", "com.jakewharton.", "com.jaredsburrows.", "com.jraska.", "com.karumi.",
    "com.louiscad.", "com.mikepenz.", "com.ncorti.", "com.onesignal.", "com.osacky.",
    "com.palantir.", "com.posthog.", "com.rickclephas.", "com.rudderstack.", "com.slack.",
    "com.squareup.", "com.star-zero.gradle.githook", "com.starter.easylauncher", "com.vanniktech.",
    "dagger.", "de.fayard.", "de.jensklingenberg.", "de.mannodermaus.", "dev.detekt",
    "dev.flutter.", "dev.mokkery", "dev.zacsweers.", "expo-", "io.embrace.", "io.fabric",
    "io.github.reactivecircus.", "io.github.takahirom.", "io.gitlab.", "io.insert-koin",
    "io.kotest", "io.ktor", "io.objectbox", "io.realm.", "io.sentry.", "newrelic",
    "nl.littlerobots.", "org.cyclonedx", "org.gradle.", "org.greenrobot.", "org.jetbrains.",
    "org.jlleitschuh.", "org.jmailen.", "org.lsposed.lsparanoid", "org.mozilla.rust-android-gradle",
    "org.owasp.", "org.sonarqube", "ru.cian.",
]
/// The identifiers of the plugin that makes placeholders of a file of secrets.
let gradleSecrets = Set(
    [
        "com.google.android.libraries.mapsplatform.secrets-gradle-plugin",
        "com.google.secrets_gradle_plugin",
    ].map { Array($0.utf8) })
/// The classes of Gradle's own plugins.
private let gradlePluginTypes = Set(
    [
        "ApplicationPlugin", "BasePlugin", "CheckstylePlugin", "IdeaPlugin", "JacocoPlugin",
        "JavaBasePlugin", "JavaLibraryPlugin", "JavaPlugin", "MavenPublishPlugin", "PmdPlugin",
        "SigningPlugin",
    ].map { Array($0.utf8) })
/// The letters of the identifiers of such plugins that have no domain.
private let shortIdentifiers: Set = [
    "android", "application", "base", "checkstyle", "idea", "jacoco", "java", "javagradleplugin",
    "javalibrary", "javatestfixtures", "kotlin", "kotlinandroid", "kotlinandroidextensions",
    "kotlindsl", "kotlinkapt", "kotlinmultiplatform", "kotlinparcelize", "kotlinplatformandroid",
    "kotlinxatomicfu", "kotlinxknit", "kotlinxserialization", "mavenpublish", "pmd", "realmandroid",
    "shot", "signing",
]
/// The letters of the usual aliases of such plugins.
let gradleAliases: Set = [
    "android", "androidapplication", "androidapp", "androidlibrary", "androidgradle",
    "androidgradleplugin", "agp", "agpapplication", "androidtest",
    "androiddynamicfeature", "androidxnavigationsafeargs", "androidxnavigationsafeargskotlin",
    "androidxbaselineprofile", "androidxroom", "apollo", "baselineprofile", "benmanesversions",
    "bugsnag", "composecompiler", "compose", "composemultiplatform", "crashlytics", "dagger",
    "daggerhilt", "daggerhiltandroid", "daggerhiltandroidplugin", "dependencyanalysis",
    "detekt", "devtoolsksp", "firebase", "firebaseappdistribution", "firebasecrashlytics",
    "firebasecrashlyticsgradle",
    "firebasecrashlyticsplugin", "firebaseperf", "firebaseperformance", "gms",
    "gmsgoogleservices", "gmsservices", "googlecrashlytics", "googledaggerhiltandroid",
    "googledevtoolsksp", "googlefirebaseappdistribution", "googlefirebasecrashlytics",
    "googlefirebaseperf", "googlefirebasefirebaseperf", "googlegms", "googlegmsgoogleservices",
    "googlehilt", "googlehiltandroid", "googleksp", "googleplayservices", "googleservice",
    "googleservices", "googleservicesplugin", "hilt", "hiltandroid", "hiltandroidplugin",
    "hiltgradle", "hiltplugin", "idea", "jacoco", "java", "javalibrary",
    "jetbrainscompose", "jetbrainscomposecompiler", "jetbrainskotlinandroid",
    "jetbrainskotlinkapt", "jetbrainskotlinmultiplatform", "jetbrainskotlinparcelize",
    "jetbrainskotlinplugincompose", "jetbrainskotlinpluginserialization",
    "jetbrainskotlinserialization", "kapt", "kotlin", "kotlinandroid",
    "kotlinandroidextensions", "kotlinatomicfu", "kotlincompose", "kotlincomposecompiler",
    "kotlincomposeplugin", "kotlinjvm", "kotlinkapt", "kotlinmultiplatform",
    "kotlinparcelize", "kotlinparcelizeplugin", "kotlinplugin", "kotlinplugincompose",
    "kotlinpluginparcelize", "kotlinpluginserialization", "kotlinserialization",
    "kotlinserializationplugin", "kotlinxatomicfu", "kotlinxserialization", "kover", "ksp",
    "kspplugin", "ktlint", "ktlintgradle", "ktorfit", "licensee", "mapsplatformsecrets",
    "mavenpublish", "multiplatform", "navigationsafeargs", "objectbox", "parcelize", "paparazzi",
    "playpublisher", "protobuf", "realm", "realmandroid", "realmkotlin", "room", "roborazzi",
    "safeargs", "safeargskotlin", "secrets", "secretsgradle", "secretsgradleplugin", "sentry",
    "sentryandroid", "serialization", "signing", "spotless", "sqldelight", "wire",
]
