import Snapshots
import TestSupport
import Answering
import Diagnostics
import Files
import Origin
import SiteConfiguration
import Sockets
import Testing

@Suite("Public files before and after they were read")
struct PublicFileTests {
    private let directory = Result { try TemporaryDirectory() }

    private func write(_ name: String, _ text: String) throws {
        try directory.get().write("Public/\(name)", Array(text.utf8))
    }

    private func remove(_ name: String) throws {
        #expect(shell("rm \(try directory.get().path)/Public/\(name)").status == 0)
    }

    private func build(
        after previous: Snapshot? = nil, _ change: (inout TestSite) -> Void = { _ in }
    ) throws -> Snapshot {
        let directory = try directory.get()
        var site = TestSite()
        site.files = [:]
        change(&site)
        return try Snapshot.build(
            TestOrigin.environment(site, directory), limits: .patient,
            ticketKeys: TestOrigin.ticketKeys.get(), after: previous, now: Clock.unixSeconds)
    }

    private func ask(
        _ path: String, _ fields: [String] = [], of snapshot: Snapshot
    ) throws -> TestResponse {
        let lines = (["GET \(path) HTTP/1.1", "Host: localhost"] + fields).map { $0 + "\r\n" }
        let bytes = snapshot.predict(Array("\(lines.joined())\r\n".utf8), isSecure: true)
        return try #require(TestResponse(bytes, isHead: false))
    }

    private func found(_ name: String, in snapshot: Snapshot) throws -> FoundFile {
        let path = "\(try directory.get().path)/Public/\(name)"
        return FoundFile(relativePath: name, stamp: try #require(FileStamp(of: path)))
    }

    private static let page = String(repeating: "<p>page\n", count: 100)

    @Test(
        "a path that lacks the slash of a directory with a page is redirected, unless a link claims it",
        arguments: [
            ("/docs", 308, "https://localhost/docs/"),
            ("/docs?a=b&c", 308, "https://localhost/docs/?a=b&c"),
            ("/d%6Fcs", 308, "https://localhost/d%6Fcs/"), ("/docs/", 200, nil),
            ("/docs/a%20b", 308, "https://localhost/docs/a%20b/"), ("/empty", 404, nil),
            ("/docs/index.html/", 404, nil), ("/DOCS", 404, nil), ("//docs", 404, nil),
        ] as [(String, Int, String?)], ["", "unmatched"])
    func directories(
        _ request: (path: String, status: Int, location: String?), _ unmatched: String
    ) throws {
        for name in ["docs/index.html", "docs/a b/index.html", "empty/a.txt", "404.html"] {
            try write(name, Self.page)
        }
        let snapshot = try build { site in
            guard !unmatched.isEmpty else { return }
            site.unmatched = { _ in .landing(status: 404) }
        }
        let answer = try ask(request.path, of: snapshot)
        #expect(answer.status == request.status)
        #expect(answer.fields["location"] == request.location)
        #expect(request.location == nil || answer.fields["cache-control"] == "private, no-store")
    }

    @Test func `a request before it was read gets what later ones get`() throws {
        try write("page.html", Self.page)
        let snapshot = try build()
        let early = try ask("/page.html", ["Accept-Encoding: gzip"], of: snapshot)
        #expect(early.status == 200 && early.body == Self.page)
        #expect(early.fields["vary"] == "Accept-Encoding")
        // Without memory for its gzip form it is sent as it is.
        snapshot.sites.sites[0].prepareFiles { $0 < 2 * Self.page.utf8.count }
        let plain = try ask("/page.html", ["Accept-Encoding: gzip"], of: snapshot)
        #expect(plain.fields["content-encoding"] == nil && plain.body == Self.page)
        snapshot.sites.sites[0].prepareFiles()
        var late = try ask("/page.html", of: snapshot).fields
        late["date"] = early.fields["date"]
        #expect(late == early.fields)
        let zipped = try ask("/page.html", ["Accept-Encoding: gzip"], of: snapshot)
        #expect(zipped.fields["content-encoding"] == "gzip")
    }

    @Test func `the sitemap comes once pages were read`() throws {
        try write("page.html", Self.page)
        try write("hidden.html", "<meta name=robots content=noindex>")
        let snapshot = try build()
        #expect(try ask("/sitemap.xml", of: snapshot).status == 503)
        snapshot.sites.sites[0].prepareFiles()
        let sitemap = try ask("/sitemap.xml", of: snapshot)
        #expect(sitemap.status == 200 && sitemap.fields["content-type"]?.contains("xml") == true)
        #expect(sitemap.body.utf8.contains("https://localhost/page.html".utf8))
        #expect(!sitemap.body.utf8.contains("hidden".utf8))
    }

    @Test func `one that changed before it was read is sent as it is now`() throws {
        try write("page.html", Self.page)
        let snapshot = try build()
        try write("page.html", Self.page + "more")
        #expect(try ask("/page.html", of: snapshot).body == Self.page + "more")
        #expect(try ask("/page.html", of: build(after: snapshot)).body == Self.page + "more")
    }

    @Test func `one that was read is served on when it changes or goes`() throws {
        try write("page.html", Self.page)
        let snapshot = try build()
        snapshot.sites.sites[0].prepareFiles()
        try write("page.html", "other")
        #expect(try ask("/page.html", of: snapshot).body == Self.page)
        try remove("page.html")
        #expect(try ask("/page.html", of: snapshot).body == Self.page)
        #expect(try ask("/page.html", of: build(after: snapshot)).status == 404)
    }

    private func directory(of snapshot: Snapshot) -> String {
        snapshot.sites.sites[0].source.publicDirectory.path
    }

    @Test func `one changed file is replaced alone`() throws {
        try write("page.html", Self.page)
        try write("other.html", Self.page)
        let snapshot = try build()
        snapshot.sites.sites[0].prepareFiles()
        try write("page.html", "new")
        // Nothing else is read for it.
        try remove("other.html")
        let next = try #require(
            try snapshot.replacing(
                [directory(of: snapshot): [found("page.html", in: snapshot)]],
                now: Clock.unixSeconds))
        #expect(try ask("/page.html", of: next).body == "new")
        #expect(try ask("/other.html", of: next).body == Self.page)
        #expect(try ask("/page.html", of: snapshot).body == Self.page)
    }

