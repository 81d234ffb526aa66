import Associations
import Diagnostics
import Resolution
import TestSupport
import SiteConfiguration
import Testing

@Suite("What the web shows for a link, for whom")
struct LinkResolverTests {
    private static let text = """
        version: 1
        apps:
          shop:
            name: Shop
            ios: {id: W4X7K2M9QH.com.example.shop, store: 412366298}
            android:
              package: com.example.shop
              sha256: "\(Array(repeating: "A1", count: 31).joined(separator: ":")):B2"
          reader: {ios: {id: W4X7K2M9QH.com.example.reader}}
        links:
          sale:
            match: /sale/*
            web: {ios: store, android: store, desktop: "https://www.example.com/sale?of={1}"}
          tablet: {match: /tablet, web: {ios: store, ipad: /ipad.html, default: not-found}}
          news: {match: /news/*, exclude: /news/internal/*, web: "https://www.example.com/{1}"}
          page: {match: /page, web: /page.html}
          phone: {match: /phone, web: {ios: store}}
          reading: {match: /reading, web: store}
          sold: {match: /sold, web: {android: store}}
          nobody: {match: /nobody, web: {ios: not-found}}
          tap: {match: /tap, web: landing}
          all: {match: /news/*, web: not-found}
          moved: {match: /moved/*, web: "301 https://www.example.com/{1}"}
          gone: {match: /gone, web: {ios: store, default: "308 https://www.example.com/gone"}}
          kept: {match: /kept, web: {desktop: "307 https://www.example.com/kept"}}
        environments:
          dev:
            hosts: [localhost]
            tls: {certificate: a, key: b}
            publish: {shop: [sale, tablet, news, page, phone, tap, sold], reader: [reading]}
        """

    private static let resolver: LinkResolver? = Configuration.read(
        Array(text.utf8), file: "f", directory: "."
    ).configuration?.environments.first?.sites.first.map(LinkResolver.init)

    private static let apple = "302 https://apps.apple.com/app/id412366298"
    private static let google = "302 https://play.google.com/store/apps/details?id=com.example.shop"

    private func answer(_ path: String, _ client: String) throws -> String {
        let resolver = try #require(Self.resolver)
        let agent = try #require(VisitorProfile.userAgent(of: client))
        let url = try LinkURL("https://localhost\(path)")
        return switch resolver.decide(url, for: Visitor(userAgent: agent), at: nil).answer {
        case .page(let path): "200 \(path)"
        case .redirect(let url, let status):
            "\(status.rawValue) \(String(decoding: url, as: UTF8.self))"
        case .landing: "landing"
        case .summary(let offer): "summary \(offer.webURL ?? "of nowhere")"
        case .notFound: "404"
        case .gone: "410"
        case .fallback: "unmatched"
        case .tooLong: "414"
        case .refused: "400"
        case .debug: "debug"
        }
    }

    @Test(
        "each client gets what the link says for it",
        arguments: [
            ("/sale/x", "iphone-safari", apple), ("/sale/x", "ipad-chrome", apple),
            ("/sale/x", "android-chrome", google),
            ("/sale/x", "desktop-chrome", "302 https://www.example.com/sale?of=x"),
            ("/sale/x", "ipad-safari", "302 https://www.example.com/sale?of=x"),
            ("/sale/a&b=c", "desktop-chrome", "302 https://www.example.com/sale?of=a%26b%3Dc"),
            ("/sale/x", "messages-preview", "summary https://www.example.com/sale?of=x"),
            ("/sale/x", "applebot", "summary https://www.example.com/sale?of=x"),
            ("/tablet", "ipad-chrome", "200 /ipad.html"), ("/tablet", "iphone-safari", apple),
            ("/tablet", "android-chrome", "404"), ("/tablet", "slack-preview", "404"),
            ("/news/a/b", "desktop-chrome", "302 https://www.example.com/a/b"),
            ("/news/a/b/", "desktop-chrome", "302 https://www.example.com/a/b/"),
            ("/news//evil.example/", "curl", "302 https://www.example.com/evil.example/"),
            ("/news/@evil.example", "curl", "302 https://www.example.com/@evil.example"),
            ("/news/a?b#c", "desktop-chrome", "302 https://www.example.com/a"),
            // What one link excludes, the next one may claim.
            ("/news/internal/x", "desktop-chrome", "404"),
            ("/page", "desktop-chrome", "200 /page.html"), ("/page", "x-preview", "200 /page.html"),
            ("/phone", "iphone-safari", apple), ("/phone", "desktop-chrome", "unmatched"),
            // Who sees the preview may hold another device than it imitates.
            ("/phone", "messages-preview", "summary of nowhere"),
            ("/phone", "googlebot", "summary of nowhere"),
            ("/phone", "apple-cdn", "unmatched"), ("/phone", "curl", "unmatched"),
            ("/sold", "applebot", "summary of nowhere"), ("/sold", "iphone-safari", "unmatched"),
            ("/nobody", "slack-preview", "unmatched"), ("/reading", "bingbot", "unmatched"),
            ("/reading", "iphone-safari", "unmatched"),
            ("/tap", "iphone-safari", "landing"), ("/tap", "x-preview", "summary of nowhere"),
            ("/nothing", "desktop-chrome", "unmatched"),
            ("/moved/a", "desktop-chrome", "301 https://www.example.com/a"),
            ("/moved/a", "iphone-safari", "301 https://www.example.com/a"),
            // Search engines list the address that is permanent; previews show the link's title.
            ("/moved/a", "googlebot", "301 https://www.example.com/a"),
            ("/moved/a", "slack-preview", "summary https://www.example.com/a"),
            ("/gone", "android-chrome", "308 https://www.example.com/gone"),
            ("/gone", "applebot", "308 https://www.example.com/gone"),
            ("/kept", "desktop-chrome", "307 https://www.example.com/kept"),
            ("/kept", "googlebot", "summary https://www.example.com/kept"),
        ])
    func answers(_ path: String, _ client: String, _ expected: String) throws {
        #expect(try answer(path, client) == expected)
    }

