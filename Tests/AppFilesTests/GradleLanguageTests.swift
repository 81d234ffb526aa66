import TestSupport
import Testing

@testable import AppFiles

/// Where comments, texts and lines end in Groovy and in Kotlin.
@Suite("Languages of Gradle scripts")
struct GradleLanguageTests {
    private static let app = "android { defaultConfig { applicationId = \"a.b\" } }\n"
    private static let other = "android { defaultConfig { applicationId = \"c\" } }"

    /// What stands behind the script that sets `a.b`, and the application ID in each language.
    static let rests: [(rest: String, groovy: String?, kotlin: String?)] = [
        ("/* a /* b */ \(other) */", "c", "a.b"), ("/* a /* b */ */ \(other)", nil, "c"),
        ("/*/ \(other) /* */", "a.b", "a.b"), ("/* a */ \(other)", "c", "c"),
        ("val p = \"\"\"C:\\\"\"\"\n\(other)\nval q = \"\"\"D:\\\"\"\"", "a.b", "c"),
        ("val p = \"\"\"\"a\"\"\"\" ; \(other)", "a.b", "c"),
        ("val p = \"C:\\\"\" ; \(other) // \"", "c", "c"),
        ("def n = i++ / 2\n\(other)\ndef m = 4 / 2", "c", "c"),
        ("def n = i-- /2\n\(other)\ndef m = 1 /2", "c", "c"),
        ("def n = i + /2\n\(other)\n/", "a.b", "c"),
        ("// a\r\(other)", "c", "c"), ("// a\r\n\(other)", "c", "c"),
        ("def h = t$/2\n\(other)\n// /$", "c", "c"),
        ("def p = $/a $/$ /$ ; \(other) // /$", "c", "c"),
        ("def p = $/a $/$\n\(other) /$", "a.b", "c"), ("def p = $/a $$/$\n\(other)", "c", "c"),
        ("val `'''` = 1\n\(other)\nval `'''x` = 2", "a.b", "c"),
        ("val `a//b` = 1 ; \(other)", "a.b", "c"),
    ]

    @Test("comments, texts and lines end as in the script's language", arguments: rests)
    func ends(_ row: (rest: String, groovy: String?, kotlin: String?)) throws {
        for (name, id) in [("build.gradle", row.groovy), ("build.gradle.kts", row.kotlin)] {
            let found = try androidApps(["app/\(name)": Self.app + row.rest])
            #expect(found.map(\.applicationID) == [id], "\(name)")
        }
    }

    @Test func `a script that is applied has its own language`() throws {
        let found = try androidApps([
            "app/build.gradle": "apply from: 'x.gradle.kts'\n\(Self.app)",
            "app/x.gradle.kts": "/* /* */ \(Self.other) */",
        ])
        #expect(found.map(\.applicationID) == ["a.b"])
    }
}
