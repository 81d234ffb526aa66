import Associations
import SiteConfiguration
import TestSupport
import Testing

@testable import Resolution

@Suite("Redirects that carry the last segment of a path")
struct CarriedRedirectTests {
    private static func resolver(_ links: String) throws -> LinkResolver {
        try #require(read(links))
    }

    /// Nil for links that are refused.
    private static func read(_ links: String) -> LinkResolver? {
        let text = """
            version: 1
            apps: {a: {name: A, ios: {id: ABCDE12345.com.example.a, store: 12345}}}
            links:
            \(links)
            environments:
              e: {hosts: a.b, tls: {certificate: c, key: k}, publish: {a: l}, store: s}
            """
        let read = Configuration.read(Array(text.utf8), file: "w")
        return (read.configuration?.environments[0].sites[0]).map { LinkResolver($0) }
    }

    /// The URL for a path, and its link; nil where no redirect carries its last segment.
    private static func find(_ path: String, in resolver: LinkResolver) -> (url: String, link: Int)?
    {
        let bytes = Array("GET \(path)".utf8)
        guard let (folder, segment) = CarriedRedirect.split(bytes, 4..<bytes.count),
            let found = resolver.carriedRedirects.first(where: { $0.folder == Array(bytes[folder]) }
            )
        else { return nil }
        let url = found.location[..<found.place] + bytes[segment] + found.location[found.place...]
        return (String(decoding: url, as: UTF8.self), found.link)
    }

    @Test(
        arguments: [
            ("{match: /p/*, web: 'https://x.example/y/{1}'}", "https://x.example/y/s-1"),
            ("{match: /p/*, web: 'https://x.example{path}'}", "https://x.example/p/s-1"),
            (
                "{match: /p/*, web: 'https://x.example/y?a={1}&b=2'}",
                "https://x.example/y?a=s-1&b=2"
            ),
            ("{match: /p/*, web: 'https://x.example/y?a={1}&'}", "https://x.example/y?a=s-1"),
            ("{match: /p/*, web: 'https://x.example/y#{1}'}", "https://x.example/y#s-1"),
            ("{match: /p/*, web: 'https://x.example/{1}?{query}'}", "https://x.example/s-1"),
            ("{match: /p/*, web: 'https://x.example/%5B{1}'}", "https://x.example/%5Bs-1"),
            ("{match: /p/*, web: 'https://x.example/%2{1}'}", nil),
            ("{match: /p/*, web: 'https://x.example/%{1}'}", nil),
            ("{match: /p/*, web: '301 https://x.example/{1}'}", "https://x.example/s-1"),
            (
                "{match: /p/*, page: {title: T}, web: 'https://x.example/{1}'}",
                "https://x.example/s-1"
            ),
            ("{match: /p/*, web: 'https://x.example/{1}/{1}'}", nil),
            ("{match: /p/*, web: 'https://x.example/{1}/{path}'}", nil),
            ("{match: /p/*, web: 'https://x.example/y'}", nil),
            ("{match: /p/s*, web: 'https://x.example/{1}'}", nil),
            ("{match: /p/?*, web: 'https://x.example/{1}'}", nil),
            ("{match: /p/*/, web: 'https://x.example/{1}'}", nil),
            ("{match: '/%70/*', web: 'https://x.example/{1}'}", nil),
            ("{match: [/p/*, /q/*], web: 'https://x.example/{1}'}", nil),
            ("{match: /p/*, web: {ios: landing, default: 'https://x.example/{1}'}}", nil),
            ("{match: /p/*, web: {ios: 'https://x.example/{1}'}}", nil),
            ("{match: /p/*, exclude: /p/x, web: 'https://x.example/{1}'}", nil),
            ("{match: /p/*, web: landing}", nil),
            ("{match: {/: '/p/*', caseSensitive: false}, web: 'https://x.example/{1}'}", nil),
            ("{match: {/: '/p/*', '?': {a: b}}, web: 'https://x.example/{1}'}", nil),
            ("{match: /p/*, web: 'https://x.example/{1}', until: 2030-01-01T00:00:00Z}", nil),
        ])
    func `a link that leads every person from a folder to another URL`(
        _ link: String, _ url: String?
    ) throws {
        #expect(Self.find("/p/s-1", in: try Self.resolver("  l: \(link)"))?.url == url)
    }