    @Test(
        "caches are told where another visitor would get another answer",
        arguments: [
            ("/sale/x", true), ("/tablet", true), ("/news/x", true), ("/page", false),
            ("/news/internal/x", false), ("/nothing", false), ("/phone", true),
        ])
    func caching(_ path: String, _ depends: Bool) throws {
        let url = try LinkURL("https://localhost\(path)")
        let resolver = try #require(Self.resolver)
        for client in ["iphone-safari", "desktop-chrome"] {
            let agent = try #require(VisitorProfile.userAgent(of: client))
            let decision = resolver.decide(url, for: Visitor(userAgent: agent), at: nil)
            #expect(decision.dependsOnVisitor == depends)
        }
    }

    @Test func `memory that is used again changes nothing`() throws {
        let resolver = try #require(Self.resolver)
        var scratch = LinkScratch()
        let paths = ["/news/a", "/tap", "/sale/x?utm_source=y", "/nothing", "/news/bb/c", "/phone"]
        for path in paths + paths.reversed() {
            for (_, agent) in VisitorProfile.all {
                let url = try LinkURL("https://localhost\(path)")
                let visitor = Visitor(userAgent: agent)
                let kept = resolver.decide(url, for: visitor, at: nil, &scratch)
                #expect(kept.answer == resolver.decide(url, for: visitor, at: nil).answer)
            }
        }
    }

    /// Patterns overlap, some exclude, some links have a page and no action, and some are the same
    /// as others.
    @Test("the first link that claims a URL decides", arguments: [1, 2, 3, 4] as [UInt64])
    func isFirst(_ seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let pieces = ["a", "b", "/", "ab/"]
        func path() -> String {
            "/"
                + (0..<Int.random(in: 0...4, using: &random)).map { _ in
                    pieces.randomElement(using: &random) ?? ""
                }.joined()
        }
        let entries = (0..<300).map { index in
            let match = path() + (Bool.random(using: &random) ? "*" : "")
            let exclude =
                Int.random(in: 0..<4, using: &random) == 0 ? ", exclude: '\(path())*'" : ""
            let web =
                Int.random(in: 0..<4, using: &random) == 0
                ? "page: {title: t}" : "web: 'https://www.example.com/\(index)'"
            return "  l\(index): {match: '\(match)'\(exclude), \(web)}"
        }
        let text = """
            version: 1
            apps: {a: {ios: {id: W4X7K2M9QH.com.example.a}}}
            links:
            \(entries.joined(separator: "\n"))
            environments:
              dev: {hosts: [localhost], tls: {certificate: a, key: b}, publish: {a: [l0]}}
            """
        let reading = Configuration.read(Array(text.utf8), file: "f", directory: ".")
        let environment = try #require(
            reading.configuration?.environments.first?.sites[0], "\(reading.diagnostics)")
        let resolver = LinkResolver(environment)
        let matchers = resolver.links.map { link in
            RuleMatcher([link.components.map(RuleText.init)])
        }
        var scratch = LinkScratch()
        for _ in 0..<500 {
            let url = try LinkURL("https://localhost" + path())
            let claims = matchers.indices.filter { matchers[$0].opening(url) == [0] }
            let expected = claims.first { resolver.links[$0].web != nil } ?? claims.first
            let decision = resolver.decide(url, for: Visitor(userAgent: ""), at: nil, &scratch)
            try #require(decision.link == expected, "seed \(seed): \(url)")
            #expect(resolver.claim(of: url)?.link.key == claims.first.map { "l\($0)" })
        }
    }
}
