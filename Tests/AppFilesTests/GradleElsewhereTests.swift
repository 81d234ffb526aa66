import TestSupport
import Testing

@testable import AppFiles

/// Statements on a release that stand in a block of another thing, or in a value.
@Suite("Settings of releases that stand elsewhere")
struct GradleElsewhereTests {
    private static let app = "android { defaultConfig { applicationId 'a.b' } }\n"

    /// What stands behind the script that sets `a.b`, and the application ID.
    static let statements: [(script: String, id: String?)] = [
        ("android { buildTypes { debug { release.applicationIdSuffix = '.c' } } }", nil),
        (
            "android { buildTypes { debug { buildTypes.release { applicationIdSuffix '.c' } } } }",
            nil
        ),
        ("android { buildTypes { debug { owner.release { applicationIdSuffix '.c' } } } }", nil),
        ("android { buildTypes { debug { if (d) { release.applicationIdSuffix = '.c' } } } }", nil),
        ("android { buildTypes { debug { applicationIdSuffix '.c' } } }", "a.b"),
        ("android { buildTypes { debug { it.applicationIdSuffix = '.c' } } }", "a.b"),
        ("android { buildTypes { debug { if (d) { applicationIdSuffix '.c' } } } }", "a.b"),
        ("android { defaultConfig { versionName \"1${applicationId('c')}\" } }", nil),
        ("android { defaultConfig { versionName \"1${applicationId = 'c'}\" } }", nil),
        ("android { defaultConfig { versionName \"${applicationId}-1\" } }", "a.b"),
        ("android { defaultConfig { (applicationId, versionName) = ['c', '1'] } }", nil),
        ("android { defaultConfig { (versionCode, versionName) = [1, '1'] } }", "a.b"),
        ("android { defaultConfig { applicationId =\n// The shop.\n'c' } }", "c"),
        (
            "android { defaultConfig { with(manifestPlaceholders) { c.forEach { (k, v) -> put(k, v) } } } }",
            nil
        ),
        ("android { defaultConfig { with(manifestPlaceholders) { put('c', 'd') } } }", "a.b"),
        ("android { defaultConfig { 'applicationId' 'c' } }", nil),
        (
            "android { buildTypes { b { applicationIdSuffix '.s' }\nrelease { it.initWith(b) } } }",
            nil
        ),
        (
            "android { buildTypes { b { applicationIdSuffix '.s' }\nrelease { r -> r.initWith(b) } } }",
            nil
        ),
        (
            "android { buildTypes { b { debuggable true }\nrelease { if (c) { initWith(b) } } } }",
            nil
        ),
        ("androidComponents { onVariants { v -> println(v.applicationId.get()) } }", "a.b"),
        ("androidComponents { onVariants { v -> v.applicationId.set('c') } }", nil),
        ("androidComponents { onVariants { v -> a = when (b) { c -> applicationId } } }", "a.b"),
        ("project\n  .android.defaultConfig.applicationId = 'c'", nil),
        ("def android(Closure c) { println 'a' }", nil), ("def android = new Shop()", nil),
        ("def android = project.android", "a.b"), ("val android = \"8.0\"", "a.b"),
        ("android.buildTypes.all { t -> t.resValue 'string', 'c', 'd' }", "a.b"),
        (
            "android.buildTypes.all { t -> t.resValue 'string', 'c', 'd'; t.applicationIdSuffix 'e' }",
            nil
        ),
    ]

    @Test(
        "what may set the application ID leaves it open wherever it stands", arguments: statements)
    func elsewhere(_ row: (script: String, id: String?)) throws {
        let found = try androidApps(["app/build.gradle": Self.app + row.script])
        #expect(found.map(\.applicationID) == [row.id])
    }

    /// Scripts of modules whose package is `a.ns`, and the application ID.
    static let packages: [(script: String, id: String?)] = [
        ("plugins { id 'com.android.application' }\n%", "a.ns"),
        ("plugins { id(\"com.android.application\") version \"8.5.0\" }\n%", "a.ns"),
        ("plugins { alias(libs.plugins.android.application) }\n%", "a.ns"),
        ("apply plugin: 'com.android.application'\n%", "a.ns"),
        (
            "plugins { id 'com.android.application' }\n%android { buildTypes { release { applicationIdSuffix 'r' } } }",
            "a.ns.r"
        ),
        ("plugins { id 'com.android.application' }\n%android.defaultConfig.applicationId = b", nil),
        ("plugins { id 'com.android.application'\nid 'com.example.own' }\n%", "a.ns"),
        ("plugins { id 'com.android.application' apply false }\n%", nil),
        ("plugins { id 'com.android.library' }\n%", nil), ("%", nil),
        (
            "if (a) { apply plugin: 'com.android.application' } else { apply plugin: 'com.android.library' }\n%",
            nil
        ),
        ("def a = plugins.hasPlugin('com.android.application')\n%", nil),
        ("%android { defaultConfig { applicationId = namespace } }", "a.ns"),
        ("%android { defaultConfig { applicationId namespace } }", "a.ns"),
        ("%android.defaultConfig.applicationId = android.namespace", "a.ns"),
        ("def namespace = 'b'\n%android.defaultConfig.applicationId = namespace", nil),
        (
            "def namespace = 'b'\nandroid.namespace = 'c'\nandroid.defaultConfig.applicationId = namespace",
            "b"
        ),
        ("%android { defaultConfig { applicationId = namespace + '.b' } }", nil),
        ("android { defaultConfig { applicationId = namespace } }\n%", nil),
    ]

    @Test("the package is the application ID of an app without another one", arguments: packages)
    func packageOfApp(_ row: (script: String, id: String?)) throws {
        let script = row.script.replacing("%", with: "android { namespace = \"a.ns\" }\n")
        let found = try androidApps(["app/build.gradle": script])
        #expect(found.map(\.applicationID) == [row.id])
        let isOfApplication = GradleScript(Array(script.utf8)).isOfApplication
        #expect(row.id == nil || isOfApplication)
    }

    @Test func `the block of an extension's type is android`() throws {
        for heading in [
            "configure<ApplicationExtension>", "extensions.configure<AppExtension>(\"android\")",
            "val android = extensions.getByType(AppExtension::class.java)\nandroid.apply",
        ] {
            let found = try androidApps([
                "app/build.gradle.kts": "\(heading) { defaultConfig { applicationId = \"a.c\" } }"
            ])
            #expect(found.map(\.applicationID) == ["a.c"], "\(heading)")
        }
    }
}
