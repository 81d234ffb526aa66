import TestSupport
import Testing

@testable import AppFiles

@Suite("Gradle plugins of a project's own")
struct GradlePluginTests {
    private static let android = "android { defaultConfig { applicationId 'a.b' } }\n"
    private static let app = "plugins { id 'shop.app' }\n\(android)"
    private static let suffix =
        "android { buildTypes { release { applicationIdSuffix = \".x\" } } }"

    private func open(_ files: [String: String]) throws -> [[String]] {
        let found = try androidApps(["app/build.gradle": Self.app].merging(files) { $1 })
        #expect(found.map { $0.applicationID == nil } == found.map { !$0.unread.isEmpty })
        return found.map { $0.unread.map(\.name) }
    }

    @Test(
        "they are of the modules below the directory that has them",
        arguments: [
            (["buildSrc/A.kt", "settings.gradle"], true),
            (["other/buildSrc/A.kt", "settings.gradle", "other/settings.gradle"], false),
            (["other/buildSrc/A.kt", "app/settings.gradle"], false),
            // A module that no settings script is above can be of any.
            (["other/buildSrc/A.kt", "other/settings.gradle"], true),
        ])
    func roots(_ row: (files: [String], isOpen: Bool)) throws {
        let files = Dictionary(
            uniqueKeysWithValues: row.files.map {
                ($0, $0.utf8.last == UInt8(ascii: "t") ? Self.suffix : "")
            })
        #expect(try open(files) == [row.isOpen ? [row.files[0]] : []])
    }

    @Test(
        "source sets can be of flavors that a plugin of the project's own adds",
        arguments: [("", false), ("android { productFlavors { create('play') { } } }", true)])
    func flavors(_ row: (plugin: String, isOpen: Bool)) throws {
        let host = { (text: String) in
            "<resources><string name='host'>\(text)</string></resources>"
        }
        let found = try androidApps(
            [
                "app/build.gradle":
                    "\(Self.app)android { productFlavors { shop { dimension 'a' } } }",
                "app/src/main/res/values/a.xml": host("a.example"),
                "app/src/play/res/values/a.xml": host("b.example"),
                "buildSrc/shop.app.gradle": row.plugin, "settings.gradle": "",
            ],
            application: """
                <application><activity android:name=".A"><intent-filter>
                <data android:scheme="https" android:host="@string/host"/></intent-filter></activity></application>
                """)
        let hosts = found.flatMap(\.filters).flatMap(\.hosts)
        #expect(hosts.map(\.isUnresolved) == [row.isOpen])
    }

    @Test func `the script of a further module is read once`() throws {
        let manifest = "<manifest><application/></manifest>"
        let files = [
            "app/build.gradle": Self.android, "app/src/main/AndroidManifest.xml": manifest,
            "lib/build.gradle": "android { }", "lib/src/main/AndroidManifest.xml": manifest,
        ]
        var opened = [String]()
        var checkout = Checkout(
            BundleFiles(names: files.keys.sorted()) { name throws(FormatFault) in
                opened.append(name)
                return ByteSource(Array((files[name] ?? "").utf8))
            })
        for name in checkout.apps { _ = try checkout.read(name) }
        #expect(opened.count { $0 == "lib/build.gradle" } == 1)
    }

    @Test func `builds of included builds are of the modules, too`() throws {
        var files = [
            "settings.gradle": "includeBuild('logic')",
            "logic/settings.gradle": "includeBuild('../more')", "more/A.kt": Self.suffix,
        ]
        #expect(try open(files) == [["more/A.kt"]])
        files["settings.gradle"] = ""
        #expect(try open(files) == [[]])
    }

