import TestSupport
import Testing

@testable import AppFiles

@Suite("Gradle scripts")
struct GradleTests {
    private func variants(_ text: String) -> [String] {
        GradleScript(Array(text.utf8)).variants.map { variant in
            let hosts = variant.placeholders.filter { $0.key == Array("host".utf8) }
            return ([variant.flavor, variant.applicationID ?? "?"] + hosts.map { $0.value ?? "?" })
                .compactMap(\.self).joined(separator: " ")
        }
    }

    static let scripts: [(script: String, variants: [String])] = [
        ("", ["?"]),
        ("android { defaultConfig { applicationId \"a.b\" } }", ["a.b"]),
        ("android {\n defaultConfig {\n applicationId = 'a.b' // c\n }\n}", ["a.b"]),
        ("android.defaultConfig.applicationId = \"a.b\"", ["a.b"]),
        ("android { defaultConfig { applicationId(\"a.b\") } }", ["a.b"]),
        ("def id = 'a.b'\nandroid { defaultConfig { applicationId id } }", ["a.b"]),
        ("val id = \"a.b\"\nandroid { defaultConfig { applicationId = id } }", ["a.b"]),
        ("def id = 'a.b'\nid = 'c'\nandroid { defaultConfig { applicationId id } }", ["?"]),
        ("def id = 'a'\nid += 'c'\nandroid { defaultConfig { applicationId id } }", ["?"]),
        ("def id = 'a'\nif (b) id = 'c'\nandroid.defaultConfig.applicationId = id", ["?"]),
        ("def id = 'a'\nif (b == id) c()\nandroid.defaultConfig.applicationId = id", ["a"]),
        ("android { defaultConfig { applicationId \"a.$b\" } }", ["?"]),
        ("def r = ~/.*\"x/\nandroid.defaultConfig.applicationId = 'a.b'", ["a.b"]),
        ("def r = 4 / 2 // '\nandroid.defaultConfig.applicationId = 'a.b'", ["a.b"]),
        ("android { defaultConfig { applicationId project.env.get(\"ID\") } }", ["?"]),
        ("android { defaultConfig { applicationId \"a\" + b } }", ["?"]),
        ("android { defaultConfig { if (a) { applicationId \"a.b\" } } }", ["?"]),
        (
            "android { defaultConfig { applicationId 'a'\n /* applicationId 'b' */ }\n buildTypes { debug { applicationIdSuffix '.d' } } }",
            ["a"]
        ),
        (
            "android { defaultConfig { applicationId 'a' }\n buildTypes { getByName(\"release\") { applicationIdSuffix = \".r\" } } }",
            ["a.r"]
        ),
        (
            "android { defaultConfig { applicationId 'a' }\n productFlavors { dev { applicationIdSuffix '.dev' }\n prod { dimension 'x'\n applicationId 'b' } } }",
            ["?"]
        ),
        (
            "android { defaultConfig { applicationId 'a' }\n productFlavors { create('dev') { dimension 'x'\n applicationIdSuffix '.dev' }\n prod { dimension 'x'\n applicationId 'b' } } }",
            ["dev a.dev", "prod b"]
        ),
        (
            "android { defaultConfig { applicationId 'a' }\n productFlavors { x { dimension 'y' }\n z { dimension 'q' } } }",
            ["?"]
        ),
        (
            "android { defaultConfig { applicationId 'a' }\n productFlavors { dev { applicationIdSuffix '.dev' }\n prod { } } }",
            ["dev a.dev", "prod a"]
        ),
        (
            "android { defaultConfig { applicationId = \"a\" }\n buildTypes { release { applicationIdSuffix = if (ci) { \".ci\" } else null } } }",
            ["?"]
        ),
        (
            "android { defaultConfig { applicationId 'a' }\n productFlavors { names.each { name -> create(name) { } } } }",
            ["?"]
        ),
        (
            "android { defaultConfig { applicationId 'a'\n manifestPlaceholders = [\n host: 'x.y', b: c ] } }",
            ["a x.y"]
        ),
        (
            "android { defaultConfig { applicationId 'a'\n manifestPlaceholders[\"host\"] = \"x.y\"\n } }",
            ["a x.y"]
        ),
        (
            "android { defaultConfig { applicationId 'a'\n manifestPlaceholders += mapOf(\"host\" to \"x.y\")\n } }",
            ["a x.y"]
        ),
        (
            "android { defaultConfig { applicationId 'a'\n addManifestPlaceholders(mapOf(\"host\" to \"x.y\"))\n } }",
            ["a x.y"]
        ),
        (
            "android { defaultConfig { applicationId 'a'\n manifestPlaceholders = [host: env.get('E') ?: 'x.y'] } }",
            ["a ?"]
        ),
        (
            "android { defaultConfig { applicationId 'a'\n manifestPlaceholders = [host: 'x.y']\n manifestPlaceholders.putAll(z) } }",
            ["a"]
        ),
        (
            "android { defaultConfig { applicationId 'a'\n manifestPlaceholders = [host: 'x']\n }\n buildTypes { release { manifestPlaceholders = [host: 'y'] } } }",
            ["a y"]
        ),
        (
            "android { applicationVariants.all { v -> v.mergedFlavor.manifestPlaceholders = [a: 'b'] } }",
            ["?"]
        ),
    ]

