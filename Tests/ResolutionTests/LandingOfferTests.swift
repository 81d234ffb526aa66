import Associations
import Diagnostics
import Resolution
import SiteConfiguration
import Testing

@Suite("What a generated page can offer")
struct LandingOfferTests {
    private static let sha =
        "\"" + Array(repeating: "A1", count: 32).joined(separator: ":") + "\""

    private static func resolver(_ environment: String) throws -> LinkResolver {
        let text = """
            version: 1
            apps:
              shop:
                name: Shop
                ios: {id: ABCDE12345.com.example.shop, store: 412366298, scheme: shop}
              shop-android:
                name: Shop for Android
                android: {package: com.example.shop, sha256: \(sha)}
            links:
              tap: {match: /tap/*, exclude: /tap/not/*, web: landing}
              android: {match: /android, web: landing}
              apple: {match: /apple, web: landing}
              nobody: {match: /nobody/*, web: landing}
              split: {match: /split/*, web: {ios: landing, desktop: "https://w.example/{1}?a=b"}}
              file: {match: /file, web: {ios: landing, default: /file.html}}
              told: {match: /told, page: {title: Told}}
              app: {match: /app}
            environments:
              e:
                hosts: [e.example, f.example]
                tls: {certificate: a, key: b}
                publish: {shop: [tap, apple, split, file, told, app], shop-android: [tap, android]}
                \(environment)
            """
        let (site, diagnostics) = Configuration.read(Array(text.utf8), file: "f")
        return LinkResolver(try #require(site?.environments.first?.sites[0], "\(diagnostics)"))
    }

    private func offered(
        _ link: String, _ client: String, _ environment: String = "open-host: open.example"
    ) throws -> LandingOffer {
        let agent = try #require(VisitorProfile.userAgent(of: client))
        let decision = try Self.resolver(environment).decide(
            try LinkURL(link), for: Visitor(userAgent: agent), at: nil)
        switch decision.answer {
        case .landing(let offer), .summary(let offer): return offer
        default: throw NoOffer(answer: decision.answer)
        }
    }

    private struct NoOffer: Error {
        let answer: WebAnswer
    }

    @Test func `the link itself, and on another host, where a tap opens the app`() throws {
        let offer = try offered("https://e.example:8443/tap/x?b=c#d", "iphone-safari")
        #expect(offer.url == "https://e.example:8443/tap/x?b=c")
        #expect(offer.openURL == "https://open.example:8443/tap/x?b=c")
        #expect(offer.opensOnApple && offer.opensOnAndroid)
        #expect(offer.apps.androidPackage == "com.example.shop")
        #expect(offer.schemeURL == nil)
        #expect(offer.webURL == nil)
        #expect(offer.appStoreURL == "https://apps.apple.com/app/id412366298")
        #expect(
            offer.googlePlayURL == "https://play.google.com/store/apps/details?id=com.example.shop")
    }

    @Test(
        "another host is one that is not the page's",
        arguments: [
            ("https://e.example/tap/x", "open-host: open.example", "https://open.example/tap/x"),
            ("https://f.example/tap/x", "open-host: open.example", "https://open.example/tap/x"),
            ("https://open.example/tap/x", "open-host: open.example", "https://e.example/tap/x"),
            ("https://e.example/tap/x", "robots: open", nil),
        ])
    func openHosts(_ link: String, _ environment: String, _ expected: String?) throws {
        #expect(try offered(link, "iphone-safari", environment).openURL == expected)
    }

