import TestSupport
import Testing

@testable import AppFiles

/// What plugins of a project's own can do beside settings, and where their source can be.
@Suite("Sources of Gradle plugins")
struct GradlePluginSourceTests {
    private static let android = "android { defaultConfig { applicationId 'a.b' } }\n"

    private func open(_ plugin: String, _ files: [String: String]) throws -> [[String]] {
        let found = try androidApps(
            ["app/build.gradle": "plugins { id '\(plugin)' }\n\(Self.android)"]
                .merging(files) { $1 })
        #expect(found.map { $0.applicationID == nil } == found.map { !$0.unread.isEmpty })
        return found.map { $0.unread.map(\.name) }
    }

    /// Files of plugins that the module applies.
    static let sources: [(file: String, text: String, isOpen: Bool)] = [
        ("src/shop.gradle", "apply from: \"$rootDir/gradle/c.gradle\"", true),
        ("A.kt", "p.apply(mapOf(\"from\" to p.rootProject.file(\"c.gradle\")))", true),
        ("A.groovy", "p.apply {\nfrom 'c.gradle'\n}", true),
        ("A.kt", "p.apply(plugin = \"c\")\np.copy { from(\"c\") }", false),
        ("A.kt", "p.publishing.apply { c { from(d) } }", false),
        ("A.kt", "p.apply(\nmapOf(\"from\" to \"c.gradle\")\n)", true),
        ("A.kt", "p.copy { from(\"c\")\ninto(\"src/main\") }", true),
        ("A.kt", "p.copy { from(\"c\")\ninto(\"src/c\") }", false),
        ("build.gradle", "apply from: 'c.gradle'", false),
        ("A.kt", "a.toTransform(SingleArtifact.MERGED_MANIFEST)", true),
        ("A.groovy", "p.tasks.withType(ProcessApplicationManifest) { b() }", true),
        ("A.kt", "p.tasks.named(\"processReleaseMainManifest\")", true),
        ("A.kt", "p.tasks.named(\"processDebugMainManifest\")", false),
        ("A.kt", "variant.sources.manifests.addStaticManifestFile(\"c.xml\")", true),
        ("A.kt", "v.resValues.put(v.makeResValueKey(\"string\", \"c\"), d)", true),
        ("A.kt", "buildFeatures { resValues = true }", false),
        ("A.kt", "val f = p.file(\"src/main/AndroidManifest.xml\")\nf.writeText(c)", true),
        ("A.kt", "val f = p.file(\"src/main/AndroidManifest.xml\")\nf.readText()", false),
    ]

    @Test("a plugin that the module applies can set what the module is", arguments: sources)
    func applied(_ row: (file: String, text: String, isOpen: Bool)) throws {
        let file = "buildSrc/\(row.file)"
        let isClass = row.file.utf8.starts(with: "A.".utf8)
        let text = isClass ? "class A : Plugin<Project>\n\(row.text)" : row.text
        #expect(try open("shop.app", [file: text]) == [row.isOpen ? [file] : []])
        #expect(try open("com.android.application", [file: text]) == [[]])
    }

    private static let suffix = "android { defaultConfig { applicationIdSuffix '.x' } }"

    @Test(
        "a plugin for other modules counts for those that do not apply it",
        arguments: [
            ("buildSrc/src/root.gradle", "subprojects { \(suffix) }", true),
            ("buildSrc/src/A.java", "root.getSubprojects().forEach(p -> applicationId(p))", true),
            ("logic/s.settings.gradle", "gradle.beforeProject { p -> p.\(suffix) }", true),
            ("buildSrc/src/root.gradle", suffix, false),
            ("buildSrc/build.gradle", "subprojects { \(suffix) }", false),
            ("other/src/root.gradle", "subprojects { \(suffix) }", false),
        ])
    func others(_ row: (file: String, text: String, isOpen: Bool)) throws {
        let found = try open(
            "com.android.application",
            [
                "settings.gradle": "pluginManagement { includeBuild 'logic' }", "logic/a.txt": "",
                row.file: row.text,
            ])
        #expect(found == [row.isOpen ? [row.file] : []])
    }

