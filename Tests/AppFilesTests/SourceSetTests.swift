import TestSupport
import Testing

@testable import AppFiles

@Suite("Source sets of Gradle scripts")
struct SourceSetTests {
    private static let plugin = "plugins { id 'com.android.application' }\n"
    private static let app = "android { defaultConfig { applicationId 'a.b' } }\n"

    /// Scripts, a source set, and whether releases have it: `yes`, `no` or `open`.
    static let scripts: [(script: String, name: String, answer: String)] = [
        (plugin + app, "main", "yes"), (plugin + app, "foo", "no"), (app, "foo", "no"),
        ("apply plugin: 'com.android.application'\n" + app, "foo", "no"),
        ("plugins { alias(libs.plugins.android.application) apply false }\n" + app, "foo", "no"),
        ("plugins { kotlin(\"android\")\njava }\n" + app, "foo", "no"),
        ("plugins { id 'com.example.flavors' }\n" + app, "foo", "open"),
        ("plugins { alias(libs.plugins.shop.flavors) }\n" + app, "foo", "open"),
        (
            "plugins { alias(libs.plugins.android.application.flavors) }\n" + app, "foo", "open"
        ),
        ("plugins { id 'android-app-conventions' }\n" + app, "foo", "open"),
        ("plugins { id 'kotlin-android' }\n" + app, "foo", "no"),
        ("plugins { alias(libs.plugins.kotlin.android) }\n" + app, "foo", "no"),
        ("apply plugin: Shop\n" + app, "foo", "open"),
        ("apply { plugin('com.example.flavors') }\n" + app, "foo", "open"),
        ("pluginManager.apply('com.example.flavors')\n" + app, "foo", "open"),
        ("project.apply plugin: 'com.example.flavors'\n" + app, "foo", "open"),
        (app + "android { configureFlavors(this) }", "foo", "open"),
        (app + "android { flavorDimensions('a') }", "foo", "no"),
        (app + "applyNativeModulesAppBuildGradle(project)", "foo", "no"),
        ("apply from: 'flavors.gradle'\n" + app, "foo", "open"),
        ("apply from: 'flavors.gradle'\n" + app, "main", "yes"),
        (app + "android { buildTypes { beta { } } }", "beta", "no"),
        (app + "android { buildTypes { production { } } }", "production", "yes"),
        (app + "android { buildTypes { preProduction { } } }", "preProduction", "no"),
        (app + "android { productFlavors { prod { } } }", "foo", "no"),
        (
            "plugins { id 'com.example.flavors' }\n" + app
                + "android { productFlavors { prod { } } }",
            "foo", "no"
        ),
        (
            "apply from: 'a.gradle'\n" + app + "android { productFlavors { prod { } } }", "foo",
            "yes"
        ),
        (
            "apply from: '../node_modules/a/b.gradle'\n" + app, "foo", "no"
        ),
        (app + "android.sourceSets[\"main\"].manifest.srcFile(\"a.xml\")", "foo", "open"),
        (app + "android { sourceSets { main { java.srcDirs += 'a' } } }", "foo", "no"),
        (app + "android { sourceSets { main { manifest.srcFile 'a.xml' } } }", "foo", "open"),
        (app + "android { sourceSets { debug { manifest.srcFile 'a.xml' } } }", "foo", "no"),
        (app + "android { productFlavors { names.each { create(it) { } } } }", "foo", "open"),
    ]

    @Test("releases have those that the script names", arguments: scripts)
    func sets(_ row: (script: String, name: String, answer: String)) {
        let sets = GradleScript(Array(row.script.utf8)).sourceSets
        let answer =
            sets.mayBeOfRelease(row.name) ? "yes" : sets.isOpen(row.name) ? "open" : "no"
        #expect(answer == row.answer)
    }

    private static let links =
        "<manifest xmlns:android='http://schemas.android.com/apk/res/android'><application><activity android:name='.A'>"
        + "<intent-filter><data android:scheme='https'/></intent-filter></activity></application></manifest>"

