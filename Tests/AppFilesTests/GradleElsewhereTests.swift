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
    ]

    @Test(
        "what may set the application ID leaves it open wherever it stands", arguments: statements)
    func elsewhere(_ row: (script: String, id: String?)) throws {
        let found = try androidApps(["app/build.gradle": Self.app + row.script])
        #expect(found.map(\.applicationID) == [row.id])
    }

    @Test func `the block of an extension's type is android`() throws {
        for heading in [
            "configure<ApplicationExtension>", "extensions.configure<AppExtension>(\"android\")",
        ] {
            let found = try androidApps([
                "app/build.gradle.kts": "\(heading) { defaultConfig { applicationId = \"a.c\" } }"
            ])
            #expect(found.map(\.applicationID) == ["a.c"], "\(heading)")
        }
    }
}
