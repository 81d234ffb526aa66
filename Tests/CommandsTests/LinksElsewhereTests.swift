import Foundation
import Glibc
import TestSupport
import Testing

/// An origin whose API has a host, and a token for it.
private final class APISite {
    let directory: URL
    let origin: RunningOrigin
    private static let text = """
        version: 1
        apps:
          shop: {name: Shop, ios: {id: W4X7K2M9QH.com.example.shop}}
        links:
          short: {match: /s/*, stored: {destinations: www.example.com}}
        environments:
          test:
            hosts: [go.example.com]
            tls: {certificate: certs/dev.pem, key: certs/dev.key}
            publish: {shop: [short]}
            store: links.db
            api-hosts: [localhost]

        """

    init(scopes: String) throws {
        directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let configuration = directory.appending(path: "waymark.yaml")
        try Data(Self.text.utf8).write(to: configuration)
        let made = try Program.run(
            [
                "init", "--certificates-only", "--certificates", "certs", "--host", "localhost",
                "--host", "go.example.com",
            ], in: directory)
        try #require(made.status == 0, "\(made)")
        origin = try RunningOrigin(configuration)
        let isReady = waits { origin.adminPage("/readyz").hasSuffix("ok\n200") }
        try #require(isReady, "\(origin.log)")
        let token = try Program.run(
            [
                "tokens", "create", "colleague", "--scope", scopes, "--admin",
                "127.0.0.1:\(origin.admin)",
            ], in: directory)
        try #require(token.status == 0, "\(token)")
        try Data(token.output.utf8).write(to: directory.appending(path: "token"))
    }

    deinit {
        origin.signal(SIGKILL)
        try? FileManager.default.removeItem(at: directory)
    }

    /// Runs a command with the API, in another directory than the configuration's.
    func run(
        _ arguments: [String], api: String? = nil,
        _ more: [String] = ["--authorities", "certs/dev-ca.pem"], input: String? = nil
    ) throws -> Program.Outcome {
        let api = api ?? "https://localhost:\(origin.https)"
        return try Program.run(
            arguments + ["--api", api, "--token-file", "token"] + more, input: input,
            in: directory)
    }
}

