import TestSupport
import Testing

@testable import AppFiles

@Suite("Gradle plugins of a project's own")
struct GradlePluginTests {
    private static let app =
        "plugins { id 'shop.app' }\nandroid { defaultConfig { applicationId 'a.b' } }\n"
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
        "files that set something have a limit",
        arguments: [(2_000_000, false), (2_100_000, true)])
    func limit(_ row: (bytes: Int, isOpen: Bool)) throws {
        let rest = String(repeating: " ", count: row.bytes)
        #expect(
            try open(["buildSrc/A.kt": "// applicationId\n\(rest)"])
                == [row.isOpen ? ["buildSrc/A.kt"] : []])
        #expect(try open(["buildSrc/A.kt": rest]) == [[]])
    }
}
