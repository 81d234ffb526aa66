import Associations
import Foundation
import Glibc
import Services
import SiteConfiguration
import TestSupport
import Testing

@testable import Origin

/// An origin with links of Firebase at `/*`, below a host with public files.
private final class FirebaseOrigin {
    let origin: TestOrigin
    let service: LinkService

    static func configuration(_ parts: String) throws -> Configuration {
        let text = """
            version: 1
            apps:
              ex:
                name: Ex
                ios: {id: ABCDE12345.com.ex, store: 1}
                android:
                  package: com.ex
                  sha256: ["\(Array(repeating: "AB", count: 32).joined(separator: ":"))"]
            links:
              sub: {match: /links/*, stored: {destinations: shop.example, case: exact\(parts)}}
              fdl:
                match: /*
                stored: {destinations: [shop.example, store], case: exact\(parts)}
            environments:
              e:
                hosts: localhost
                tls: {certificate: c, key: k}
                publish: {ex: [fdl, sub]}
                proxies: {trusted: 127.0.0.0/8, header: x-forwarded-for}
                store: links.db
                api-hosts: api.localhost
            """
        let read = Configuration.read(Array(text.utf8), file: "w")
        return try #require(read.configuration, "\(read.diagnostics)")
    }

    init(
        _ parts: String = ", firebase: [long-links, debug, api]", log: TestLog? = nil
    ) throws {
        let configuration = try Self.configuration(parts)
        let environment = configuration.environments[0]
        origin = try TestOrigin(
            { site in
                site.hasStore = true
                site.apiHosts = environment.apiHosts
                site.webLinks = configuration.links
                site.publications = environment.sites[0].publications
                site.proxies = environment.proxies
            }, log: log)
        service = try #require(origin.server.links)
        try wait { service.state == .open }
    }

    func visit(_ target: String, _ agent: String, _ fields: String = "") throws -> TestResponse {
        let visitor = try TestClient(port: origin.httpPort)
        visitor.send(
            "GET \(target) HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-Proto: https\r\n"
                + "User-Agent: \(agent)\r\n\(fields)\r\n")
        return try visitor.readResponse()
    }

    /// A request to the API on the admin listener.
    func ask(_ method: String, _ path: String, _ json: String = "", _ fields: String? = nil) throws
        -> TestResponse
    {
        let client = try TestClient(port: origin.adminPort)
        client.send(
            "\(method) /v1/\(path) HTTP/1.1\r\nHost: localhost\r\n"
                + (fields ?? "Authorization: Bearer \(service.secret)\r\n")
                + "Content-Type: application/json\r\nContent-Length: \(json.utf8.count)\r\n\r\n"
                + json)
        return try client.readResponse()
    }
}

@Suite("Links of Firebase, over sockets")
struct FirebaseLinkTests {
    private static let iPhone =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 "
        + "(KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"
    private static let iPad =
        "Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 "
        + "(KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"
    private static let android =
        "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) "
        + "Chrome/138.0.0.0 Mobile Safari/537.36"
    private static let desktop =
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
        + "Chrome/138.0.0.0 Safari/537.36"
    private static let preview = "Twitterbot/1.0"

    private static let link = "link=https%3A%2F%2Fshop.example%2Fp%2F1"
    private static let whole = "/?\(link)&apn=com.ex&isi=1&ibi=com.ex"
    private static let web = "https%3A%2F%2Fshop.example%2Fweb"
    private static let play = "https://play.google.com/store/apps/details?id=com.ex"

