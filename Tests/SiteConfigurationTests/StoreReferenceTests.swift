import Diagnostics
import SiteConfiguration
import Testing

@Suite("Stores of several nodes in a configuration") struct StoreReferenceTests {
    private func read(
        _ lines: String, tls: String = "{certificate: c, key: k}"
    ) -> (environments: [Environment], findings: [String], texts: [String]) {
        let text = """
            version: 1
            apps: {a: {ios: {id: ABCDE12345.com.example.a}}}
            links: {s: {match: /s/*, stored: {destinations: a.example}}}
            environments:
              e:
                hosts: [a.example]
                tls: \(tls)
                publish: {a: [s]}
                \(lines)
            """
        let read = Configuration.read(Array(text.utf8), file: "dir/w.yaml")
        return (
            read.configuration?.environments ?? [],
            read.diagnostics.map { "\($0.severity) \($0.rule)" },
            read.diagnostics.flatMap { [$0.message, $0.advice ?? ""] }
        )
    }

    @Test func `a URL is a database, and its password is in a file`() throws {
        let read = read(
            """
            store: "postgresql://waymark@10.0.0.5,10.0.0.6:5433/links?sslmode=disable"
                store-password: secrets/db
            """)
        #expect(read.findings.isEmpty, "\(read.texts)")
        let environment = try #require(read.environments.first)
        let store = try #require(environment.store)
        #expect(store.path == "10.0.0.5:5432,10.0.0.6:5433/links" && store.file == nil)
        #expect(store.password?.path == "dir/secrets/db")
        #expect(environment.writtenFiles.isEmpty)
        // Neither the file nor the configuration may be served.
        let files = environment.confidentialFiles.map(\.reference.path)
        #expect(files.contains("dir/secrets/db") && !files.contains { $0.contains("10.0.0.5") })
    }

    @Test(arguments: [
        ("store: postgresql://w@127.0.0.1/d", []),
        ("store: postgres://w@127.0.0.1:5433/d", []),
        ("store: \"postgresql://w@/d?host=/run/postgresql\"", []),
        ("store: \"postgresql://w@db.example/d?sslmode=verify-full&sslrootcert=/ca.pem\"", []),
        // No file has such a name.
        ("store: mysql://w@127.0.0.1/d", ["error wrong-value"]),
        ("store: postgresql://127.0.0.1/d", ["error wrong-value"]),
        ("store: postgresql:/w@127.0.0.1/d", ["error wrong-value"]),
        ("store: postgresql://w@127.0.0.1", ["error wrong-value"]),
        ("store: postgresql://w:secret@127.0.0.1/d", ["error wrong-value"]),
        ("store: \"postgresql://w@127.0.0.1/d?password=secret\"", ["error wrong-value"]),
        ("store: postgresql://w@db.example/d", ["error wrong-value"]),
        ("store: postgresql://w@127.0.0.1:99999/d", ["error wrong-value"]),
        ("store: \"postgresql://w@127.0.0.1/d?sslmode=prefer\"", ["error wrong-value"]),
        ("store: postgresql://w@127.0.0.1/d\n    store-password: p", []),
        ("store: links.db\n    store-password: p", ["error wrong-value"]),
        ("store-password: p", ["warning no-store", "error missing-key"]),
        ("store: postgresql://w@127.0.0.1/d\n    store-secret: [new, old]", []),
        ("store: links.db\n    store-secret: s", ["error wrong-value"]),
        ("store-secret: s", ["warning no-store", "error missing-key"]),
    ])
    func `a URL says everything, and no password`(lines: String, expected: [String]) {
        let read = read(lines)
        #expect(read.findings == expected, "\(read.texts)")
        #expect(!read.texts.contains { $0.contains("secret") && !$0.contains("store-secret") })
    }

    @Test(
        arguments: [
            ("store: postgresql://w@127.0.0.1/d", "error missing-key"),
            ("store: postgresql://w@127.0.0.1/d\n    store-secret: []", "error unset-value"),
            ("store: postgresql://w@127.0.0.1/d\n    store-secret: s", nil),
            ("store: links.db", nil),
        ] as [(String, String?)])
    func `automatic certificates of nodes that share a database need a secret`(
        lines: String, expected: String?
    ) {
        let read = read(lines, tls: "{automatic: {terms: agreed}}")
        #expect(read.findings == [expected].compactMap(\.self), "\(read.texts)")
        let isNamed = read.texts.contains { $0.contains("store-secret: FILE") }
        #expect(isNamed == (expected == "error missing-key"))
    }

    @Test func `secrets are files that nobody may serve, and the current one is the first`() throws
    {
        let read = read(
            """
            store: postgresql://w@127.0.0.1/d
                store-secret: [new, old]
              uat: {extends: e, hosts: b.example}
              prod: {extends: e, hosts: c.example, store: postgresql://w@127.0.0.1/prod}
            """)
        let secrets = read.environments.map { $0.store?.secrets.map(\.path) ?? [] }
        #expect(secrets == [["dir/new", "dir/old"], ["dir/new", "dir/old"], []])
        let files = read.environments[0].confidentialFiles.map(\.reference.path)
        #expect(files.contains("dir/new") && files.contains("dir/old"))
    }

    @Test(
        arguments: [
            ("store: uat.db", "uat.db", nil), ("", "127.0.0.1:5432/d", "dir/p"),
            ("store: postgresql://w@127.0.0.1/uat", "127.0.0.1:5432/uat", nil),
            (
                "store: postgresql://w@127.0.0.1/uat, store-password: q", "127.0.0.1:5432/uat",
                "dir/q"
            ),
            ("store-password: q", "127.0.0.1:5432/d", "dir/q"),
        ] as [(String, String, String?)])
    func `a password is inherited with its store alone`(
        own: String, path: String, password: String?
    ) throws {
        let read = read(
            """
            store: postgresql://w@127.0.0.1/d
                store-password: p
              uat: {extends: e, hosts: b.example\(own.isEmpty ? "" : ", " + own)}
            """)
        let store = try #require(read.environments.last?.store)
        #expect(store.path.hasSuffix(path) && store.password?.path == password)
        // Whoever tries something must not change another environment's links unawares.
        let isShared = !own.contains("store:")
        #expect(read.findings == (isShared ? ["warning shared-store"] : []), "\(read.texts)")
    }
}