@Suite("waymark links from elsewhere")
struct LinksElsewhereTests {
    @Test func `a colleague does everything with a token and the host of the API`() throws {
        let site = try APISite(
            scopes: "links.create,links.write,links.delete,links.read,stats.read,admin")
        func run(_ arguments: String..., input: String? = nil) throws -> Program.Outcome {
            let outcome = try site.run(arguments, input: input)
            #expect(outcome.status == 0 && outcome.messages == "", "\(arguments): \(outcome)")
            return outcome
        }
        let made = try run(
            "links", "create", "--slug", "spring", "--title", "Big sale",
            "https://www.example.com/")
        #expect(made.output == "https://go.example.com/s/spring\n")
        #expect(try run("links", "list", "--search", "big SALE").output.contains("/s/spring "))
        #expect(try run("links", "list", "--search", "big sail").output.contains("/s/") == false)
        let alias = try run("links", "alias", "short/spring", "sale", "--format", "json")
        #expect(alias.output.contains(#""aliases": ["sale"]"#), "\(alias)")
        #expect(try run("links", "show", "short/sale").output.contains("\nnote") == false)
        #expect(try run("links", "edit", "short/sale", "--note", "n").output.contains("\nnote"))
        #expect(
            try run("links", "check", "https://www.example.com/").output.contains("can be made"))
        #expect(try run("links", "explain", "short/spring").output.contains("the web"))
        let line = #"{"slug": "winter", "destination": "https://www.example.com/"}"#
        let imported = try run("links", "import", "-", input: line)
        #expect(imported.output == "1 created, 0 changed, 0 unchanged, 0 refused\n", "\(imported)")
        #expect(try run("links", "export").output.split(separator: "\n").count == 2)
        let visits = try run("links", "visits", "short/spring", "--by", "platform")
        #expect(visits.output == "" || visits.output.hasPrefix("PLATFORM"), "\(visits)")
        let all = try run("links", "visits", "--format", "json")
        #expect(all.output.contains(#""by": "day""#), "\(all)")
        #expect(try run("links", "misses", "--from", "2026-01-01").status == 0)
        #expect(try run("links", "qr", "short/spring", "--output", "a.pdf").output == "")
        let code = try Data(contentsOf: site.directory.appending(path: "a.pdf"))
        let same = try Program.run(
            ["qr", "https://go.example.com/s/spring", "--output", "b.pdf"], in: site.directory)
        #expect(same.status == 0)
        #expect(try code == Data(contentsOf: site.directory.appending(path: "b.pdf")))
        #expect(try run("links", "qr", "short/spring", "--format", "svg").output.hasPrefix("<"))
        #expect(try run("links", "disable", "short/spring").output.contains("disabled"))
        #expect(try run("links", "delete", "--yes", "short/spring").output.hasPrefix("deleted "))
        #expect(try run("links", "backup").output.contains(".backup"))
        #expect(try run("tokens", "list").output.contains("colleague"))
    }

    @Test func `what is counted is shown in columns`() throws {
        let site = try APISite(scopes: "links.create,links.read,stats.read")
        _ = try site.run(["links", "create", "--slug", "a", "https://www.example.com/"])
        let visit = """
            curl -sk --resolve go.example.com:\(site.origin.https):127.0.0.1 -A 'Mozilla/5.0 (Macintosh; \
            Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 \
            Safari/605.1.15' -o /dev/null https://go.example.com:\(site.origin.https)/s/
            """
        shellOutput("\(visit)a; \(visit)b")
        let isCounted = waits {
            let rows = try? site.run(["links", "visits", "short/a", "--by", "outcome"]).output
            let misses = try? site.run(["links", "misses"]).output
            return rows?.contains("\nredirect ") == true && misses?.contains("/s/b ") == true
        }
        #expect(isCounted)
        // Only people are counted by outcome.
        for by in ["outcome", "platform", "referrer", "hour", "day"] {
            let heading = try site.run(["links", "visits", "short/a", "--by", by]).output
                .split(separator: "\n")[0]
            let isWhole = by == "hour" || by == "day"
            #expect(heading.contains("NOT FOUND") == isWhole && heading.contains("VISITS"))
            #expect(heading.contains("PEOPLE") == (by == "day"))
        }
        // Whoever may only read counts names links by their ids.
        let links = try site.run(["links", "list", "--format", "json"]).output
        let id = try #require(links.firstMatch(of: #/"id": "([^"]+)"/#)?.output.1)
        let made = try Program.run(
            [
                "tokens", "create", "reader", "--scope", "stats.read", "--admin",
                "127.0.0.1:\(site.origin.admin)",
            ], in: site.directory)
        try Data(made.output.utf8).write(to: site.directory.appending(path: "token"))
        let counted = try site.run(["links", "visits", String(id)])
        #expect(counted.status == 0 && counted.output.contains("VISITS"), "\(counted)")
        let named = try site.run(["links", "visits", "short/a"])
        #expect(named.status == 77 && named.messages.contains("links.read"), "\(named)")
        let unknown = try site.run(["links", "visits", "01893a4c-1b2c-7d3e-8f40-123456789abc"])
        #expect(unknown.status == 1 && unknown.messages.contains("there is no link"), "\(unknown)")
    }

    @Test func `the reason why a host of the API cannot be asked is named`() throws {
        let site = try APISite(scopes: "links.read")
        let (https, http) = (site.origin.https, site.origin.http)
        let trusted = ["--authorities", "certs/dev-ca.pem"]
        let rows: [(api: String, options: [String], said: String)] = [
            (
                "https://localhost:\(https)", [],
                "the server presents a certificate of Waymark's development authority for localhost"
            ),
            (
                "https://localhost:\(https)", [],
                "[missing-intermediate]\n    give the authority's certificate with --authorities"
            ),
            ("https://localhost:\(http)", trusted, "does not answer with TLS"),
            ("https://localhost:1", trusted, "refuses connections"),
            ("https://nowhere.invalid", trusted, "nowhere.invalid has no address"),
            ("http://127.0.0.1:\(http)", [], " has no API of stored links: it answers "),
        ]
        for row in rows {
            let outcome = try site.run(["links", "list"], api: row.api, row.options)
            #expect(outcome.status == 69 && outcome.output == "", "\(row): \(outcome)")
            #expect(outcome.messages.contains(row.said), "\(row): \(outcome)")
            #expect(outcome.messages.hasPrefix("waymark: error: \(row.api)"), "\(outcome)")
        }
        let said = shellOutput(
            """
            cd '\(site.directory.path)'; SSL_CERT_FILE=certs/dev-ca.pem WAYMARK_TOKEN=$(cat token) \
            '\(Program.path?.path ?? "")' links list --api https://localhost:\(https); echo "=$?"
            """)
        #expect(said.hasSuffix("=0\n"), "\(said)")
        let wrong = try site.run(["links", "create", "https://www.example.com/"])
        #expect(wrong.status == 77 && wrong.messages.contains("[scope-missing]"), "\(wrong)")
    }

    /// What is refused before a connection, so that no token leaves the machine.
    @Test(
        arguments: [
            (["--api", "http://www.example.com"], 64, "anybody on the way"),
            (["--api", "http://192.0.2.1:1"], 64, "plain http is for loopback addresses alone"),
            (["--api", "https://www.example.com/v1"], 64, "is no address of an API"),
            (["--api", "https://a:b@www.example.com"], 64, "is no address of an API"),
            (["--api", "www.example.com"], 64, "is no address of an API"),
            (["--api", "https://a.example", "--admin", "127.0.0.1:1"], 64, "two places"),
            (["--api", "https://a.example", "--env", "test"], 64, "give --token-file"),
            (["--authorities", "x"], 64, "are for --api"),
            (["--api", "https://a.example"], 77, "give --token-file, or set WAYMARK_TOKEN"),
        ] as [([String], Int32, String)])
    func places(_ options: [String], _ status: Int32, _ said: String) throws {
        let outcome = try Program.run(["links", "list"] + options)
        #expect(outcome.status == status && outcome.messages.contains(said), "\(outcome)")
    }

    @Test func `on a terminal, what takes long says how far it is, and leaves nothing`() throws {
        let (listener, port) = try listen()
        let mayEnd = DispatchSemaphore(value: 0)
        // Two clients get the beginning of an export, and its end when one has said how far it is.
        Thread.detachNewThread {
            let clients = [accept(listener, nil, nil), accept(listener, nil, nil)]
            let head = """
                HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n\
                Content-Length: 6\r\n\r\n{}\n
                """
            for client in clients { _ = send(client, head, head.utf8.count, CInt(MSG_NOSIGNAL)) }
            mayEnd.wait()
            for client in clients {
                _ = send(client, "{}\n", 3, CInt(MSG_NOSIGNAL))
                shutdown(client, CInt(SHUT_WR))
                var bytes = [UInt8](repeating: 0, count: 4_096)
                while recv(client, &bytes, bytes.count, 0) > 0 {}
                close(client)
            }
            close(listener)
        }
        var (terminal, end) = (CInt(0), CInt(0))
        try #require(openpty(&terminal, &end, nil, nil, nil) == 0)
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        func start(_ messages: FileHandle) throws -> Process {
            let process = Process()
            process.executableURL = Program.path
            process.arguments = ["links", "export", "--admin", "127.0.0.1:\(port)"]
            process.environment = [
                "WAYMARK_TOKEN": "x", "CI": "1", "NO_COLOR": "1", "TERM": "dumb",
            ]
            process.standardOutput = FileHandle.nullDevice
            process.standardError = messages
            try process.run()
            return process
        }
        let pipe = Pipe()
        let silent = try start(pipe.fileHandleForWriting)
        let shown = try start(FileHandle(fileDescriptor: end))
        close(end)
        var text = ""
        var bytes = [UInt8](repeating: 0, count: 4_096)
        var hasEnded = false
        while case let count = read(terminal, &bytes, bytes.count), count > 0 {
            text += String(decoding: bytes[..<count], as: UTF8.self)
            if !hasEnded, text.contains("waymark: exporting, 1 links, ") {
                hasEnded = true
                mayEnd.signal()
            }
        }
        if !hasEnded { mayEnd.signal() }
        close(terminal)
        shown.waitUntilExit()
        silent.waitUntilExit()
        try pipe.fileHandleForWriting.close()
        #expect(hasEnded && shown.terminationStatus == 0, "\(text)")
        #expect(text.contains(/\r {20,}\r$/), "\(text.debugDescription)")
        #expect(silent.terminationStatus == 0)
        #expect(try pipe.fileHandleForReading.readToEnd() ?? Data() == Data())
    }
}