    /// Scripts, and the manifests beside that of `src/main` that no release has with them.
    static let unbuilt: [(script: String, left: [String])] = [
        (plugin + app, ["", "src/androidMain/"]),
        (
            plugin + app + "android.sourceSets.main.manifest.srcFile 'AndroidManifest.xml'",
            ["src/androidMain/"]
        ),
        (plugin + "apply from: 'layout.gradle'\n" + app, []),
        ("plugins { kotlin(\"multiplatform\") }\n" + app, [""]),
        ("plugins { alias(libs.plugins.kotlinMultiplatform) }\n" + app, [""]),
        ("plugins { id 'com.example.shop' }\n" + app, [""]),
    ]

    @Test("directories that a script does not name are no source sets", arguments: unbuilt)
    func leftOut(_ row: (script: String, left: [String])) throws {
        let places = ["", "src/main/", "src/androidMain/"]
        var files = Dictionary(
            uniqueKeysWithValues: places.map { ("app/\($0)AndroidManifest.xml", Self.links) })
        files["app/build.gradle"] = row.script
        files["app/layout.gradle"] =
            "// Kotlin Multiplatform\nandroid.sourceSets.main.manifest.srcFile 'AndroidManifest.xml'"
        var checkout = Checkout(files)
        #expect(checkout.otherManifests() == row.left.map { "app/\($0)AndroidManifest.xml" })
        files["app/src/main/AndroidManifest.xml"] = nil
        checkout = Checkout(files)
        #expect(checkout.otherManifests() == [])
    }

    /// Scripts whose application ID depends on more than literals of their own, and what is read of it.
    static let settings: [(script: String, id: String?)] = [
        (
            "android { buildTypes { staging { applicationIdSuffix '.s' }\nrelease { initWith staging } } }",
            nil
        ),
        (
            "android { buildTypes { debug { applicationIdSuffix '.s' }\nrelease { initWith(buildTypes.debug) } } }",
            nil
        ),
        (
            "android { buildTypes { a { applicationIdSuffix '.s' }\nb { initWith(a) }\nrelease { initWith getByName('b') } } }",
            nil
        ),
        (
            "android { buildTypes { staging { debuggable true }\nrelease { initWith staging } } }",
            "a.b"
        ),
        ("android { buildTypes { beta { initWith release\napplicationIdSuffix '.s' } } }", "a.b"),
        ("android.buildTypes.getByName(\"release\").applicationIdSuffix '.x'", "a.b.x"),
        ("android.buildTypes[\"release\"].applicationIdSuffix = \".x\"", "a.b.x"),
        ("android.buildTypes.getByName(\"debug\").applicationIdSuffix '.x'", "a.b"),
        ("android.buildTypes.find { it }.applicationIdSuffix '.x'", nil),
        ("android.types(a).applicationIdSuffix '.x'", nil),
        ("apply from: 'shared.gradle'", "a.b.c"),
        ("apply from: \"$rootDir/app/shared.gradle\"", "a.b.c"),
        ("apply from: rootProject.file('app/shared.gradle')", "a.b.c"),
        ("apply from: '../loop.gradle'", "a.b"),
    ]

    @Test("settings of other types and scripts are taken into account", arguments: settings)
    func ids(_ row: (script: String, id: String?)) throws {
        let found = try androidApps([
            "app/build.gradle": Self.app + row.script,
            "app/shared.gradle": "android.buildTypes.release.applicationIdSuffix = '.c'\n",
            "loop.gradle": "apply from: '../loop.gradle'\n",
        ])
        #expect(found.map(\.applicationID) == [row.id] && found.allSatisfy(\.unread.isEmpty))
    }

    /// Applied scripts that are not there, and whether that is said.
    static let missing: [(script: String, isSaid: Bool)] = [
        ("apply from: 'other.gradle'", true), ("apply from: '../../../other.gradle'", true),
        ("apply from: \"https://a.example/b.gradle\"", true), ("apply from: script", true),
        ("apply(from = \"other.gradle.kts\")", true),
        ("apply from: \"$flutterRoot/packages/flutter_tools/gradle/flutter.gradle\"", false),
        ("apply from: file(\"../../node_modules/a/native_modules.gradle\")", false),
        (
            "apply from: project(':react-native-config').projectDir.getPath() + \"/dotenv.gradle\"",
            false
        ),
        ("apply from: project(':a').projectDir.getPath() + \"/dotenv.gradle\"", true),
        ("apply from: 'capacitor.build.gradle'", false),
        (
            "apply from: new File([\"node\", \"--print\", \"require.resolve('a/package.json')\"].execute(null, rootDir).text.trim(), \"../native_modules.gradle\")",
            false
        ),
        ("apply from: a ? 'node_modules/a.gradle' : 'other.gradle'", true),
        ("if (file('other.gradle').exists()) { apply from: 'other.gradle' }", false),
        ("if (file('other.gradle').exists()) apply from: 'other.gradle'", false),
        (
            "if (rootProject.file('other.gradle').exists()) {\napply from: \"$rootDir/other.gradle\"\n}",
            false
        ),
        ("if (file('a.gradle').exists()) { apply from: 'other.gradle' }", true),
        ("if (!file('other.gradle').exists()) { apply from: 'other.gradle' }", true),
        ("if (file('other.gradle').exists() || a) { apply from: 'other.gradle' }", true),
        (
            "if (file('other.gradle').exists()) { a() } else { apply from: 'other.gradle' }", true
        ),
        (
            "if (file('other.gradle').exists()) apply from: 'other.gradle'\napply from: 'other.gradle'",
            true
        ),
    ]

