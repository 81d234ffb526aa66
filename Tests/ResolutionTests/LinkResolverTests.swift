import Associations
import Diagnostics
import Resolution
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
          tap: {match: /tap, web: landing}
          all: {match: /news/*, web: not-found}
        environments:
          dev:
            hosts: [localhost]
            tls: {certificate: a, key: b}
            publish: {shop: [sale, tablet, news, page, phone, tap], reader: [reading]}
        """

    private static let resolver: LinkResolver? = Configuration.read(
        Array(text.utf8), file: "f", directory: "."
    ).site?.environments.first.map(LinkResolver.init)

    private static let apple = "302 https://apps.apple.com/app/id412366298"
    private static let google = "302 https://play.google.com/store/apps/details?id=com.example.shop"

    private func answer(_ path: String, _ client: String) throws -> String {
        let resolver = try #require(Self.resolver)
        let agent = try #require(VisitorProfile.userAgent(of: client))
        let url = try LinkURL("https://localhost\(path)")
        return switch resolver.resolve(url, for: Visitor(userAgent: agent.utf8))?.answer {
        case .page(let path): "200 \(path)"
        case .redirect(let url): "302 \(url)"
        case .summary(let url): "summary \(url ?? "of nowhere")"
        case .notFound: "404"
        case nil: "unmatched"
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
            ("/reading", "iphone-safari", "unmatched"),
            ("/tap", "iphone-safari", "unmatched"), ("/tap", "x-preview", "summary of nowhere"),
            ("/nothing", "desktop-chrome", "unmatched"),
        ])
    func answers(_ path: String, _ client: String, _ expected: String) throws {
        #expect(try answer(path, client) == expected)
    }

    @Test(
        "caches are told where another visitor would get another answer",
        arguments: [
            ("/sale/x", true), ("/tablet", true), ("/news/x", true), ("/page", false),
            ("/news/internal/x", false),
        ])
    func caching(_ path: String, _ depends: Bool) throws {
        let url = try LinkURL("https://localhost\(path)")
        let agent = try #require(VisitorProfile.userAgent(of: "iphone-safari"))
        let resolver = try #require(Self.resolver)
        let resolution = try #require(resolver.resolve(url, for: Visitor(userAgent: agent.utf8)))
        #expect(resolution.dependsOnVisitor == depends)
    }

    /// Whatever a request asks for, it chooses no host.
    @Test(arguments: 0..<200)
    func `no request leads to another host`(seed: Int) throws {
        let pieces = ["/", "//", "\\", "@", ":", "%2F", "%5C", "evil.example", "..", "?", "#", "a"]
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
        var path = "/news/"
        for _ in 0..<6 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            path += pieces[Int(state >> 33) % pieces.count]
        }
        let answer = try answer(path, "desktop-chrome")
        #expect(!answer.hasPrefix("302") || answer.hasPrefix("302 https://www.example.com/"))
    }
}