    @Test(
        "a plugin of the project's own is found in each form",
        arguments: [
            ("plugins { `shop-app` }", "", "buildSrc", true),
            ("plugins { `maven-publish` }", "", "buildSrc", false),
            ("project.shop()", "", "buildSrc", true), ("project.file('a')", "", "buildSrc", false),
            ("shop { a = 1 }", "", "buildSrc", true), ("shop('a') { b = 1 }", "", "buildSrc", true),
            ("project.shop { a = 1 }", "", "buildSrc", true),
            ("dependencies { a 'b' }", "", "buildSrc", false),
            ("composeCompiler { a = 1 }\ndetekt { a = 1 }", "", "buildSrc", false),
            ("try { a } finally { b }", "", "buildSrc", false),
            ("project(':a') { b }", "", "buildSrc", false),
            ("android { shop { a = 1 } }", "", "buildSrc", false),
            ("plugins { id 'a' }", "includeBuild(file(\"logic\"))", "logic", true),
            ("plugins { id 'a' }", "includeBuild(\n    \"logic\",\n)", "logic", true),
            ("plugins { id 'a' }", "includeBuild(\"$rootDir/logic\")", "logic", true),
            ("plugins { id 'a' }", "val b = \"logic\"\nincludeBuild(b)", "logic", true),
            ("plugins { id 'a' }", "val b = \"logic\"\nincludeBuild('c')", "logic", false),
            ("plugins { id 'a' }", "def b = file('logic')\nincludeBuild b", "logic", true),
            ("plugins { id 'a' }", "['logic'].each { includeBuild it }", "logic", true),
            ("plugins { id 'a' }", "includeBuild \\\n  'logic'", "logic", true),
            ("if (b) apply plugin: 'a'", "", "buildSrc", true),
            ("if (b) apply plugin: 'kotlin-android'", "", "buildSrc", false),
            ("b ? apply(plugin: 'a') : null", "", "buildSrc", true),
            ("pluginManager\n    .apply('a')", "", "buildSrc", true),
            ("apply from: 'x.gradle',\n  plugin: 'a'", "", "buildSrc", true),
            ("plugins { with(libs.plugins) { alias(shop) } }", "", "buildSrc", true),
            ("plugins { id(\"android.application\") }", "", "buildSrc", true),
            ("plugins { id 'android-app' }", "", "buildSrc", true),
            ("plugins { id 'com.android.application' }", "", "buildSrc", false),
            ("plugins { alias(libs.plugins.android.application) }", "", "buildSrc", false),
            ("plugins { id 'kotlin-parcelize' }", "", "buildSrc", false),
            ("apply plugin: com.android.build.gradle.AppPlugin", "", "buildSrc", false),
            ("import org.jlleitschuh.a.Lint\napply plugin: Lint", "", "buildSrc", false),
            ("import com.shop.Lint\napply plugin: Lint", "", "buildSrc", true),
            ("if (a) apply plugin: 'java' else apply plugin: 'a'", "", "buildSrc", true),
            ("plugins { java }", "", "buildSrc", false),
        ])
    func pluginForms(
        _ row: (script: String, settings: String, directory: String, isOpen: Bool)
    ) throws {
        let found = try androidApps([
            "app/build.gradle": "\(row.script)\n\(Self.android)", "settings.gradle": row.settings,
            "\(row.directory)/src/main/kotlin/A.kt": "class A : Plugin<Project> { \(Self.suffix) }",
            "c/a.txt": "",
        ])
        #expect(found.map(\.applicationID) == [row.isOpen ? nil : "a.b"])
    }

    @Test(
        "the catalog says which plugin an alias is, also one with a usual name",
        arguments: [
            ("android-application = { id = \"shop.application\" }", true),
            ("android-application = { id = \"shop.application\", version = \"1\" }", true),
            ("android-application = 'shop.application:unspecified'", true),
            (
                "android.application = { id = \"shop.application\" }\nandroid-application = \"com.android.application:8.5\"",
                true
            ),
            (
                "android-application = { id = \"com.android.application\", version.ref = \"agp\" }",
                false
            ),
            ("android-application = \"com.android.application:8.5.0\"", false),
            ("# android-application = { id = \"shop.application\" }", false),
            ("[versions]\nandroid-application = \"1\"\n[ plugins ]\nagp = 'shop.a:1'", false),
            ("[libraries]\nandroid-application = { id = \"shop.application\" }", false),
        ])
    func aliases(_ row: (catalog: String, isOpen: Bool)) throws {
        let script = "plugins { alias(libs.plugins.android.application) }\n\(Self.android)"
        let found = try androidApps([
            "app/build.gradle": script, "settings.gradle": "",
            "buildSrc/src/main/kotlin/A.kt": "class A : Plugin<Project> { \(Self.suffix) }",
            "gradle/libs.versions.toml": "[versions]\nagp = \"8.5\"\n[plugins]\n\(row.catalog)\n",
        ])
        #expect(found.map(\.applicationID) == [row.isOpen ? nil : "a.b"])
    }

