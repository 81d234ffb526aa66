import TestSupport
import Associations
import Foundation
import HTTPMessages
import Origin
import SiteConfiguration
import Sockets
import TLS
import Testing
import URISyntax

@Suite("Over TLS, with curl and openssl")
struct OverTLSTests {
    /// A curl that trusts the origin's authority and finds its hosts on this machine.
    private func curl(_ origin: TestOrigin, _ arguments: String, host: String = "localhost")
        -> (status: Int, output: String)
    {
        shell(
            "curl -sS --max-time \(safetyNetSeconds) --cacert \(origin.directory.path)/ca.pem "
                + "--resolve \(host):\(origin.httpsPort):127.0.0.1 \(arguments)")
    }

    private func url(_ origin: TestOrigin, _ path: String, host: String = "localhost") -> String {
        "'https://\(host):\(origin.httpsPort)\(path)'"
    }

    @Test(
        "both association paths give the same bytes on every host, whatever the query",
        arguments: ["localhost", "www.example.com"])
    func association(_ host: String) throws {
        let origin = try TestOrigin()
        for path in [
            "/.well-known/apple-app-site-association", "/apple-app-site-association",
            "/apple-app-site-association?x=1&y",
        ] {
            let answer = curl(
                origin,
                "-w '|%{http_code}|%{content_type}|%{num_redirects}' "
                    + url(origin, path, host: host), host: host)
            #expect(answer.output == #"{"applinks":{"details":[]}}|200|application/json|0"#)
        }
        let head = curl(
            origin, "-I " + url(origin, "/apple-app-site-association", host: host), host: host)
        #expect(
            head.output.contains("content-length: 27") || head.output.contains("Content-Length: 27")
        )
        #expect(head.output.contains("Cache-Control: max-age=600"))
        #expect(!head.output.contains("applinks"))
    }

    @Test func `a link ends in the second of its until, as the response is dated`() throws {
        let until = Clock.unixSeconds + 3
        let times = LinkTimes(
            LinkPeriod(from: nil, until: Timestamp(seconds: until)),
            after: WebActions(otherwise: .gone))
        let origin = try TestOrigin {
            $0.webLinks = [
                Link(
                    key: "sale", components: [Component(path: "/sale")],
                    web: WebActions(otherwise: .notFound), times: times)
            ]
        }
        for _ in 0..<1_000 {
            let head = Array(curl(origin, "-I " + url(origin, "/sale")).output.utf8)
            let lines = head.split { $0 == 0x0D || $0 == 0x0A }
            let date = try #require(lines.first { $0.starts(with: "Date: ".utf8) }?.dropFirst(6))
            let now = try #require(
                HTTPDate.parse(head, date.startIndex..<date.endIndex, now: until))
            let status = now < until ? "404" : "410"
            #expect(lines[0].dropFirst(9).starts(with: status.utf8), "\(now - until)")
            guard now < until else { return }
        }
        Issue.record("the link has not ended")
    }

    @Test func `a signed association file carries the JSON under a signature that holds`() throws {
        let origin = try TestOrigin { $0.isSigned = true }
        let (file, ca) = ("\(origin.directory.path)/aasa", "\(origin.directory.path)/ca.pem")
        let answer = curl(
            origin, "-o \(file) -w '%{content_type}' " + url(origin, "/apple-app-site-association"))
        #expect(answer.output == "application/pkcs7-mime")
        let verify = "openssl cms -verify -inform DER -purpose any -CAfile \(ca) -in"
        let verified = shell("\(verify) \(file) 2>/dev/null")
        #expect(verified.status == 0)
        #expect(verified.output == #"{"applinks":{"details":[]}}"#)
        // One letter of the content differs, and nothing else.
        let forged = shell("sed s/details/detailz/ \(file) > \(file).x; \(verify) \(file).x")
        #expect(forged.status != 0)
    }

    @Test func `a ready file that is signed already has the type of one`() throws {
        let origin = try TestOrigin { $0.aasa = "0\u{80}" }
        let path = "/apple-app-site-association"
        #expect(
            curl(origin, "-o /dev/null -w '%{content_type}' " + url(origin, path)).output
                == "application/json")
        let signed = try TestOrigin { $0.aasaBytes = [0x30, 0x82, 0x01, 0x00] }
        #expect(
            curl(signed, "-o /dev/null -w '%{content_type}' " + url(signed, path)).output
                == "application/pkcs7-mime")
    }

    @Test func `an unknown host is misdirected, or not found without a name in TLS`() throws {
        let origin = try TestOrigin()
        let code = "-o /dev/null -w '%{http_code}' "
        let path = "/apple-app-site-association"
        #expect(curl(origin, code + "-H 'Host: evil.example' " + url(origin, path)).output == "421")
        let bare = shell(
            "curl -sSk --max-time \(safetyNetSeconds) \(code) https://127.0.0.1:\(origin.httpsPort)\(path)"
        )
        #expect(bare.output == "404")
        // Whatever is asked of it: that it takes GET alone would be said of a host of ours.
        for (method, ours) in [("POST", "405"), ("OPTIONS", "204"), ("BREW", "501")] {
            let ask = code + "-X \(method) "
            #expect(curl(origin, ask + url(origin, path)).output == ours)
            let other = curl(origin, ask + "-H 'Host: evil.example' " + url(origin, path)).output
            #expect(other == (method == "BREW" ? "501" : "421"))
        }
        let absolute = "--request-target https://localhost\(path) "
        #expect(curl(origin, code + absolute + url(origin, path)).output == "200")
    }

    @Test func `files are served with their type, compressed for those who take it`() throws {
        let origin = try TestOrigin()
        let plain = curl(origin, "-D - " + url(origin, "/page.html"))
        #expect(plain.output.contains("Content-Type: text/html; charset=utf-8"))
        #expect(plain.output.contains("Vary: Accept-Encoding"))
        #expect(plain.output.contains("Content-Length: 800"))
        let packed = curl(
            origin,
            "--compressed -w '|%{size_download}|%header{content-encoding}' "
                + url(origin, "/page.html"))
        #expect(packed.output.hasPrefix(String(repeating: "<p>page\n", count: 100)))
        #expect(packed.output.hasSuffix("|gzip"))
        #expect(curl(origin, "-r 3-6 " + url(origin, "/page.html")).output == "page")
        #expect(curl(origin, url(origin, "/")).output == "<p>home")
    }

    @Test func `a link's visitors get each their own, and programs a page with its title`() throws {
        let template = try #require(URLTemplate("https://www.example.com/{1}"))
        let link = Link(
            key: "go", components: [Component(path: "/go/*")],
            page: LinkPage(title: "<Go>"),
            web: WebActions(
                byPlatform: [.ios: .page("/page.html"), .desktop: .redirect(template, .found)],
                otherwise: .notFound))
        let origin = try TestOrigin { $0.webLinks = [link] }
        func ask(_ agent: String, _ path: String, _ more: String = "-D -") -> String {
            curl(origin, "-A '\(agent)' \(more) " + url(origin, path)).output
        }
        let sent = ask("Windows NT", "/go/a%20b?q=1")
        #expect(sent.hasPrefix("HTTP/1.1 302 Found\r\n"))
        #expect(sent.contains("\r\nLocation: https://www.example.com/a%20b\r\n"))
        #expect(sent.contains("\r\nCache-Control: private, no-store\r\n"))
        #expect(sent.contains("\r\nVary: User-Agent\r\n"))
        let phone = ask("iPhone", "/go/x")
        #expect(phone.hasPrefix("HTTP/1.1 200 OK\r\n") && phone.hasSuffix("<p>page\n"))
        #expect(phone.contains("\r\nVary: Accept-Encoding, User-Agent\r\n"))
        let none = ask("Android", "/go/x")
        #expect(none.hasPrefix("HTTP/1.1 404 ") && none.contains("\r\nVary: User-Agent\r\n"))
        #expect(none.contains("\r\nCache-Control: private, no-cache\r\n"))
        let preview = ask("Twitterbot/1.0", "/go/x")
        #expect(preview.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(preview.contains("<meta property=\"og:title\" content=\"&lt;Go&gt;\">"))
        #expect(preview.contains("\r\nContent-Security-Policy: default-src 'none'; "))
        let head = ask("Twitterbot/1.0", "/go/x", "-I")
        #expect(head.contains("Content-Length: ") && !head.contains("<"))
        // A long address makes a long page, which arrives whole.
        let long = "/go/" + String(repeating: "&", count: 8_000)
        let page = ask("Twitterbot/1.0", long)
        #expect(page.hasPrefix("HTTP/1.1 200 ") && page.hasSuffix("</html>\n"))
        #expect(ask("Windows NT", long).hasPrefix("HTTP/1.1 302 "))
    }

    @Test(
        "a redirect has the link's status, and no cache keeps it",
        arguments: RedirectStatus.allCases, ["GET", "HEAD"])
    func redirectStatus(_ status: RedirectStatus, _ method: String) throws {
        let template = try #require(URLTemplate("https://www.example.org/{1}"))
        let action = WebAction.redirect(template, status)
        let link = Link(
            key: "go", components: [Component(path: "/go/*")],
            web: WebActions(byPlatform: [:], otherwise: action))
        let whole = try #require(URLTemplate("https://www.example.org{path}"))
        let origin = try TestOrigin {
            $0.webLinks = [link]
            $0.unmatched = { _ in .redirect(whole, status) }
        }
        for path in ["/go/a", "/other"] {
            let ask = (method == "HEAD" ? "-I " : "-D - ") + url(origin, path)
            let sent = curl(origin, ask).output
            #expect(sent.hasPrefix("HTTP/1.1 \(status.rawValue) "))
            #expect(sent.contains("\r\nLocation: https://www.example.org/"))
            #expect(sent.contains("\r\nCache-Control: private, no-store\r\n"))
            #expect(sent.contains("\r\nVary: User-Agent\r\n"))
            #expect(sent.contains("\r\nContent-Length: 0\r\n") && sent.hasSuffix("\r\n\r\n"))
        }
    }

    @Test func `requests are counted by link, outcome and client`() throws {
        let template = try #require(URLTemplate("https://www.example.com/{1}"))
        let links = ["go", "gone"].map { name in
            Link(
                key: name, components: [Component(path: "/\(name)/*")],
                web: WebActions(
                    byPlatform: [:],
                    otherwise: name == "go" ? .redirect(template, .found) : .gone))
        }
        let origin = try TestOrigin { $0.webLinks = links }
        let agents = [
            "Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/140.0", "Slackbot 1.0",
        ]
        for (agent, path) in [(0, "/go/a"), (0, "/go/b"), (1, "/go/a"), (0, "/gone/a"), (1, "/x")] {
            _ = curl(origin, "-o /dev/null -A '\(agents[agent])' " + url(origin, path))
        }
        let page = try TestClient(port: origin.adminPort).get("/metrics").body
        let lines = page.split(separator: "\n").filter {
            $0.hasPrefix("waymark_link_requests_total{")
        }
        #expect(
            Set(lines) == [
                #"waymark_link_requests_total{site="",link="go",outcome="redirect",client="people"} 2"#,
                #"waymark_link_requests_total{site="",link="go",outcome="page",client="programs"} 1"#,
                #"waymark_link_requests_total{site="",link="gone",outcome="not_found",client="people"} 1"#,
                #"waymark_link_requests_total{site="",link="_unmatched",outcome="not_found",client="programs"} 1"#,
            ])
        #expect(!page.contains("waymark_site_requests_total{"))
    }

    @Test("campaign parameters are logged if they are listed", arguments: [true, false])
    func campaigns(_ isListed: Bool) throws {
        let log = TestLog(.json)
        let origin = try TestOrigin(
            { $0.accessLog.campaigns = isListed ? ["utm_source", "utm_term"] : [] }, log: log)
        let query = "?utm_medium=mail&utm_source=a%20b&email=a@b.example"
        _ = curl(origin, "-o /dev/null " + url(origin, "/page.html\(query)"))
        try log.finish(origin)
        let line = try #require(try log.objects(origin).first)
        #expect(line["utm_source"] as? String == (isListed ? "a%20b" : nil))
        #expect(line.keys.filter { $0.hasPrefix("utm_") }.count == (isListed ? 1 : 0))
        #expect(line["path"] as? String == "/page.html")
    }

    @Test("of several user agents the first decides, and is logged", arguments: [true, false])
    func severalUserAgents(_ isPhoneFirst: Bool) throws {
        let link = Link(
            key: "go", components: [Component(path: "/go")],
            web: WebActions(byPlatform: [.ios: .page("/page.html")], otherwise: .notFound))
        let log = TestLog(.json)
        let origin = try TestOrigin({ $0.webLinks = [link] }, log: log)
        let agents = isPhoneFirst ? ["iPhone", "Windows NT"] : ["Windows NT", "iPhone"]
        let lines = agents.map { "-H 'User-Agent: \($0)' " }.joined()
        let answer = curl(origin, "-D - -o /dev/null " + lines + url(origin, "/go"))
        #expect(answer.output.hasPrefix("HTTP/1.1 \(isPhoneFirst ? 200 : 404) "))
        try log.finish(origin)
        let line = try #require(try log.objects(origin).first)
        #expect(line["platform"] as? String == (isPhoneFirst ? "ios" : "desktop"))
        #expect(line["user_agent"] as? String == agents[0])
    }

    @Test(
        "what others get where a link has nothing for them is kept for nobody else",
        arguments: [nil, 200, 404])
    func nothingForOthers(_ status: Int?) throws {
        let link = Link(
            key: "go", components: [Component(path: "/go")],
            web: WebActions(byPlatform: [.ios: .landing], otherwise: nil))
        let origin = try TestOrigin {
            $0.webLinks = [link]
            guard let status else { return }
            $0.unmatched = { .page("/page.html", status: status, position: $0) }
        }
        for (path, isKept) in [("/go", false), ("/nothing", true)] {
            let answer = curl(origin, "-I -A 'Windows NT' " + url(origin, path)).output
            #expect(answer.hasPrefix("HTTP/1.1 \(status ?? 404) "))
            #expect(answer.contains("User-Agent\r\n") == !isKept)
            #expect(answer.contains("Cache-Control: private, no-cache\r\n") == !isKept)
        }
    }

    /// What `explain` shows is made without a connection; it is the same to the byte.
    @Test(
        "a prediction is what a connection gets",
        arguments: [
            "/", "/page.html", "/apple-app-site-association", "/.well-known/assetlinks.json",
            "/nothing", "/.well-known/nothing", "/go/x?y", "/go/", "/robots.txt", "/%2e%2e/x", "//",
        ])
    func prediction(_ path: String) throws {
        let template = try #require(URLTemplate("https://www.example.com/{1}"))
        let link = Link(
            key: "go", components: [Component(path: "/go/*")],
            web: WebActions(byPlatform: [.ios: .notFound], otherwise: .redirect(template, .found)))
        let origin = try TestOrigin { $0.webLinks = [link] }
        let port = origin.httpsPort
        for agent in ["iPhone", "Windows NT", "Twitterbot/1.0", "Applebot"] {
            let request =
                "GET \(path) HTTP/1.1\r\nHost: localhost:\(port)\r\nUser-Agent: \(agent)\r\n"
                + "Accept: */*\r\n\r\n"
            let predicted = origin.snapshot.predict(Array(request.utf8), isSecure: true)
            let answered = curl(origin, "-i --path-as-is -A '\(agent)' " + url(origin, path)).output
            #expect(
                withoutDate(String(decoding: predicted, as: UTF8.self)) == withoutDate(answered))
        }
    }

    private func withoutDate(_ response: String) -> [String] {
        response.components(separatedBy: "\r\n").filter { !$0.hasPrefix("Date: ") }
    }

    @Test(
        "no path leads out of the public directory",
        arguments: [
            "/../leaf.key", "/..%2fleaf.key", "/%2e%2e/leaf.key", "/./../leaf.key",
            "/a/../../leaf.key", "/..;/leaf.key", "/..\\leaf.key", "//etc/hostname",
            "/%00/../leaf.key", "/page.html/../../leaf.key", "/.../leaf.key",
        ])
    func escapes(_ path: String) throws {
        let origin = try TestOrigin()
        let answer = curl(origin, "--path-as-is -w '|%{http_code}' " + url(origin, path))
        #expect(answer.output.hasSuffix("|400") || answer.output.hasSuffix("|404"), "\(answer)")
        #expect(!answer.output.contains("PRIVATE"))
    }

    @Test func `a long file arrives whole, in parts and at once, over TLS and not`() throws {
        let long = (0..<300_000).map { "\($0)\n" }.joined()
        let origin = try TestOrigin { $0.files["long.bin"] = long }
        let hash = "| sha256sum | cut -c1-64"
        let file = "sha256sum < \(origin.directory.path)/Public/long.bin | cut -c1-64"
        let expected = shell(file).output
        #expect(curl(origin, url(origin, "/long.bin") + hash).output == expected)
        let slow = curl(origin, "--limit-rate 4M " + url(origin, "/long.bin") + hash)
        #expect(slow.output == expected)
        let halves =
            curl(origin, "-r 0-999999 " + url(origin, "/long.bin")).output
            + curl(origin, "-r 1000000- " + url(origin, "/long.bin")).output
        #expect(halves == long)
    }

    @Test func `a reload changes the bytes and keeps connections and sessions`() throws {
        let origin = try TestOrigin()
        var site = TestSite()
        site.aasa = #"{"applinks":{"details":[1]}}"#
        let next = try TestOrigin.snapshot(site, origin.directory)
        let client = try TestClient(port: origin.httpPort)
        let request = "GET /apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n\r\n"
        client.send(request)
        #expect(try client.readResponse().body.count == 27)
        origin.server.publish(next)
        client.send(request)
        #expect(try client.readResponse().body.count == 28)
        let answer = curl(origin, url(origin, "/apple-app-site-association"))
        #expect(answer.output == #"{"applinks":{"details":[1]}}"#)
    }

    @Test func `a stop lets what is in flight finish`() throws {
        let origin = try TestOrigin()
        let client = try TestClient(port: origin.httpPort)
        client.send("GET /apple-app-site-association HTTP/1.1\r\nHo")
        let idle = try TestClient(port: origin.httpPort)
        idle.send("HEAD /apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n\r\n")
        _ = try idle.readResponse(isHead: true)
        origin.server.beginStop()
        #expect(idle.isClosed())
        client.send("st: localhost\r\n\r\n")
        let response = try client.readResponse()
        #expect(response.status == 200 && response.fields["connection"] == "close")
        #expect(client.isClosed())
        origin.server.stop()
        #expect(throws: ClientError.self) { try TestClient(port: origin.httpPort) }
    }
}