    /// What is asked for, by whom, the status, and the URL of the redirect or a part of the page.
    private static let vectors: [(String, String, Int, String)] = [
        (whole, desktop, 302, "https://shop.example/p/1"),
        (whole + "&ofl=\(web)", desktop, 302, "https://shop.example/web"),
        // What is no http or https URL is left out, on every platform.
        (whole + "&ofl=app%3A%2F%2Fbuy", desktop, 302, "https://shop.example/p/1"),
        (whole + "&ofl=app%3A%2F%2Fbuy", android, 302, play),
        (whole + "&ofl=nonsense", desktop, 302, "https://shop.example/p/1"),
        (whole, android, 302, play),
        (
            whole + "&utm_source=a%26b", android, 302,
            play + "&referrer=utm_source%3Da%2526b"
        ),
        (
            whole + "&afl=\(web)&utm_source=a%26b", android, 302,
            "https://shop.example/web?utm_source=a%26b"
        ),
        (
            whole + "&efr=1&pt=11&ct=c&mt=8", iPhone, 302,
            "https://apps.apple.com/app/id1?pt=11&ct=c&mt=8"
        ),
        (whole, iPhone, 200, "https://apps.apple.com/app/id1"),
        (whole + "&ifl=\(web)", iPhone, 302, "https://shop.example/web"),
        (whole + "&ifl=\(web)", iPad, 302, "https://shop.example/web"),
        (
            whole + "&ifl=\(web)&ipfl=https%3A%2F%2Fshop.example%2Ftablet", iPad, 302,
            "https://shop.example/tablet"
        ),
        // Without an app for the system, the link is the last resort.
        ("/?\(link)", iPhone, 302, "https://shop.example/p/1"),
        ("/?\(link)", android, 302, "https://shop.example/p/1"),
        ("/?\(link)&apn=com.other", android, 302, "https://shop.example/p/1"),
        ("/?\(link)&afl=\(web)", android, 302, "https://shop.example/web"),
        // A fallback that is no URL is left out, as Firebase did.
        (whole + "&afl=market%3A%2F%2Fx", android, 302, play),
        (whole + "&_icp=1&x=y&ad=1&d=0", desktop, 302, "https://shop.example/p/1"),
        ("/?link=https://shop.example/p?q=a%20b", desktop, 302, "https://shop.example/p?q=a%20b"),
        // Both ways to write a prefix, and a path that is no prefix.
        ("/links/?\(link)", desktop, 302, "https://shop.example/p/1"),
        ("/links?\(link)", desktop, 302, "https://shop.example/p/1"),
        ("/other/?\(link)", desktop, 404, "404"),
        // The store is not allowed there.
        ("/links/?\(link)&apn=com.ex", desktop, 400, "afl: the stores"),
        // No destination but one that is allowed.
        ("/?link=javascript%3Aalert(1)", desktop, 400, "link: "),
        ("/?link=//evil", desktop, 400, "link: "),
        ("/?apn=com.ex", desktop, 400, "link: it is missing"),
        ("/?ibi=com.ex", android, 400, "link: it is missing"),
        ("/?link=&apn=com.ex", android, 400, "link: it is missing"),
        ("/?link=https%3A%2F%2Fevil.example%2F", desktop, 400, "link: \"evil.example\" is not"),
        ("/?link=https%3A%2F%2Fevil.example%2F", preview, 400, "link: \"evil.example\" is not"),
        ("/?link=https%3A%2F%2Fshop.example%3A8443%2F", desktop, 400, "link: "),
        ("/?link=https%3A%2F%2Fshop.example%40evil.example%2F", desktop, 400, "link: "),
        ("/?link=https%3A%2F%2Fshop.example.evil.example%2F", desktop, 400, "link: "),
        ("/?link=https%3A%2F%2Flocalhost%2Fx", desktop, 400, "link: "),
        (whole + "&afl=https%3A%2F%2Fevil.example%2F", desktop, 400, "afl: \"evil.example\""),
        (whole + "&ifl=https%3A%2F%2Fevil.example%2F", android, 400, "ifl: \"evil.example\""),
        (whole + "&ipfl=https%3A%2F%2Fevil.example%2F", android, 400, "ipfl: "),
        (whole + "&ofl=https%3A%2F%2Fevil.example%2F", android, 400, "ofl: "),
        (
            whole + "&afl=https%3A%2F%2Fplay.google.com%2Fstore%2Fapps%2Fdetails%3Fid%3Dcom.evil",
            desktop, 400, "afl: \"play.google.com\""
        ),
        (
            whole + "&afl=https%3A%2F%2Fplay.google.com%2Fstore%2Fapps%2Fdetails%3Fid%3Dcom.ex",
            android, 302, play
        ),
        (whole + "&\(link)", desktop, 400, "link: it is there twice"),
        (whole + "&apn=com.ex", desktop, 400, "apn: it is there twice"),
        (
            whole + "&utm_source=a&utm_source=b", desktop, 302,
            "https://shop.example/p/1?utm_source=a"
        ),
        (whole + "&st=a%00b", desktop, 400, "st: "),
        (whole + "&x=a%0d%0ab", desktop, 400, "control character"),
        (whole + "&st=%ff", desktop, 400, "st: "),
        ("/?link=https%3A%2F%2Fshop.example%2F%0d%0aX:%20y", desktop, 400, "link: "),
        // Previews get the title, and no image that they would not load.
        (whole + "&st=Spring%20%3Csale%3E&sd=Now", preview, 200, "Spring &lt;sale&gt;"),
        // Without one of the parameters that a link has, the path is the file's.
        ("/", desktop, 200, "<p>home"), ("/?utm_source=x", desktop, 200, "<p>home"),
        ("/page.html?\(link)", desktop, 200, "<p>page"),
    ]

