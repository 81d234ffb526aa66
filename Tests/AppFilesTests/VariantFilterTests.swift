import TestSupport
import Testing

@testable import AppFiles

@Suite("Variants that a script switches off")
struct VariantFilterTests {
    private static let app =
        "android { defaultConfig { applicationId 'a.b' }\nbuildTypes { beta { } }\n"
        + "productFlavors { mock { dimension 'env'\napplicationIdSuffix '.m' }\nprod { dimension 'env' } } }\n"

    /// Filters, and the flavours whose releases they may switch off.
    static let filters: [(script: String, flavors: [String])] = [
        ("android.variantFilter { v -> if (v.buildType.name == 'debug') setIgnore(true) }", []),
        (
            "android { variantFilter { v -> if (v.buildType.name == 'beta') { ignore = true } } }",
            []
        ),
        (
            "android { variantFilter { if (it.name == 'mockRelease') { it.ignore = true } } }",
            ["mock"]
        ),
        ("android { variantFilter { if (it.name == 'mockDebug') { it.ignore = true } } }", []),
        (
            "android.variantFilter { v ->\nif (v.buildType.name == 'release'\n"
                + "&& v.getFlavors().get(0).name == 'mock') {\nv.setIgnore(true)\n}\n}", ["mock"]
        ),
        (
            "android.variantFilter { v -> if (v.buildType.name == 'debug' && v.flavors*.name.contains('prod')) { setIgnore(true) } }",
            []
        ),
        (
            "android.variantFilter { ignore = name == 'mockRelease' || name == 'mockDebug' }",
            ["mock"]
        ),
        (
            "android.variantFilter { v -> v.setIgnore(v.name in ['mockRelease', 'prodBeta']) }",
            ["mock"]
        ),
        ("android.variantFilter { ignore = name != 'prodRelease' }", ["mock", "prod"]),
        (
            "android.variantFilter { v -> if (v.name in skipped) setIgnore(true) }",
            ["mock", "prod"]
        ),
        (
            "android.variantFilter { if (b || name == 'mockRelease') { ignore = true } }",
            ["mock", "prod"]
        ),
        (
            "android.variantFilter { if (name == 'prodRelease') return\nignore = true }",
            ["mock", "prod"]
        ),
        (
            "android.variantFilter { if (name == 'prodDebug') { ignore = true }\nif (name == 'mockRelease') { ignore = true } }",
            ["mock"]
        ),
        (
            "androidComponents { beforeVariants(selector().withBuildType(\"debug\")) { it.enable = false } }",
            []
        ),
        (
            "androidComponents { beforeVariants(selector().withFlavor(\"env\" to \"mock\").withBuildType(\"release\")) { it.enable = false } }",
            ["mock"]
        ),
        (
            "androidComponents { beforeVariants(selector().withFlavor(Pair(\"env\", \"mock\")).withBuildType(\"beta\")) { b -> b.enabled = false } }",
            []
        ),
        (
            "androidComponents.beforeVariants { b -> b.enable = b.flavorName == \"prod\" }",
            ["mock", "prod"]
        ),
        ("androidComponents { beforeVariants { it.enable = false } }", ["mock", "prod"]),
        ("androidComponents { beforeVariants { it.enableAndroidTest = false } }", []),
        ("androidComponents { beforeVariants { it.androidTest.enable = false } }", []),
        ("androidComponents { beforeVariants { it.hostTests[\"UnitTest\"]?.enable = false } }", []),
        ("androidComponents { onVariants { it.enable = false } }", []),
        (
            "def f = { it.enable = false }\nandroidComponents.beforeVariants(selector().all(), f)",
            ["mock", "prod"]
        ),
    ]