    @Test("literals of a script are read, and nothing else", arguments: scripts)
    func literals(_ row: (script: String, variants: [String])) {
        #expect(variants(row.script) == row.variants, "\(row.script)")
    }

    @Test(
        "a script that sets an application ID in any case is of an app",
        arguments: [
            ("defaultConfig { applicationId 'a.b' }", true),
            ("defaultConfig { applicationId project.id }", true),
            ("productFlavors { free { applicationId 'a.b' } }", true),
            ("defaultConfig { if (alone) { applicationId 'a.b' } }", false),
            ("defaultConfig { minSdk 24 }", false),
        ])
    func applications(_ row: (script: String, isOfApplication: Bool)) {
        let script = GradleScript(Array("android { \(row.script) }".utf8))
        #expect(script.isOfApplication == row.isOfApplication)
    }

    /// The hosts and applications of a manifest beside a script.
    private func read(_ script: String, host: String) throws -> [String] {
        let manifest = """
            <manifest xmlns:android="http://schemas.android.com/apk/res/android"><application><activity>
            <intent-filter><data android:scheme="https" android:host="\(host)"/></intent-filter>
            </activity></application></manifest>
            """
        let files = [
            "app/build.gradle": script, "app/src/main/AndroidManifest.xml": manifest,
            "app/src/main/res/values/a.xml":
                "<resources><string name='known'>k.example</string></resources>",
        ]
        var checkout = Checkout(files)
        return try checkout.read("app/src/main/AndroidManifest.xml").map { declaration in
            guard case .android(let app) = declaration else { return "" }
            let host = app.filters[0].hosts[0]
            return "\(app.applicationID ?? "?") \(host.isUnresolved ? "?" : host.text)"
        }
    }

    @Test func `values of a flavour are for its releases, and take the place of others`() throws {
        let host = { (text: String) in
            "<resources><string name='host'>\(text)</string></resources>"
        }
        let manifest = """
            <manifest xmlns:android="http://schemas.android.com/apk/res/android"><application><activity>
            <intent-filter><data android:scheme="https" android:host="@string/host"/></intent-filter>
            </activity></application></manifest>
            """
        let script = """
            android { defaultConfig { applicationId 'a' }
            productFlavors { own { } made { resValue "string", "host", "made.example" } none { } } }
            """
        func hosts(_ more: [String: String]) throws -> [String?] {
            let files = more.merging([
                "build.gradle": script, "src/main/AndroidManifest.xml": manifest,
                "src/own/res/values/a.xml": host("own.example"),
            ]) { $1 }
            var checkout = Checkout(files)
            return try checkout.read("src/main/AndroidManifest.xml").map { declaration in
                guard case .android(let app) = declaration else { return nil }
                let host = app.filters[0].hosts[0]
                return host.isUnresolved ? nil : host.text
            }
        }
        #expect(try hosts([:]) == ["own.example", "made.example", nil])
        let main = ["src/main/res/values/a.xml": host("main.example")]
        #expect(try hosts(main) == ["own.example", "made.example", "main.example"])
        let newer = main.merging(["src/main/res/values-v31/a.xml": host("new.example")]) { $1 }
        #expect(try hosts(newer) == [nil, nil, nil])
    }

