import Associations
import Resolution
import SiteConfiguration
import Testing

@Suite("`store` on a link that no app opens")
struct StoreOfferTests {
    private static let sha = Array(repeating: "A1", count: 32).joined(separator: ":")
    private static let text = """
        version: 1
        apps:
          dev: {ios: {id: ABCDE12345.com.example.dev}}
          shop:
            name: Shop
            ios: {id: ABCDE12345.com.example.shop, store: 412366298}
            android: {package: com.example.shop, sha256: "\(sha)"}
          reader: {name: Reader, ios: {id: ABCDE12345.com.example.reader, store: 7}}
        links:
          buy: {match: /buy, web: landing}
          books: {match: /books/*}
          get: {match: /get, web: store}
          phones: {match: /phones, web: {android: store, default: landing}}
          shelf: {match: /books/get, web: store}
          page: {match: /page, web: landing}
          draft: {match: /draft, web: store}
        environments:
          e:
            hosts: e.example
            tls: {certificate: a, key: b}
            publish: {dev: [buy, draft], shop: buy, reader: books}
          alone:
            hosts: a.example
            tls: {certificate: a, key: b}
            publish: {reader: books}
            unmatched: landing
        """

    private func decide(
        _ path: String, _ client: String, _ name: String = "e"
    ) throws -> WebAnswer {
        let read = Configuration.read(Array(Self.text.utf8), file: "f")
        let site = try #require(
            read.configuration?.environment(named: name)?.sites[0], "\(read.diagnostics)")
        let agent = try #require(VisitorProfile.userAgent(of: client))
        return LinkResolver(site).decide(
            try LinkURL("https://\(site.exampleHost)\(path)"), for: Visitor(userAgent: agent),
            at: nil
        ).answer
    }

    private static let apple = "https://apps.apple.com/app/id412366298"
    private static let google = "https://play.google.com/store/apps/details?id=com.example.shop"

    @Test(
        "leads to the first of the site's apps that is in the store",
        arguments: [
            ("/get", "iphone-safari", "e", apple), ("/get", "android-chrome", "e", google),
            ("/get", "desktop-chrome", "e", apple), ("/phones", "android-chrome", "e", google),
            ("/get", "iphone-safari", "alone", "https://apps.apple.com/app/id7"),
            // The rules of another link open an app, which is the one that is meant.
            ("/books/get", "iphone-safari", "e", "https://apps.apple.com/app/id7"),
        ])
    func leads(_ path: String, _ client: String, _ site: String, _ expected: String) throws {
        guard case .redirect(let url, _) = try decide(path, client, site) else {
            Issue.record("no redirect")
            return
        }
        #expect(String(decoding: url, as: UTF8.self) == expected)
    }

    @Test func `its page has the stores of the site's apps, and opens none`() throws {
        guard case .landing(let offer) = try decide("/phones", "desktop-chrome") else {
            Issue.record("no page")
            return
        }
        #expect(offer.appStoreURL == Self.apple && offer.googlePlayURL == Self.google)
        #expect(!offer.opensOnApple && !offer.opensOnAndroid)
        guard case .summary(let preview) = try decide("/get", "messages-preview") else {
            Issue.record("no page")
            return
        }
        #expect(preview.apps.name == "Shop" && !preview.opensOnApple)
    }

    @Test func `where the store has none of them, unmatched decides`() throws {
        guard case .landing(let offer) = try decide("/get", "android-chrome", "alone") else {
            Issue.record("no page")
            return
        }
        #expect(offer.googlePlayURL == nil)
    }

    @Test func `a link that an app opens, and a page without store, offer no other app`() throws {
        #expect(try decide("/draft", "iphone-safari") == .fallback)
        guard case .landing(let offer) = try decide("/page", "iphone-safari") else {
            Issue.record("no page")
            return
        }
        #expect(offer.appStoreURL == nil && offer.apps.name == nil)
    }
}