    @Test(arguments: vectors.indices)
    func `a long link is answered as Firebase did`(_ number: Int) throws {
        let (target, agent, status, part) = Self.vectors[number]
        let origin = try FirebaseOrigin()
        let answer = try origin.visit(target, agent)
        #expect(answer.status == status, "\(target): \(answer.body)")
        if status == 302 {
            #expect(answer.fields["location"] == part, "\(target)")
        } else {
            #expect(answer.fields["location"] == nil)
            #expect(answer.body.contains(part), "\(target): \(answer.body)")
        }
    }

    @Test func `a browser gets a page where a long link leads nowhere, and a program a line`()
        throws
    {
        let origin = try FirebaseOrigin()
        let target = "/links/?link=https%3A%2F%2Fevil.example%2F%3Cb%3E"
        for (field, isPage, words) in [
            ("", false, "This link leads nowhere. link: "),
            ("Accept: */*\r\n", false, "This link leads nowhere. link: "),
            ("Accept: text/html\r\n", true, "<h1>This link leads nowhere</h1>"),
            (
                "Accept: text/html\r\nAccept-Language: de\r\n", true,
                "<h1>Dieser Link führt nirgendwohin</h1>"
            ),
        ] {
            let answer = try origin.visit(target, Self.desktop, field)
            #expect(answer.status == 400 && answer.body.contains(words), "\(answer.body)")
            #expect(
                answer.fields["content-type"] == (isPage ? "text/html" : "text/plain")
                    + "; charset=utf-8")
            #expect(
                !answer.body.contains("<b>evil") && answer.fields["cache-control"] == "no-store")
        }
    }

    @Test func `an image without TLS is left out, and the debug page says so`() throws {
        let origin = try FirebaseOrigin()
        let link = Self.whole + "&st=Sale&si=http%3A%2F%2Fshop.example%2Fi.png"
        let preview = try origin.visit(link, Self.preview)
        #expect(preview.status == 200 && !preview.body.contains("i.png"))
        let debug = try origin.visit(link + "&d=1", Self.desktop)
        #expect(debug.body.contains("BAD_URI_SCHEME_SOCIAL_IMAGE_LINK"))
    }

    @Test func `without the configuration nothing of it is there`() throws {
        let origin = try FirebaseOrigin("")
        #expect(try origin.visit(Self.whole, Self.desktop).body == "<p>home")
        #expect(try origin.visit("/links/?\(Self.link)", Self.desktop).status == 404)
        let made = try origin.ask(
            "POST", "links",
            #"{"collection": "fdl", "slug": "a", "destination": "https://shop.example/"}"#)
        #expect(made.status == 201)
        #expect(try origin.visit("/a?d=1", Self.desktop).status == 302)
        for (method, path) in [
            ("POST", "shortLinks"), ("GET", "x/linkStats"), ("POST", "reopenAttribution"),
        ] {
            let answer = try origin.ask(method, path, "{}")
            #expect(answer.status == 404 && answer.body.contains("/v1/problems/not-found"))
        }
        for (parts, long, short) in [("long-links", 302, 302), ("debug", 200, 200)] {
            let origin = try FirebaseOrigin(", firebase: \(parts)")
            #expect(try origin.visit(Self.whole, Self.desktop).status == long)
            _ = try origin.ask(
                "POST", "links",
                #"{"collection": "fdl", "slug": "a", "destination": "https://shop.example/"}"#)
            #expect(try origin.visit("/a?d=1", Self.desktop).status == short)
        }
    }

    @Test func `letter case distinguishes short links`() throws {
        let origin = try FirebaseOrigin()
        _ = try origin.ask(
            "POST", "links",
            #"{"collection": "fdl", "slug": "AbCd", "destination": "https://shop.example/"}"#)
        #expect(try origin.visit("/AbCd", Self.desktop).status == 302)
        #expect(try origin.visit("/abcd", Self.desktop).status == 404)
        #expect(try origin.visit("/abcd?d=1", Self.desktop).status == 404)
    }

    @Test func `the debug page names the path of each platform, and is no visit`() throws {
        let log = TestLog(.json)
        let origin = try FirebaseOrigin(log: log)
        let made = try origin.ask(
            "POST", "links",
            """
            {"collection": "fdl", "slug": "AbCd", "destination": "https://shop.example/p",
             "web": {"android": "store", "ios": "landing"}}
            """)
        let id = try #require(made.body.firstMatch(of: /"id": "([^"]*)"/)).1
        for target in ["/AbCd?d=1", "/AbCd?utm_source=x&d=1"] {
            let page = try origin.visit(target, Self.android)
            #expect(page.status == 200)
            #expect(page.fields["content-type"] == "text/html; charset=utf-8")
            #expect(page.fields["x-robots-tag"] == "noindex")
            for part in [
                // Safari on an iPad says that it is a Mac, and gets what Macs get.
                "<h2>iPhone, iPad (other browsers)</h2>", "<h2>iPad (Safari)</h2>",
                "<h2>Android phone</h2>", "<h2>Computer</h2>",
                "<h2>Preview in a chat</h2>", Self.play.replacing("&", with: "&amp;"),
                "<bdi>https://shop.example/p", "com.ex",
            ] {
                #expect(page.body.contains(part), "\(part): \(page.body)")
            }
            #expect(!page.body.contains("d=1"))
            let policy = page.fields["content-security-policy"] ?? ""
            #expect(
                policy.contains("default-src 'none'; style-src 'sha256-")
                    && !policy.contains("script-src"))
        }
        // The same for programs, by the same engine as `explain`.
        let json = try origin.visit("/AbCd?d=1", Self.desktop, "Accept: application/json\r\n")
        #expect(json.fields["content-type"] == "application/json")
        let object = try JSONSerialization.jsonObject(with: Data(json.body.utf8))
        let debug = try #require(object as? [String: Any])
        let platforms = try #require(debug["platforms"] as? [[String: Any]])
        for platform in platforms {
            let client = try #require(platform["as"] as? String)
            let explained = try origin.ask("GET", "links/\(id)/explain?as=\(client)")
            let other = try JSONSerialization.jsonObject(with: Data(explained.body.utf8))
            let own = try #require(other as? [String: Any])
            for key in ["answer", "steps"] {
                #expect(
                    (platform[key] as? NSObject) == (own[key] as? NSObject), "\(client) \(key)")
            }
        }
        let long = try origin.visit(
            Self.whole + "&d=1", Self.desktop, "Accept: application/json\r\n")
        #expect(long.status == 200 && long.body.contains(Self.play), "\(long.body)")
        // What is counted is written within some seconds, also nothing.
        #expect(try origin.visit("/AbCd", Self.desktop).status == 302)
        _ = try waits {
            let visits = try origin.ask("GET", "links/\(id)/visits").body
            return visits.contains(#""visits": "#) && !visits.contains(#""rows": []"#)
        }
        let visits = try origin.ask("GET", "links/\(id)/visits").body
        #expect(visits.contains(#""visits": 1,"#), "\(visits)")
        #expect(try origin.ask("GET", "misses").body.contains(#""misses": []"#))
    }

    @Test func `an app is told what a long link says`() throws {
        let origin = try FirebaseOrigin()
        let link = "https://localhost" + Self.whole + "&amv=12&st=Sale&utm_source=mail"
        let escaped = link.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        for path in ["/_/resolve?url=\(escaped)", "/_/resolve?url=\(escaped)%26d%3D1"] {
            let answer = try origin.visit(path, "Ex/1")
            #expect(answer.status == 200, "\(answer.body)")
            for part in [
                #""data": {"link": "https://shop.example/p/1?utm_source=mail", "amv": "12"}"#,
                #""title": "Sale""#, #""state": "active""#, #""source": "mail""#,
            ] {
                #expect(answer.body.contains(part), "\(part): \(answer.body)")
            }
        }
    }

    // MARK: The REST API

    @Test(
        "an app that goes on guessing is told of no link, and its neighbours are",
        arguments: ["reopenAttribution", "installAttribution"])
    func guesses(_ operation: String) throws {
        let origin = try FirebaseOrigin()
        let made = try origin.ask(
            "POST", "links",
            #"{"collection": "fdl", "slug": "a", "destination": "https://shop.example/p"}"#)
        #expect(made.status == 201)
        let token = try #require(
            origin.ask("POST", "tokens", #"{"name": "app", "scopes": ["links.read"]}"#)
                .body.firstMatch(of: /"token": "([^"]*)"/)
        ).1
        let member =
            operation == "reopenAttribution" ? "requestedLink" : "uniqueMatchLinkToCheck"
        /// - Returns: whether the app is told where the slug leads.
        func isTold(_ slug: String, _ client: TestClient, _ fields: String = "") throws -> Bool {
            let json = #"{"\#(member)": "https://localhost/\#(slug)"}"#
            client.send(
                "POST /v1/\(operation)?key=\(token) HTTP/1.1\r\n"
                    + "Host: api.localhost\r\nX-Forwarded-Proto: https\r\nContent-Type: application/json\r\n\(fields)"
                    + "Content-Length: \(json.utf8.count)\r\n\r\n\(json)")
            let answer = try client.readResponse()
            let isTold = answer.body.contains("https://shop.example/p")
            #expect(answer.status == (isTold || operation == "installAttribution" ? 200 : 404))
            return isTold
        }
        // Who asks for fewer is told of each link.
        let client = try TestClient(port: origin.origin.httpPort)
        #expect(try isTold("a", client))
        // 60 guesses, and one more for each second that they take.
        var guesses = 0
        repeat {
            #expect(try !isTold("guess\(guesses)", client))
            guesses += 1
        } while try isTold("a", client) && guesses < 200
        #expect(60..<200 ~= guesses)
        // Also in the same network.
        #expect(try isTold("a", TestClient(port: origin.origin.httpPort)))
        // A proxy's connection is of many clients.
        let fields = "X-Forwarded-For: 192.0.2.1\r\n"
        let proxy = try TestClient(port: origin.origin.httpPort)
        for guess in 0..<70 { #expect(try !isTold("guess\(guess)", proxy, fields)) }
        #expect(try isTold("a", proxy, fields))
    }

    private static let long = "https://localhost" + whole

    @Test func `a program changes one host name`() throws {
        let log = TestLog(.combined)
        let origin = try FirebaseOrigin(log: log)
        let token = try #require(
            origin.ask(
                "POST", "tokens",
                #"{"name": "back end", "scopes": ["links.create", "stats.read"]}"#
            ).body.firstMatch(of: /"token": "([^"]*)"/)
        ).1
        func ask(
            _ method: String, _ target: String, _ json: String = "", key: String,
            host: String = "api.localhost", proto: String = "https"
        ) throws -> TestResponse {
            let client = try TestClient(port: origin.origin.httpPort)
            client.send(
                "\(method) \(target)key=\(key) HTTP/1.1\r\nHost: \(host)\r\n"
                    + "X-Forwarded-For: 192.0.2.1\r\nX-Forwarded-Proto: \(proto)\r\n"
                    + "Content-Type: application/json; charset=UTF-8\r\n"
                    + "Content-Length: \(json.utf8.count)\r\n\r\n\(json)")
            return try client.readResponse()
        }
        let key = String(token)
        let json = #"{"longDynamicLink": "\#(Self.long)", "suffix": {"option": "SHORT"}}"#
        let made = try ask("POST", "/v1/shortLinks?alt=json&", json, key: key)
        #expect(made.status == 200, "\(made.body)")
        let short = String(
            try #require(made.body.firstMatch(of: /"shortLink": "([^"]*)"/)).1)
        #expect(short.wholeMatch(of: /https:\/\/localhost\/[A-Za-z0-9]{4}/) != nil, "\(short)")
        #expect(made.body.contains(#""previewLink": "\#(short)?d=1""#))
        let path = String(short.dropFirst("https://localhost".count))
        #expect(try origin.visit(path, Self.android).fields["location"] == Self.play)
        let again = try ask("POST", "/v1/shortLinks?", json, key: key)
        #expect(again.body == made.body)
        // The link is one segment of the path, on the hosts of the API only.
        let escaped = short.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let statistics = "/v1/\(escaped)/linkStats?durationDays=7&"
        let counted = try ask("GET", statistics, key: key)
        #expect(counted.status == 200 && counted.body.contains("linkEventStats"), "\(counted.body)")
        #expect(try origin.ask("GET", "\(escaped)/linkStats?durationDays=7").status == 200)
        #expect(try ask("GET", statistics, key: key, host: "localhost").status == 400)
        #expect(try ask("GET", statistics, key: key, host: "other.localhost").status == 400)
        #expect(try ask("GET", statistics, key: key, proto: "http").status == 400)
        #expect(try ask("GET", "/v1/%2Flinks?", key: key).status == 400)
        #expect(try ask("GET", "/v1/links?", key: key).status == 401)
        // Neither the token nor a wrong one is written anywhere.
        for wrong in ["wmk_wrong", ""] {
            let answer = try ask("POST", "/v1/shortLinks?", json, key: wrong)
            #expect(answer.status == 401 && answer.body.contains("UNAUTHENTICATED"))
            #expect(!answer.body.contains("wmk_"))
        }
        _ = try ask("POST", "/v1/shortLinks?", "{", key: key)
        let audit = try origin.ask("GET", "audit").body
        #expect(audit.contains("back end") && !audit.contains(key))
        try log.finish(origin.origin)
        let text = try log.lines(origin.origin).joined(separator: "\n")
        #expect(text.contains("/v1/shortLinks") && !text.contains("wmk_"), "\(text)")
        #expect(!"\(origin.origin.reported)".contains("wmk_"))
    }
}
