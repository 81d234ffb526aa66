import TestSupport
import Testing

@testable import AppFiles

/// Ways of writing what a script sets, beside the usual ones.
@Suite("Forms of Gradle scripts")
struct GradleFormTests {
    private static let app = "android { defaultConfig { applicationId 'a.b' } }\n"

    /// Statements that apply a script, and the application ID.
    static let applying: [(script: String, id: String?)] = [
        ("apply { from(\"x.gradle\") }", "a.b.x"), ("apply { from 'x.gradle' }", "a.b.x"),
        ("apply(mapOf(\"from\" to \"x.gradle\"))", "a.b.x"),
        ("project.apply from: 'x.gradle'", "a.b.x"),
        ("project.apply { from 'x.gradle' }", "a.b.x"),
        ("if (hasProperty('a')) { apply from: 'x.gradle' }", nil),
        ("if (hasProperty('a')) { apply { from 'x.gradle' } }", nil),
        ("if (hasProperty('a')) apply from: 'x.gradle'", nil),
        ("if (a) { b() } else { apply from: 'x.gradle' }", nil),
        ("if (hasProperty('a')) { apply from: 'plain.gradle' }", "a.b"),
        ("if (a) { apply from: 'x.gradle' }\napply from: 'x.gradle'", nil),
        ("apply from: 'x.gradle'\napply from: 'x.gradle'", "a.b.x"),
        ("apply from: 'brace.gradle'", nil),
        ("publishing { from components.release }", "a.b"),
    ]

    @Test(
        "a script that is applied counts in each form, and is open in a condition",
        arguments: applying)
    func applied(_ row: (script: String, id: String?)) throws {
        let found = try androidApps([
            "app/build.gradle": Self.app + row.script,
            "app/x.gradle": "android.buildTypes.release.applicationIdSuffix = '.x'\n",
            "app/plain.gradle": "tasks.register('a') { }\n",
            "app/brace.gradle": "}\nif (a) { android.defaultConfig.applicationId = 'c' }\n",
        ])
        #expect(found.map(\.applicationID) == [row.id])
        #expect(found.map(\.unread.isEmpty) == [true])
    }

    /// Statements that set an application ID, and what is known of it.
    static let setting: [(script: String, id: String?)] = [
        ("android { defaultConfig { setApplicationId('c') } }", "c"),
        ("android { buildTypes { release { setApplicationIdSuffix(\".x\") } } }", "a.b.x"),
        ("android { buildTypes { debug { setApplicationIdSuffix(\".x\") } } }", "a.b"),
        ("android { buildTypes.each { t -> t.applicationIdSuffix '.x' } }", nil),
        ("android.buildTypes.all { t -> t.applicationIdSuffix = '.x' }", nil),
        ("android { buildTypes.each { t ->\nt.applicationIdSuffix '.x'\n} }", nil),
        ("android { buildTypes.each { t -> t.minifyEnabled = true } }", "a.b"),
        ("android { defaultConfig { if (a) applicationId 'c' } }", nil),
        ("android { defaultConfig { if (a) b()\nelse applicationId = 'c' } }", nil),
        ("android { defaultConfig { if (a)\n\napplicationId 'c'\n} }", nil),
        ("android { defaultConfig {\nif (a) b()\napplicationId 'c'\n} }", "c"),
        ("if (a)\nandroid.defaultConfig.applicationId = 'c'", nil),
        ("android.defaultConfig.setProperty('applicationId', 'c')", nil),
        ("setProperty('archivesBaseName', 'c')", "a.b"),
        ("if (android.defaultConfig.applicationId == 'c') { b() }", "a.b"),
        ("println(android.defaultConfig.applicationId + 'c')", "a.b"),
        ("android { if (a) { productFlavors { b { } } } }", nil),
        ("android { buildTypes { production { applicationIdSuffix '.p' } } }", nil),
        ("android { buildTypes { preProduction { applicationIdSuffix '.p' } } }", "a.b"),
    ]

    @Test("settings are read in each form, or are open", arguments: setting)
    func settings(_ row: (script: String, id: String?)) throws {
        let found = try androidApps(["app/build.gradle": Self.app + row.script])
        #expect(found.map(\.applicationID) == [row.id])
    }

    /// Statements about source sets, and whether they name another manifest.
    static let sets: [(script: String, isOpen: Bool)] = [
        ("sourceSets.getByName(\"main\") { manifest.srcFile(\"a.xml\") }", true),
        ("sourceSets.getByName(\"main\") { java.srcDir(\"a\") }", false),
        ("sourceSets.getByName(\"debug\") { manifest.srcFile(\"a.xml\") }", false),
        ("sourceSets.getByName(\"main\").apply { manifest.srcFile(\"a.xml\") }", true),
        ("sourceSets[\"main\"].apply { manifest { srcFile(\"a.xml\") } }", true),
        ("sourceSets[\"debug\"].apply { manifest.srcFile(\"a.xml\") }", false),
        ("sourceSets.all { manifest.srcFile(\"a.xml\") }", true),
        ("def s = sourceSets.main\ns.manifest.srcFile 'a.xml'", true),
        ("sourceSets { main { if (debug) { manifest.srcFile 'a.xml' } } }", true),
        ("sourceSets { main { manifest.srcFile 'src/main/AndroidManifest.xml' } }", false),
        ("sourceSets { main { manifest.srcFile 'AndroidManifest.xml' } }", true),
        ("sourceSets { main { setRoot 'a' } }", true),
        ("sourceSets { debug.setRoot('a') }", false),
    ]

