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
    ]

    @Test("the verdicts of flavours that nobody may have are open", arguments: filters)
    func dropped(_ row: (script: String, flavors: [String])) throws {
        let found = try androidApps(["app/build.gradle": Self.app + row.script])
        #expect(found.map(\.applicationID) == ["a.b.m", "a.b"])
        let open = found.filter { !$0.unread.isEmpty }
        #expect(open.compactMap(\.flavor) == row.flavors)
        #expect(open.allSatisfy { $0.isUncertain && $0.unread.map(\.name) == ["app/build.gradle"] })
    }

    @Test func `without flavours, nothing is open`() throws {
        let script =
            "android { defaultConfig { applicationId 'a.b' }\nvariantFilter { ignore = name in skipped } }"
        #expect(try androidApps(["app/build.gradle": script]).map(\.unread.count) == [0])
    }

    @Test func `blocks that are too long may switch off each flavour`() throws {
        func names(_ words: Int) throws -> [String] {
            let text = String(repeating: "a ", count: words)
            let script = "android.variantFilter {\(text)}"
            return try androidApps(["app/build.gradle": Self.app + script])
                .filter { !$0.unread.isEmpty }.compactMap(\.flavor)
        }
        #expect(try names(AppFileLimits.filterTokensMax - 1) == [])
        #expect(try names(AppFileLimits.filterTokensMax) == ["mock", "prod"])
    }
}
