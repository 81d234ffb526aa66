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
        ("apply from: 'brace.gradle'", nil), ("apply from: 'cordova-x.gradle'", "a.b.x"),
        ("apply from: 'cordova-y.gradle'", "a.b"),
        ("publishing { from components.release }", "a.b"),
        ("apply from: project(':shared').file('x.gradle')", "a.b.x"),
        ("apply from: rootProject.project(':shared').file('x.gradle')", "a.b.x"),
        ("apply from: \"${project(':shared').projectDir}/x.gradle\"", "a.b.x"),
        ("apply from: project(':shared').projectDir.path + '/x.gradle'", "a.b.x"),
        ("apply from: project(':libs:shared').file('x.gradle')", "a.b.y"),
        (
            "apply from: project(':react-native-config').projectDir.getPath() + '/dotenv.gradle'",
            "a.b"
        ),
    ]

    @Test(
        "a script that is applied counts in each form, and is open in a condition",
        arguments: applying)
    func applied(_ row: (script: String, id: String?)) throws {
        let found = try androidApps([
            "app/build.gradle": Self.app + row.script,
            "app/x.gradle": "android.buildTypes.release.applicationIdSuffix = '.x'\n",
            "shared/x.gradle": "android.buildTypes.release.applicationIdSuffix = '.x'\n",
            "libs/shared/x.gradle": "android.buildTypes.release.applicationIdSuffix = '.y'\n",
            "app/cordova-x.gradle": "android.buildTypes.release.applicationIdSuffix = '.x'\n",
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
        ("android { defaultConfig {\nif (a) println()\napplicationId 'c'\n} }", "c"),
        ("if (a)\nandroid.defaultConfig.applicationId = 'c'", nil),
        ("android { defaultConfig { if (a) b.withReader { c(it) } } }", "a.b"),
        ("android { defaultConfig { if (a) b.apply { c(it) } } }", nil),
        ("android { if (a) defaultConfig.with { c(it) } }", nil),
        ("android { if (a) defaultConfig.shop { c(it) } }", nil),
        ("android.defaultConfig.setProperty('applicationId', 'c')", nil),
        ("setProperty('archivesBaseName', 'c')", "a.b"),
        ("if (android.defaultConfig.applicationId == 'c') { b() }", "a.b"),
        ("println(android.defaultConfig.applicationId + 'c')", "a.b"),
        ("android { if (a) { productFlavors { b { } } } }", nil),
        ("android { buildTypes { production { applicationIdSuffix '.p' } } }", nil),
        ("android { buildTypes { preProduction { applicationIdSuffix '.p' } } }", "a.b"),
        ("android { buildTypes { release { applicationIdSuffix 'x' } } }", "a.b.x"),
        (
            "android { buildTypes { val debug by getting { applicationIdSuffix = \".x\" } } }",
            "a.b"
        ),
        (
            "android { buildTypes { val release by getting { applicationIdSuffix = \".x\" } } }",
            "a.b.x"
        ),
        ("if (apply from)", "a.b"),
        ("android { buildTypes { release { applicationIdSuffix '' } } }", "a.b"),
        ("android.defaultConfig.applicationId = 'c'\n.concat('.d')", nil),
        ("android.defaultConfig.applicationId = c\n ? 'd'\n : 'e'", nil),
        ("android.defaultConfig['applicationId'] = 'c'", nil),
        ("android.defaultConfig.\"applicationId\" = 'c'", nil),
        ("android.defaultConfig.\"$c\" = 'd'", nil), ("android.\"$c\" 'd'", nil),
        ("android.defaultConfig.setProperty(c, 'd')", nil),
        ("println(android.defaultConfig.applicationId.replace('a', 'b'))", "a.b"),
        ("def c = android.defaultConfig.applicationId", "a.b"),
        ("c(android.defaultConfig::applicationId)", nil),
        ("android { defaultConfig { true && applicationId('c') } }", nil),
        (
            "android { buildTypes { def r = getByName('release')\nr.applicationIdSuffix = '.x' } }",
            nil
        ),
        ("android { buildTypes { this['release'].applicationIdSuffix = '.x' } }", nil),
        ("android { buildTypes { map { it.applicationIdSuffix = '.x' } } }", nil),
        ("android { buildTypes { beta { }\n beta.applicationIdSuffix = '.x' } }", "a.b"),
        ("def r = ~/.*'\"/\nandroid.defaultConfig.applicationId = 'c'", "c"),
        ("if (a ==~ /(/) b()\nandroid.defaultConfig.applicationId = 'c'", "c"),
        ("def f() { return /\"/ }\nandroid.defaultConfig.applicationId = 'c'", "c"),
        ("a(b\n / 2)\nandroid.defaultConfig.applicationId = 'c'\n// d", "c"),
        ("a(b,\n /'/)\nandroid.defaultConfig.applicationId = 'c'\n// d", "c"),
        ("a(b {\n d\n /'/ })\nandroid.defaultConfig.applicationId = 'c'\n// d", "c"),
        ("def r = /\nandroid.defaultConfig.applicationId = 'c'/", "a.b"),
        ("def r = $/ \"\"\" /$\nandroid.defaultConfig.applicationId = 'c'", "c"),
    ]

    @Test("settings are read in each form, or are open", arguments: setting)
    func settings(_ row: (script: String, id: String?)) throws {
        let found = try androidApps(["app/build.gradle": Self.app + row.script])
        #expect(found.map(\.applicationID) == [row.id])
    }

    /// Statements in `android`, and whether a method in them can set anything.
    static let calls: [(statement: String, isOpen: Bool)] = [
        ("configureShop()", true), ("shop.configure(this)", true), ("apply(shared)", true),
        ("defaultConfig shared", true), ("defaultConfig { hosts(this) }", true),
        ("defaultConfig { addHosts() }", true), ("defaultConfig[name] = 'c'", true),
        ("try { configureShop() } catch (Exception e) { }", true),
        ("with { configureShop() }", true),
        ("defaultConfig.with { addHosts() }", true), ("buildTypes.all { hosts(it) }", true),
        ("productFlavors.all { dimension 'c' }", true),
        ("buildTypes.all { debuggable false }", false),
        ("def c = buildTypes.release", true), ("def c = buildTypes.release.name", false),
        ("if (a) configureShop()", true), ("if (a) { configureShop() }", true),
        ("buildTypes { all(shared) }", true), ("buildTypes { release { addHosts('c') } }", true),
        ("buildTypes { release shared }", true), ("buildTypes { debug { addHosts('c') } }", false),
        ("productFlavors { addAll(shared) }", true), ("productFlavors { create('c') }", true),
        ("rootProject.ext.setup(project)", true), ("defaultConfig { ext.hosts(it) }", true),
        ("buildTypes { release { proguardFiles(*fileTree('.') { include('a') }) } }", false),
        ("applicationVariants.all { v -> task(v.name, type: Copy) { rename('a', 'b') } }", false),
        ("names.each { configureShop() }", true),
        ("implementation(project(':a'))", true), ("a.implementation(project(':a'))", false),
        ("shop(defaultConfig)", true), ("shop(buildTypes.release)", true),
        ("setCompileSdkVersion(34)", false), ("useLibrary('c')", false),
        ("setShop()", true), ("setShop(this)", true), ("setFlavorDimensions(['c'])", false),
        ("compileSdkPreview(\"c\")", false), ("requireNotNull(c)", false),
        ("Properties().load(c.inputStream())", false), ("Shop(this)", true),
        ("defaultConfig { loadNames().forEach { buildConfigField('String', it, 'c') } }", false),
        ("defaultConfig { loadNames() }", true),
        ("localFile.inputStream().use { p.load(it) }", false),
        ("release { testCoverageEnabled(false) }", false),
        ("println(this)", false), ("logger.warn('c')", false), ("if (a) println('c')", false),
        (
            "defaultConfig { buildConfigFieldText('A', 'c')\nproguardFiles(getDefaultProguardFile('a')) }",
            false
        ),
        ("buildTypes { release { signingConfig signingConfigs.release } }", false),
        ("signingConfigs { release { load(this) } }", false),
    ]

    @Test("a method that is not known leaves open what it can set", arguments: calls)
    func methods(_ row: (statement: String, isOpen: Bool)) throws {
        let script = GradleScript(Array("\(Self.app)android {\n\(row.statement)\n}".utf8))
        #expect(script.variants.map(\.applicationID) == [row.isOpen ? nil : "a.b"])
    }

    @Test(
        "at the top of a script, a method is open that takes the settings",
        arguments: [
            ("configureShop(android)", true), ("configureShop this", true),
            ("android shared", true), ("android.with { configureShop() }", true),
            ("afterEvaluate { configureShop(this) }", true),
            ("try { configureShop() } finally { }", false),
            ("extensions.configure<ApplicationExtension> { configureShop() }", true),
            ("extensions.configure<ApplicationExtension> { println(\"c\") }", false),
            ("def c = android.defaultConfig", true), ("configureShop(android.defaultConfig)", true),
            ("configureShop(project)", true), ("implementation(libs.a)", false),
            ("implementation(project(':a'))", false),
            ("fun hash(project: Project): String {\nreturn \"c\"\n}", false),
            ("private fun hash(project: Project) = \"c\"", false),
            ("fun hash(project: Project) = configureShop(project)", true),
            ("def hash(project, name) {\nreturn name\n}", false),
            ("def hash = configureShop(project)", true),
            ("applyNativeModulesAppBuildGradle(project)", false),
            ("def a = android.defaultConfig.versionName", false), ("println(this)", false),
            ("val a = android.shop()", true), ("val a = android.shop().name", true),
            ("println(project.android.shop('c'))", true), ("project.android.shop()", true),
            ("def a = android.defaultConfig.shop()", true),
            ("def a = android.productFlavors.findByName('c')", true),
            ("def a = android.getSdkDirectory()", false),
            ("def a = android.productFlavors.size()", false),
            ("android.setCompileSdkVersion(34)", false),
            ("tasks.all { def a = android.shop() }", false),
            ("android.sourceSets.main.java.srcDir(a)", false),
        ])
    func topMethods(_ row: (statement: String, isOpen: Bool)) throws {
        let script = GradleScript(Array((Self.app + row.statement).utf8))
        #expect(script.variants.map(\.applicationID) == [row.isOpen ? nil : "a.b"])
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
        ("def m = sourceSets.main.manifest\nm.srcFile 'a.xml'", true),
        ("sourceSets { main { if (debug) { manifest.srcFile 'a.xml' } } }", true),
        ("sourceSets { main { manifest.srcFile 'src/main/AndroidManifest.xml' } }", false),
        ("sourceSets { main { manifest.srcFile 'AndroidManifest.xml' } }", true),
        ("sourceSets { main { setRoot 'a' } }", true),
        ("sourceSets { debug.setRoot('a') }", false),
        ("sourceSets { b { setRoot 'a' } }\nbuildTypes { b { } }", false),
        ("sourceSets { b { setRoot 'a' } }", true),
        ("sourceSets { production { setRoot 'a' } }\nbuildTypes { production { } }", true),
        ("def srcFile = (a == 'b') ? c : d\nif (srcFile.exists()) { e() }", false),
        ("copy { from srcFile }", false), ("def m = a()\nm.with { srcFile 'a.xml' }", true),
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
            ("sourceSets[\"main\"].res.srcDirs(\"src/androidMain/res\")", false),
            ("sourceSets { main { res.srcDirs += ['src/main/res'] } }", false),
            ("sourceSets { main { res.srcDirs = ['src/main/res'] } }", true),
            ("sourceSets[\"main\"].res.srcDirs(\"src/androidMain/res\", \"a\")", true),
            ("sourceSets[\"release\"].res.srcDirs(\"src/main/res\")", true),
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
        (
            "build.gradle.kts",
            "listOf(project(\":app\")).forEach { it.android.defaultConfig.applicationId = \"c\" }",
            true
        ),
        (
            "build.gradle",
            "rootProject.subprojects.findAll { it.a }.each { p -> p.android.defaultConfig.applicationId 'c' }",
            true
        ),
        ("build.gradle", "subprojects { project.evaluationDependsOn(':app') }", false),
        ("build.gradle", "subprojects { android { defaultConfig { minSdkVersion 21 } } }", false),
        ("build.gradle", "ext { applicationId = 'c' }", false),
        ("build.gradle", "project.ext.applicationId = 'c'", false),
        ("build.gradle", "buildscript { ext { applicationId = 'c' } }", false),
        ("build.gradle", "def applicationId = 'c'", false),
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

    /// Files of plugins of the project's own, the plugin that the module applies, and whether that leaves it open.
    static let plugins: [(file: String, text: String, plugin: String, isOpen: Bool)] = [
        ("buildSrc/src/main/kotlin/a.gradle.kts", suffix, "shop.app", true),
        ("buildSrc/src/main/groovy/a.gradle", suffix, "shop.app", true),
        ("build-logic/src/main/kotlin/A.kt", suffix, "shop.app", true),
        ("other/src/main/kotlin/A.kt", suffix, "shop.app", false),
        ("buildSrc/src/main/kotlin/a.gradle.kts", suffix, "com.android.application", false),
        ("buildSrc/src/main/kotlin/a.gradle.kts", "// \(suffix)", "shop.app", false),
        ("buildSrc/src/main/kotlin/a.gradle.kts", "android { compileSdk = 34 }", "shop.app", false),
        ("buildSrc/src/A.kt", "android { productFlavors { create(\"a\") } }", "shop.app", false),
        ("buildSrc/A.kt", "variant.manifestPlaceholders.put(\"a\", b)", "shop.app", false),
        ("buildSrc/A.kt", "a.resValue(b)\nc.applicationId.set(d)", "shop.app", true),
    ]
    private static let suffix =
        "android { buildTypes { release { applicationIdSuffix = \".x\" } } }"

    @Test(
        "a plugin of the project's own that sets what apps are leaves them open", arguments: plugins
    )
    func pluginSources(_ row: (file: String, text: String, plugin: String, isOpen: Bool)) throws {
        let found = try androidApps([
            "app/build.gradle": "plugins { id '\(row.plugin)' }\n\(Self.app)",
            "settings.gradle": "pluginManagement { includeBuild 'build-logic' }",
            "build-logic/a.txt": "", row.file: row.text,
        ])
        #expect(found.map(\.applicationID) == [row.isOpen ? nil : "a.b"])
        #expect(found.flatMap(\.unread).map(\.name) == (row.isOpen ? [row.file] : []))
    }

    @Test(
        "a plugin of the project's own that adds values leaves those open",
        arguments: [
            ("variant.manifestPlaceholders.put(\"a\", b)", "${host}", true),
            ("variant.manifestPlaceholders.put(\"a\", b)", "@string/host", false),
            ("defaultConfig { resValue(a, b, c) }", "@string/host", true),
            ("defaultConfig { resValue(a, b, c) }", "${host}", false),
        ])
    func pluginValues(_ row: (text: String, host: String, isOpen: Bool)) throws {
        let found = try androidApps(
            [
                "app/build.gradle": """
                plugins { id 'shop.app' }
                android { defaultConfig { applicationId 'a.b'
                manifestPlaceholders = [host: 'a.example']
                } }
                """,
                "app/src/main/res/values/a.xml":
                    "<resources><string name='host'>a.example</string></resources>",
                "buildSrc/src/main/kotlin/A.kt": row.text,
            ],
            application: """
                <application><activity android:name=".A"><intent-filter>
                <data android:scheme="https" android:host="\(row.host)"/></intent-filter></activity></application>
                """)
        #expect(found.map(\.applicationID) == ["a.b"])
        #expect(found.map { $0.filters[0].hosts[0].isUnresolved } == [row.isOpen])
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