    @Test("another manifest of a source set is found in each form", arguments: sets)
    func manifests(_ row: (script: String, isOpen: Bool)) throws {
        let found = try androidApps(["app/build.gradle": "\(Self.app)android { \(row.script) }"])
        #expect(found.map(\.isUncertain) == [row.isOpen])
    }

    @Test(
        "other directories of resources are found in each form",
        arguments: [
            ("sourceSets.getByName(\"main\") { res.srcDirs(\"a\") }", true),
            ("sourceSets.getByName(\"main\").res.srcDirs(\"a\")", true),
            ("sourceSets.getByName(\"main\") { res { srcDir(\"a\") } }", true),
            ("sourceSets.main { with(res) { srcDir 'a' } }", true),
            ("sourceSets.getByName(\"main\") { assets { srcDir(\"a\") } }", false),
            ("sourceSets.getByName(\"debug\") { res.srcDirs(\"a\") }", false),
        ])
    func resources(_ row: (script: String, hasOwn: Bool)) {
        let script = GradleScript(Array("android { \(row.script) }".utf8))
        #expect(script.hasOwnResources == row.hasOwn)
    }

    /// Scripts above a module, and whether they leave it open.
    static let above: [(file: String, script: String, isOpen: Bool)] = [
        ("build.gradle", "subprojects { android { defaultConfig { applicationId 'c' } } }", true),
        (
            "build.gradle",
            "allprojects { afterEvaluate { android { productFlavors { b { } } } } }", true
        ),
        ("build.gradle", "subprojects { apply from: \"$rootDir/own.gradle\" }", true),
        ("build.gradle", "subprojects { apply from: \"$rootDir/missing.gradle\" }", true),
        ("build.gradle", "subprojects { apply from: \"$rootDir/plain.gradle\" }", false),
        (
            "build.gradle.kts", "project(\":app\") { android.defaultConfig.applicationId = \"c\" }",
            true
        ),
        (
            "settings.gradle",
            "gradle.beforeProject { it.android.defaultConfig.applicationId 'c' }", true
        ),
        ("build.gradle", "subprojects { project.evaluationDependsOn(':app') }", false),
        ("build.gradle", "subprojects { android { defaultConfig { minSdkVersion 21 } } }", false),
        ("build.gradle", "ext { applicationId = 'c' }", false),
    ]

    @Test("a script above a module that sets what it is leaves it open", arguments: above)
    func modules(_ row: (file: String, script: String, isOpen: Bool)) throws {
        let found = try androidApps([
            "app/build.gradle": Self.app, row.file: row.script,
            "own.gradle": "android { defaultConfig { applicationId 'c' } }",
            "plain.gradle": "tasks.register('a') { }",
        ])
        #expect(found.map(\.applicationID) == [row.isOpen ? nil : "a.b"])
        #expect(found.map(\.unread.isEmpty) == [!row.isOpen])
    }

    @Test func `a script above a module may have flavors for any source set`() {
        var script = GradleScript(Array(Self.app.utf8))
        #expect(!script.sourceSets.mayBeOfRelease("prod"))
        script.open()
        #expect(script.sourceSets.mayBeOfRelease("prod"))
    }

    @Test func `a script that is applied many times is read once`() {
        let line = "apply from: 'x.gradle'\n"
        var count = 0
        let script = GradleScript(Array(String(repeating: line, count: 50).utf8)) { applied in
            count += 1
            return (applied.path, Array("android.defaultConfig.applicationId = 'c'".utf8))
        }
        #expect(count == 1 && script.variants.map(\.applicationID) == ["c"])
    }

    /// Files of a source set that a plugin may have for releases, and whether they leave the app open.
    static let open: [(file: String, text: String, isOpen: Bool)] = [
        ("AndroidManifest.xml", "<activity n:name='.A' t:node='remove'/>", true),
        ("AndroidManifest.xml", "<activity n:name='.A' n:enabled='false'/>", true),
        ("AndroidManifest.xml", "<activity n:name='.B'/>", false),
        ("res/values/a.xml", "<string name='h'>other.example</string>", true),
        ("res/values/a.xml", "<string name='h'>a.example</string>", false),
        ("res/values/a.xml", "<string name='i'>other.example</string>", false),
    ]

    @Test("what a source set that a plugin may have changes is open", arguments: open)
    func sourceSets(_ row: (file: String, text: String, isOpen: Bool)) throws {
        let isManifest = row.file.utf8.first == UInt8(ascii: "A")
        let spaces =
            "xmlns:n='http://schemas.android.com/apk/res/android' xmlns:t='http://schemas.android.com/tools'"
        for name in ["demo", "prod"] {
            let found = try androidApps(
                [
                    "app/build.gradle": "plugins { id 'com.example.flavors' }\n\(Self.app)",
                    "app/src/main/res/values/a.xml":
                        "<resources><string name='h'>a.example</string></resources>",
                    "app/src/\(name)/\(row.file)": isManifest
                        ? "<manifest \(spaces)><application>\(row.text)</application></manifest>"
                        : "<resources>\(row.text)</resources>",
                ],
                application: """
                    <application><activity android:name=".A"><intent-filter>
                    <data android:scheme="https" android:host="@string/h"/></intent-filter></activity></application>
                    """)
            let isOpen = found.contains { app in
                !app.unread.isEmpty || app.filters.contains { $0.hosts[0].isUnresolved }
            }
            #expect(found.count == 1 && isOpen == row.isOpen, "\(name)")
        }
    }
}