    @Test(
        "what more depends on than the file itself is built anew",
        arguments: ["page.html.br", "page.html", "error.html", "gone.html"])
    func others(_ name: String) throws {
        for name in ["page.html", "page.html.br", "error.html", "plain.html"] {
            try write(name, Self.page)
        }
        func site(_ site: inout TestSite) {
            site.unmatched = { .page("/error.html", status: 404, position: $0) }
        }
        let snapshot = try build(site)
        for changed in [name, "plain.html"] {
            try write(changed, "new")
            let next = try snapshot.replacing(
                [directory(of: snapshot): [found(changed, in: snapshot)]], now: Clock.unixSeconds)
            #expect((next == nil) == (changed == name))
        }
    }

    @Test func `a private key refuses neither a start nor a reload, and is not sent`() throws {
        try write("page.html", Self.page)
        try write("other.html", Self.page)
        let snapshot = try build()
        let key = "-----BEGIN PRIVATE KEY-----\n" + String(repeating: "A", count: 64) + "\n"
        try write("page.html", key)
        let changed = try found("page.html", in: snapshot)
        let replaced = try snapshot.replacing(
            [directory(of: snapshot): [changed]], now: Clock.unixSeconds)
        for next in [try #require(replaced), try build(after: snapshot), try build()] {
            #expect(try ask("/page.html", of: next).status == 403)
            #expect(next.sites.sites[0].checkFiles().map(\.rule) == [.privateKeyInPublic])
            #expect(try ask("/other.html", of: next).status == 200)
        }
    }

    @Test func `a backup is not sent, whatever part of it is asked for`() throws {
        let backup =
            Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 52)
            + Array("WMLK".utf8) + [UInt8](repeating: 1, count: 200_000)
        var other = backup
        other[68] = 0
        try directory.get().write("Public/backup.bin", backup)
        try directory.get().write("Public/other.bin", other)
        for bytesMax in [1 << 20, 1000] {
            let snapshot = try build { $0.limits[.memoryFileBytes] = bytesMax }
            for range in ["", "Range: bytes=150000-", "Range: bytes=0-9"] {
                let fields = range.isEmpty ? [] : [range]
                #expect(try ask("/backup.bin", fields, of: snapshot).status == 403)
                let status = try ask("/other.bin", fields, of: snapshot).status
                #expect(status == (range.isEmpty ? 200 : 206))
            }
            #expect(snapshot.sites.sites[0].checkFiles().map(\.rule) == [.secretInPublic])
        }
    }

    @Test func `a name for what comes to lie beside a store refuses a reload`() throws {
        let directory = try directory.get()
        try write("page.html", Self.page)
        try write("other.txt", "x")
        let (configuration, diagnostics) = Configuration.read(
            Array(
                """
                version: 1
                apps: {app: {name: app, ios: {id: ABCDE12345.com.example.app}}}
                links: {all: {match: /p/*, web: landing}}
                environments:
                  prod:
                    hosts: [localhost]
                    tls: {certificate: leaf.pem, key: leaf.key}
                    publish: {app: [all]}
                    store: links.db
                """.utf8), file: "waymark.yaml", directory: directory.path)
        let environment = try #require(
            configuration?.environment(named: "prod"), "\(diagnostics)")
        func build(after previous: Snapshot?) throws -> Snapshot {
            try Snapshot.build(
                environment, limits: .patient, ticketKeys: TestOrigin.ticketKeys.get(),
                after: previous, now: Clock.unixSeconds, speaksTLS: false)
        }
        let snapshot = try build(after: nil)
        for name in ["token", "visits", "lock", "20261123T083000.250Z.backup"] {
            try directory.write("links.db.\(name)", Array("secret".utf8))
            let file = "\(directory.path)/links.db.\(name)"
            // An ordinary file has two names and is served.
            let link = "ln \(directory.path)/Public/other.txt \(directory.path)/\(name)"
            #expect(shell(link).status == 0)
            let before = try build(after: snapshot)
            #expect(try ask("/other.txt", of: before).status == 200)
            try remove("other.txt")
            #expect(shell("ln \(file) \(directory.path)/Public/other.txt").status == 0)
            let error = #expect(throws: BuildError.self) { try build(after: snapshot) }
            #expect(error?.diagnostics.map(\.rule) == [.secretInPublic])
            let changed = try found("other.txt", in: snapshot)
            #expect(throws: BuildError.self) {
                try snapshot.replacing(
                    [self.directory(of: snapshot): [changed]], now: Clock.unixSeconds)
            }
            #expect(try ask("/other.txt", of: before).body == "x")
            try remove("other.txt")
            try write("other.txt", "x")
        }
    }
}
