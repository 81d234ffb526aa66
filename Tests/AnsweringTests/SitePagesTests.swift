import Answering
import Foundation
import Markup
import SiteConfiguration
import TLS
import TestSupport
import Testing

/// What the example sites serve, through the origin's own code.
@Suite("Pages of sites from the field")
struct SitePagesTests {
    /// An environment of a fixture, ready to be asked.
    private func site(_ name: String, _ environment: String = "prod") throws -> PreparedSite {
        let path = repository("Tests/Fixtures/sites/\(name)/waymark.yaml")
        let found = Configuration.load(path: path)
        let environment = try #require(
            found.configuration?.environment(named: environment))
        return try prepare(environment, now: 0)
    }

    private func prepare(
        _ environment: Environment, limits: AnsweringLimits = .init(), now: Int
    ) throws -> PreparedSite {
        let prepared = try PreparedSite.prepare(environment, limits: limits, now: now)
        prepared.prepareFiles()
        return prepared
    }

    private func get(
        _ site: PreparedSite, _ path: String, host: String, agent: String = "curl",
        fields: String = "", isSecure: Bool = true
    ) throws -> TestResponse {
        let request =
            "GET \(path) HTTP/1.1\r\nHost: \(host)\r\nUser-Agent: \(agent)\r\n\(fields)\r\n"
        var predictor = Predictor(SiteTable([site]), now: 0)
        let bytes = predictor.answer(Array(request.utf8), isSecure: isSecure, now: 0)
        return try #require(TestResponse(bytes, isHead: false))
    }

    private func tags(_ html: String) -> [String: String] {
        var tags = [String: String]()
        for token in HTMLTokenizer(Array(html.utf8)) {
            guard case .startTag(let tag) = token.kind, tag.name == "meta",
                let name = tag["property"] ?? tag["name"]
            else { continue }
            #expect(tags[name] == nil, "\(name) is said twice")
            tags[name] = tag["content"]
        }
        return tags
    }

    private static let video = "/videos/talk-ray-wenderlich-teamwork.html"
    private static let assets = "https://www.rwdevcon.com/assets/images/videos/"
    private static let page = "https://www.rwdevcon.com\(video)"

    @Test(
        "a video's page has the tags that its site published",
        arguments: [
            ("apple-itunes-app", "app-id=958625272, app-argument=\(page)"),
            ("twitter:app:name:iphone", "RWDevCon"), ("twitter:app:id:iphone", "958625272"),
            ("twitter:app:url:iphone", page), ("al:ios:app_name", "RWDevCon"),
            ("al:ios:app_store_id", "958625272"), ("al:ios:url", page),
            ("og:image", "\(assets)talk-ray-wenderlich-teamwork.jpg"),
            ("og:image:secure_url", "\(assets)talk-ray-wenderlich-teamwork.jpg"),
            ("og:image:type", "image/jpeg"), ("og:image:width", "640"),
            ("og:image:height", "340"),
            ("og:video", "https://www.rwdevcon.com/videos/Ray-Wenderlich-Teamwork.mp4"),
            ("og:video:secure_url", "https://www.rwdevcon.com/videos/Ray-Wenderlich-Teamwork.mp4"),
            ("og:video:type", "video/mp4"), ("og:video:width", "1280"),
            ("og:video:height", "720"),
            (
                "og:description",
                "Learn how teamwork lets you dream bigger, through the story of an indie iPhone "
                    + "developer who almost missed out on the greatest opportunity of his life."
            ),
        ])
    func published(_ name: String, _ content: String) throws {
        let site = try site("rwdevcon")
        let response = try get(site, Self.video, host: "www.rwdevcon.com")
        #expect(response.status == 200)
        #expect(tags(response.body)[name] == content)
        // What the file says is still there, and it is no longer as old as the file.
        #expect(response.body.contains("<p><a href=\"/\">All videos</a></p>"))
        #expect(response.fields["last-modified"] == nil && response.fields["etag"] != nil)
    }

    @Test func `a video that is not there falls back to the home page`() throws {
        let site = try site("rwdevcon")
        let response = try get(site, "/videos/unknown.html", host: "www.rwdevcon.com")
        let home = try get(site, "/", host: "www.rwdevcon.com")
        #expect(response.status == 200 && response.body == home.body)
        #expect(tags(response.body)["apple-itunes-app"] == nil)
    }

    @Test func `search engines find the pages, and are told where`() throws {
        let site = try site("rwdevcon")
        let robots = try get(site, "/robots.txt", host: "rwdevcon.com")
        #expect(robots.body.contains("Allow: /\n"))
        #expect(robots.body.contains("Sitemap: https://www.rwdevcon.com/sitemap.xml\n"))
        let map = try get(site, "/sitemap.xml", host: "rwdevcon.com")
        #expect(map.fields["content-type"] == "application/xml; charset=utf-8")
        let found = map.body.components(separatedBy: "<loc>").dropFirst().map {
            $0.components(separatedBy: "</loc>")[0]
        }
        #expect(found == ["https://www.rwdevcon.com/", Self.page])
        let manifest = try get(site, "/site.webmanifest", host: "rwdevcon.com")
        #expect(manifest.fields["content-type"] == "application/manifest+json")
        #expect(manifest.body.contains("https://apps.apple.com/app/id958625272"))
    }

    @Test(
        "a landing page speaks the visitor's language, and says what it depends on",
        arguments: [
            ("/table/7", "", "en", "ltr"), ("/table/7", "Accept-Language: de-AT\r\n", "de", "ltr"),
            ("/table/7", "Accept-Language: fr, ar;q=0.5\r\n", "ar", "rtl"),
            ("/table/7?lang=ar", "Accept-Language: de\r\n", "ar", "rtl"),
            ("/table/7?lang=xx", "", "en", "ltr"),
        ])
    func language(_ path: String, _ fields: String, _ tag: String, _ direction: String) throws {
        let site = try site("tafel")
        let response = try get(
            site, path, host: "www.tafel.example", agent: "iPhone", fields: fields)
        #expect(response.status == 200)
        #expect(response.fields["content-language"] == tag)
        #expect(response.fields["vary"] == "User-Agent, Accept-Language")
        #expect(response.fields["cache-control"] == "private, no-cache")
        #expect(response.body.contains("<html lang=\"\(tag)\" dir=\"\(direction)\""))
        #expect(response.body.contains("href=\"https://open.tafel.example/table/7"))
    }

    @Test(
        "a banner tells the app what its link says, or else the page's address",
        arguments: [
            ("/table/7?seat=2", "iPhone", "/bookings/7?seat=2"),
            ("/table/7", "Twitterbot/1.0", "/bookings/7"),
            ("/wien/gasthaus-zur-linde.html", "curl", "/places/wien/gasthaus-zur-linde.html"),
        ])
    func argument(_ path: String, _ agent: String, _ argument: String) throws {
        let response = try get(
            site("tafel"), path, host: "www.tafel.example", agent: agent)
        let banner = "app-id=412366298, app-argument=https://www.tafel.example\(argument)\""
        #expect(response.body.contains(banner))
    }

    @Test(
        "a generated page has no tag and no date: conditions know it as `*`",
        arguments: [
            ("If-None-Match: *", 304), ("If-None-Match: \"a\"", 200), ("If-Match: *", 200),
            ("If-Match: \"a\"", 412), ("If-Match: \"\"", 412), ("If-Match: W/", 412),
            ("If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT", 200),
            ("If-Unmodified-Since: Sun, 06 Nov 1994 08:49:37 GMT", 200),
        ])
    func conditions(_ field: String, _ status: Int) throws {
        let site = try site("tafel")
        for agent in ["iPhone", "Twitterbot"] {
            let response = try get(
                site, "/table/7", host: "www.tafel.example", agent: agent,
                fields: "\(field)\r\n")
            #expect(response.status == status)
            guard status == 304 else { continue }
            let whole = try get(site, "/table/7", host: "www.tafel.example", agent: agent)
            let kept = ["date", "strict-transport-security", "cache-control", "vary"]
            #expect(response.body.isEmpty && Set(response.fields.keys) == Set(kept))
            for name in kept.dropFirst() { #expect(response.fields[name] == whole.fields[name]) }
        }
    }

    @Test func `a landing page's policy allows its own style and nothing else`() throws {
        let site = try site("tafel")
        let response = try get(site, "/table/7", host: "www.tafel.example", agent: "iPhone")
        let style = try #require(
            response.body.components(separatedBy: "<style>").last?
                .components(separatedBy: "</style>").first)
        let hash = Data(sha256(Array(style.utf8))).base64EncodedString()
        let policy = try #require(response.fields["content-security-policy"])
        #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-\(hash)';"))
        #expect(!policy.contains("unsafe"))
        for (name, value) in [
            ("x-content-type-options", "nosniff"), ("x-frame-options", "DENY"),
            ("referrer-policy", "strict-origin-when-cross-origin"),
        ] {
            #expect(response.fields[name] == value)
        }
    }

    @Test(
        "a path that no link claims has a page that says so, with 404",
        arguments: ["iPhone", "Android", "Windows", "iPhone Instagram 1", "Twitterbot"])
    func unknown(_ agent: String) throws {
        let site = try site("tafel")
        let response = try get(site, "/nothing/7", host: "www.tafel.example", agent: agent)
        #expect(response.status == 404)
        #expect(response.body.contains(">There is no page at this address</h1>"))
        #expect(response.body.contains("<title>There is no page at this address</title>"))
        // No app opens the path, so none is offered.
        for word in ["apple-itunes-app", "apps.apple.com", "play.google.com", "open.tafel"] {
            #expect(!response.body.contains(word))
        }
        // Conditions are for what is there.
        let other = try get(
            site, "/nothing/7", host: "www.tafel.example", agent: agent,
            fields: "If-None-Match: *\r\n")
        #expect(other.status == 404)
        #expect(try get(site, "/table/7", host: "www.tafel.example", agent: agent).status == 200)
    }

    @Test func `pictures in the body are paths, and absolute only in the head`() throws {
        let site = try site("tafel")
        let page = try get(site, "/table/7", host: "www.tafel.example:8443", agent: "iPhone").body
        #expect(page.contains("<img src=\"/images/linde.png\" alt=\"A laid table"))
        #expect(page.contains("\"og:image\" content=\"https://www.tafel.example/images/linde.png"))
        let german = try get(
            site, "/table/7", host: "www.tafel.example", agent: "iPhone",
            fields: "Accept-Language: de\r\n"
        ).body
        #expect(german.contains("alt=\"Ein gedeckter Tisch unter einer Linde\""))
        #expect(
            german.contains("\"og:image:alt\" content=\"Ein gedeckter Tisch unter einer Linde"))
    }

    @Test func `browsers are told to stay with https, over https alone`() throws {
        let site = try site("tafel")
        let (path, host) = ("/apple-app-site-association", "www.tafel.example")
        for path in [path, "/", "/table/7", "/menu/x", "/.well-known/nothing"] {
            let response = try get(site, path, host: host)
            #expect(response.fields["strict-transport-security"] == "max-age=63072000", "\(path)")
        }
        let plain = try get(site, path, host: host, isSecure: false)
        #expect(plain.status == 200 && plain.fields["strict-transport-security"] == nil)
    }

    @Test func `what the sitemap lists is answered`() throws {
        let site = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: site) }
        let deep = (0..<13).map { _ in String(repeating: "\u{E9}", count: 120) }
            .joined(separator: "/")
        let names = [
            "index.html", "a b.html", "caf\u{E9}.html", "{x}.html", "a%zz.html",
            // These are answered with 400, and the last one with 414.
            "a%41.html", "back\\slash.html", "line\nbreak.html", "\(deep)/long.html",
        ]
        for name in names {
            let file = site.path + "/Public/" + name
            try FileManager.default.createDirectory(
                atPath: (file as NSString).deletingLastPathComponent,
                withIntermediateDirectories: true)
            #expect(FileManager.default.createFile(atPath: file, contents: Data("<p>".utf8)))
        }
        let text = """
            version: 1
            apps: {app: {ios: {id: W4X7K2M9QH.com.example.app}}}
            links:
              braces: {match: "/braces/{x}", web: landing}
              blank: {match: /blank/%20, web: landing}
              slash: {match: /slash/a%2Fb, web: landing}
              twice: {match: /twice/%2541, web: landing}
            environments:
              dev:
                hosts: [localhost]
                tls: {certificate: certs/dev.pem, key: certs/dev.key}
                publish: {app: [braces, blank, slash, twice]}

            """
        let path = site.path + "/waymark.yaml"
        try Data(text.utf8).write(to: URL(filePath: path))
        let (read, findings) = Configuration.load(path: path)
        let dev = try #require(read?.environment(named: "dev"), "\(findings)")
        let prepared = try prepare(dev, now: 0)
        let map = try get(prepared, "/sitemap.xml", host: "localhost")
        let found = map.body.components(separatedBy: "<loc>https://localhost").dropFirst().map {
            $0.components(separatedBy: "</loc>")[0]
        }
        #expect(
            Set(found) == [
                "/blank/%20", "/a%20b.html", "/a%25zz.html", "/caf%C3%A9.html", "/",
                "/%7Bx%7D.html",
            ])
        for path in found {
            let status = try get(prepared, path, host: "localhost").status
            #expect(status == 200, "\(path)")
        }
        #expect(prepared.warnings.count { "\($0)".contains("[unreachable-name]") } == 4)
    }

    @Test func `a file that was just changed is asked for anew each time`() throws {
        let site = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: site) }
        try FileManager.default.createDirectory(
            at: site.appending(path: "Public"), withIntermediateDirectories: true)
        let file = site.appending(path: "Public/a.png")
        try Data([1]).write(to: file)
        let path = site.path + "/waymark.yaml"
        let text = """
            version: 1
            apps: {app: {ios: {id: W4X7K2M9QH.com.example.app}}}
            links: {home: {match: /}}
            environments:
              dev: {hosts: [localhost], tls: {certificate: c, key: k}, publish: {app: [home]}}

            """
        try Data(text.utf8).write(to: URL(filePath: path))
        let dev = try #require(
            Configuration.load(path: path).configuration?.environment(named: "dev"))
        let now = 1_800_000_000
        for (age, caching) in [
            (0, "no-cache"), (1, "no-cache"), (2, "max-age=3600"), (9999, "max-age=3600"),
            // The clock of who wrote it may be ahead a little.
            (-1, "no-cache"), (-2, "max-age=3600"),
        ] {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: Double(now - age))],
                ofItemAtPath: file.path)
            let response = try get(prepare(dev, now: now), "/a.png", host: "localhost")
            #expect(response.fields["cache-control"] == caching, "\(age)")
        }
    }

    @Test func `another file at the path of a file is sent, unless it must not be public`() throws {
        let site = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: site) }
        try FileManager.default.createDirectory(
            at: site.appending(path: "Public"), withIntermediateDirectories: true)
        let (path, file) = (site.path + "/waymark.yaml", site.appending(path: "Public/a.txt"))
        let text = """
            version: 1
            apps: {app: {ios: {id: W4X7K2M9QH.com.example.app}}}
            links: {home: {match: /}}
            environments:
              dev: {hosts: [localhost], tls: {certificate: c, key: k}, publish: {app: [home]}}

            """
        try Data(text.utf8).write(to: URL(filePath: path))
        try Data("old".utf8).write(to: file)
        let dev = try #require(
            Configuration.load(path: path).configuration?.environment(named: "dev"))
        var limits = AnsweringLimits()
        limits.memoryFileBytesMax = 0
        let prepared = try prepare(dev, limits: limits, now: 0)
        try FileManager.default.removeItem(at: file)
        try Data("another".utf8).write(to: file)
        #expect(try get(prepared, "/a.txt", host: "localhost").body == "another")
        try FileManager.default.removeItem(at: file)
        try FileManager.default.linkItem(atPath: path, toPath: file.path)
        #expect(try get(prepared, "/a.txt", host: "localhost").status == 503)
    }

    @Test func `a closed environment is not listed, and its association files stay open`() throws {
        let site = try site("willhaben", "uat")
        let host = "mobile-uat.willhaben.at"
        let robots = try get(site, "/robots.txt", host: host)
        #expect(robots.body == "User-agent: *\nAllow: /.well-known/\nDisallow: /\n")
        #expect(try get(site, "/", host: host).fields["x-robots-tag"] == "noindex")
        #expect(try get(site, "/nothing", host: host).fields["x-robots-tag"] == "noindex")
        #expect(try get(site, "/sitemap.xml", host: host).status == 404)
        let file = try get(site, "/apple-app-site-association", host: host)
        #expect(file.status == 200 && file.fields["x-robots-tag"] == nil)
    }
}
