import Associations
import Diagnostics
import Resolution
import SiteConfiguration
import Testing

/// Every client, and every kind of link: what each of them gets is written down here, and nowhere
/// computed.
@Suite("Clients and links")
struct ClientTableTests {
    /// The column of a client in the table of links.
    static let columns: [(column: Column, clients: [String])] = [
        (
            .iPhone,
            [
                "iphone-safari", "iphone-chrome", "iphone-firefox", "instagram-ios",
                "facebook-ios", "x-ios", "linkedin-ios", "tiktok-ios", "snapchat-ios",
                "google-app-ios", "line-ios",
            ]
        ),
        (.iPad, ["ipad-chrome", "ipad-mobile", "facebook-ipad"]),
        (
            .android,
            [
                "android-chrome", "android-samsung", "android-firefox", "instagram-android",
                "facebook-android", "tiktok-android", "wechat-android", "android-webview",
            ]
        ),
        // Safari on an iPad says that it is a Mac.
        (
            .desktop,
            [
                "desktop-safari", "ipad-safari", "desktop-chrome", "desktop-edge",
                "desktop-firefox", "curl",
            ]
        ),
        (
            .program,
            [
                "messages-preview", "facebook-preview", "x-preview", "linkedin-preview",
                "slack-preview", "discord-preview", "telegram-preview", "whatsapp-preview",
                "applebot", "bingbot", "apple-cdn", "apple-device", "google-verifier",
            ]
        ),
        // It says that it is a phone.
        (.androidProgram, ["googlebot"]),
    ]

    enum Column: Int { case iPhone, iPad, android, desktop, program, androidProgram }

    private static let apple = "302 https://apps.apple.com/app/id412366298?pt=1&ct=c&mt=8"
    private static let google =
        "302 https://play.google.com/store/apps/details?id=com.example.shop"
        + "&referrer=utm_campaign%3Dc"

    /// Of each link, what the columns get, in their order; one for all where it says so.
    static let rows: [(path: String, answers: [String])] = [
        ("/page", ["200 /page.html"]),
        ("/none", ["404"]),
        ("/landing", ["landing", "landing", "landing", "landing", "summary", "summary"]),
        ("/store", [apple, apple, google, apple, "summary", "summary"]),
        (
            "/web/x",
            [
                "302 https://w.example/x?utm_campaign=c", "302 https://w.example/x?utm_campaign=c",
                "302 https://w.example/x?utm_campaign=c", "302 https://w.example/x?utm_campaign=c",
                "summary", "summary",
            ]
        ),
        (
            "/each",
            ["200 /ios.html", "200 /ios.html", "404", "302 https://w.example/d", "summary", "404"]
        ),
        (
            "/tablet",
            [apple, "200 /ipad.html", "landing", "landing", "summary", "summary"]
        ),
        // No action for Android: everything else is told where the shop is.
        (
            "/partly",
            [
                "landing", "landing", "302 https://u.example/partly?utm_campaign=c",
                "200 /page.html", "200 /page.html", "summary",
            ]
        ),
        // The app has no page in a store.
        (
            "/unsold",
            [
                "302 https://u.example/unsold?utm_campaign=c",
                "302 https://u.example/unsold?utm_campaign=c",
                "302 https://u.example/unsold?utm_campaign=c",
                "302 https://u.example/unsold?utm_campaign=c", "summary", "summary",
            ]
        ),
        // A page without an action.
        (
            "/told",
            [
                "302 https://u.example/told?utm_campaign=c",
                "302 https://u.example/told?utm_campaign=c",
                "302 https://u.example/told?utm_campaign=c",
                "302 https://u.example/told?utm_campaign=c", "summary", "summary",
            ]
        ),
        // Excluded from one link, and claimed by the next.
        ("/web/not/x", ["200 /not.html"]),
        (
            "/nothing",
            [
                "302 https://u.example/nothing?utm_campaign=c",
                "302 https://u.example/nothing?utm_campaign=c",
                "302 https://u.example/nothing?utm_campaign=c",
                "302 https://u.example/nothing?utm_campaign=c", "summary", "summary",
            ]
        ),
        (
            "/out/..%2e",
            ["302 https://w.example/..%2e?utm_campaign=c"].flatMap { [$0, $0, $0, $0] }
                + ["summary", "summary"]
        ),
    ]

    private static let resolver: LinkResolver? = {
        let sha = Array(repeating: "A1", count: 32).joined(separator: ":")
        let text = """
            version: 1
            apps:
              shop:
                ios: {id: ABCDE12345.com.example.shop, store: 412366298}
                android: {package: com.example.shop, sha256: "\(sha)"}
              reader: {ios: {id: ABCDE12345.com.example.reader}}
            links:
              page: {match: /page, web: /page.html}
              none: {match: /none, web: not-found}
              landing: {match: /landing, web: landing}
              store: {match: /store, web: store}
              web: {match: "/web/*", exclude: "/web/not/*", web: "https://w.example/{1}"}
              each:
                match: /each
                web: {ios: /ios.html, android: not-found, desktop: "https://w.example/d"}
                campaign: {utm: false}
              tablet: {match: /tablet, web: {ios: store, ipad: /ipad.html, default: landing}}
              partly: {match: /partly, web: {ios: landing, desktop: /page.html}}
              unsold: {match: /unsold, web: store}
              told: {match: /told, page: {title: Told}}
              rest: {match: "/web/*", web: /not.html}
              out: {match: "/out/*", web: "https://w.example/{1}"}
            environments:
              e:
                hosts: e.example
                tls: {certificate: a, key: b}
                publish:
                  shop: [page, none, landing, store, web, each, tablet, partly, told, rest, out]
                  reader: [unsold]
                unmatched: "https://u.example{path}"
                campaign: {apple: {provider: 1}}
            """
        return Configuration.read(Array(text.utf8), file: "f").configuration.map {
            LinkResolver($0.environments[0].sites[0])
        }
    }()

    @Test func `every client has a column`() {
        let clients = Self.columns.flatMap(\.clients)
        #expect(Set(clients) == Set(VisitorProfile.all.map(\.name)))
        #expect(clients.count == VisitorProfile.all.count)
        #expect(clients.count >= 25)
        #expect(Self.rows.count >= 12)
    }

    @Test("each client gets what the table says", arguments: rows.map(\.path))
    func table(_ path: String) throws {
        let resolver = try #require(Self.resolver)
        let answers = try #require(Self.rows.first { $0.path == path }).answers
        let url = try LinkURL("https://e.example\(path)?utm_campaign=c")
        for (column, clients) in Self.columns {
            let expected = answers.count == 1 ? answers[0] : answers[column.rawValue]
            for client in clients {
                let agent = try #require(VisitorProfile.userAgent(of: client))
                let decision = resolver.decide(url, for: Visitor(userAgent: agent), at: nil)
                #expect(decision.answer.inShort == expected, "\(client)")
                #expect(decision.dependsOnVisitor == (answers.count > 1), "\(client)")
            }
        }
    }
}

extension WebAnswer {
    /// In the words of the tables.
    var inShort: String {
        switch self {
        case .page(let path): "200 \(path)"
        case .redirect(let url, _): "302 \(String(decoding: url, as: UTF8.self))"
        case .landing(let offer): offer.isGone ? "410" : "landing"
        case .summary: "summary"
        case .notFound: "404"
        case .gone: "410"
        case .fallback: "fallback"
        case .tooLong: "414"
        case .refused: "400"
        case .debug: "debug"
        }
    }
}
