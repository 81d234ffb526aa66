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
}
