import LinkAPI
import LinkStore
import Services
import Synchronization
import TestSupport
import Testing

@testable import Origin

/// A browser of one person, with a console at hand.
final class Browser {
    let store: StoreOrigin
    /// Whether it asks the console's host, by a proxy that speaks TLS; or the admin listener.
    let isOnHost: Bool
    var cookie: String?
    /// Of the requests that it sends, besides those of every request.
    var fields = "Sec-Fetch-Site: same-origin\r\n"
    var host: String

    init(_ store: StoreOrigin, onHost isOnHost: Bool = true) {
        (self.store, self.isOnHost) = (store, isOnHost)
        host = isOnHost ? "links.localhost" : "127.0.0.1:\(store.origin.adminPort)"
    }

    @discardableResult
    func ask(_ method: String, _ path: String, _ form: String = "") throws -> TestResponse {
        let port = isOnHost ? store.origin.httpPort : store.origin.adminPort
        let client = try TestClient(port: port)
        let proxy = isOnHost ? "X-Forwarded-Proto: https\r\n" : ""
        let content =
            method == "POST"
            ? "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: \(form.utf8.count)\r\n"
            : ""
        client.send(
            "\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\n\(proxy)\(fields)\(content)"
                + (cookie.map { "Cookie: \($0)\r\n" } ?? "") + "\r\n\(form)")
        let answer = try client.readResponse(isHead: method == "HEAD")
        // As browsers do.
        if let set = answer.fields["set-cookie"] {
            let pair = String(set.prefix { $0 != ";" })
            cookie = set.contains("Max-Age=0") ? nil : pair
        }
        return answer
    }

    func signIn(_ link: String) throws -> TestResponse { try ask("POST", link) }

    /// The status of the first page.
    var status: Int { get throws { try ask("GET", "/console/").status } }
}

