import TestSupport
import Testing

@testable import AppFiles

/// Which statements of a script run, and of scripts that it applies.
@Suite("Flow of Gradle scripts")
struct GradleFlowTests {
    private static let app = "android { defaultConfig { applicationId 'a.b' } }\n"

    @Test func `a script of another module that the directory does not have is open`() throws {
        for script in ["project(':shared').file('x.gradle')", "\"${project(':a').projectDir}/b\""] {
            let found = try androidApps([
                "app/build.gradle": "\(Self.app)apply from: \(script)", "shared/y.gradle": "",
            ])
            #expect(found.map { $0.unread.map(\.name) } == [["app/build.gradle"]], "\(script)")
        }
    }

    /// Scripts that return before they end, and what is known of the application ID.
    static let returning: [(script: String, id: String?)] = [
        ("if (!b) return\n\(app)", nil), ("if (!b) { return }\n\(app)", nil),
        ("return\n\(app)", nil), ("\(app)if (!b) return\nc()", "a.b"),
        ("if (b) { c() } else { return }\n\(app)", nil),
        ("for (b in names) { if (b) return }\n\(app)", nil),
        ("try { return } finally { }\n\(app)", nil),
        ("switch (b) { case 'c': return }\n\(app)", nil),
        ("if (names.any { it == 'b' }) { return }\n\(app)", nil),
        ("if (names.any { it == 'b' }) return\n\(app)", nil),
        ("if (names.any { return it == 'b' }) { c() }\n\(app)", "a.b"),
        ("names.each { if (it) return }\n\(app)", "a.b"),
        ("names.findAll({ it }).each { return }\n\(app)", "a.b"),
        ("def f() { if (b) return\nc() }\n\(app)", "a.b"),
        ("def f()\n{\nreturn 'b'\n}\n\(app)", "a.b"),
        ("def b = { -> return 'c' }\n\(app)", "a.b"),
        ("android { defaultConfig { if (b) return\napplicationId 'a.b' } }", nil),
        ("android { defaultConfig { applicationId 'a.b'\nif (b) return\nprintln('c') } }", "a.b"),
        ("android { defaultConfig { if (b) return } }\n\(app)", "a.b"),
        ("android { if (b) return\ndefaultConfig { applicationId 'a.b' } }", nil),
        ("android { b.let { return@android }\ndefaultConfig { applicationId 'a.b' } }", nil),
        ("android { b.let { return@let }\ndefaultConfig { applicationId 'a.b' } }", "a.b"),
        ("\(app)android { productFlavors { if (b) return\nc { } } }", nil),
        (
            "\(app)android { buildTypes { create('release') { if (b) return@create\napplicationIdSuffix '.c' } } }",
            nil
        ),
        ("apply from: 'plain.gradle'\n\(app)", "a.b"), ("apply from: 'own.gradle'\n\(app)", nil),
        ("\(app)if (b) return\napply from: 'x.gradle'", nil),
    ]

    @Test("what stands behind a return may not run", arguments: returning)
    func returns(_ row: (script: String, id: String?)) throws {
        let found = try androidApps([
            "app/build.gradle": row.script, "app/plain.gradle": "if (b) return\nc()",
            "app/own.gradle": "if (b) return\nandroid.defaultConfig.applicationId = 'c'",
            "app/x.gradle": "android.defaultConfig.applicationId = 'c'",
        ])
        #expect(found.map(\.applicationID) == [row.id])
    }

    @Test func `a call behind a return may be of the project's own plugins`() throws {
        for call in ["shop()", "shop { b = 1 }"] {
            let found = try androidApps([
                "app/build.gradle": "\(Self.app)if (b) return\n\(call)",
                "buildSrc/A.kt": "android.defaultConfig.applicationId = \"c\"",
            ])
            #expect(found.map(\.applicationID) == [nil], "\(call)")
        }
    }
}
