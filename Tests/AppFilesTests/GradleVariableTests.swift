import Testing

@testable import AppFiles

/// What a script does with its variables, its maps and the resources that it makes.
@Suite("Variables of Gradle scripts")
struct GradleVariableTests {
    /// Statements before the use of a variable or a value of a map, and what is known of it.
    static let variables: [(script: String, id: String?)] = [
        ("def app = [id: 'a.b']", "a.b"), ("def app = [id: 'a.b', n: [1, 2]]", "a.b"),
        ("def app = ['id': 'a.b']\nprintln app.id\nb(app.id.length(), app.n)", nil),
        ("def app = ['id': 'a.b', n: 1]\nprintln app.id\nb(app.id.length(), app.n)", "a.b"),
        ("def app = [id: 'a.b', n: [1]]\napp.n.each { b(it) }", "a.b"),
        ("def app = [id: 'a.b']\napp.id = 'c'", nil),
        ("def app = [id: 'a.b', n: 1]\napp.n = 'c'", "a.b"),
        ("def app = [id: 'a.b']\napp['id'] = 'c'", nil),
        ("def app = [id: 'a.b']\napp << [id: 'c']", nil),
        ("def app = [id: 'a.b']\napp += [id: 'c']", nil),
        ("def app = [id: 'a.b']\nif (d) { app = app + load() }", nil),
        ("def app = [id: 'a.b']\napp.putAll(load())", nil),
        ("def app = [id: 'a.b']\napp.put 'id', 'c'", nil),
        ("def app = [id: 'a.b']\napp.with { id = 'c' }", nil),
        ("def app = [id: 'a.b']\ndef c = app\nc.id = 'c'", nil),
        ("def app = [id: 'a.b']\nload(app)", nil),
        ("def app = [id: 'a.b'] + load()", nil), ("def app = [id: 'a.b', *: load()]", nil),
        ("def app = [id: 'a.b']\n.collectEntries { k, v -> [k, 'c'] }", nil),
        ("def app = [n: [id: 'a.b']]", nil), ("def app = c ? [id: 'a.b'] : [id: 'a.b']", nil),
        ("def app = [id: 'a.b']\ndef app = [id: 'c']", nil),
        ("def f() { def app = [id: 'a.b'] }", nil),
        ("apply from: 'x.gradle'", nil),
    ]

    @Test("a map is known while only its values are read", arguments: variables)
    func maps(_ row: (script: String, id: String?)) {
        let text = "\(row.script)\nandroid.defaultConfig.applicationId = app.id"
        let script = GradleScript(Array(text.utf8)) { applied in
            (applied.path, Array("def app = [id: 'a.b']\ndef id = 'a.b'".utf8))
        }
        #expect(script.variants.map(\.applicationID) == [row.id])
    }

    /// Statements before the use of a variable, and what is known of it.
    static let literals: [(script: String, id: String?)] = [
        ("def id = 'a.b'", "a.b"), ("def id = 'a.b'\n.concat('c')", nil),
        ("def id = 'a.b'\n?.concat('c')", nil), ("def id = 'a.b'\ndef n = 'c'", "a.b"),
        ("def id = 'a.b'\n(id, n) = ['c', 1]", nil), ("def id = 'a.b'\nid -= '.b'", nil),
        ("def f() { def id = 'a.b' }", nil), ("task f { def id = 'a.b'\nb(id) }", nil),
        ("def f() { def id = 'a.b' }\nval id: String by project", nil),
        ("val id = \"a.b\"\nvar id: String = c()", nil), ("val id: String = \"a.b\"", "a.b"),
        ("private const val id = \"a.b\"", "a.b"), ("val id: String by project", nil),
        ("apply from: 'x.gradle'", nil),
        ("def id = 'a.b'\nif (id == 'c' || id != 'd' || id <= 'e') f()", "a.b"),
    ]

    @Test("a variable is known in its own block, if it has one value", arguments: literals)
    func texts(_ row: (script: String, id: String?)) {
        let text = "\(row.script)\nandroid.defaultConfig.applicationId = id"
        let script = GradleScript(Array(text.utf8)) { applied in
            (applied.path, Array("def id = 'a.b'".utf8))
        }
        #expect(script.variants.map(\.applicationID) == [row.id])
    }