    @Test(
        "the plugin of an alias is known by its identifier, also if the alias is a usual one",
        arguments: [
            ("shop-agp = \"com.android.application:8.5.0\"", "shop.agp", false),
            ("shop-agp = \"com.android.application:8.5.0\"", "shop.agp.get().pluginId", false),
            ("shop-agp = \"com.shop.agp:8.5.0\"", "shop.agp", true),
            (
                "ktorfit = { id = \"de.jensklingenberg.ktorfit\", version.ref = \"a\" }", "ktorfit",
                false
            ),
            ("ktorfit = { id = \"shop.ktorfit\" }", "ktorfit", true),
            ("hilt = { id = \"com.shop.a\", version = \"1\" }", "hilt", true),
            ("hilt = \"com.shop.a:1\"", "hilt", true),
            ("hilt = \"com.google.dagger.hilt.android:2\"", "hilt", false),
            ("\0", "hilt", true),
        ])
    func knownAliases(_ row: (catalog: String, alias: String, isOpen: Bool)) throws {
        let found = try androidApps([
            "app/build.gradle": "plugins { id(libs.plugins.\(row.alias)) }\n\(Self.android)",
            "settings.gradle": "", "gradle/libs.versions.toml": "[plugins]\n\(row.catalog)",
            "buildSrc/src/main/kotlin/A.kt": "class A : Plugin<Project> { \(Self.suffix) }",
        ])
        #expect(found.map(\.applicationID) == [row.isOpen ? nil : "a.b"])
    }

    @Test(
        "a plugin of the project's own can have a name that begins like those of others",
        arguments: [
            ("buildSrc/src/main/kotlin/com.google.shop.gradle.kts", "", true),
            ("buildSrc/src/main/groovy/com.google.shop.gradle", "", true),
            ("buildSrc/src/main/kotlin/com/google/shop.gradle.kts", "", true),
            ("buildSrc/src/main/kotlin/com.google.other.gradle.kts", "", false),
            ("buildSrc/src/main/kotlin/Shop.kt", "a { id = \"com.google.shop\" }", true),
            ("buildSrc/src/main/kotlin/Shop.kt", "a { id = \"com.google.other\" }", false),
            ("buildSrc/src/main/groovy/Shop.groovy", "a { id 'com.google.shop' }", true),
        ])
    func ownNames(_ row: (file: String, plugins: String, isOpen: Bool)) throws {
        let found = try androidApps([
            "app/build.gradle":
                "plugins { id 'com.android.application'\nid 'com.google.shop' }\n\(Self.android)",
            "settings.gradle": "", row.file: "class A : Plugin<Project> { \(Self.suffix) }",
            "buildSrc/build.gradle.kts": "gradlePlugin { plugins { \(row.plugins) } }",
        ])
        #expect(found.map(\.applicationID) == [row.isOpen ? nil : "a.b"])
    }

    @Test func `a file of properties says which plugin a class is`() throws {
        func found(_ name: String) throws -> [String?] {
            let properties = "buildSrc/res/META-INF/gradle-plugins/\(name).properties"
            return try androidApps([
                "app/build.gradle": "plugins { id 'com.google.shop' }\n\(Self.android)",
                "settings.gradle": "", properties: "implementation-class=A",
                "buildSrc/src/main/kotlin/A.kt": "class A : Plugin<Project> { \(Self.suffix) }",
            ]).map(\.applicationID)
        }
        #expect(try found("com.google.shop") == [nil] && found("com.google.other") == ["a.b"])
    }

    @Test(
        "a plugin of the project's own can be made by an alias",
        arguments: [("shop", true), ("other", false)])
    func ownAliases(_ row: (alias: String, isOpen: Bool)) throws {
        let found = try androidApps([
            "app/build.gradle": "plugins { alias(libs.plugins.shop) }\n\(Self.android)",
            "settings.gradle": "includeBuild 'logic'",
            "gradle/libs.versions.toml": "[plugins]\nshop = { id = \"com.google.shop\" }",
            "logic/A.kt": "class A : Plugin<Project> { \(Self.suffix) }",
            "logic/build.gradle.kts":
                "gradlePlugin { plugins { a { id = libs.plugins.\(row.alias).get().pluginId } } }",
        ])
        #expect(found.map(\.applicationID) == [row.isOpen ? nil : "a.b"])
    }

    @Test func `scripts of builds that make plugins have a limit, too`() throws {
        let text = "gradlePlugin { }\n"
        let script = text + String(repeating: " ", count: 2_097_153 - text.utf8.count)
        #expect(try excess(["buildSrc/build.gradle": script])?.contains("2097153") == true)
    }

