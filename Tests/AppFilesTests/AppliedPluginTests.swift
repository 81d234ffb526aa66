import TestSupport
import Testing

@testable import AppFiles

@Suite("Plugins that a project's own plugins apply")
struct AppliedPluginTests {
    private static let app = """
        plugins { id 'shop.app' }
        android { defaultConfig {
            applicationId 'a.b'
            manifestPlaceholders = [host: 'c.example']
        } }
        """
    private static let secrets =
        "com.google.android.libraries.mapsplatform.secrets-gradle-plugin"
    private static let catalog = """
        [plugins]
        shop-app = { id = "shop.app" }
        brand = { id = "com.shop.brand", version = "1" }
        hilt = { id = "com.google.dagger.hilt.android", version = "1" }
        keys = { id = "\(secrets)", version = "1" }
        """

    private func apps(_ files: [String: String]) throws -> [AndroidDeclaration] {
        let manifest =
            "<application><activity android:name='.A'><intent-filter><data android:scheme='https' "
            + "android:host='${host}'/></intent-filter></activity></application>"
        let usual = [
            "app/build.gradle": Self.app, "settings.gradle": "includeBuild 'logic'",
            "gradle/libs.versions.toml": Self.catalog,
            "logic/settings.gradle":
                "a { versionCatalogs { create('libs') { from(files('../gradle/libs.versions.toml')) } } }\ninclude ':b'",
            "logic/src/main/kotlin/shop.app.gradle.kts": "",
        ]
        return try androidApps(usual.merging(files) { $1 }, application: manifest)
    }

    private static func plugin(_ code: String) -> String {
        "class Shop : Plugin<Project> { override fun apply(target: Project) { with(target) {\n\(code)\n} } }"
    }

    @Test(
        "they are known, of the project, or leave it open, in each form",
        arguments: [
            ("pluginManager.apply(\"com.shop.a\")", "com.shop.a"),
            ("pluginManager.apply(\"com.google.gms.google-services\")", nil),
            ("pluginManager.apply(\"shop.app\")", nil),
            ("with(pluginManager) { apply(\"com.shop.a\") }", "com.shop.a"),
            ("apply(plugin = \"com.shop.a\")", "com.shop.a"),
            ("apply(mapOf(\"plugin\" to \"com.shop.a\"))", "com.shop.a"),
            ("apply { plugin(\"com.shop.a\") }", "com.shop.a"),
            ("getPluginManager().apply(\"com.shop.a\");", "com.shop.a"),
            (
                "pluginManager.apply(libs.findPlugin(\"brand\").get().get().pluginId)",
                "com.shop.brand"
            ),
            ("pluginManager.apply(libs.findPlugin(\"hilt\").get().get().pluginId)", nil),
            ("with(pluginManager) { apply(libs.plugin(\"brand\")) }", "com.shop.brand"),
            ("pluginManager.apply(libs.plugins.brand.get().pluginId)", "com.shop.brand"),
            ("pluginManager.apply(libs.plugins.other.get().pluginId)", "other"),
            ("apply<Brand>()", "Brand"), ("plugins.apply(Brand::class)", "Brand"),
            ("plugins.apply(com.shop.Brand.class)", "com.shop.Brand"), ("apply<Shop>()", nil),
            ("apply<JavaLibraryPlugin>()", nil),
            ("apply<io.gitlab.arturbosch.detekt.DetektPlugin>()", nil),
            ("pluginManager.apply(Names.BRAND)", "=Names.BRAND"),
            ("pluginManager.apply(Names.HILT)", "=Names.HILT"),
            ("pluginManager.apply(\"com.google.\" + a)", "="),
            ("pluginManager.apply(\"com.google.$a\")", "="),
            ("pluginManager.apply(\"com.google.a\".replace(\"google\", \"shop\"))", "="),
            ("pluginManager.apply(Known.HILT.id)", "=Known.HILT.id"),
            ("pluginManager.apply(shop())", "=shop"),
            ("val a = pluginManager\na.apply(b)", "=b"),
            ("val a = pluginManager\na.apply(\"com.google.gms.google-services\")", nil),
            ("pluginManager.apply(when (a) { true -> \"java\"\nelse -> b })", "=when"),
            ("pluginManager.apply(if (a) libs.plugins.hilt else b)", "=if"),
            ("apply(plugin = if (a) Shop::class else b)", "=if"),
            ("listOf(\"java\").forEach { pluginManager.apply(it) }", "=it"),
            ("listOf(\"com.shop.a\").forEach(pluginManager::apply)", "=apply"),
            ("a.forEach { pluginManager.apply(it) }", "=it"),
            ("android.apply(block)", "=block"), ("android.apply { a = 1 }", nil),
            ("Shop().apply(target)", nil), ("Shop().apply(a)", "=a"),
        ] as [(String, String?)])
    func forms(_ code: String, _ unknown: String?) throws {
        let names =
            "object Names { const val BRAND = \"com.shop.a\"\nconst val HILT: String = \"dagger.hilt\" }"
        let found = try apps(["logic/A.kt": Self.plugin(code), "logic/Names.kt": names])
        let facts = unknown.map {
            guard $0.hasPrefix("=") else {
                return "it applies the plugin \"\($0)\", which is not known"
            }
            let name = $0.count > 1 ? ": \"\($0.dropFirst())\"" : ""
            return "it computes which plugin it applies\(name)"
        }
        #expect(found.map { $0.changing.map(\.fact) } == [facts.map { [$0] } ?? []])
    }