    /// Statements of `defaultConfig` after one that sets the placeholder, and what is known of it.
    static let placeholders: [(statement: String, value: String?)] = [
        ("manifestPlaceholders += [n: 'b']", "a"), ("manifestPlaceholders['n'] = b", "a"),
        ("manifestPlaceholders += mapOf<String, Any>(\"host\" to \"b\")", "b"),
        ("manifestPlaceholders += mapOf()", "a"), ("addManifestPlaceholders n: 'b'", "a"),
        ("manifestPlaceholders = [n: 'b']", nil), ("manifestPlaceholders = [:]", nil),
        ("manifestPlaceholders = [host: host]", "h"), ("manifestPlaceholders =\n[host: 'b']", "b"),
        ("manifestPlaceholders = c ? [host: 'b'] : [host: 'a']", nil),
        ("manifestPlaceholders += [host: 'a'] + b", nil),
        ("manifestPlaceholders += [host: 'a', *: b]", nil),
        ("manifestPlaceholders += mapOf(\"n\" to \"a\", *b)", nil),
        ("manifestPlaceholders += mapOf(\"n\" to \"a\")\n.mapValues { b }", nil),
        ("manifestPlaceholders += [(n): 'b']", nil),
        ("manifestPlaceholders['ho' + 'st'] = 'b'", nil),
        ("manifestPlaceholders['host'] = 'a'\n.replace('a', 'b')", nil),
        ("manifestPlaceholders.put('host', 'b')", "b"), ("manifestPlaceholders.put('n', 'b')", "a"),
        ("manifestPlaceholders.put(n, 'b')", nil),
        ("manifestPlaceholders.put('host', 'b' + n)", nil),
        ("manifestPlaceholders.putAll([n: 'b'])", "a"), ("manifestPlaceholders.remove('n')", nil),
        ("def p = manifestPlaceholders\np.host = 'b'", nil),
        ("true && manifestPlaceholders.put('host', 'b')", nil),
        ("(manifestPlaceholders).host = 'b'", nil),
        ("with(manifestPlaceholders) { this[\"host\"] = \"b\" }", nil),
        ("mapOf(\"host\" to \"b\").forEach(manifestPlaceholders::put)", nil),
        ("manifestPlaceholders.with { host = 'b' }", nil),
        ("with(manifestPlaceholders) { put(\"host\", \"b\")\nput(\"n\", \"c\") }", "b"),
        ("manifestPlaceholders.apply { put(\"host\", \"b\") }", "b"),
        ("with(manifestPlaceholders) { put(\"n\", \"b\") }", "a"),
        ("with(manifestPlaceholders) { if (n) { put(\"host\", \"b\") } }", nil),
        ("with(manifestPlaceholders) { n.forEach { k, v -> put(k, v) } }", nil),
        ("with(manifestPlaceholders) { clear() }", nil),
        ("buildConfigField 'String', 'H', '\"' + manifestPlaceholders['n'] + '\"'", "a"),
    ]

    @Test("placeholders are known where all of a statement is", arguments: placeholders)
    func filled(_ row: (statement: String, value: String?)) {
        let text = """
            def host = 'h'
            android { defaultConfig { applicationId 'x'
            manifestPlaceholders = [host: 'a']
            \(row.statement)
            } }
            """
        let found = GradleScript(Array(text.utf8)).variants.map { variant in
            variant.placeholders[Array("host".utf8)] ?? nil
        }
        #expect(found == [row.value])
    }

    /// Statements that make resources, and what is known of `@string/host` beside them.
    static let resources: [(statement: String, value: String?)] = [
        ("resValue 'string', 'other', 'b'", "a"), ("resValue 'bool', \"h$i\", 'b'", "a"),
        ("resValue 'string', \"name_$i\", 'b'", "a"), ("resValue 'string', \"ho$i\", 'b'", nil),
        ("resValue 'string', \"$i\", 'b'", nil), ("resValue 'string', name, 'b'", nil),
        ("def name = 'other'\nresValue 'string', name, 'b'", "a"),
        ("resValue kind, 'other', 'b'", nil), ("resValue 'string',\n'host', 'b'", nil),
        ("resValue(type = \"string\", name = \"host\", value = \"b\")", nil),
        ("resValue(name = \"other\", type = \"string\", value = \"b\")", "a"),
        ("resValue(name = \"other\", type = \"string\", value = \"b\" + c)", nil),
        ("names.each { resValue 'string', it, 'b' }", nil),
        ("fun rv(v: String) = resValue(\"string\", \"host\", v)", nil),
        ("buildTypes.all { resValue 'string', 'host', 'b' }", nil),
        ("buildTypes.all { t -> t.resValue 'string', 'host', 'b' }", nil),
        ("buildFeatures { resValues true }", "a"),
    ]

    @Test("a resource is known unless a script may make another of its name", arguments: resources)
    func made(_ row: (statement: String, value: String?)) throws {
        let found = try androidApps(
            [
                "app/build.gradle":
                    "android { defaultConfig { applicationId 'x'\n\(row.statement)\n} }",
                "app/src/main/res/values/a.xml":
                    "<resources><string name='host'>a</string></resources>",
            ],
            application: """
                <application><activity android:name=".A"><intent-filter>
                <data android:scheme="https" android:host="@string/host"/></intent-filter></activity></application>
                """)
        let hosts = found.flatMap(\.filters).flatMap(\.hosts)
        #expect(hosts.map { $0.isUnresolved ? nil : $0.text } == [row.value])
    }
}
