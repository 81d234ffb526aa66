import Associations
import LinkIndex
import Resolution
import SiteConfiguration
import Testing

/// `/%73/x` is `/s/x` (RFC 3986 §6.2.2.2): the web shows the same for both.
@Suite("Escapes without need")
struct NeedlessEscapeTests {
    private static func resolver(_ match: String = "/conf/*") throws -> LinkResolver {
        let text = """
            version: 1
            apps: {a: {ios: {id: W4X7K2M9QH.com.example.a}}}
            links:
              conf: {match: "\(match)", web: "https://www.example.com/{1}?{query}"}
              s: {match: /s/*, stored: {destinations: www.example.com}}
            environments:
              e:
                hosts: e.example
                tls: {certificate: a, key: b}
                publish: {a: [conf, s]}
                store: links.db
            """
        let read = Configuration.read(Array(text.utf8), file: "f")
        let site = try #require(read.configuration?.environments[0].sites[0], "\(read.diagnostics)")
        return LinkResolver(site)
    }

    private func location(_ target: String, _ resolver: LinkResolver) throws -> String? {
        let url = try LinkURL("https://e.example\(target)")
        let decision = resolver.decide(url, for: Visitor(userAgent: "Mozilla/5.0"), at: nil)
        guard case .redirect(let location, _) = decision.answer else { return nil }
        return String(decoding: location, as: UTF8.self)
    }

    @Test(
        "a path is decided like the one without them",
        arguments: [
            ("/conf/one", "one"), ("/%63onf/one", "one"), ("/con%66/%6Fne", "one"),
            ("/%63%6f%6e%66/o%6E%65?a=%62", "one?a=%62"), ("/conf/a%20%62", "a%20b"),
            ("/conf/%C3%A4", "%C3%A4"), ("/conf/a%2Db", "a-b"), ("/conf/%", "%25"),
        ])
    func decided(_ target: String, _ rest: String) throws {
        #expect(
            try location(target, Self.resolver()) == "https://www.example.com/\(rest)")
    }

    @Test(
        "what has a meaning stays escaped",
        arguments: ["/conf%2Fone", "/conf%2fone", "/%2Fconf/one"])
    func others(_ target: String) throws {
        #expect(try location(target, Self.resolver()) == nil)
    }

    @Test("no dot segment comes of it", arguments: ["/conf/%2e%2e/x", "/conf/%2E/x", "/conf/.%2e"])
    func dots(_ target: String) throws {
        #expect(try location(target, Self.resolver()) == nil)
    }

    @Test func `a rule that has such an escape is for who writes it`() throws {
        let resolver = try Self.resolver("/%63onf/*")
        #expect(try location("/%63onf/one", resolver) == "https://www.example.com/one")
        #expect(try location("/conf/one", resolver) == nil)
    }
}
