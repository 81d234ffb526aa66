import Associations
import LinkIndex
import SiteConfiguration
import TestSupport
import Testing
import URISyntax

@testable import Resolution

@Suite("Redirects of stored links, by the path alone")
struct StoredShortcutTests {
    private static func resolver(_ links: String) throws -> LinkResolver {
        let text = """
            version: 1
            apps: {a: {name: A, ios: {id: ABCDE12345.com.example.a, store: 12345}}}
            links:
            \(links)
            environments:
              e: {hosts: a.b, tls: {certificate: c, key: k}, publish: {a: s}, store: l}
            """
        let read = Configuration.read(Array(text.utf8), file: "w")
        return LinkResolver(try #require(read.configuration?.environments[0].sites[0]))
    }

    private static func index(_ slugs: [String]) -> LinkIndex {
        var records = [LinkRecord]()
        for (number, slug) in slugs.enumerated() {
            var record = LinkRecord(
                collection: CollectionName("s").number, id: UInt64(number + 1),
                slug: Array(slug.utf8),
                destination: Array("https://www.example.com/\(slug)".utf8))
            switch number % 7 {
            case 1: record.until = 100
            case 2: record.state = .disabled
            case 3: record.details = Array(#"{"web": {"ios": "landing"}}"#.utf8)
            case 4: record.details = Array(#"{"page": {"title": "T"}}"#.utf8)
            default: break
            }
            records.append(record)
        }
        return LinkIndex().changed(records.compactMap(LinkChange.init), generation: 1)
    }

    private func find(_ resolver: LinkResolver, _ index: LinkIndex, _ path: String) -> String? {
        var scratch = LinkScratch()
        scratch.index = index
        let bytes = Array("GET \(path) HTTP/1.1".utf8)
        return resolver.redirectStored(bytes, 4..<4 + path.utf8.count, &scratch).map { _ in
            String(decoding: scratch.location, as: UTF8.self)
        }
    }

    @Test(
        arguments: [
            ("", true),
            ("  f: {match: /f/*, web: https://www.example.com/f}\n", true),
            ("  f: {match: /st, web: https://www.example.com/f}\n", true),
            ("  f: {match: /s/x, web: https://www.example.com/f}\n", false),
            ("  f: {match: /S/x, web: https://www.example.com/f}\n", false),
            ("  f: {match: /s, web: https://www.example.com/f}\n", false),
            ("  f: {match: /?/x, web: https://www.example.com/f}\n", false),
            ("  f: {match: '*x', web: https://www.example.com/f}\n", false),
            ("  f: {match: '/%73/x', web: https://www.example.com/f}\n", false),
        ])
    func `no earlier link can have a path of the collection`(_ earlier: String, _ isUsed: Bool)
        throws
    {
        let resolver = try Self.resolver(
            "\(earlier)  s: {match: /s/*, stored: {destinations: \"*\"}}")
        let found = find(resolver, Self.index(["plain"]), "/s/plain")
        #expect((found == "https://www.example.com/plain") == isUsed)
        #expect((found == nil) == !isUsed)
    }

    @Test(
        arguments: [
            "{match: /s/*, stored: {destinations: \"*\"}, web: {ios: landing}}",
            "{match: [/s/*, /t/*], stored: {destinations: \"*\"}}",
            "{match: /s-*, stored: {destinations: \"*\"}}",
        ])
    func `collections that ask more are left to the rules`(_ collection: String) throws {
        let resolver = try Self.resolver("  s: \(collection)")
        #expect(find(resolver, Self.index(["plain"]), "/s/plain") == nil)
        #expect(find(resolver, Self.index(["plain"]), "/s-plain") == nil)
    }

    @Test func `it is what is decided by the rules`() throws {
        let earlier = [
            "/f/*", "/s/a", "/t", "/s-*", "/S/B*", "*ab", "/?/ab", "/st/*", "/s", "/*/ab",
        ]
        let parts = ["a", "b", "ab", "B", "/", "%61", "-", "_", "?x=1", ".", "", "t"]
        var random = SplitMix(seed: 5)
        var (used, led) = (0, 0)
        for _ in 0..<400 {
            var links = ""
            for number in 0..<Int.random(in: 0..<3, using: &random) {
                let match = earlier.randomElement(using: &random) ?? ""
                links +=
                    "  l\(number): {match: '\(match)', web: https://www.example.com/\(number)}\n"
            }
            let resolver = try Self.resolver(
                links + "  s: {match: /s/*, stored: {destinations: \"*\"}}")
            let slugs = (0..<7).map { _ in
                (0..<Int.random(in: 1..<4, using: &random)).map { _ in
                    ["a", "b", "ab", "t"].randomElement(using: &random) ?? ""
                }.joined()
            }
            let index = Self.index(Array(Set(slugs)).sorted())
            for _ in 0..<40 {
                let path =
                    ["/s/", "/s/", "/s/", "/s/", "/s", "/S/"].randomElement(using: &random) ?? ""
                let rest = (0..<Int.random(in: 0..<3, using: &random)).map { _ in
                    parts.randomElement(using: &random) ?? ""
                }.joined()
                let target = path + rest
                guard !target.contains("?"), !target.contains("%"), !target.contains(".") else {
                    continue
                }
                var scratch = LinkScratch()
                scratch.index = index
                let short = resolver.redirectStored(
                    Array(target.utf8), 0..<target.utf8.count, &scratch)
                for agent in ["", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Safari"] {
                    for now in [99, 100] {
                        let visitor = Visitor(userAgent: agent)
                        var other = LinkScratch()
                        other.index = index
                        let whole = resolver.decide(
                            try LinkURL("https://a.b\(target)"), for: visitor, at: now, &other)
                        if case .redirect = whole.answer, whole.stored != nil { led += 1 }
                        guard let short else { continue }
                        used += 1
                        #expect(whole.answer == .redirect(scratch.location, .found), "\(target)")
                        #expect(whole.link == short.link && whole.stored?.id == short.id)
                    }
                }
            }
        }
        // Most of those that lead somewhere take the short way.
        #expect(used > 1_000 && led > used)
    }

    @Test(
        arguments: [
            ("https://a.b/s/x", true), ("https://a.b/s/", false), ("http://a.b/s/x?y#z", true),
            ("https://a.b/%73/x", true), ("https://a.b//s/x", true), ("https://a.b/t/../s/x", true),
            ("https://a.b/%2e/s/x", true), ("https://a.b/s/x/", true), ("https://a.b/s%2Fx", false),
            ("https://a.b/s", false), ("https://a.b/s/../x", false), ("https://a.b/u/s/x", false),
            // Long links: with the slash or without.
            ("https://a.b/e/?link=https%3A%2F%2Fw.c", true),
            ("https://a.b/e?link=https%3A%2F%2Fw.c", true),
            ("https://a.b/%65/?link=https%3A%2F%2Fw.c", true), ("https://a.b/e?q=1", false),
            // Before the collection, a link of the configuration answers; one that ends does not answer for ever.
            ("https://a.b/t/own", false), ("https://a.b/t/ends", true), ("https://a.b/t/x", true),
        ])
    func `a URL that asks for a stored link, however it is written`(
        url: String, isStored: Bool
    ) throws {
        let resolver = try Self.resolver(
            """
              own: {match: /t/own, web: https://a.b/}
              ends: {match: /t/ends, web: https://a.b/, from: 2026-01-01T00:00:00Z}
              t: {match: /t/*, stored: {destinations: "*"}}
              s: {match: /s/*, stored: {destinations: "*"}}
              e: {match: /e/*, stored: {destinations: w.c, case: exact, firebase: long-links}}
            """)
        #expect(resolver.asksForStored(try WebURL(url)) == isStored)
    }
}
