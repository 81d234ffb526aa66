import Answering
import Diagnostics
import Foundation
import Resolution
import SiteConfiguration
import Snapshots
import Sockets
import TLS
import TestSupport
import Testing

@testable import Origin

/// The link house of the fixtures: a shop with apps for both systems, a newspaper for Android, and
/// a game for iOS that has a wildcard.
@Suite("Several sites in one process")
struct SeveralSitesTests {
    /// A copy of the fixture, which tests may change.
    private let house: URL
    private let now = Clock.unixSeconds + 60

    init() throws {
        house = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.copyItem(
            atPath: repository("Tests/Fixtures/sites/links-house"), toPath: house.path)
    }

    private func write(_ path: String, _ text: String) throws {
        try Data(text.utf8).write(to: house.appending(path: path))
    }

    private func edit(_ site: String, _ old: String, _ new: String) throws {
        let path = "sites/\(site).yaml"
        let text = try String(contentsOf: house.appending(path: path), encoding: .utf8)
        #expect(text.contains(old))
        try write(path, text.replacing(old, with: new))
    }

    private func environment(_ name: String = "prod") throws -> Environment {
        let (configuration, diagnostics) = Configuration.load(
            path: house.path + "/waymark.yaml", servesOthers: true)
        let environment = configuration?.environment(named: name)
        return try #require(environment, "\(diagnostics)")
    }

    private func build(after previous: Snapshot? = nil) throws -> Snapshot {
        let snapshot = try Snapshot.build(
            environment(), limits: .patient, ticketKeys: try TestOrigin.ticketKeys.get(),
            after: previous, now: now, speaksTLS: false)
        for site in snapshot.sites.sites { site.prepareFiles() }
        return snapshot
    }