    @Test(
        "a function of buildSrc that sets what modules are can be called by each script",
        arguments: [
            ("buildSrc/A.kt", "fun Project.a() { \(suffix) }", true),
            ("buildSrc/A.kt", "class A : Plugin<Project> { \(suffix) }", false),
            ("buildSrc/A.kt", "object A { const val applicationId = \"a.c\" }", false),
            ("buildSrc/a.gradle.kts", suffix, false),
            ("logic/A.kt", "fun a() { \(suffix) }", false),
        ])
    func functions(_ row: (file: String, source: String, isOpen: Bool)) throws {
        let found = try androidApps([
            "app/build.gradle": "plugins { id 'com.android.application' }\n\(Self.android)",
            "settings.gradle": "includeBuild 'logic'", row.file: row.source,
        ])
        #expect(found.map(\.applicationID) == [row.isOpen ? nil : "a.b"])
    }

    @Test(
        "a module within another one has the scripts of its name above it",
        arguments: [(":a:b", nil), (":b", "a.b")])
    func moved(_ row: (name: String, id: String?)) throws {
        let found = try androidApps([
            "app/build.gradle": Self.android,
            "settings.gradle":
                "include '\(row.name)'\nproject('\(row.name)').projectDir = file('app')",
        ])
        #expect(found.map(\.applicationID) == [row.id])
    }

    /// Files beyond a limit, and the reason why one of them was not read.
    private func excess(_ files: [String: String]) throws -> String? {
        let found = try androidApps(["app/build.gradle": Self.app].merging(files) { $1 })
        return found.first?.unread.first { !$0.isRead }?.fact
    }

    @Test func `files have a limit`() throws {
        let text = String(repeating: " ", count: 1_048_576)
        #expect(try excess(["buildSrc/A.kt": text, "buildSrc/B.kt": text]) == nil)
        #expect(
            try excess(["buildSrc/A.kt": text, "buildSrc/B.kt": text + " "])
                == "there are 2097153 bytes of settings scripts and of the project's own plugins, may be 2097152"
        )
    }

    @Test func `files of tests have a limit, too`() throws {
        let text = String(repeating: " ", count: 8_388_608)
        let names = ["buildSrc/src/test/A.kt", "buildSrc/src/test/B.kt"]
        #expect(try excess([names[0]: text, names[1]: text]) == nil)
        #expect(
            try excess([names[0]: text, names[1]: text + " "])
                == "there are 16777217 bytes of settings scripts and of the project's own plugins with their tests, may be 16777216"
        )
    }

    @Test func `the number of files that set something has a limit`() throws {
        func fact(_ count: Int) throws -> String? {
            try excess(
                Dictionary(
                    uniqueKeysWithValues: (0..<count).map { ("buildSrc/A\($0).kt", "resValue(a)") })
            )
        }
        #expect(try fact(1_000) == nil)
        #expect(
            try fact(1_001)
                == "there are 1001 files of the project's own plugins that set something, may be 1000"
        )
    }

    @Test func `the number of builds that are included has a limit`() throws {
        func fact(_ count: Int) throws -> String? {
            let lines = (0..<count).map { "includeBuild('b\($0)')\n" }.joined()
            return try excess(["settings.gradle": lines])
        }
        #expect(try fact(64) == nil)
        #expect(
            try fact(65) == "there are 65 builds that settings scripts include, may be 64")
    }

    /// A chain of builds, each of which includes the next one, so that each is included through all before it.
    @Test(arguments: [(22, false), (23, true)])
    func `builds that others include have a limit`(_ row: (count: Int, isOpen: Bool)) throws {
        let files = (0..<row.count).map {
            ("b\($0)/settings.gradle", "includeBuild('../b\($0 + 1)')")
        }
        let fact = try excess(Dictionary(uniqueKeysWithValues: files))
        #expect((fact != nil) == row.isOpen)
        #expect(fact?.contains("that are included, also through others, may be 256") ?? true)
    }

    @Test func `what modules, files and directories with plugins cost is their sum`() {
        func time(_ scale: Int) -> Duration {
            let settings = (0..<(7 * scale)).map {
                ("r\($0)/settings.gradle", "includeBuild('../logic')")
            }
            let sources = (0..<(100 * scale)).map { ("logic/A\($0).kt", "applicationId = a") }
            let texts = Dictionary(
                uniqueKeysWithValues: settings + sources + [("other/settings.gradle", "")])
            let files = BundleFiles(names: texts.keys.sorted()) { name throws(FormatFault) in
                ByteSource(Array((texts[name] ?? "").utf8))
            }
            return processorTime {
                let plugins = GradlePlugins(
                    files, GradleCatalogs(files, Set(texts.keys.map { Array($0.utf8) })))
                for number in 0..<(100 * scale) {
                    // No plugin is for this one.
                    _ = plugins.settings(ofModule: "other/m\(number)", isApplied: true)
                }
            }
        }
        #expect((1...3).contains { _ in time(8) < time(1) * 24 + .milliseconds(50) })
    }
}