    @Test(
        arguments: [
            ("{match: /q/*, web: landing}", true),
            ("{match: /pa, web: landing}", true),
            ("{match: /q/p/s-1, web: landing}", true),
            ("{match: /p/s-1, web: landing}", false),
            ("{match: /P/s-1, web: landing}", false),
            ("{match: /p, web: landing}", false),
            ("{match: /p/, web: landing}", false),
            ("{match: /p/*, web: landing}", false),
            ("{match: '*1', web: landing}", false),
            ("{match: /?/s-1, web: landing}", false),
            ("{match: [/q, '/%70/x'], web: landing}", false),
            ("{match: /p/other/x, web: landing, from: 2030-01-01T00:00:00Z}", false),
            ("{match: /p/*, stored: {destinations: '*'}}", false),
        ])
    func `no earlier link can have a path of the folder`(_ earlier: String, _ isCarried: Bool)
        throws
    {
        let links = ["e: \(earlier)", "l: {match: /p/*, web: 'https://x.example/{1}'}"]
        let resolver = try Self.resolver("  \(links[0])\n  \(links[1])")
        #expect((Self.find("/p/s-1", in: resolver) != nil) == isCarried)
        // Behind it, it takes nothing away.
        let later = try Self.resolver("  \(links[1])\n  \(links[0])")
        #expect(Self.find("/p/s-1", in: later)?.url == "https://x.example/s-1")
    }

    @Test(
        arguments: [
            ("/p/a", true), ("/p/A-_9", true), ("/p/", false), ("/p", false), ("/p/a/", false),
            ("/p/a/b", false), ("/P/a", false), ("/p/a.b", false), ("/p/%61", false),
            ("/p/a~", false), ("p/a", false), ("a", false), ("/", false), ("", false),
        ])
    func `paths with one plain segment in the folder are carried`(
        _ path: String, _ isCarried: Bool
    ) throws {
        let resolver = try Self.resolver("  l: {match: /p/*, web: 'https://x.example/{1}'}")
        #expect((Self.find(path, in: resolver) != nil) == isCarried)
    }

    @Test func `each is what the rules decide`() throws {
        let matches = [
            "/a/*", "/b/*", "/a/b/*", "/A/*", "/a*", "*b", "/?/*", "/a/x", "/ab/*", "/-_/*", "/*",
            "*", "/b/0", "/a/", "/b",
        ]
        let webs = [
            "'https://x.example/{1}'", "'https://x.example/y/{1}/z?q=1'", "landing",
            "'308 https://x.example/{path}'", "'https://x.example/?a={1}&'",
            "'https://x.example/y?{query}#{1}'", "'https://x.example/a%2F{1}'",
            "https://x.example/0",
            "'https://x.example/{1}?b={query.b}'", "'https://x.example/.{1}'",
            "'https://x.example/{2}/{1}'", "'https://x.example/%{1}'", "'https://x.example/%2{1}'",
        ]
        let segments = ["0", "1", "x", "B", "e", "2e", "E-_z", "abcdefghijkl"]
        var (random, compared) = (SplitMix(seed: 11), 0)
        for _ in 0..<600 {
            let links = (0..<Int.random(in: 1..<5, using: &random)).map { number in
                let match = matches.randomElement(using: &random) ?? ""
                let web = webs.randomElement(using: &random) ?? ""
                return "  l\(number == 0 ? "" : "\(number)"): {match: '\(match)', web: \(web)}"
            }
            guard let resolver = Self.read(links.joined(separator: "\n")) else { continue }
            for carried in resolver.carriedRedirects {
                for segment in segments {
                    let path = String(decoding: carried.folder, as: UTF8.self) + segment
                    let found = try #require(Self.find(path, in: resolver))
                    let url = try LinkURL("https://a.b\(path)")
                    for (name, agent) in VisitorProfile.all {
                        let visitor = Visitor(userAgent: agent)
                        guard !visitor.kind.isProgram else { continue }
                        compared += 1
                        let decision = resolver.decide(url, for: visitor, at: 100)
                        #expect(
                            decision.answer == .redirect(Array(found.url.utf8), carried.status),
                            "\(name): \(path) by \(links)")
                        #expect(decision.link == carried.link && decision.stored == nil)
                        #expect(!decision.leadsToStore && !decision.reason.isUnmatched)
                    }
                }
            }
        }
        #expect(compared > 1_000)
    }

    @Test func `a site with long links has none`() throws {
        let links = [
            "l: {match: /p/*, web: 'https://x.example/{1}'}",
            "d: {match: /d/*, stored: {destinations: x.example, case: exact, firebase: long-links}}",
        ]
        #expect(try Self.resolver("  \(links[0])").carriedRedirects.count == 1)
        #expect(try Self.resolver("  \(links[0])\n  \(links[1])").carriedRedirects.isEmpty)
    }
}