    /// Filters with conditions of several parts.
    static let conditions: [(script: String, flavors: [String])] = [
        (
            "if ((flavorName == 'mock' && buildType.name == 'debug') || isCI) { ignore = true }",
            ["mock", "prod"]
        ),
        (
            "if (flavorName == 'mock' && (buildType.name == 'debug' || onCI)) { ignore = true }",
            ["mock", "prod"]
        ),
        ("if (name in ['mockDebug', 'prodDebug'] || isCI) { ignore = true }", ["mock", "prod"]),
        (
            "if (flavorName == 'mock' && buildType.name == 'debug' || name == 'prodBeta') { ignore = true }",
            []
        ),
        ("ignore = name == 'mockRelease' ||\nonCI", ["mock", "prod"]),
        ("ignore = flavors.any { it.name == 'mock' } || onCI", ["mock", "prod"]),
        ("if (['mock', 'debug'].any { name.contains(it) }) { ignore = true }", ["mock"]),
        (
            "if (name in ['mockDebug', 'mockRelease'] && buildType.name in ['beta', 'debug']) { ignore = true }",
            []
        ),
        (
            "if ([['mock', 'release'], ['prod', 'debug']].any { it == names }) { ignore = true }",
            ["mock", "prod"]
        ),
        ("if (flavors.any { it.name == 'mock' }) { ignore = true }", ["mock"]),
        (
            "if (flavorName == 'mock') { log() }\nif (onCI) { ignore = true }", ["mock", "prod"]
        ),
        ("if (flavorName == 'mock') log()\nif (onCI) ignore = true", ["mock", "prod"]),
        ("def isMock = flavorName == 'mock'\nif (onCI) { ignore = true }", ["mock", "prod"]),
        ("if (flavorName == 'mock')\nignore = true", ["mock"]),
        ("v -> if (v.flavorName == 'mock')\nv.ignore = true", ["mock"]),
        (
            "if (buildType.name == 'debug') { if (onCI || a) { log() }\nif (onCI || a) { ignore = true } }",
            []
        ),
        (
            "if (name == 'prodBeta') { log() } else if (flavorName == 'mock') { ignore = true }",
            ["mock"]
        ),
        ("if (name == 'mockRelease') { log() } else { ignore = true }", ["mock", "prod"]),
        ("flavors.each({ if (it.name == 'mock') { ignore = true } })", ["mock"]),
        (
            "flavors.each({ if (it.name == 'mock') { log() }\nif (onCI) { ignore = true } })",
            ["mock", "prod"]
        ),
        ("if (['prodRelease'].indexOf(name) == -1) { ignore = true }", ["mock", "prod"]),
        ("if (['prod'].find { it == flavorName } == null) { ignore = true }", ["mock", "prod"]),
        ("if ((flavorName == 'prod') ^ true) { ignore = true }", ["mock", "prod"]),
        ("if (names - ['prod']) { ignore = true }", ["mock", "prod"]),
        ("flavors.each { f -> if (f.name == 'mock') { ignore = true } }", ["mock"]),
        ("if (name.endsWith('Debug')) { ignore = true }", []),
        ("v -> if (v.getFlavors().\nget(0).name.\nequals('mock')) { ignore = true }", ["mock"]),
    ]

    /// Conditions that are not surely about the variant, with what stands before the block.
    static let others: [(before: String, condition: String)] = [
        ("def env = System.getenv('ENV') ?: 'mock'", "env == 'mock'"),
        ("ext.mode = 'mock'", "rootProject.ext.mode == 'mock'"), ("", "project.name == 'mock'"),
        ("def cfg = [name: 'mock']", "cfg.name == 'mock'"),
        ("def name = 'mockRelease'", "name == 'mockRelease'"),
        ("String flavorName = 'mock'", "flavorName == 'mock'"),
        ("", "gradle.startParameter.taskNames.any { it.contains('mock') }"),
        ("", "'mock' in taskNames"), ("", "it.name == 'mock'"), ("", "'mock' == 'mock'"),
        ("", "v.name < 'mockRelease'"), ("", "v.name.replace('mock', 'a') == 'mock'"),
    ]

    @Test("a condition about something else may hold for each flavour", arguments: others)
    func holds(_ row: (before: String, condition: String)) throws {
        let filter = "android.variantFilter { v -> if (\(row.condition)) { v.ignore = true } }"
        try dropped(("\(row.before)\n\(filter)", ["mock", "prod"]))
    }

    /// Statements that may switch each variant off, of a block whose parameter is `v`.
    static let statements = [
        "(v as VariantBuilder).enable = false", "v.takeIf { true }?.enable = false", "off(v)",
        "off v", "v.off()", "v::enable.set(false)", "v.setProperty('enable', false)",
        "if (name == 'mock') { v.enable = false }",
        "taskNames.each { t -> if (t == 'mock') { v.enable = false } }",
        "cfg.with { if (it == 'mock') { v.enable = false } }",
    ]

    @Test("other forms may switch off each flavour", arguments: statements)
    func switches(_ statement: String) throws {
        let filter = "androidComponents.beforeVariants { v ->\n\(statement)\n}"
        try dropped((filter, ["mock", "prod"]))
    }

    @Test func `a function may switch off the flavour of the condition around it`() throws {
        try dropped(("android.variantFilter { v -> if (v.name == 'mockBeta') { off(v) } }", []))
        try dropped(
            ("android.variantFilter { if (it.flavorName == 'mock') { off(it) } }", ["mock"]))
    }

    @Test func `flavours that are removed may be those of releases`() throws {
        let removal = "finalizeDsl { it.productFlavors.removeIf { f -> f.name == 'mock' } }"
        try dropped(("androidComponents { \(removal) }", ["mock", "prod"]))
    }

