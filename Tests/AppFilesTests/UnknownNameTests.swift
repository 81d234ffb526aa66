import TestSupport
import Testing

@testable import AppFiles

@Suite("Names of scripts that are not known")
struct UnknownNameTests {
    private static let app = "android { defaultConfig { applicationId 'a.b' } }\n"

    /// Scripts of a module, and the first name of each that is not known.
    static let scripts: [(script: String, name: String?)] = [
        ("val d = file(\"src/main/res\")\ntasks.register<Copy>(\"c\") { into(d) }", "into"),
        ("tasks.register<Copy>(\"c\") { into(layout.buildDirectory.dir(\"d\")) }", nil),
        ("task c(type: Copy) { from 'a'\ninto 'src/main/assets' }", nil),
        ("copy { into file('main/res', buildDir) }", "into"),
        ("task c(type: Copy) { from 'a'\ninto \"$rootDir/artifacts\" }", nil),
        ("task c(type: Copy) { from 'a'\ninto \"$rootDir/app\" }", "into"),
        ("tasks.register<Copy>(\"c\") { into(layout.projectDirectory.dir(\"dist\")) }", nil),
        ("tasks.register<Copy>(\"c\") { into(layout.projectDirectory.dir(\"a\")) }", "into"),
        ("task k(type: JavaExec) { mainClass.set('com.pinterest.ktlint.Main') }", nil),
        ("task k(type: JavaExec) { mainClass.set('shop.Main') }", "JavaExec"),
        ("task k(type: JavaExec) { main = 'a'\nargs 'com.pinterest.ktlint.Main' }", "JavaExec"),
        ("android { buildTypes { debug { FirebasePerformance { a false } } } }", nil),
        ("android { buildTypes { debug { Shop { a false } } } }", "Shop"),
        ("test { useJUnit { includeCategories 'a' } }", nil),
        ("a = Effort.valueOf('b')", nil), ("a = Shop.valueOf('b')", "Shop"),
        ("task c(type: Copy) { from 'a'\ninto 'src/main/assets/../res' }", "into"),
        ("def d = file('a')\ntask c { doLast { d.text = 'b' } }", "text"),
        ("def d = file('a')\ntask c { doLast { println d.text } }", nil),
        ("def text = 'b'\nfile('a').text = text", "text"),
        ("def copyTo = 1\nfile('a').copyTo(b)", "copyTo"),
        ("file('a') << 'b'", "<<"), ("def f = file('a')\nf << 'b'", "<<"),
        ("options.compilerArgs << 'a'", nil),
        ("delete 'src/main/res'", "delete"), ("delete rootProject.buildDir", nil),
        ("shop('a')", "shop"), ("def shop(a) { println a }\nshop('b')", nil),
        ("project.shop('a')", "shop"),
        ("project.ext.shop = { println it }\nproject.shop('a')", nil),
        ("ext { shop = { println it } }\nshop('a')", nil),
        ("def shop = { println it }\nshop('a')", nil),
        ("private shop(a) { println a }\nshop('b')", nil),
        ("fun File.shop(a: String) = readText()\nfile(\"a\").shop(\"b\")", nil),
        ("fun File.shop(a: String) = writeText(a)\nfile(\"a\").shop(\"b\")", "writeText"),
        ("a['b'] = c", nil), ("a['text'] = c", "text"), ("def a = b\na.\"text\" = c", "text"),
        ("a.@text = c", "text"), ("def a = b\na.\"$b\" = c", "$b"),
        ("def a = [:]\na['b'] = c", nil),
        ("(a, b) = c", "("),
        ("def (a, b) = c", nil), ("List<String> a = b\na.each { println it }", nil),
        ("exec { commandLine 'sed', '-i', 'a' }", "commandLine"),
        ("exec { commandLine 'git', 'log' }", nil), ("'sed -i a'.execute()", "execute"),
        ("a.setName('b')", nil), ("a.setText('b')", "text"), ("a.getName(b)", nil),
        ("a.getaway(b)", "getaway"), ("throw new ShopException(a)", nil),
        ("new ShopWriter(a)", "ShopWriter"),
        ("dependencies { shop 'a:b:1' }", nil), ("dependencies { a.shop 'b' }", "shop"),
        ("enum class A { PAID(\"a\"), free(\"b\") }", nil),
        ("Runtime.getRuntime().exec('a')", "exec"), ("ant.replace(file: 'a')", "ant"),
        ("Files.copy(a, b)", "Files"), ("a.copy(b)", "copy"), ("a.copy(port = 1)", nil),
        ("copy { from 'a' }", nil),
        ("copy { into 'src/main/res'; println 'build' }", "into"),
        ("'git log'.execute()", nil), ("['sed', '-i'].execute()", "execute"),
        ("['node', '--print', 'a'].execute().text", "execute"),
        ("['node', 'a.js'].execute()", "execute"),
        ("\"writeText\"(a)", "writeText"), ("\"ksp\"(a)", nil), ("\"${a}Implementation\"(b)", nil),
        ("println \"${file('a').write('b')}\"", "write"), ("println \"${file('a').name}\"", nil),
        ("println(\"${a[\"b c\"]} d\")", nil),
        ("println(\"${a[\"${file(b).write(c)}\"]}\")", "write"),
        ("def f = file('a')\nprintln \"${f.path} is there\"", nil),
        ("listOf(a).forEach(::off)", "off"), ("a.each(this.&off)", "off"),
        ("println(Off::class)", nil), ("val a by tasks.registering(Off::class)", "Off"),
        ("tasks.register<Off>(\"a\")", "Off"), ("tasks.register<T>(\"a\")", "T"),
        ("configure<Off> { }", nil), ("Off()", "Off"),
        ("task a(type: Off)", "Off"), ("fun a(b: Off) = b as Off", nil), ("new Off()", "Off"),
        ("fun a(b: ApplicationVariantBuilder) = b", "ApplicationVariantBuilder"),
        ("shop = true", nil), ("shop true", nil), ("shop(1)", nil), ("a.shop()", nil),
        ("shop { a = true }", nil), ("file('a').shop { }", "shop"), ("a.delete()", "delete"),
        ("javaexec { }", "javaexec"),
        ("tasks.register('a', Off)", "Off"), ("import a.Off", nil), ("println A.OFF", nil),
        ("repositories { `shop-repo`() }", "`"), ("plugins { `kotlin-dsl` }", nil),
        ("android { productFlavors { shop { } } }", nil), ("android { shop('a') { } }", "shop"),
        ("val r = android.sourceSets[\"main\"].res", "sourceSets"),
        ("android.sourceSets.main.java.srcDirs += 'a'", nil),
        ("def add(s) { s.res.srcDir 'a' }", "res"), ("[a].each { s -> s.res.srcDir 'a' }", "res"),
        ("android.sourceSets.all { s -> s.res.srcDir 'a' }", nil),
        ("def srcFile = file('a')\nprintln srcFile.exists()", nil),
        (
            "android { androidResources { additionalParameters '--rename-manifest-package', 'a' } }",
            "additionalParameters"
        ),
        ("android { androidResources { additionalParameters '--no-version-vectors' } }", nil),
        ("exec { commandLine 'git', 'apply', 'a' }", "commandLine"),
        ("exec { commandLine 'git', '-c', 'alias.a=!b', 'a' }", "commandLine"),
        ("'git apply a'.execute()", "execute"), ("exec { executable 'git' }", "executable"),
        ("binaries.executable()", nil), ("permissions { execute = true }", nil),
        ("['node', '-e', \"require('expo/a')\"].execute()", nil),
        ("['node', '-e', \"require('./a')\"].execute()", "execute"),
        ("['node', '--print', \"require.resolve('a')\"].execute()", nil),
        ("a.getSourceSets().getByName('release').getRes().srcDir('x')", "getSourceSets"),
        ("a.properties['sourceSets'].each { }", "sourceSets"), ("println a['host']", nil),
        ("a.findProperty('defaultConfig').each { }", "defaultConfig"),
        ("a.aaptAdditionalParameters.addAll(\"--rename-manifest-package\", \"b\")", "addAll"),
        ("def p = a\nandroidResources { additionalParameters += p }", "additionalParameters"),
        ("tasks.named('assembleRelease') { enabled = false }", "enabled"),
        ("tasks.named('assembleRelease') { enabled = true }", nil),
        ("splits { abi { enabled = false } }", nil),
        ("def build = file('src/main/res')\ncopy { into build }", "into"),
        ("copy { into \"$buildDir/intermediates/merged_manifests\" }", "into"),
        ("def o = file('a')\ndelete(buildDir, o)", "delete"),
        ("fun a(vararg commandLine: String) { exec { commandLine(*commandLine) } }", "commandLine"),
        ("t.mainManifest.set(file('a'))", "mainManifest"), ("println t.mainManifest", nil),
        ("dependencies { implementation(libs.ui.testManifest) }", nil),
        ("[a: 1].each { k, v -> android.defaultConfig[k] = v }", "["),
        ("def a = [:]\na[b] = c", nil), ("android.packagingOptions[a] += b", nil),
        ("android.productFlavors.iterator().remove()", "remove"),
        ("android.buildTypes -= a", "buildTypes"), ("a.@mApplicationId = b", "mApplicationId"),
        ("com.acme.Brand.install()", "Brand"), ("com.acme.Brand.run()", "Brand"),
        ("android.defaultConfig['application' + 'Id'] = a", "["), ("JavaVersion.current()", nil),
        ("android.setVariantFilter { a }", "setVariantFilter"),
        (
            "pluginManagement { resolutionStrategy { eachPlugin { useModule('com.acme:a:1') } } }",
            "useModule"
        ),
        ("eachPlugin { useModule(\"com.android.tools.build:gradle:$a\") }", nil),
        ("eachPlugin { useModule(\"com.android.$a:1\") }", "useModule"),
        ("eachPlugin { useModule(a ? 'com.android.a:b:1' : b) }", "useModule"),
        (
            "buildscript { dependencySubstitution { substitute(module('com.android.a:b')).using(c) } }",
            "substitute"
        ),
        ("dependencySubstitution { substitute(module('com.android.a:b')).using(c) }", nil),
        (
            "includeBuild('a') { dependencySubstitution { substitute(module('com.shop:b')).using(project(':')) } }",
            nil
        ),
        (
            "includeBuild('a') { dependencySubstitution { substitute(module('com.android.a:b')).using(project(':')) } }",
            "substitute"
        ),
        ("includeBuild('a') { dependencySubstitution { substitute(b).using(c) } }", "substitute"),
        (
            "buildscript { resolutionStrategy { eachDependency { useTarget('a:b:1') } } }",
            "useTarget"
        ),
        ("[a].each pluginManager.&apply", "apply"), ("\"apply\"(plugin: a)", "apply"),
        ("setProperty('archivesBaseName', 'a')", nil), ("setProperty(a, 'b')", "setProperty"),
        ("sqldelight { databases { Database { packageName = 'a' } } }", nil),
        ("shop { Database { packageName = 'a' } }", "Database"),
        ("spotless { format(\"xml\") { replace(\"a\", \"b\", \"c\") } }", "replace"),
        ("fun String.a() = replace(\"b\", \"c\")", nil),
        ("copy { eachFile { path = '../a' } }", "path"), ("copy { eachFile { path = 'a' } }", nil),
        ("import kotlin.io.writeText as put", "put"), ("import a.B as C", nil),
        ("def a = $b(c)", "$"), ("gradle.includedBuilds.each { a.b }", "includedBuilds"),
        ("apollo { operationManifestFormat.set(\"a\") }", nil),
        ("class A : CommandLineArgumentProvider { fun b(): Iterable<String> { c } }", nil),
    ]