    @Test("an applied script that is not there leaves the app open", arguments: missing)
    func applied(_ row: (script: String, isSaid: Bool)) throws {
        let found = try androidApps(["app/build.gradle": Self.app + row.script])
        #expect(found.map { $0.unread.isEmpty && !$0.isUncertain } == [!row.isSaid])
    }

    /// Code that runs for each variant, and whether it is about what is read.
    static let variants: [(code: String, isOpen: Bool)] = [
        ("android.applicationVariants.all { v -> v.mergedFlavor.setApplicationId('c') }", true),
        (
            "android { applicationVariants.all { v ->\nif (a) { v.resValue 'string', 'a', 'b' }\n} }",
            true
        ),
        (
            "androidComponents { onVariants(selector().all()) { it.manifestPlaceholders.put('a', 'b') } }",
            true
        ),
        ("androidComponents {\nonVariants { v ->\nv.applicationId.set('c')\n}\n}", true),
        ("applicationVariants.all { v -> v.outputs.all { it.processManifest.doLast { } } }", true),
        ("applicationVariants.all { v -> v.outputs.all { outputFileName = 'a.apk' } }", false),
        ("applicationVariants.all { }\ndef a = applicationId", false),
        ("applicationVariants.all { v ->\ndef a = v.applicationId\n}", false),
        ("applicationVariants.all { v ->\nv.mergedFlavor.applicationId = 'c'\n}", true),
        ("androidComponents { beforeVariants { it.enable = false } }", false),
        ("tasks.whenTaskAdded { t -> if (t.name == 'processReleaseMainManifest') { a(t) } }", true),
        ("tasks.withType(ProcessApplicationManifest).configureEach { doLast { } }", true),
        ("afterEvaluate { tasks.processReleaseManifest.doLast { } }", true),
        ("tasks.named('processDebugManifest') { }", false),
        ("listOf(a).forEach { v -> tasks.named(\"process${v}MainManifest\") { b() } }", true),
        (
            "applicationVariants.all { v -> tasks.findByName(\"process${v.name.capitalize()}Manifest\") }",
            true
        ),
        ("tasks.named(\"process${v}DebugManifest\") { }", false),
        ("tasks.named(\"process${v}Resources\") { }", false),
        ("tasks.named('processReleaseManifestForPackage') { }", true),
        ("tasks.withType(ProcessMultiApkApplicationManifest) { a() }", true),
        ("tasks.withType(a.b.ProcessPackagedManifestTask) { c() }", true),
        ("a.multiApkManifestOutputDirectory.get()", true),
        ("tasks.matching { it.name =~ /process.*Manifest/ }.all { a() }", true),
        ("tasks.all { t -> if (t.name ==~ /^process(.+)Manifest$/) { a(t) } }", true),
        ("tasks.all { if (it.name ==~ \"^process(Debug|Release)Manifest\\$\") { a() } }", true),
        ("tasks.all { if (it.name ==~ $/process(.+)Manifest/$) { a() } }", true),
        ("tasks.named(\"process${a + b}Manifest\") { c() }", true),
        ("tasks.matching { it.name =~ /process.*Resources/ }.all { a() }", false),
        ("tasks.matching { it.name =~ /.*DebugManifest/ }.all { a() }", false),
        ("println 'it is no process of the Manifest'", false),
    ]