    /// Files that may switch off the releases of a module which applies the plugin of one, and whether they do.
    static let elsewhere: [(name: String, text: String, isOpen: Bool)] = [
        ("build.gradle", "subprojects { afterEvaluate { android.variantFilter { OFF } } }", true),
        ("build.gradle", "project(':app') { android.variantFilter { OFF } }", true),
        (
            "build.gradle",
            "subprojects { plugins.withId('a') { androidComponents.beforeVariants { OFF } } }", true
        ),
        ("build.gradle", "subprojects { androidComponents.beforeVariants { TESTS } }", false),
        ("settings.gradle", "gradle.beforeProject { a.beforeVariants { OFF } }", true),
        ("buildSrc/src/main/groovy/shop.app.gradle", "a.beforeVariants { OFF }", true),
        ("buildSrc/src/main/kotlin/A.kt", "fun a() { a.beforeVariants { OFF } }", true),
        ("buildSrc/src/main/groovy/shop.app.gradle", "android.variantFilter { OFF }", true),
        ("buildSrc/src/main/groovy/shop.app.gradle", "a.beforeVariants { TESTS }", false),
        ("buildSrc/src/main/groovy/shop.app.gradle", "b { OFF }", false),
        (
            "buildSrc/src/main/groovy/shop.app.gradle", "android.productFlavors.removeIf { a }",
            true
        ),
        ("buildSrc/src/main/groovy/shop.app.gradle", "android.buildTypes.removeIf { a }", true),
    ]

    @Test("other scripts and plugins may switch releases off", arguments: elsewhere)
    func isElsewhere(_ row: (name: String, text: String, isOpen: Bool)) throws {
        let text = row.text.replacing("OFF", with: "it.enable = false")
            .replacing("TESTS", with: "it.androidTest.enable = false")
        var files = [
            "app/build.gradle": "plugins { id 'shop.app' }\n\(Self.app)",
            "settings.gradle": "include ':app'",
        ]
        files[row.name] = row.name == "settings.gradle" ? "include ':app'\n\(text)" : text
        let found = try androidApps(files)
        #expect(found.contains { !$0.unread.isEmpty } == row.isOpen)
    }

    @Test("conditions of several parts are read", arguments: conditions)
    func parts(_ row: (script: String, flavors: [String])) throws {
        try dropped(("android.variantFilter { \(row.script) }", row.flavors))
    }

    @Test func `the name of a build type can be in that of a flavour`() throws {
        let script = """
            android { defaultConfig { applicationId 'a.b' }
            buildTypes { staging { } }
            productFlavors { stagingUS { }
            prod { } }
            variantFilter { if (name.contains('staging')) { ignore = true } } }
            """
        let found = try androidApps(["app/build.gradle": script])
        #expect(found.filter { !$0.unread.isEmpty }.compactMap(\.flavor) == ["stagingUS"])
    }

    @Test("the verdicts of flavours that nobody may have are open", arguments: filters)
    func dropped(_ row: (script: String, flavors: [String])) throws {
        let found = try androidApps(["app/build.gradle": Self.app + row.script])
        #expect(found.map(\.applicationID) == ["a.b.m", "a.b"])
        let open = found.filter { !$0.unread.isEmpty }
        #expect(open.compactMap(\.flavor) == row.flavors)
        #expect(open.allSatisfy { $0.isUncertain && $0.unread.map(\.name) == ["app/build.gradle"] })
    }

    @Test(
        "without flavours, the release may be switched off",
        arguments: [
            ("ignore = name in skipped", true), ("ignore = name == 'release'", true),
            ("ignore = true", true), ("ignore = name == 'debug'", false),
        ])
    func withoutFlavors(_ row: (statement: String, isOpen: Bool)) throws {
        let script =
            "android { defaultConfig { applicationId 'a.b' }\nvariantFilter { \(row.statement) } }"
        let found = try androidApps(["app/build.gradle": script])
        #expect(found.map(\.unread.isEmpty) == [!row.isOpen])
    }

    @Test func `blocks that are too long may switch off each flavour`() throws {
        func names(_ words: Int, _ heading: Int = 0) throws -> [String] {
            let text = String(repeating: "a ", count: words)
            let before = String(repeating: ", a", count: heading)
            let script = "android.variantFilter\(before) {\(text)}"
            return try androidApps(["app/build.gradle": Self.app + script])
                .filter { !$0.unread.isEmpty }.compactMap(\.flavor)
        }
        let most = AppFileLimits.filterTokensMax
        #expect(try names(most - 2) == [] && names(most - 1) == ["mock", "prod"])
        #expect(try names(0, most / 2 - 1) == [] && names(0, most / 2) == ["mock", "prod"])
    }

    @Test("so may a chain that is too long", arguments: [(67, []), (68, ["mock", "prod"])])
    func chain(_ links: Int, _ open: [String]) throws {
        // A word of three bytes for each link, beside the first one.
        let word = "ab" + String(repeating: ".ab", count: links - 1)
        let script = "android.variantFilter { \(word) }"
        let apps = try androidApps(["app/build.gradle": Self.app + script])
        #expect(apps.filter { !$0.unread.isEmpty }.compactMap(\.flavor) == open)
    }
}
