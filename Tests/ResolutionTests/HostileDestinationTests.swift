import Associations
import Foundation
import Resolution
import SiteConfiguration
import Testing
import URISyntax

/// Whatever a request asks for, it chooses no host, and ends no line.
@Suite("Hostile requests")
struct HostileDestinationTests {
    private static let templates = [
        "https://www.example.com/{1}", "https://www.example.com/x{1}?y={1}#{1}",
        "https://www.example.com{path}", "https://www.example.com/p{path}?{query}#{query}",
        "https://www.example.com/{query.to}/x?u={query.to}&{query}#{query.to}",
        "https://www.example.com:8443/{query.to}{1}", "https://www.example.com?{query}",
        "http://www.example.com/?next={path}&q={query}",
    ]

    /// What has led others astray.
    static let texts = [
        "//evil.example", "///evil.example/", "/\\evil.example", "\\\\evil.example",
        "@evil.example", ":pw@evil.example", ":443@evil.example", ".evil.example", ":99999",
        "https://evil.example/", "https:evil.example", "javascript:alert(1)",
        "data:text/html,<script>", "%2F%2Fevil.example", "%5C%5Cevil.example", "%40evil.example",
        "%0D%0ALocation:%20https://evil.example", "%0d%0a%0d%0a<script>", "%0A", "%0D", "%00",
        "%E5%98%8A%E5%98%8DSet-Cookie:x", "%250D%250A", "%C0%AF%C0%AE", "%u000d%u000a", "%",
        "%%", "%2", "%zz", "..", "../..", "..%2f..", "%2e%2e", "%2E%2E/", ".%2e", "...", ".",
        "?x", "??", "#x", "%23x", "%3Fx", "&a=b", "&&&", "=", ";", "a;b", "+", "%20", "\"", "'",
        "<script>", "`", "{1}", "{path}", "|", "^", "[::1]", "\u{E9}", "\u{301}",
        "\u{2028}", "\u{202E}", "\u{FF0F}\u{FF0F}evil.example", "\u{3002}evil.example",
        "evil\u{200B}.example", "utm_source=%0d%0ax", "to=//evil.example", "to=..",
    ]

    static let targets = texts.flatMap { text in
        ["/go/\(text)", "/go\(text)/", "/go/a?to=\(text)", "/go/a?\(text)&to=a"]
    }

    private static let resolvers: [LinkResolver] = templates.compactMap { template in
        let text = """
            version: 1
            apps: {a: {ios: {id: ABCDE12345.a, store: 1}, android: {package: a.b, sha256: \(sha)}}}
            links:
              l: {match: "/go*", web: {desktop: "\(template)", default: store}}
            environments:
              e:
                hosts: e.example
                open-host: open.example
                tls: {certificate: a, key: b}
                publish: {a: l}
                unmatched: "https://www.example.com{path}?{query}&x={query.to}"
                campaign: {apple: {provider: 1}, google: {link: true}}
            """
        return Configuration.read(Array(text.utf8), file: "f").configuration.map {
            LinkResolver($0.environments[0].sites[0])
        }
    }

    private static let sha = "\"" + Array(repeating: "A1", count: 32).joined(separator: ":") + "\""
    private static let hosts: Set = [
        "www.example.com", "apps.apple.com", "play.google.com",
    ]

    @Test func `there are enough of them`() {
        #expect(Self.resolvers.count == Self.templates.count)
        #expect(Self.targets.count >= 200)
    }

    @Test("no request leads to another host, or writes a line", arguments: targets)
    func destinations(_ target: String) throws {
        guard let url = try? LinkURL("https://e.example\(target)") else { return }
        for resolver in Self.resolvers {
            for client in ["desktop-chrome", "iphone-safari", "android-chrome"] {
                let agent = try #require(VisitorProfile.userAgent(of: client))
                let decision = resolver.decide(url, for: Visitor(userAgent: agent), at: nil)
                guard case .redirect(let location, _) = decision.answer else {
                    #expect(decision.reason == .dotSegment)
                    continue
                }
                try check(String(decoding: location, as: UTF8.self))
            }
        }
    }

    private func check(_ location: String) throws {
        #expect(location.utf8.allSatisfy { (0x21...0x7E).contains($0) })
        let own = try WebURL(location)
        #expect(Self.hosts.contains(own.host.description))
        #expect([nil, 8443].contains(own.port))
        // An independent reader takes it for the same.
        let parts = try #require(URLComponents(string: location))
        #expect(parts.host == own.host.description)
        #expect(parts.user == nil && parts.password == nil)
        let path = parts.percentEncodedPath.lowercased().replacing("%2e", with: ".")
        #expect(!path.split(separator: "/").contains { $0 == "." || $0 == ".." })
        for control in ["%0a", "%0d", "%00"] {
            #expect(!location.lowercased().contains(control))
        }
    }

    /// What a generated page offers leads to hosts of the configuration too.
    @Test("nor does what a page offers", arguments: targets)
    func offers(_ target: String) throws {
        guard let url = try? LinkURL("https://e.example\(target)") else { return }
        let resolver = try #require(Self.resolvers.first)
        let decision = resolver.decide(url, for: Visitor(userAgent: "Twitterbot/1.0"), at: nil)
        guard case .summary(let offer) = decision.answer else {
            #expect(decision.reason == .dotSegment)
            return
        }
        let urls = [
            offer.url, offer.openURL, offer.webURL, offer.appStoreURL, offer.googlePlayURL,
        ].compactMap(\.self)
        #expect(urls.count >= 4)
        let known = Self.hosts.union(["e.example", "open.example"])
        for url in urls {
            #expect(url.utf8.allSatisfy { (0x21...0x7E).contains($0) })
            #expect(known.contains(try WebURL(url).host.description))
            #expect(known.contains(try #require(URLComponents(string: url)?.host)))
        }
    }
}