    static let bubblewrap = """
        def twaManifest = [
            applicationId: 'com.example.shop',
            hostName: 'shop.example.com', // The domain being opened in the TWA.
            shortcuts: [[name:'A', url:'/a'], [name:'B', url:'/b']],
        ]
        android {
            defaultConfig {
                applicationId "com.example.shop"
                resValue "string", "hostName", twaManifest.hostName
                resValue "string", "known", twaManifest.name.toString()
                twaManifest.shortcuts.eachWithIndex { shortcut, index ->
                    resValue "string", "shortcut_$index", "$shortcut.name"
                }
            }
        }
        """

    @Test func `a script fills in its module's manifest`() throws {
        #expect(
            try read(Self.bubblewrap, host: "@string/hostName")
                == ["com.example.shop shop.example.com"])
        // The script makes the same resource of something else.
        #expect(try read(Self.bubblewrap, host: "@string/known") == ["com.example.shop ?"])
        #expect(try read("", host: "@string/known") == ["? k.example"])
        let flavors = """
            android { defaultConfig { applicationId 'a' }
            productFlavors { x { manifestPlaceholders = [host: 'x.example'] }
            y { applicationIdSuffix '.y' } } }
            """
        #expect(try read(flavors, host: "${host}") == ["a x.example", "a.y ?"])
        #expect(
            try read(flavors, host: "${applicationId}.example") == [
                "a a.example", "a.y a.y.example",
            ])
        #expect(try read(flavors, host: "${host}${other}") == ["a ?", "a.y ?"])
        #expect(try read(flavors, host: "${host") == ["a ?", "a.y ?"])
    }

    @Test func `a damaged script is read`() {
        let bytes = Array(Self.bubblewrap.utf8)
        for index in bytes.indices {
            _ = GradleScript(Array(bytes[..<index])).variants
            var mutant = bytes
            mutant[index] = Array("(){}[]\"'=:/\\".utf8)[index % 12]
            _ = GradleScript(mutant).variants
        }
    }

    @Test func `what a script costs grows with its size`() {
        for unit in [
            "a {", "\"b\"", "/**/", "manifestPlaceholders[\"a\"] = \"b\"\n", "android.", "}",
            "def a = 'b'\n", "=/\\/", "\n", "\n.", "if (a) ", "if (a)\n",
            "def a = [b: 'c']\na.d(a)\n",
            "resValue 'a', \"b$c\", 'd'\n", "android { b(this) }\n",
            "android { productFlavors { a { dimension 'x' } } }\n", "'''",
            "manifestPlaceholders = [", "a: 'b',", "sourceSets { a { res.srcDir 'b' } }\n",
            "onVariants { a.b }\n", "plugins { id 'a' }\n",
            "\"${", "\"${a[\"b\"]}\"", "sourceSets.a ", "a<", "`", "a.b(c) ",
        ] {
            func time(_ count: Int) -> Duration {
                let bytes = Array(String(repeating: unit, count: count).utf8)
                return processorTime { _ = GradleScript(bytes).variants }
            }
            #expect(
                (1...3).contains { _ in time(16_000) < time(2_000) * 24 + .milliseconds(50) },
                "\(unit)")
        }
    }
}
