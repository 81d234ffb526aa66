import Associations
import Diagnostics
import Resolution
import SiteConfiguration
import Testing

@Suite("What stores are told")
struct StoreTests {
    private static let uuid = "45812c9b-c296-43d3-a6a0-c5a02f74bf6e"
    private static let apple = "https://apps.apple.com/app/id412366298"
    private static let google = "https://play.google.com/store/apps/details?id=com.example.shop"
    private static let sha =
        "\"" + Array(repeating: "A1", count: 32).joined(separator: ":") + "\""

    private func location(
        _ target: String, _ client: String, link: String = "{}", environment: String = "{}"
    ) throws -> String? {
        let campaigns = [link, environment].map { $0 == "{}" ? "" : "campaign: \($0)" }
        let text = """
            version: 1
            apps:
              shop:
                ios: {id: ABCDE12345.com.example.shop, store: 412366298}
                android: {package: com.example.shop, sha256: \(Self.sha)}
            links:
              l:
                match: /a
                web: store
                \(campaigns[0])
            environments:
              e:
                hosts: e.example
                tls: {certificate: a, key: b}
                publish: {shop: l}
                \(campaigns[1])
            """
        let (site, diagnostics) = Configuration.read(Array(text.utf8), file: "f")
        let resolver = LinkResolver(
            try #require(site?.environments.first?.sites[0], "\(diagnostics)"))
        let agent = try #require(VisitorProfile.userAgent(of: client))
        let url = try LinkURL("https://e.example\(target)")
        guard
            case .redirect(let bytes, _) = resolver.decide(
                url, for: Visitor(userAgent: agent), at: nil
            ).answer
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        "the App Store gets provider, campaign, media type and product page",
        arguments: [
            ("{}", "{}", "/a?utm_campaign=x", ""),
            ("{}", "{apple: {provider: 123}}", "/a", "?pt=123&mt=8"),
            (
                "{}", "{apple: {provider: 123}}", "/a?utm_campaign=spring%20sale",
                "?pt=123&ct=spring%20sale&mt=8"
            ),
            (
                "{}", "{apple: {provider: 123}}", "/a?utm_campaign=a%26pt%3D9",
                "?pt=123&ct=a%26pt%3D9&mt=8"
            ),
            (
                "{}", "{apple: {provider: 123, campaign: own & only}}", "/a?utm_campaign=x",
                "?pt=123&ct=own%20%26%20only&mt=8"
            ),
            (
                "{apple: {campaign: link}}", "{apple: {provider: 123, campaign: all}}", "/a",
                "?pt=123&ct=link&mt=8"
            ),
            ("{apple: {campaign: link}}", "{}", "/a", ""),
            ("{}", "{utm: false, apple: {provider: 123}}", "/a?utm_campaign=x", "?pt=123&mt=8"),
            (
                "{utm: true}", "{utm: false, apple: {provider: 123}}", "/a?utm_campaign=x",
                "?pt=123&ct=x&mt=8"
            ),
            ("{}", "{apple: {product-page: \(uuid)}}", "/a", "?ppid=\(uuid)"),
            (
                "{apple: {product-page: \(uuid)}}", "{apple: {provider: 123}}",
                "/a?utm_campaign=x", "?pt=123&ct=x&mt=8&ppid=\(uuid)"
            ),
        ])
    func appStore(
        _ link: String, _ environment: String, _ target: String, _ query: String
    ) throws {
        for client in ["iphone-safari", "ipad-chrome", "desktop-chrome"] {
            #expect(
                try location(target, client, link: link, environment: environment)
                    == Self.apple + query)
        }
    }

    @Test(
        "of a longer campaign the App Store gets 40 bytes, and no half of a character",
        arguments: [
            (String(repeating: "x", count: 40), String(repeating: "x", count: 40)),
            (String(repeating: "x", count: 41), String(repeating: "x", count: 40)),
            (String(repeating: "%41", count: 41), String(repeating: "%41", count: 40)),
            (
                String(repeating: "x", count: 39) + "%C3%A9", String(repeating: "x", count: 39)
            ),
            (
                String(repeating: "x", count: 38) + "%C3%A9y",
                String(repeating: "x", count: 38)
                    + "%C3%A9"
            ),
            (String(repeating: "x", count: 39) + "\u{E9}", String(repeating: "x", count: 39)),
            (
                String(repeating: "x", count: 38) + "%F0%9F%8E%89",
                String(repeating: "x", count: 38)
            ),
        ])
    func longCampaign(_ campaign: String, _ token: String) throws {
        #expect(
            try location(
                "/a?utm_campaign=\(campaign)", "iphone-safari",
                environment: "{apple: {provider: 1}}")
                == "\(Self.apple)?pt=1&ct=\(token)&mt=8")
    }

    @Test(
        "Google Play gets a referrer that an app reads decoded once",
        arguments: [
            ("{}", "/a", ""), ("{}", "/a?b=1", ""),
            ("{utm: false}", "/a?utm_source=n", ""),
            (
                "{}", "/a?utm_campaign=c&utm_source=n%20l",
                "&referrer=utm_source%3Dn%2520l%26utm_campaign%3Dc"
            ),
            (
                "{google: {link: true}}", "/a",
                "&referrer=link%3Dhttps%253A%252F%252Fe.example%252Fa"
            ),
            (
                "{google: {link: true}}", "/a?utm_id=1&b=%26",
                "&referrer=utm_id%3D1%26link%3Dhttps%253A%252F%252Fe.example%252Fa%253Futm_id"
                    + "%253D1%2526b%253D%252526"
            ),
            (
                "{google: {link: true}, utm: false}", "/a?b",
                "&referrer=link%3Dhttps%253A%252F%252Fe.example%252Fa%253Fb"
            ),
        ])
    func referrer(_ campaign: String, _ target: String, _ query: String) throws {
        #expect(
            try location(target, "android-chrome", environment: campaign) == Self.google + query)
    }

    @Test func `a link of 1,024 bytes is the longest that a referrer carries`() throws {
        func referrer(_ bytes: Int) throws -> String {
            let start = "https://e.example/a?"
            let target = "/a?" + String(repeating: "x", count: bytes - start.utf8.count)
            return try #require(
                try location(target, "android-chrome", environment: "{google: {link: true}}"))
        }
        #expect(try referrer(1_024).contains("&referrer=link"))
        #expect(try referrer(1_025) == Self.google)
    }
}