extension StoreOrigin {
    /// The path of a new sign-in link.
    func link(_ name: String, _ more: String = "") throws -> String {
        let client = try client
        client.send(request("POST", "people", #"{"name": "\#(name)"\#(more)}"#))
        let body = try client.readResponse().body
        return String(try #require(body.firstMatch(of: /"path": "([^"]*)"/), "\(body)").1)
    }

    func signedIn(
        _ name: String, _ more: String = "", onHost: Bool = true
    ) throws -> Browser {
        let browser = Browser(self, onHost: onHost)
        #expect(try browser.signIn(link(name, more)).status == 303)
        return browser
    }

    /// What the audit has, the last entry first.
    var audit: String {
        get throws {
            let client = try client
            client.send(request("GET", "audit"))
            return try client.readResponse().body
        }
    }
}

@Suite("The door of the console")
struct ConsoleDoorTests {
    @Test("a link signs in once, and the audit says who", arguments: [true, false])
    func signsIn(onHost: Bool) throws {
        let store = try StoreOrigin()
        let browser = Browser(store, onHost: onHost)
        let link = try store.link("Anna", #", "role": "editor""#)
        #expect(try browser.status == 401)
        // A preview of a chat program does not use it up.
        for method in ["GET", "HEAD", "GET"] {
            #expect(try browser.ask(method, link).status == 200)
        }
        let answer = try browser.signIn(link)
        #expect(answer.status == 303 && answer.fields["location"] == "/console/")
        let set = answer.fields["set-cookie"] ?? ""
        #expect(
            set.wholeMatch(
                of: onHost
                    ? /__Host-waymark=[A-Za-z0-9_-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict/
                    : /waymark-console=[A-Za-z0-9_-]{43}; Path=\/console\/; HttpOnly; SameSite=Strict/
            )
                != nil, "\(set)")
        let page = try browser.ask("GET", "/console/")
        #expect(page.status == 200 && page.body.contains("anna"), "\(page.body)")
        #expect(page.fields["cache-control"] == "no-store")
        // The link is used up, also for who has signed in with it.
        let replayed = try browser.signIn(link)
        #expect(replayed.status == 403 && replayed.fields["set-cookie"] == nil)
        let audit = try store.audit
        #expect(audit.contains(#""actor": "anna", "action": "sign in""#), "\(audit)")
        #expect(audit.contains(#""action": "add person anna: editor""#), "\(audit)")
        #expect(!audit.contains(link.suffix(43)))
    }

    /// A wrong link, a used one and one that was replaced get the same answer.
    @Test func `a link that does not sign in says nothing`() throws {
        let store = try StoreOrigin()
        let replaced = try store.link("anna")
        let used = try store.link("anna")
        _ = try Browser(store).signIn(used)
        let guessed = "/console/sign-in/\(String(repeating: "A", count: 43))"
        let answers = try [replaced, used, guessed].map { try Browser(store).signIn($0) }
        #expect(answers.allSatisfy { $0.status == 403 && $0.fields["set-cookie"] == nil })
        let bodies = Set(answers.map(\.body))
        #expect(bodies.count == 1)
        // The page with the button is the same for each, too: it is not looked up.
        for path in [used, guessed] {
            #expect(try Browser(store).ask("GET", path).status == 200)
        }
        for path in ["x", "", "%00", "a/b", "<script>", String(repeating: "A", count: 5_000)] {
            let status = try Browser(store).ask("POST", "/console/sign-in/\(path)").status
            #expect([400, 403, 401, 404].contains(status), "\(path.prefix(9)): \(status)")
        }
    }

    @Test func `guesses are slowed down`() throws {
        let store = try StoreOrigin()
        let guessed = "/console/sign-in/\(String(repeating: "A", count: 43))"
        let statuses = try (0..<40).map { _ in try Browser(store).signIn(guessed).status }
        #expect(statuses.prefix(10).allSatisfy { $0 == 403 } && statuses.contains(429))
        let late = try Browser(store).signIn(guessed)
        #expect(late.status == 403 || late.fields["retry-after"] == "1")
    }

    /// A page for a browser, and a line for a program, or for who does not stop.
    @Test(
        arguments: [
            ("text/html,*/*;q=0.8", "de", "Zu viele Versuche"),
            ("application/xml, text/html", "fr", "Too many attempts"), ("*/*", "de", nil),
        ] as [(String, String, String?)])
    func `who is slowed down is told so in the language of the browser`(
        _ accept: String, _ language: String, _ title: String?
    ) throws {
        let store = try StoreOrigin()
        let guessed = "/console/sign-in/\(String(repeating: "A", count: 43))"
        let browser = Browser(store)
        browser.fields += "Accept: \(accept)\r\nAccept-Language: \(language)\r\n"
        let late = try (0..<50).map { _ in try browser.signIn(guessed) }.filter { $0.status == 429 }
        #expect(!late.isEmpty && late.allSatisfy { $0.fields["retry-after"] == "1" })
        let isPage = late.map { $0.fields["content-type"]?.hasPrefix("text/html") == true }
        #expect(isPage.first == (title != nil))
        if let title {
            #expect(late[0].body.contains("<h1>\(title)</h1>"), "\(late[0].body)")
            #expect(late[0].fields["cache-control"] == "no-store")
            #expect(isPage.last == false && late.last?.body == "too many requests\n")
        }
    }

    /// As a provider does it, which sends the browser back with a code.
    @Test func `who is led here too often goes on with the whole query`() throws {
        let browser = Browser(try StoreOrigin())
        browser.fields += "Accept: text/html\r\n"
        let late = try (0..<30).map { _ in
            try browser.ask("GET", "/console/openid?code=a&state=b")
        }.first { $0.status == 429 }
        let body = try #require(late).body
        #expect(body.contains(#"href="/console/openid?code=a&amp;state=b""#), "\(body)")
    }

    /// What browsers send with a POST, and whether it is taken.
    private static let origins: [(String, Bool)] = [
        ("Sec-Fetch-Site: same-origin\r\n", true), ("Sec-Fetch-Site: none\r\n", true),
        ("Sec-Fetch-Site: same-site\r\n", false), ("Sec-Fetch-Site: cross-site\r\n", false),
        ("Sec-Fetch-Site: SAME-ORIGIN\r\n", false), ("Sec-Fetch-Site:\r\n", false),
        ("Sec-Fetch-Site: same-origin\r\nSec-Fetch-Site: cross-site\r\n", false),
        ("Sec-Fetch-Site: cross-site\r\nOrigin: https://links.localhost\r\n", false),
        ("Origin: https://links.localhost\r\n", true),
        ("Origin: http://links.localhost\r\n", false),
        ("Origin: https://links.localhost:444\r\n", false),
        ("Origin: https://evil.links.localhost\r\n", false),
        ("Origin: https://localhost\r\n", false), ("Origin: https://evil.example\r\n", false),
        ("Origin: https://links.localhost.evil.example\r\n", false), ("Origin: null\r\n", false),
        ("Origin: https://links.localhost\r\nOrigin: https://evil.example\r\n", false),
        ("", false), ("Referer: https://links.localhost/console/\r\n", false),
    ]

    @Test("a POST that no page of the console sends changes nothing", arguments: origins)
    func originOfPosts(_ fields: String, _ isTaken: Bool) throws {
        let store = try StoreOrigin()
        let browser = Browser(store)
        let link = try store.link("anna")
        browser.fields = fields
        #expect(try browser.signIn(link).status == (isTaken ? 303 : 403))
        browser.fields = "Sec-Fetch-Site: same-origin\r\n"
        if !isTaken { #expect(try browser.signIn(link).status == 303) }
        browser.fields = fields
        #expect(try browser.ask("POST", "/console/sign-out").status == (isTaken ? 200 : 403))
        #expect(try browser.status == (isTaken ? 401 : 200))
    }

    @Test(
        "who is led here by another site is not said to be signed out",
        arguments: [
            ("Sec-Fetch-Site: cross-site\r\n", true), ("Sec-Fetch-Site: same-site\r\n", true),
            ("Sec-Fetch-Site: none\r\n", false), ("Sec-Fetch-Site: same-origin\r\n", false),
            ("", false),
        ])
    func ledHere(_ fields: String, _ isLed: Bool) throws {
        let browser = Browser(try StoreOrigin())
        browser.fields = fields
        let answer = try browser.ask("GET", "/console/links")
        #expect(answer.status == 401 && answer.body.contains("href=\"/console/links\""))
        #expect(answer.body.contains("Go on to the console") == isLed)
        #expect(answer.body.contains("You are not signed in") == !isLed)
    }

    @Test func `GET and other methods change nothing`() throws {
        let browser = try StoreOrigin().signedIn("anna")
        for path in ["sign-out", "sign-out?everywhere=1"] {
            let answer = try browser.ask("GET", "/console/\(path)")
            #expect(answer.status == 303 && answer.fields["location"] == "/console/")
        }
        for method in ["PUT", "DELETE", "PATCH", "OPTIONS"] {
            let answer = try browser.ask(method, "/console/")
            #expect([204, 405, 501].contains(answer.status), "\(method) \(answer.status)")
        }
        #expect(try browser.status == 200)
    }

    /// A cookie that somebody else has set is not the one that a person gets.
    @Test func `a session has a secret of its own`() throws {
        let store = try StoreOrigin()
        let planted = "__Host-waymark=" + String(repeating: "B", count: 43)
        let browser = Browser(store)
        browser.cookie = planted
        #expect(try browser.status == 401)
        #expect(try browser.signIn(store.link("anna")).status == 303)
        let own = try #require(browser.cookie)
        #expect(own != planted)
        browser.cookie = planted
        #expect(try browser.status == 401)
        // Who signs in again leaves no session behind.
        browser.cookie = own
        #expect(try browser.signIn(store.link("anna")).status == 303)
        #expect(browser.cookie != own)
        #expect(try browser.status == 200)
        browser.cookie = own
        #expect(try browser.status == 401)
    }

    @Test func `a cookie of the admin listener is none of the host, nor the other way`() throws {
        let store = try StoreOrigin()
        for isOnHost in [true, false] {
            let browser = try store.signedIn("anna", onHost: isOnHost)
            let secret = try #require(browser.cookie?.split(separator: "=").last)
            let other = Browser(store, onHost: !isOnHost)
            for name in ["__Host-waymark", "waymark-console", "waymark"] {
                other.cookie = "\(name)=\(secret)"
                #expect(try other.status == 401, "\(name) \(isOnHost)")
            }
            #expect(try browser.status == 200)
        }
    }

    @Test func `a session ends with other rights, with the person, and by signing out`() throws {
        let store = try StoreOrigin()
        let (anna, elsewhere) = (try store.signedIn("anna"), try store.signedIn("anna"))
        let bob = try store.signedIn("bob", onHost: false)
        // A link without rights leaves them, and the sessions.
        _ = try store.link("anna")
        #expect(try anna.status == 200)
        #expect(try anna.ask("POST", "/console/sign-out").status == 200 && anna.cookie == nil)
        #expect(try elsewhere.status == 200)
        let here = try store.signedIn("anna")
        let kept = here.cookie
        #expect(try here.ask("POST", "/console/sign-out", "everywhere=1").status == 200)
        here.cookie = kept
        #expect(try here.status == 401 && elsewhere.status == 401)
        #expect(try bob.status == 200)
        _ = try store.link("bob", #", "role": "admin""#)
        #expect(try bob.status == 401)
        let again = try store.signedIn("bob")
        let client = try store.client
        client.send(store.request("DELETE", "people/bob"))
        #expect(try client.readResponse().status == 204)
        #expect(try again.status == 401)
    }

    @Test func `what was typed is not lost with a session`() throws {
        let store = try StoreOrigin()
        let browser = Browser(store)
        let answer = try browser.ask(
            "POST", "/console/links", "title=%3Cscript%3Ealert(1)%3C%2Fscript%3E&slug=spring")
        #expect(answer.status == 401 && answer.body.contains("spring"))
        #expect(!answer.body.contains("<script>alert"))
    }

    @Test func `forms have a size, a type and so many items`() throws {
        let browser = try StoreOrigin().signedIn("anna")
        let most = "a=" + String(repeating: "x", count: 65_534)
        // Who may only look gets no further than to the rights.
        #expect(try browser.ask("POST", "/console/none", most).status == 403)
        #expect(try browser.ask("POST", "/console/none", most + "x").status == 413)
        let items = (0..<500).map { "a\($0)=" }.joined(separator: "&")
        #expect(try browser.ask("POST", "/console/none", items).status == 403)
        #expect(try browser.ask("POST", "/console/none", items + "&b=").status == 413)
        browser.fields += "Content-Encoding: gzip\r\n"
        let coded = try browser.ask("POST", "/console/none", "a=b").status
        #expect([403, 413, 415].contains(coded))
    }

    @Test func `the host of the console has nothing else, and nothing else has it`() throws {
        let store = try StoreOrigin()
        let browser = try store.signedIn("anna")
        #expect(try browser.ask("GET", "/").fields["location"] == "/console/")
        #expect(try browser.ask("GET", "/console").fields["location"] == "/console/")
        for path in [
            "/v1/links", "/s/a", "/index.html", "/consolex",
            "/.well-known/apple-app-site-association",
        ] {
            #expect(try browser.ask("GET", path).status == 404, "\(path)")
        }
        for path in [
            "/console/%2e%2e/x", "/console/a%2fb", "/console/%0d%0aSet-Cookie:%20a=b",
            "/console/%ff",
        ] {
            let answer = try browser.ask("GET", path)
            #expect([400, 404].contains(answer.status), "\(path)")
            #expect(answer.fields["set-cookie"] == nil)
        }
        for host in ["localhost", "api.localhost", "evil.example", "links.localhost.evil.example"] {
            browser.host = host
            #expect(try [404, 421].contains(browser.status), "\(host)")
        }
        // Without TLS there is no console.
        browser.host = "links.localhost"
        let plain = try TestClient(port: store.origin.httpPort)
        plain.send(
            "GET /console/ HTTP/1.1\r\nHost: links.localhost\r\nCookie: \(browser.cookie ?? "")\r\n\r\n"
        )
        #expect(try plain.readResponse().status == 404)
    }

    @Test func `a connection that is for another host gets no page`() throws {
        let store = try StoreOrigin { site in site.certificateNames = ["localhost"] }
        let origin = store.origin
        let answer = shell(
            "printf 'GET /console/ HTTP/1.1\\r\\nHost: links.localhost\\r\\nConnection: close\\r\\n\\r\\n' "
                + "| openssl s_client -quiet -connect 127.0.0.1:\(origin.httpsPort) "
                + "-servername localhost 2>/dev/null"
        ).output
        #expect(answer.hasPrefix("HTTP/1.1 421 "), "\(answer)")
        #expect(!answer.contains("<html"))
    }

    @Test func `a page waits for no store that hangs, and nobody else does`() throws {
        let store = try StoreOrigin()
        let browser = try store.signedIn("anna")
        let entered = Milestone()
        let release = store.hold(entered)
        #expect(entered.wait())
        // The sign-in page needs no store, and comes before what waits for it.
        #expect(try Browser(store).status == 401)
        #expect(try store.client.get("/livez").status == 200)
        release()
        #expect(try browser.status == 200)
    }

    /// The rights of people are those of tokens with the same scopes, as the API checks them.
    @Test func `roles are scopes`() {
        #expect(PersonRole.viewer.scopes == [.linksRead, .statsRead, .auditRead])
        #expect(
            PersonRole.editor.scopes.subtracting(PersonRole.viewer.scopes)
                == [.linksCreate, .linksWrite, .linksDelete])
        #expect(PersonRole.admin.scopes == [.admin])
    }
}