    @Test("a name is known, or leaves open that the app agrees", arguments: scripts)
    func names(_ row: (script: String, name: String?)) throws {
        let apps = try androidApps(["app/build.gradle": Self.app + row.script])
        // The first is named first.
        let name = row.name.map { "it uses \"\($0)\", " }
        let facts = apps.flatMap(\.changing).map(\.fact)
        #expect(facts.map { $0.hasPrefix(name ?? "?") } == (name == nil ? [] : [true]))
    }

    @Test func `all names of a file are named together, at most four of them`() throws {
        func facts(_ script: String) throws -> [String] {
            try androidApps(["app/build.gradle": Self.app + script]).flatMap(\.changing).map(\.fact)
        }
        #expect(
            try facts("Files.copy(a, b)") == ["it uses \"Files\", \"copy\", which are not known"])
        let many = (0..<7).map { "acme\($0)('a')\n" }.joined()
        #expect(try facts(many).first?.contains("\"acme3\" and 3 more, which are") == true)
    }

    @Test(
        "names are looked for in all files that can change the module",
        arguments: [
            (["build.gradle": "task c(type: Copy) { into 'app/src/main/res' }"], "build.gradle"),
            (["build.gradle": "task c(type: Copy) { into 'build/a' }"], nil),
            (["settings.gradle": "file('a').write('b')"], "settings.gradle"),
            (["settings.gradle": "a.each { it.projectDir = file('b') }"], "settings.gradle"),
            (["settings.gradle": "include ':a'\nproject(':a').projectDir = file('b')"], nil),
            (
                ["settings.gradle": "settings.project(':a').projectDir = file('b')"],
                "settings.gradle"
            ),
            (["settings.gradle": "project(a).projectDir = file('b')"], "settings.gradle"),
            (["settings.gradle": "project(':a').setProjectDir(file('b'))"], nil),
            (
                ["settings.gradle": "def a(b) { project(b).setProjectDir(file('b')) }"],
                "settings.gradle"
            ),
            (["buildSrc/A.kt": "fun shop(f: File) { f.writeText(a) }"], "buildSrc/A.kt"),
            (["buildSrc/A.kt": "fun shop(f: File) { println(f) }"], nil),
            (
                [
                    "buildSrc/A.kt": "fun shop(f: File) { other(f) }",
                    "buildSrc/B.kt": "fun other(f: File) { println(f) }",
                ], nil
            ),
            (["lib/build.gradle": "rootProject.file('app/a').write('b')"], "lib/build.gradle"),
            (
                ["lib/build.gradle": "project(':app') { android.defaultConfig.applicationId 'c' }"],
                "lib/build.gradle"
            ),
            (["lib/build.gradle": "project(':app') { tasks.a('b') }"], nil),
            (["lib/build.gradle": "dependencies { api project(':a') }\nb { }"], nil),
            (
                ["lib/build.gradle": "def a = project(':app')\na.afterEvaluate { b }"],
                "lib/build.gradle"
            ),
            (["lib/build.gradle": "def a = project(':app').name\nprintln a"], nil),
            (["lib/build.gradle": "def a = project\na.shop()"], nil),
            (["lib/build.gradle": "minSdk = rootProject.minSdkOfAll"], nil),
            (["lib/build.gradle": "def a = rootProject.extensions\na.b"], "lib/build.gradle"),
            (
                ["lib/build.gradle": "def a = rootProject.findProject(':app')\na.b { }"],
                "lib/build.gradle"
            ),
            (["lib/build.gradle": "if (findProject(':app') != null) { println 'a' }"], nil),
            (
                ["lib/build.gradle": "def a = rootProject.subprojects\na.each { }"],
                "lib/build.gradle"
            ),
            (["lib/build.gradle": "def a = rootProject.subprojects.size()\nprintln a"], nil),
            (
                ["lib/build.gradle": "for (a in rootProject.subprojects) { a.b() }"],
                "lib/build.gradle"
            ),
            (["lib/build.gradle": "shop(project(':app'))"], "lib/build.gradle"),
            (
                [
                    "lib/build.gradle.kts":
                        "val a by lazy { rootProject.project(\":app\").extensions }"
                ], "lib/build.gradle.kts"
            ),
            (["lib/build.gradle": "if (project == rootProject) { println 'a' }"], nil),
            (["lib/build.gradle": "def a = rootProject.ext.b\na.c = 1"], nil),
            (
                [
                    "lib/build.gradle.kts":
                        "rootProject.project(\":app\").extensions.configure<ApplicationExtension> { defaultConfig { applicationId = \"c\" } }"
                ], "lib/build.gradle.kts"
            ),
            (["lib/build.gradle": "configure(rootProject.subprojects) { println 'a' }"], nil),
            (["lib/build.gradle": "rootProject.subprojects.each { a = it }"], "lib/build.gradle"),
            (
                ["lib/build.gradle": "rootProject.subprojects.each { p -> a.add(p) }"],
                "lib/build.gradle"
            ),
            (["lib/build.gradle": "rootProject.subprojects.each { println it.name }"], nil),
            (
                ["lib/build.gradle": "rootProject.subprojects.findAll { b }.each { a.add(it) }"],
                "lib/build.gradle"
            ),
            (
                ["lib/build.gradle": "configure(rootProject.subprojects.findAll { b }) { a = it }"],
                "lib/build.gradle"
            ),
            (
                ["lib/build.gradle": "def b = 1\nrootProject.subprojects.each { b -> a.add(b) }"],
                "lib/build.gradle"
            ),
            (["lib/build.gradle": "project(':a').with { a.add(it) }"], "lib/build.gradle"),
            (["lib/build.gradle": "project(':a').file('b').withReader { a.load(it) }"], nil),
            (["lib/build.gradle": "rootProject.file('a').withInputStream { b.load(it) }"], nil),
            (
                ["lib/build.gradle": "new FileReader(rootProject.file('a')).use { b.load(it) }"],
                nil
            ),
            (
                [
                    "lib/build.gradle.kts":
                        "project.rootDir.resolve(\"a\").inputStream().use { b.load(it) }"
                ], nil
            ),
            (
                [
                    "lib/build.gradle":
                        "rootProject.subprojects.plus(rootProject.file('a')).each { a.add(it) }"
                ], "lib/build.gradle"
            ),
            (
                [
                    "lib/build.gradle":
                        "rootProject.subprojects.each { p -> p.file('a').withReader { b.add(p) } }"
                ], "lib/build.gradle"
            ),
            (
                ["lib/build.gradle": "dependencies { rootProject.subprojects.each { kover(it) } }"],
                nil
            ),
            (
                ["lib/build.gradle": "dependencies { rootProject.subprojects.each { a.add(it) } }"],
                "lib/build.gradle"
            ),
            (["lib/build.gradle": "println rootProject.ext.a\nfile('a').write('b')"], nil),
            (
                [
                    "lib/build.gradle":
                        "androidComponents { onVariants { println rootProject.file('a') } }"
                ], nil
            ),
            (
                ["lib/build.gradle": "gradle.taskGraph.whenReady { it.a.enabled = false }"],
                "lib/build.gradle"
            ),
            (
                ["lib/build.gradle": "copy { into \"$projectDir/../app/src/main/res\" }"],
                "lib/build.gradle"
            ),
            (["lib/build.gradle": "project(':app').apply(plugin: 'java')"], "lib/build.gradle"),
            (["build.gradle": "subprojects { apply plugin: 'shop.a' }"], "build.gradle"),
            (["build.gradle": "plugins { id 'shop.a' version '1' apply false }"], nil),
            (["build.gradle": "apply from: 'lost.gradle', to: project(':app')"], "build.gradle"),
            (["settings.gradle": "plugins { id 'shop.a' version '1' }"], "settings.gradle"),
            (
                [
                    "settings.gradle.kts":
                        "plugins { if (file(\"a\").exists()) { id(\"com.google.gms.google-services\") } }"
                ], nil
            ),
            (
                [
                    "settings.gradle.kts":
                        "plugins { if (file(\"a\").exists()) { id(\"shop.a\") } }"
                ], "settings.gradle.kts"
            ),
            (
                ["settings.gradle.kts": "plugins { if (file(\"a\").exists()) id(\"shop.a\") }"],
                "settings.gradle.kts"
            ),
            (["settings.gradle": "pluginManagement { plugins { id 'shop.a' version '1' } }"], nil),
            (["buildSrc/build.gradle": "file('../app/a').write('b')"], "buildSrc/build.gradle"),
            (["buildSrc/src/test/A.kt": "fun a(f: File) { f.writeText(a) }"], nil),
            (
                [
                    "settings.gradle": "includeBuild 'logic'",
                    "logic/A.kt": "class Shop : Task() { fun a(f: File) { f.writeText(a) } }",
                    "app/a.gradle": "tasks.register('a', Shop)",
                ], "logic/A.kt"
            ),
            (
                ["buildSrc/src/com/test/A.kt": "fun a(f: File) { f.writeText(a) }"],
                "buildSrc/src/com/test/A.kt"
            ),
            (["app/a.gradle": "file('a').write('b')"], "app/a.gradle"),
            (["app/a.gradle": "println file('a')"], nil),
        ] as [([String: String], String?)])
    func files(_ files: [String: String], _ name: String?) throws {
        var files = files
        let script = files["app/a.gradle"] == nil ? "" : "apply from: 'a.gradle'"
        files["app/build.gradle"] = Self.app + script
        let apps = try androidApps(files)
        #expect(apps.map { Set($0.changing.map(\.name)) } == [name.map { [$0] } ?? []])
    }

    @Test(
        "a plugin that makes placeholders of secrets leaves these open, whoever applies it",
        arguments: [
            ([:], false), (["app/a.txt": "secrets"], false),
            (
                [
                    "build.gradle":
                        "subprojects { apply plugin: 'com.google.secrets_gradle_plugin' }"
                ], true
            ),
            (
                [
                    "buildSrc/A.kt":
                        "class A : Plugin<Project> { fun apply(p: Project) { p.pluginManager.apply("
                        + "\"com.google.android.libraries.mapsplatform.secrets-gradle-plugin\") } }"
                ], true
            ),
        ] as [([String: String], Bool)])
    func secrets(_ files: [String: String], _ isOpen: Bool) throws {
        let script =
            "android { defaultConfig { applicationId 'a.b'\nmanifestPlaceholders = [host: 'c.example'] } }"
        let manifest =
            "<application><activity android:name='.A'><intent-filter><data android:scheme='https' "
            + "android:host='${host}'/></intent-filter></activity></application>"
        let apps = try androidApps(
            files.merging(["app/build.gradle": script]) { $1 }, application: manifest)
        #expect(
            apps.flatMap { $0.filters.flatMap(\.hosts).map(\.isUnresolved) } == [isOpen])
    }

    @Test(
        "a plugin is known, of the project, or leaves it open",
        arguments: [
            ("com.google.gms.google-services", nil), ("shop.other", "shop.other"),
            ("shop.app", nil), ("com.shop.a", "com.shop.a"),
        ] as [(String, String?)])
    func plugins(_ plugin: String, _ unknown: String?) throws {
        let apps = try androidApps([
            "app/build.gradle": "plugins { id '\(plugin)' }\n\(Self.app)",
            "buildSrc/src/main/groovy/shop.app.gradle": "println 'a'", "settings.gradle": "",
        ])
        let facts = unknown.map { ["it applies the plugin \"\($0)\", which is not known"] } ?? []
        #expect(apps.map { $0.changing.map(\.fact) } == [facts])
    }
}
