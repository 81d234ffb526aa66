import TestSupport
import Testing

@testable import AppFiles

@Suite("Modules that a settings script includes")
struct IncludedModuleTests {
    /// The reasons why the verdict on `app` is open.
    private func facts(_ settings: [String: String]) throws -> [String] {
        let app =
            "plugins { id 'com.android.application' }\n"
            + "android { defaultConfig { applicationId 'a.b' } }\n"
        let found = try androidApps(["app/build.gradle": app].merging(settings) { $1 })
        #expect(found.map(\.applicationID) == ["a.b"])
        return found.flatMap { $0.unread.map(\.fact) }
    }

    private static let left = ["it does not include the module \"app\""]
    private static let open = [
        "it computes which modules it includes, and \"app\" may be none"
    ]

    /// Settings scripts, and why the verdict on `app` is open.
    static let scripts: [(script: String, facts: [String])] = [
        ("include ':app'", []), ("include(\":lib\", \":app\")", []), ("include 'app:lib'", []),
        ("include ':lib',\n  ':app'", []), ("include(\n\":lib\",\n\":app\",\n)", []),
        ("include(listOf(\":lib\", \":app\"))", []), ("include(':lib')\nincludeBuild 'app'", []),
        ("include ':lib'\nproject(':lib').projectDir = file('app')", []),
        ("include ':lib'\nproject(':lib').projectDir = file(\"$rootDir/app\")", []),
        ("include ':other' + ':app'", []),
        ("['lib', 'app'].each { include it }", []),
        ("val a = listOf(\"lib\", \"app\")\na.forEach { include(\":$it\") }", []),
        ("def a = ['lib', 'app'] as String[]\ninclude a", []),
        ("", []), ("includeBuild 'logic'", []), ("rootProject.name = 'app'", []),
        ("include ':lib'", left), ("include ':lib', ':other:app'", left),
        ("include ':lib'\n// include ':app'", left), ("include 'apps'", left),
        ("include ':lib'\nrootProject.name = 'app'", left),
        ("plugins { id 'com.gradle.develocity' }\ninclude ':lib'", left),
        ("plugins { id 'shop.modules' }\ninclude ':lib'", []),
        ("include ':lib'\napply from: 'more.gradle'", []),
        ("file('.').listFiles().each { include it.name }", []),
        ("['lib', 'other'].each { include it }", open),
        ("include providers.gradleProperty('modules').get()", open),
        ("if (a) { include ':app' }\ninclude b", []),
        ("include ':lib'\nfile('features').list().each { include it }", []),
        ("val list = listOf(\":lib\")\ninclude(list)", open),
        ("include(\":lib\")\nfile(\"a\").toPath().listDirectoryEntries().forEach { a(it) }", []),
        ("google { content { includeGroupByRegex(\"com\\\\.a.*\") } }\ninclude ':lib'", left),
        ("def a = 'com\\\\.a'\ninclude ':lib'", []),
    ]

    @Test("the verdict on another module is open", arguments: scripts)
    func included(_ row: (script: String, facts: [String])) throws {
        #expect(try facts(["settings.gradle": row.script]) == row.facts)
    }

    /// Settings scripts, and whether they may include the module in `modules/my app`.
    static let places: [(script: String, isIncluded: Bool)] = [
        ("include ':my app'", false), ("include ':modules:my app'", true),
        (
            "include ':my app'\nrootProject.children.each { it.projectDir = file(\"modules/${it.name}\") }",
            true
        ),
        ("include ':my app'\nproject(':my app').projectDir = new File(base, 'my app')", true),
        ("include ':my app'\nproject(':my app').setProjectDir(a.resolve('my app'))", true),
        ("include ':my app'\nproject(':my app').projectDir = new File(rootDir, 'my app')", false),
        ("include ':lib'\nproject(':lib').projectDir = file('modules/my app')", true),
        ("include ':my app'\nprintln(project(':my app').projectDir)", false),
        (
            "include ':my app'\nrootProject.projectDir = rootProject.projectDir = file('my app')",
            true
        ),
    ]

    @Test("a module can be moved into a directory that is computed", arguments: places)
    func moved(_ row: (script: String, isIncluded: Bool)) {
        let tokens = GradleLexer.tokens(of: Array(row.script.utf8), in: "settings.gradle")
        let answer = IncludedModules(of: tokens).answer(Array("modules/my app".utf8)[...])
        #expect(answer == (row.isIncluded ? .included : .left))
    }

    @Test func `the script next above a module decides`() throws {
        let (own, other) = ("include ':app'", "include ':lib'")
        #expect(try facts(["settings.gradle": other, "app/settings.gradle": other]) == [])
        #expect(try facts(["settings.gradle": own, "lib/settings.gradle": other]) == [])
        // Gradle reads the one of Groovy first.
        let both = ["settings.gradle": own, "settings.gradle.kts": other]
        #expect(try facts(both) == [])
    }

    @Test func `scripts with many words are read in linear time`() {
        func time(_ count: Int) -> Duration {
            let words = String(repeating: "include ", count: count) + "'a'\n"
            let text = words + "include '" + String(repeating: "a:", count: count) + "'"
            let tokens = GradleLexer.tokens(of: Array(text.utf8), in: "settings.gradle")
            return processorTime { _ = IncludedModules(of: tokens) }
        }
        #expect((1...3).contains { _ in time(40_000) < time(4_000) * 25 + .milliseconds(100) })
    }
}