    @Test(
        "a precompiled script applies those of its block, too",
        arguments: [
            ("plugins { id(\"com.shop.a\") }", true),
            ("plugins { alias(libs.plugins.brand) }", true),
            ("plugins { id(libs.plugins.brand.get().pluginId) }", true),
            ("plugins {\n  id(\"java\")\n  kotlin(\"a\")\n}\napply(plugin = \"com.shop.a\")", true),
            ("plugins { alias(libs.plugins.hilt) }", false),
            ("import com.shop.Brand\napply<Brand>()", true),
            ("import androidx.room.Brand\napply<Brand>()", false),
        ])
    func scripts(_ script: String, _ isOpen: Bool) throws {
        let name = "logic/src/main/kotlin/shop.app.gradle.kts"
        let found = try apps([name: script])
        #expect(found.map { $0.changing.map(\.name) } == [isOpen ? [name] : []])
    }

    @Test(
        "the plugin of secrets is found in each form",
        arguments: [
            ("logic/A.kt", plugin("apply(libs.findPlugin(\"keys\").get().get().pluginId)"), true),
            ("logic/A.kt", plugin("listOf(\"keys\").forEach { apply(libs.plugin(it)) }"), true),
            ("logic/A.kt", plugin("apply<SecretsPlugin>()"), true),
            ("logic/A.kt", plugin("apply(libs.plugins.keys.get().pluginId)"), true),
            ("logic/A.kt", plugin("apply(libs.plugins.hilt.get().pluginId)"), false),
            ("logic/a.gradle.kts", "plugins { alias(libs.plugins.keys) }", true),
            ("app/build.gradle", "\(app)\napply plugin: a.b.SecretsPlugin", true),
            ("app/build.gradle", "\(app)\nsecrets { a = 'b' }", true),
            ("app/build.gradle", "\(app)\nplugins { alias(libs.plugins.keys) }", true),
            ("app/build.gradle", app, false),
        ])
    func secrets(_ file: String, _ source: String, _ isOpen: Bool) throws {
        let hosts = try apps([file: source]).flatMap { $0.filters.flatMap(\.hosts) }
        #expect(hosts.map(\.isUnresolved) == [isOpen])
    }