    @Test(
        "only what an app opens can be opened in it",
        arguments: [
            ("/tap/x", true, true), ("/tap/not/x", nil, nil), ("/android", false, true),
            ("/apple", true, false),
            ("/nobody/x", false, false), ("/split/x", true, false),
        ] as [(String, Bool?, Bool?)])
    func opens(_ path: String, _ onApple: Bool?, _ onAndroid: Bool?) throws {
        guard let onApple, let onAndroid else {
            #expect(throws: NoOffer.self) {
                try offered("https://e.example\(path)", "iphone-safari")
            }
            return
        }
        let offer = try offered("https://e.example\(path)", "iphone-safari")
        #expect(offer.opensOnApple == onApple)
        #expect(offer.opensOnAndroid == onAndroid)
        // Nobody is offered to open an app that his system has not got.
        for (client, opens) in [
            ("iphone-safari", onApple), ("desktop-safari", onApple), ("android-chrome", onAndroid),
            ("android-firefox", onAndroid),
        ] {
            guard let offer = try? offered("https://e.example\(path)", client) else { continue }
            #expect((offer.openURL != nil) == opens, "\(client)")
        }
    }

    @Test(
        "Android opens the link itself where there is no other host",
        arguments: [("/tap/x", "https://e.example/tap/x"), ("/apple", nil)])
    func androidLink(_ path: String, _ expected: String?) throws {
        let offer = try offered(
            "https://e.example\(path)", "android-firefox", "robots: open")
        #expect(offer.openURL == expected)
    }

    @Test(
        "the app's own scheme, where the configuration says so, on devices that know it",
        arguments: [
            ("iphone-safari", "scheme: true", "shop://e.example/tap/x?b=c"),
            ("ipad-mobile", "scheme: true", "shop://e.example/tap/x?b=c"),
            ("instagram-ios", "scheme: true", "shop://e.example/tap/x?b=c"),
            ("iphone-safari", "scheme: false", nil), ("iphone-safari", "robots: open", nil),
            ("android-chrome", "scheme: true", nil), ("desktop-chrome", "scheme: true", nil),
        ])
    func schemes(_ client: String, _ environment: String, _ expected: String?) throws {
        #expect(
            try offered("https://e.example/tap/x?b=c", client, environment).schemeURL == expected)
        // No app of Apple's systems opens this one.
        #expect(try offered("https://e.example/android", client, environment).schemeURL == nil)
    }

    @Test(
        "the name of the app for the visitor's system",
        arguments: [
            ("iphone-safari", "Shop"), ("ipad-mobile", "Shop"), ("desktop-safari", "Shop"),
            ("android-chrome", "Shop for Android"), ("instagram-android", "Shop for Android"),
            ("desktop-chrome", "Shop"),
        ])
    func names(_ client: String, _ expected: String?) throws {
        let agent = try #require(VisitorProfile.userAgent(of: client))
        let visitor = Visitor(userAgent: agent)
        let offer = try offered("https://e.example/tap/x", client)
        #expect(offer.appName(for: visitor) == expected)
        #expect(try offered("https://e.example/nobody/x", client).appName(for: visitor) == nil)
        // An app that does not open the link is not named, even if it is the only one there is.
        let other = visitor.platform == .android ? "/apple" : "/android"
        guard visitor.platform != .desktop else { return }
        #expect(try offered("https://e.example\(other)", client).appName(for: visitor) == nil)
    }

    @Test(
        "a store is offered for an app that opens the link, and for no other",
        arguments: [
            ("/tap/x", true, true), ("/apple", true, false), ("/android", false, true),
            ("/nobody/x", false, false), ("/split/x", true, false),
        ])
    func stores(_ path: String, _ apple: Bool, _ google: Bool) throws {
        for client in ["iphone-safari", "ipad-mobile", "instagram-ios"] {
            let offer = try offered("https://e.example\(path)", client)
            #expect((offer.appStoreURL != nil) == apple, "\(client)")
            #expect((offer.googlePlayURL != nil) == google, "\(client)")
        }
    }

    @Test(
        "the web, by what the link has for computers, or by what is unmatched",
        arguments: [
            ("/split/x?utm_id=7", "robots: open", "https://w.example/x?a=b&utm_id=7"),
            ("/file", "robots: open", "https://e.example/file.html"),
            ("/tap/x", "robots: open", nil),
            ("/tap/x", "unmatched: \"https://u.example{path}\"", "https://u.example/tap/x"),
            ("/tap/x", "unmatched: /404.html", nil),
        ])
    func web(_ path: String, _ environment: String, _ expected: String?) throws {
        #expect(
            try offered("https://e.example\(path)", "iphone-safari", environment).webURL == expected
        )
    }

    @Test(
        "what nothing claims can have a page too",
        arguments: [
            ("/nothing", nil, false, 404), ("/told", "told", true, 200), ("/app", nil, true, 200),
            ("/tap/not/x", nil, false, 404),
        ])
    func unmatched(_ path: String, _ link: String?, _ opens: Bool, _ status: Int) throws {
        let resolver = try Self.resolver(
            "unmatched: landing\n    open-host: open.example")
        let url = try LinkURL("https://e.example\(path)")
        let agent = try #require(VisitorProfile.userAgent(of: "iphone-safari"))
        let decision = resolver.decide(url, for: Visitor(userAgent: agent), at: nil)
        #expect(decision.link.map { resolver.links[$0].key } == link)
        #expect(decision.reason == .noLink)
        #expect(decision.dependsOnVisitor)
        guard case .landing(let offer) = decision.answer else {
            Issue.record("\(decision.answer)")
            return
        }
        #expect((offer.openURL != nil) == opens)
        #expect(offer.status == status)
        #expect((offer.appStoreURL != nil) == opens && offer.googlePlayURL == nil)
    }

    @Test(
        "a page for every path is about the site and its apps, if its status is 200",
        arguments: [(200, true), (404, false), (410, false)])
    func told(_ status: Int, _ hasStores: Bool) throws {
        let offer = try offered(
            "https://e.example/nothing", "iphone-safari",
            "unmatched: {page: landing, status: \(status)}\n    open-host: open.example")
        #expect(offer.status == status && offer.isUnknown == !hasStores)
        #expect(offer.openURL == nil)
        #expect((offer.appStoreURL != nil) == hasStores)
        #expect((offer.googlePlayURL != nil) == hasStores)
        // A path that a link claims has 200, whatever this says.
        let claimed = try offered(
            "https://e.example/told", "iphone-safari",
            "unmatched: {page: landing, status: \(status)}")
        #expect(claimed.status == 200 && claimed.googlePlayURL == nil)
    }

    @Test(
        "a link test gets the status of a page for an unknown path",
        arguments: [
            ("landing", 404), ("{page: landing}", 404), ("{page: landing, status: 200}", 200),
        ])
    func expected(_ unmatched: String, _ status: Int) throws {
        let text = """
            version: 1
            apps: {app: {ios: {id: ABCDE12345.com.example.app}}}
            links: {tap: {match: /tap, web: landing}}
            environments:
              e:
                hosts: e.example
                tls: {certificate: a, key: b}
                publish: {app: tap}
                unmatched: \(unmatched)
            expect:
              - {url: "https://e.example/x", env: e, as: iphone-safari, gets: \(status)}
              - {url: "https://e.example/x", env: e, as: messages-preview, gets: \(status)}
              - {url: "https://e.example/tap", env: e, as: iphone-safari, gets: 200}
            """
        let (read, findings) = Configuration.read(Array(text.utf8), file: "f")
        let outcomes = try #require(read, "\(findings)").runLinkTests { _ in [] }
        #expect(outcomes.count == 3 && outcomes.allSatisfy { $0.failures.isEmpty })
    }

    @Test(
        "`unmatched: store` leads to an app that opens the link, if one does",
        arguments: [
            ("/told", "android-chrome", nil), ("/app", "android-chrome", nil),
            ("/told", "iphone-safari", "https://apps.apple.com/app/id412366298"),
            (
                "/nothing", "android-chrome",
                "https://play.google.com/store/apps/details?id=com.example.shop"
            ),
        ] as [(String, String, String?)])
    func storeOfTheLink(_ path: String, _ client: String, _ expected: String?) throws {
        let agent = try #require(VisitorProfile.userAgent(of: client))
        let decision = try Self.resolver("unmatched: store").decide(
            try LinkURL("https://e.example\(path)"), for: Visitor(userAgent: agent), at: nil)
        switch decision.answer {
        case .redirect(let url, _): #expect(String(decoding: url, as: UTF8.self) == expected)
        case .landing(let offer):
            #expect(expected == nil && offer.googlePlayURL == nil)
            #expect(offer.ways(for: Visitor(userAgent: agent)).contains(.sentence))
        default: Issue.record("\(decision.answer)")
        }
    }

    @Test(
        "what nothing claims can lead to the store, where there is one",
        arguments: [
            ("iphone-safari", "302 https://apps.apple.com/app/id412366298"),
            (
                "android-chrome",
                "302 https://play.google.com/store/apps/details?id=com.example.shop"
            ), ("desktop-chrome", "302 https://apps.apple.com/app/id412366298"),
            ("messages-preview", "summary"),
        ])
    func unmatchedStore(_ client: String, _ expected: String) throws {
        let agent = try #require(VisitorProfile.userAgent(of: client))
        let decision = try Self.resolver("unmatched: store").decide(
            try LinkURL("https://e.example/x"), for: Visitor(userAgent: agent), at: nil)
        switch decision.answer {
        case .redirect(let url, _):
            #expect("302 \(String(decoding: url, as: UTF8.self))" == expected)
        case .summary: #expect("summary" == expected)
        default: Issue.record("\(decision.answer)")
        }
    }
}
