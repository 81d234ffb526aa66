import Foundation
import Glibc
import TestSupport
import Testing

@Suite("An origin whose store others change")
struct StoreDamageTests {
    private func create(_ site: StoreSite, _ slug: String) throws -> Int32 {
        try site.run(
            "links", "create", "--collection", "short", "--slug", slug,
            "https://www.example.com/\(slug)"
        ).status
    }

    @Test func `that is damaged says so, and keeps what it answers`() throws {
        let site = try StoreSite()
        let lines = (0..<400).map {
            #"{"collection":"short","slug":"s\#($0)","destination":"https://www.example.com/\#($0)"}"#
        }
        try Data((lines.joined(separator: "\n") + "\n").utf8)
            .write(to: URL(filePath: site.path("links.json")))
        let imported = try site.run("links", "import", "links.json")
        #expect(imported.status == 0, "\(imported)")
        // Everything is in the log so far.
        #expect(truncate(site.path("links.db-wal"), 200_000) == 0)
        #expect(waits { site.origin.log.contains("links backup") }, "\(site.origin.log)")
        let page = site.origin.adminPage("/readyz?verbose")
        #expect(page.contains("[-]store failed, known links are answered\n"), "\(page)")
        #expect(site.origin.adminPage("/metrics").contains("\nwaymark_store_usable 0\n"))
        #expect(try create(site, "new") == 75)
        let backup = try site.run("links", "backup")
        #expect(backup.status == 0, "\(backup)")
        let copy = try #require(
            FileManager.default.contentsOfDirectory(atPath: site.directory.path)
                .first { $0.hasSuffix("Z.backup") })
        let other = try StoreSite(store: URL(filePath: site.path(copy)))
        let exported = try other.run("links", "export")
        #expect(exported.status == 0)
        #expect(exported.output.split(separator: "\n").count == 400)
    }

    @Test func `links that a configuration has no place for are told at start and at reload`()
        throws
    {
        let site = try StoreSite()
        for slug in ["a", "b"] { #expect(try create(site, slug) == 0) }
        func reload(_ old: String, _ new: String) throws {
            let text = try String(contentsOf: site.configuration, encoding: .utf8)
            try Data(text.replacingOccurrences(of: old, with: new).utf8)
                .write(to: site.configuration)
            site.origin.signal(SIGHUP)
        }
        #expect(!site.origin.log.contains("links of the collection"))
        try reload("destinations: www.example.com", "destinations: app.example.com")
        #expect(
            waits {
                site.origin.log.contains(
                    "has 2 links of the collection \"short\" with destinations that it does not allow"
                )
            }, "\(site.origin.log)")
        try reload("short", "shorter")
        let fact =
            "has 2 links of the collection \"short\", which the configuration does not have"
        #expect(waits { site.origin.log.contains(fact) }, "\(site.origin.log)")
        site.origin.signal(SIGKILL)
        let next = try RunningOrigin(site.configuration)
        #expect(waits { next.log.contains(fact) }, "\(next.log)")
    }

    @Test
    func `slugs that case does not tell apart any more are told, and the oldest link is found`()
        throws
    {
        let site = try StoreSite()
        func configure(_ old: String, _ new: String) throws {
            let text = try String(contentsOf: site.configuration, encoding: .utf8)
            try #require(text.contains(old))
            try Data(text.replacingOccurrences(of: old, with: new).utf8)
                .write(to: site.configuration)
        }
        func lint() throws -> Program.Outcome {
            try Program.run(["lint", "--env", "test"], in: site.directory)
        }
        try configure("example.com}", "example.com, case: exact}")
        site.origin.signal(SIGHUP)
        try #require(
            waits { site.origin.log.contains("waymark: reloaded test") }, "\(site.origin.log)")
        for (slug, path) in [("Ab", "first"), ("aB", "second"), ("x", "x")] {
            _ = try site.create(
                "--collection", "short", "--slug", slug, "https://www.example.com/\(path)")
        }
        let fact =
            "has a slug of the collection \"short\" that differs from another link's only in letter case"
        #expect(!site.origin.log.contains(fact))
        try configure("case: exact", "case: fold")
        // What is served is not read by others.
        #expect(try !lint().output.contains(fact))
        site.origin.signal(SIGHUP)
        #expect(waits { site.origin.log.contains(fact) }, "\(site.origin.log)")
        func destination(_ slug: String) throws -> String {
            try site.run("links", "show", "short/\(slug)").output
        }
        #expect(try destination("aB").contains("/second") && destination("Ab").contains("/first"))
        #expect(try destination("AB").contains("/first"))
        // The one that was changed last is not found instead.
        #expect(try site.run("links", "edit", "short/Ab", "--note", "n").status == 0)
        #expect(try destination("ab").contains("/first"))
        site.origin.signal(SIGTERM)
        try #require(waits { !site.origin.isRunning })
        let files = try FileManager.default.contentsOfDirectory(atPath: site.directory.path)
        let found = try lint()
        #expect(found.status == 0 && found.output.contains(fact), "\(found)")
        #expect(found.output.contains("[link-store]"), "\(found)")
        #expect(
            try Set(FileManager.default.contentsOfDirectory(atPath: site.directory.path))
                == Set(files))
        try configure("case: fold", "case: exact")
        #expect(try !lint().output.contains("link-store"))
    }
}
