import Associations
import SiteConfiguration
import TestSupport
import Testing

@testable import Resolution

@Suite("Redirects that a path decides alone")
struct FixedRedirectTests {
    private static func resolver(_ links: String) throws -> LinkResolver {
        let text = """
            version: 1
            apps: {a: {name: A, ios: {id: ABCDE12345.com.example.a, store: 12345}}}
            links:
            \(links)
            environments:
              e: {hosts: a.b, tls: {certificate: c, key: k}, publish: {a: l}, store: s}
            """
        let read = Configuration.read(Array(text.utf8), file: "w")
        return LinkResolver(try #require(read.configuration?.environments[0].sites[0]))
    }

    private static func find(_ path: String, in resolver: LinkResolver) -> FixedRedirect? {
        resolver.fixedRedirects.first { $0.path == Array(path.utf8) }
    }

    @Test(
        arguments: [
            ("{match: /p/1, web: https://x.example/y}", true),
            ("{match: [/q, /p/1], web: {default: https://x.example/y}}", true),
            ("{match: {/: /p/1, caseSensitive: false}, web: https://x.example/y}", true),
            ("{match: /p/1, web: 301 https://x.example/y}", true),
            ("{match: /p/1, page: {title: T}, web: https://x.example/y}", true),
            ("{match: /p/*, web: https://x.example/y}", false),
            ("{match: /%70/1, web: https://x.example/y}", false),
            ("{match: /p/1, web: 'https://x.example/{path}'}", false),
            ("{match: /p/1, web: 'https://x.example/y?'}", false),
            ("{match: /p/1, web: {ios: landing, default: https://x.example/y}}", false),
            ("{match: /p/1, web: {ios: https://x.example/y}}", false),
            ("{match: /p/1, web: landing}", false),
            ("{match: /p/1, page: {title: T}}", false),
            ("{match: {/: /p/1, '?': {a: b}}, web: https://x.example/y}", false),
            ("{match: /p/1, web: https://x.example/y, until: 2030-01-01T00:00:00Z}", false),
        ])
    func `a link that leads every person to one URL`(_ link: String, _ isFixed: Bool) throws {
        let resolver = try Self.resolver("  l: \(link)")
        let found = Self.find("/p/1", in: resolver)
        #expect((found?.location == Array("https://x.example/y".utf8)) == isFixed)
        #expect((found == nil) == !isFixed)
    }

    @Test(
        arguments: [
            ("{match: /q/*, web: landing}", true),
            ("{match: /P/1, web: landing}", true),
            ("{match: /p/*, exclude: /p/1, web: landing}", true),
            ("{match: /p/1, page: {title: T}}", false),
            ("{match: /p/*, web: landing}", false),
            ("{match: '*1', web: landing}", false),
            ("{match: /p/1/, web: landing}", false),
            ("{match: {/: /P/1, caseSensitive: false}, web: landing}", false),
            ("{match: /p/1, web: landing, from: 2030-01-01T00:00:00Z}", false),
            ("{match: /p/*, stored: {destinations: '*'}}", false),
        ])
    func `a link before it can have the path`(_ earlier: String, _ isFixed: Bool) throws {
        let resolver = try Self.resolver(
            "  e: \(earlier)\n  l: {match: /p/1, web: https://x.example/y}")
        #expect((Self.find("/p/1", in: resolver) != nil) == isFixed)
    }

    @Test func `each is what the rules decide`() throws {
        let matches = [
            "/a", "/b", "/a/", "/a/b", "/A", "/a*", "*b", "/?", "/a//b", "/ab", "/-_", "*",
        ]
        let webs = [
            "https://x.example/0", "https://x.example/1?q=1", "landing", "{ios: landing}",
            "308 https://x.example/2", "'https://x.example/{path}'",
        ]
        var (random, compared) = (SplitMix(seed: 9), 0)
        for _ in 0..<400 {
            let links = (0..<Int.random(in: 1..<6, using: &random)).map { number in
                let match = matches.randomElement(using: &random) ?? ""
                let web = webs.randomElement(using: &random) ?? ""
                let time = number % 4 == 3 ? ", until: 1970-01-01T00:01:40Z" : ""
                return
                    "  l\(number == 0 ? "" : "\(number)"): {match: '\(match)', web: \(web)\(time)}"
            }
            let resolver = try Self.resolver(links.joined(separator: "\n"))
            for fixed in resolver.fixedRedirects {
                let url = try LinkURL("https://a.b" + String(decoding: fixed.path, as: UTF8.self))
                for (name, agent) in VisitorProfile.all {
                    let visitor = Visitor(userAgent: agent)
                    guard !visitor.kind.isProgram else { continue }
                    for now in [99, 100] {
                        let decision = resolver.decide(url, for: visitor, at: now)
                        compared += 1
                        #expect(
                            decision.answer == .redirect(fixed.location, fixed.status), "\(name)")
                        #expect(decision.link == fixed.link && decision.stored == nil)
                        #expect(!decision.leadsToStore && !decision.reason.isUnmatched)
                    }
                }
            }
        }
        #expect(compared > 1_000)
    }

    @Test func `a site with long links has none`() throws {
        let links = [
            "l: {match: /p/1, web: https://x.example/y}",
            "d: {match: /d/*, stored: {destinations: x.example, case: exact, firebase: long-links}}",
        ]
        #expect(try Self.resolver("  \(links[0])").fixedRedirects.count == 1)
        #expect(try Self.resolver("  \(links[0])\n  \(links[1])").fixedRedirects.isEmpty)
    }
}