    @Test(
        "a module's plugin is the project's own, also by its type, an alias or a constant",
        arguments: [
            ("apply plugin: Shop", [:]), ("apply plugin: com.shop.Shop", [:]),
            (
                "plugins { alias(libs.plugins.shop.app) }",
                [
                    "logic/build.gradle":
                        "gradlePlugin { a { id = libs.plugins.shop.app.get().pluginId } }"
                ]
            ),
            (
                "plugins { alias(libs.plugins.shop.app) }",
                [
                    "logic/build.gradle":
                        "gradlePlugin { a { id = libs.plugins.shop.app.asProvider().get().pluginId } }"
                ]
            ),
        ] as [(String, [String: String])])
    func ofProject(_ script: String, _ files: [String: String]) throws {
        let module = ["app/build.gradle": "\(Self.app)\n\(script)", "logic/A.kt": Self.plugin("")]
        let found = try apps(files.merging(module) { $1 })
        #expect(found.map { $0.changing.map(\.fact) } == [[]])
    }

    @Test(
        "what else they set leaves the rest as it is",
        arguments: [
            ("android.defaultConfig.manifestPlaceholders[\"a\"] = \"b\"", true),
            ("android.defaultConfig.resValue(\"string\", \"a\", b)", true),
            ("android { buildTypes { debug { applicationIdSuffix = \".a\" } } }", true),
            (
                "android { buildTypes { getByName(\"debug\") { applicationIdSuffix = \".a\" } } }",
                true
            ),
            (
                "android.buildTypes {\n debug {\n  applicationIdSuffix = \".a\"\n  b = c\n }\n}",
                true
            ),
            ("android.buildTypes {\n debug {\n  applicationIdSuffix = \".a\" + b\n }\n}", false),
            ("android.buildTypes {\n release {\n  applicationIdSuffix = \".a\"\n }\n}", false),
            ("android { buildTypes { release { applicationIdSuffix = \".a\" } } }", false),
            ("val a = b ?: TODO(\"c\")", true), ("val a = buildString { append(\"c\") }", true),
            ("val a = buildString { if (b) { append(\"c\") } }", true),
            ("file(\"a\").append(\"c\")", false),
            ("buildString { file(\"a\").apply { append(\"c\") } }", false),
        ])
    func settings(_ code: String, _ isKnown: Bool) throws {
        let found = try apps(["logic/A.kt": Self.plugin(code)])
        #expect(
            found.map { $0.applicationID == "a.b" && $0.changing.isEmpty && $0.unread.isEmpty }
                == [isKnown])
    }

    @Test(
        "what the project's own plugins set counts also where a script above applies them by type",
        arguments: [
            ("subprojects { apply<Shop>() }", false),
            ("project(':app') { apply plugin: Shop }", false),
            ("subprojects { plugins.apply(Shop::class.java) }", false),
            ("subprojects { apply<JacocoPlugin>() }", true),
        ])
    func above(_ script: String, _ isKnown: Bool) throws {
        let app = Self.app.replacing("shop.app", with: "com.android.application")
        let found = try apps([
            "build.gradle": script, "app/build.gradle": app,
            "logic/A.kt": Self.plugin("android.defaultConfig.applicationId = \"c.d\""),
        ])
        #expect(
            found.map { $0.applicationID == "a.b" && $0.changing.isEmpty && $0.unread.isEmpty }
                == [isKnown])
    }

    @Test(
        "a catalog of other files or of versions alone is read",
        arguments: [
            ("create('libs') { version('a', '1') }", false),
            ("create('libs') { plugin('hilt', 'com.shop.a').version('1') }", true),
            ("create('libs') { from(files('a.toml')) }", true),
        ])
    func catalogs(_ catalogs: String, _ isOpen: Bool) throws {
        let found = try apps([
            "app/build.gradle": "\(Self.app)\nplugins { alias(libs.plugins.hilt) }",
            "settings.gradle":
                "includeBuild 'logic'\na { versionCatalogs { \(catalogs) } }\ninclude ':app'",
            "a.toml": "[plugins]\nhilt = 'com.shop.a:1'",
        ])
        #expect(found.map { $0.changing.map(\.name) } == [isOpen ? ["app/build.gradle"] : []])
    }
}