    @Test(
        "code that changes merged resources leaves their values open",
        arguments: [
            ("applicationVariants.all { v -> v.mergeResourcesProvider.get().doLast { } }", true),
            ("android.applicationVariants.all { it.mergeResources.doLast { } }", true),
            ("tasks.getByName('mergeReleaseResources').doFirst { a() }", true),
            ("tasks.getByName('mergeDebugResources').doFirst { a() }", false),
            ("tasks.named('mergeReleaseResources') { dependsOn('a') }", false),
            ("tasks.getByName('mergeReleaseAssets').doLast { a() }", false),
            ("afterEvaluate { mergeReleaseResources.doLast { } }", true),
            ("tasks.mergeReleaseResources.doLast { a() }", true),
            ("afterEvaluate { mergeDebugResources.doLast { } }", false),
            ("tasks.named('mergeReleaseResources') { doLast { a() } }", true),
            (
                "applicationVariants.all { it.mergeResourcesProvider.configure { doLast { } } }",
                true
            ),
            ("tasks.named('mergeReleaseResources') { }\ntasks.named('a') { doLast { } }", false),
        ])
    func mergedResources(_ row: (code: String, isOpen: Bool)) {
        let script = GradleScript(Array((Self.app + row.code).utf8))
        #expect(script.hasOwnResources == row.isOpen)
        #expect(script.variants.map(\.applicationID) == ["a.b"])
    }

    @Test("code for variants opens what it can change", arguments: variants)
    func changes(_ row: (code: String, isOpen: Bool)) {
        let script = GradleScript(Array((Self.app + row.code).utf8))
        #expect(script.facts.isEmpty != row.isOpen)
        #expect(script.variants.map(\.applicationID) == [row.isOpen ? nil : "a.b"])
    }

    @Test func `a manifest costs little for each further flavor`() throws {
        func time(_ flavors: Int) throws -> Duration {
            let names = (0..<flavors).map { "f\($0) { applicationIdSuffix '.f\($0)' }" }
            let activities = (0..<40).map { number in
                """
                <activity android:name=".A\(number)"><intent-filter android:autoVerify="true">
                <action android:name="android.intent.action.VIEW"/>
                <data android:scheme="https" android:host="a.example"/></intent-filter></activity>
                """
            }
            let closed = (0..<400).map {
                "<activity android:name='.B\($0)' android:enabled='false'/>"
            }
            let files = [
                "app/build.gradle": Self.app
                    + "android { productFlavors { \(names.joined(separator: "\n")) } }",
                "app/src/main/AndroidManifest.xml": manifest(activities),
                "app/src/release/AndroidManifest.xml": manifest(closed),
            ]
            var checkout = Checkout(files)
            var count = 0
            let duration = try processorTime {
                for name in checkout.apps { count += try checkout.read(name).count }
            }
            #expect(count == 2 * flavors)
            return duration
        }
        func manifest(_ elements: [String]) -> String {
            "<manifest xmlns:android='http://schemas.android.com/apk/res/android'><application>\n"
                + elements.joined(separator: "\n") + "</application></manifest>"
        }
        #expect(try (1...3).contains { _ in try time(200) < time(10) * 5 + .milliseconds(50) })
    }

    /// Names of components, each with its package, and whether they can be one.
    static let names: [(String, String?, String, String?, Bool)] = [
        (".Main", "a.b", "a.b.Main", nil, true), ("Main", "a.b", ".Main", "a.b", true),
        (".Main", "a.b", "c.d.Main", nil, false), (".Main", nil, "c.d.Main", nil, true),
        (".Main", nil, "Main", nil, true), (".ui.Main", nil, ".Main", nil, false),
        (".ui.Main", nil, "a.b.Main", nil, false),
        ("${applicationId}.Main", nil, "a.b.Main", nil, true),
        ("${applicationId}.Main", "a.b", ".Other", "a.b", false),
        ("a.Main", nil, "a.main", nil, false),
    ]

    @Test("names are compared whole where both are known", arguments: names)
    func components(_ row: (String, String?, String, String?, Bool)) {
        let (one, other) = (ComponentName(row.0, in: row.1), ComponentName(row.2, in: row.3))
        for (first, second) in [(one, other), (other, one)] {
            var names = ComponentNames()
            names.insert(first)
            #expect(names.contain(second) == row.4)
        }
    }
}