    /// Plugins of settings, and whether they may include or move modules, or set them up.
    static let settings: [(file: String, text: String, isOpen: Bool)] = [
        ("logic/A.kt", "\(of)include(\":c\") } }", true),
        ("logic/A.kt", "\(of)target.project(\":app\").projectDir = target.file(\"c\") } }", true),
        ("logic/A.kt", "\(of)target.gradle.beforeProject { p -> p.c = d } } }", true),
        ("logic/A.kt", "\(of)target.gradle.allprojects { c = d } } }", true),
        ("logic/A.kt", "\(of)target.rootProject.name = \"c\" } }", false),
        (
            "logic/A.kt",
            "\(of)target.dependencyResolutionManagement { repositories { google { includeGroup(\"c\") } } } } }",
            false
        ),
        ("logic/A.kt", "class A : Plugin<Project> { fileTree(c) { include(\"d\") } }", false),
        ("logic/A.kt", "class A : Plugin<Any> { fun b(c: Any) { c.include(\"d\") } }", true),
        (
            "logic/A.groovy", "class A implements Plugin<Settings> { void b(c) { c.include 'd' } }",
            true
        ),
        ("logic/c.settings.gradle.kts", "include(\":c\")", true),
        ("logic/c.settings.gradle", "project(':app').projectDir = file('d')", true),
        ("logic/c.settings.gradle", "rootProject.name = 'd'", false),
        ("logic/c.gradle", "fileTree('c') { include 'd' }", false),
    ]
    private static let of =
        "class A : Plugin<Settings> { override fun apply(target: Settings) { "

    @Test("a plugin of settings that may set up modules is open", arguments: settings)
    func ofSettings(_ row: (file: String, text: String, isOpen: Bool)) throws {
        let found = try androidApps([
            "app/build.gradle": "plugins { id 'com.android.application' }\n\(Self.android)",
            "settings.gradle": "pluginManagement { includeBuild 'logic' }\nplugins { id 'c' }",
            "logic/build.gradle": "gradlePlugin { plugins { c { id = 'c' } } }",
            row.file: row.text,
        ])
        #expect(found.map { $0.changing.map(\.name) } == [row.isOpen ? [row.file] : []])
    }

    /// Settings scripts with builds that are not in the checkout.
    static let missing: [(settings: String, isOpen: Bool)] = [
        ("pluginManagement { includeBuild('../logic') }", true), ("includeBuild '../logic'", true),
        ("includeBuild(file('../logic'))", true), ("includeBuild(\"$rootDir/../logic\")", true),
        ("def d = '../logic'\nincludeBuild(d)", true), ("includeBuild('logic')", true),
        ("includeBuild('there') { name = 'c' }", false),
        ("includeBuild('../node_modules/@react-native/gradle-plugin')", false),
        ("includeBuild(\"$flutterSdkPath/packages/flutter_tools/gradle\")", false),
        (
            "includeBuild(new File(['node', '--print', \"require.resolve('c')\"].execute().text))",
            false
        ),
        ("def d = c()\nrootProject.name = 'Shop'\nincludeBuild(d)", false),
    ]

    @Test(
        "an included build that is not in the checkout leaves its plugins open", arguments: missing)
    func builds(_ row: (settings: String, isOpen: Bool)) throws {
        let files = ["settings.gradle": row.settings, "there/a.txt": ""]
        #expect(try open("shop.app", files) == [row.isOpen ? ["settings.gradle"] : []])
        #expect(try open("com.android.application", files) == [[]])
    }

    /// Scripts above a module that give it another script or another directory, or write its files.
    static let above: [(file: String, script: String, isOpen: Bool)] = [
        ("settings.gradle", "project(':app').buildFileName = 'c.gradle'", true),
        ("settings.gradle.kts", "project(\":app\").setBuildFileName(\"c.gradle.kts\")", true),
        ("settings.gradle", "rootProject.children.each { it.buildFileName = 'c.gradle' }", true),
        ("app/settings.gradle", "rootProject.buildFileName = 'c.gradle'", true),
        ("settings.gradle", "def buildFileName = 'c.gradle'", false),
        ("settings.gradle", "project(':app').projectDir = file('c')", true),
        ("settings.gradle", "project(':app').projectDir = new File(c, name)", true),
        ("settings.gradle.kts", "project(\":app\").projectDir = file(\"./app/\")", false),
        ("settings.gradle", "project(':c').projectDir = file('app')", false),
        ("settings.gradle", "println project(':app').projectDir", false),
        ("build.gradle", "copy { from 'c'\ninto 'app/src/main' }", true),
    ]

    @Test("a module whose script or directory is another is open", arguments: above)
    func modules(_ row: (file: String, script: String, isOpen: Bool)) throws {
        let found = try open("com.android.application", [row.file: row.script])
        #expect(found == [row.isOpen ? [row.file] : []])
    }

    @Test func `a missing build counts through one that includes it`() throws {
        let files = [
            "settings.gradle": "includeBuild('logic')",
            "logic/settings.gradle": "includeBuild('../../more')",
        ]
        #expect(try open("shop.app", files) == [["logic/settings.gradle"]])
    }
}