    private func get(
        _ snapshot: Snapshot, _ host: String, _ path: String, agent: String = "curl/8"
    ) throws -> TestResponse {
        let request = "GET \(path) HTTP/1.1\r\nHost: \(host)\r\nUser-Agent: \(agent)\r\n\r\n"
        return try #require(
            TestResponse(snapshot.predict(Array(request.utf8), isSecure: true), isHead: false))
    }

    private func site(_ name: String, of snapshot: Snapshot) -> PreparedSite? {
        snapshot.sites.sites.first { $0.source.name == name }
    }

    /// What only one site has, as it is written in its configuration and its files.
    private static let marks = [
        ("shop", ["Lamp", "lamps", "412366298", "#0a7cff", "shop.links"]),
        ("news", ["Morgen", "paper", "#a00020", "news.links"]),
        ("game", ["Tower", "tower", "1289583905", "game.links"]),
    ]

    @Test func `advice on another browser is given only where an app opens the link`() throws {
        let snapshot = try build()
        for (host, path, client, isGiven) in [
            ("shop.links.example", "/lamp/7", "instagram-ios", true),
            ("shop.links.example", "/nothing", "instagram-ios", false),
            ("news.links.example", "/artikel/1", "instagram-ios", false),
            ("news.links.example", "/artikel/1", "instagram-android", true),
        ] {
            let agent = try #require(VisitorProfile.userAgent(of: client))
            let page = try get(snapshot, host, path, agent: agent).body
            #expect(page.contains("class=\"notice\"") == isGiven, "\(host)\(path) \(client)")
        }
    }

    // MARK: Counted

    @Test func `requests are counted by site, and those for no site together`() throws {
        let loopback = SocketAddress(host: .v4([127, 0, 0, 1]), port: 0)
        let server = try OriginServer.start(
            build(),
            on: BoundListeners(.init(https: nil, http: loopback, admin: loopback), loops: 1),
            limits: .patient, log: nil)
        defer { server.stop() }
        let client = try TestClient(port: server.addresses.http?.port ?? 0)
        for (host, path) in [
            ("shop.links.example", Router.applePaths[0]), ("shop.links.example", "/lamp/7"),
            ("eu.game.links.example", "/x"), ("nobody.example", "/"),
        ] {
            client.send("GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            _ = try client.readResponse()
        }
        let page = try TestClient(port: server.addresses.admin?.port ?? 0).get("/metrics").body
        let lines = page.split(separator: "\n").filter {
            $0.hasPrefix("waymark_site_requests_total{")
        }
        #expect(
            Set(lines) == [
                #"waymark_site_requests_total{site="shop",code="2xx"} 1"#,
                #"waymark_site_requests_total{site="shop",code="3xx"} 1"#,
                #"waymark_site_requests_total{site="game",code="3xx"} 1"#,
                #"waymark_site_requests_total{site="_none",code="4xx"} 1"#,
            ])
    }

    @Test func `a name keeps its counters, also after it has left the configuration`() throws {
        let first = try build()
        let links = first.names.links.map { "\($0.site)/\($0.link)" }
        #expect(links.contains("shop/lamp"))
        try edit("shop", "  lamp:", "  lantern:")
        try edit("shop", "[lamp, sale", "[lantern, sale")
        let second = try build(after: first)
        #expect(second.siteFaults == [])
        let next = second.names.links.map { "\($0.site)/\($0.link)" }
        #expect(Array(next.prefix(links.count)) == links)
        #expect(next.dropFirst(links.count) == ["shop/lantern"])
        #expect(second.names.sites == first.names.sites)
        #expect(Set(links).count == links.count)
    }

    @Test func `links beyond the limit are counted together`() throws {
        let links = (0..<1_100).map { "  l\($0): {match: /l/\($0), web: landing}\n" }
        let text = try String(
            contentsOf: house.appending(path: "sites/shop.yaml"), encoding: .utf8)
        try write("sites/shop.yaml", text.replacing("links:\n", with: "links:\n" + links.joined()))
        let snapshot = try build()
        #expect(snapshot.siteFaults == [])
        let names = snapshot.names
        #expect(names.links.count == CountedNames.linksMax)
        let site = try #require(
            snapshot.sites.sites.firstIndex { $0.source.name == "shop" })
        let count = snapshot.sites.sites[site].linkResolver.links.count
        let numbers = (0..<count).map { names.number(ofLink: $0, of: site) }
        let named = numbers.filter { $0 > 0 }
        #expect(Set(named).count == named.count && named.count < count)
        #expect(numbers.filter { $0 == 0 }.count == count - named.count)
        #expect(names.links[0].link == "_other")
        #expect(try build(after: snapshot).names.links == names.links)
    }

    // MARK: Separate

    @Test(
        "a host gets its own site, and nothing of another",
        arguments: [
            "shop.links.example", "news.links.example", "game.links.example",
            "open-news.links.example", "eu.game.links.example",
        ])
    func separate(_ host: String) throws {
        let snapshot = try build()
        let paths = [
            "/", "/.well-known/apple-app-site-association", "/.well-known/assetlinks.json",
            "/robots.txt", "/sitemap.xml", "/site.webmanifest", "/lamp/7", "/sale", "/artikel/7",
            "/level/3", "/imprint", "/nothing", "/index.html", "/%2e", "/favicon.ico",
        ]
        let agents = [
            "curl/8",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, "
                + "like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
            "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) "
                + "Chrome/126.0.0.0 Mobile Safari/537.36", "Twitterbot/1.0", "Googlebot/2.1",
        ]
        let others = Self.marks.filter { !host.contains($0.0) }.flatMap(\.1)
        var found = 0
        for path in paths {
            for agent in agents {
                let response = try get(snapshot, host, path, agent: agent)
                let text = "\(response.fields)\n\(response.body)"
                let foreign = others.filter(text.contains)
                #expect(foreign == [], "\(path) as \(agent)")
                if Self.marks.contains(where: {
                    host.contains($0.0) && $0.1.contains(where: text.contains)
                }) {
                    found += 1
                }
            }
        }
        // The same search finds what is the site's own.
        #expect(found > 10)
    }

    @Test(
        "requests of one connection go to the site of their host",
        arguments: [
            ("shop.links.example", "max-age=300"),
            ("news.links.example", "max-age=63072000; includeSubDomains"),
            ("unknown.example", nil), ("eu.game.links.example", "max-age=300"),
            ("a.b.game.links.example", nil), ("game.links.example.", "max-age=300"),
        ] as [(String, String?)])
    func hosts(_ host: String, _ security: String?) throws {
        let snapshot = try build()
        var predictor = Predictor(snapshot.sites, now: now)
        // Whatever was asked for before.
        for before in ["news.links.example", "shop.links.example", "nobody.example", host] {
            for name in [before, host] {
                let request = "GET /robots.txt HTTP/1.1\r\nHost: \(name)\r\n\r\n"
                let bytes = predictor.answer(Array(request.utf8), isSecure: true, now: now)
                let response = try #require(TestResponse(bytes, isHead: false))
                guard name == host else { continue }
                #expect(response.fields["strict-transport-security"] == security)
                #expect(response.status == (security == nil ? 421 : 200))
            }
        }
    }

    @Test func `a request that cannot be read says nothing of a site`() throws {
        let snapshot = try build()
        var predictor = Predictor(snapshot.sites, now: now)
        for request in [
            "GET / HTTP/1.1\r\nHost: news.links.example\r\n\r\n", "GET / HTTP/9\r\n\r\n",
        ] {
            let bytes = predictor.answer(Array(request.utf8), isSecure: true, now: now)
            let response = try #require(TestResponse(bytes, isHead: false))
            #expect(
                (response.fields["strict-transport-security"] != nil) == (response.status < 400))
        }
    }

    // MARK: Changes

    @Test func `what has not changed is shared, and a site that has is built alone`() throws {
        let first = try build()
        try edit("news", "Die Zeitung von morgen", "Die Zeitung von heute")
        let second = try build(after: first)
        #expect(site("shop", of: second) === site("shop", of: first))
        #expect(site("game", of: second) === site("game", of: first))
        #expect(site("news", of: second) !== site("news", of: first))
        #expect(try get(second, "news.links.example", "/artikel/1").body.contains("von heute"))
    }

    @Test(
        "a public file, a theme or a limit that changes builds its site anew",
        arguments: ["Public/shop/index.html", "Public/shop/new.html"])
    func files(_ path: String) throws {
        let first = try build()
        try write(path, "another")
        let second = try build(after: first)
        #expect(site("shop", of: second) !== site("shop", of: first))
        #expect(site("news", of: second) === site("news", of: first))
        #expect(try get(second, "shop.links.example", "/" + path.dropFirst(12)).body == "another")
    }

    @Test(
        "a site with errors stays as it was, and the others change",
        arguments: [
            ("sites/news.yaml", "publish: {paper: [nothing]}"), ("sites/news.yaml", "links: {a"),
            ("sites/news.yaml", "site: {theme: nowhere}"), ("sites/news.yaml", ""),
        ])
    func kept(_ path: String, _ text: String) throws {
        let first = try build()
        if text.hasPrefix("site:") {
            try edit(
                "news", "site: {name: Morgenblatt,", "site: {theme: nowhere, name: Morgenblatt,")
        } else {
            try write(path, text)
        }
        try edit("shop", "A lamp for every room", "Another lamp")
        let second = try build(after: first)
        #expect(second.siteFaults.map(\.site) == ["news"])
        #expect(second.siteFaults.map(\.isKept) == [true])
        #expect(site("news", of: second) === site("news", of: first))
        #expect(try get(second, "news.links.example", "/").body.contains("Morgenblatt"))
        #expect(try get(second, "shop.links.example", "/lamp/1").body.contains("Another lamp"))
        // At a start it is left out.
        let start = try build()
        #expect(start.siteFaults.map(\.isKept) == [false])
        #expect(try get(start, "news.links.example", "/").status == 421)
        #expect(try get(start, "shop.links.example", "/").status == 200)
    }

    @Test func `a host is not given away while its site has errors`() throws {
        let first = try build()
        try write("sites/news.yaml", "links: {a")
        try edit("shop", "site: {", "hosts: [shop.links.example, news.links.example]\nsite: {")
        try edit("game", "Climb the tower", "Climb higher")
        let second = try build(after: first)
        #expect(Set(second.siteFaults.map(\.site)) == ["news", "shop"])
        #expect(try get(second, "news.links.example", "/").body.contains("Morgenblatt"))
        #expect(
            try get(second, "game.links.example", "/level/1", agent: "Twitterbot/1.0").body
                .contains("Climb higher"))
        // When the errors are gone, the host goes to its new site.
        try FileManager.default.removeItem(at: house.appending(path: "sites/news.yaml"))
        let third = try build(after: second)
        #expect(third.siteFaults == [])
        #expect(try get(third, "news.links.example", "/").body.contains("Lamp Shop"))
    }

    @Test func `five lines are another site, and without them it is gone`() throws {
        let first = try build()
        try write(
            "sites/blog.yaml",
            """
            site: {name: Blog}
            apps: {blog: {ios: {id: K3W9Q7M2XA.example.linkhouse.blog}}}
            links: {post: {match: /post/*, web: "https://www.blog.example/{1}"}}
            publish: {blog: [post]}
            public: Public/shop
            """)
        let second = try build(after: first)
        #expect(second.sites.sites.count == 4)
        #expect(
            try get(second, "blog.links.example", "/post/7").fields["location"]
                == "https://www.blog.example/7")
        #expect(site("shop", of: second) === site("shop", of: first))
        try FileManager.default.removeItem(at: house.appending(path: "sites/blog.yaml"))
        #expect(try get(build(after: second), "blog.links.example", "/post/7").status == 421)
    }

    @Test func `if no site is left there is no snapshot, and every reason is said`() throws {
        for name in ["shop", "news", "game"] {
            try edit(name, "site: {", "site: {theme: nowhere, ")
        }
        let error = #expect(throws: BuildError.self) { try build() }
        #expect(error?.diagnostics.filter { $0.rule == .theme }.count == 3)
        #expect(error?.kind == .missingFile)
    }
}
