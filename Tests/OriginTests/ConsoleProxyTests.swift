import SiteConfiguration
import TestSupport
import Testing

/// People whom a proxy signs in. Of the tests' clients, 127.0.0.1 is a proxy that is trusted, unless a test says otherwise.
@Suite("Identities from a proxy")
struct ConsoleProxyTests {
    private static func store(trusted: Bool = true) throws -> StoreOrigin {
        try StoreOrigin { site in
            site.identityField = "x-forwarded-user"
            site.certificateNames = ["localhost", "links.localhost"]
            if !trusted { site.proxies.trusted = [] }
        }
    }

    private static let own = "Sec-Fetch-Site: same-origin\r\n"

    /// A browser behind the proxy.
    private static func browser(_ store: StoreOrigin, _ name: String) -> Browser {
        let browser = Browser(store)
        browser.fields = "\(own)X-Forwarded-User: \(name)\r\n"
        return browser
    }

    @Test func `a person who is known needs no link`() throws {
        let store = try Self.store()
        _ = try store.link("anna@example.com", #", "role": "editor""#)
        let anna = Self.browser(store, "Anna@Example.com")
        let page = try anna.ask("GET", "/console/")
        #expect(page.status == 200 && page.body.contains("anna@example.com"), "\(page.body)")
        #expect(page.fields["set-cookie"] == nil)
        #expect(try anna.ask("GET", "/console/new").status == 200)
        let audit = try store.audit
        #expect(
            audit.matches(of: /sign in by a proxy/).count == 1, "\(audit)")
        // A way in that outlives the proxy's word is not made.
        let passkeys = try anna.ask("GET", "/console/passkeys")
        #expect(passkeys.status == 200 && passkeys.body.contains("There are none here"))
        for path in ["passkeys", "passkeys/challenge"] {
            #expect(try anna.ask("POST", "/console/\(path)", "name=x").status == 403, "\(path)")
        }
        // A session that is there besides ends.
        let link = try store.link("anna@example.com")
        #expect(try anna.signIn(link).status == 303 && anna.cookie != nil)
        let session = anna.cookie
        // Signing out is for where they have signed in.
        let out = try anna.ask("POST", "/console/sign-out")
        #expect(out.status == 200 && out.body.contains("still signed in"))
        let direct = Browser(store)
        direct.cookie = session
        #expect(try direct.status == 401)
        // Whoever is removed is out with the next request.
        let client = try store.client
        client.send(store.request("DELETE", "people/anna@example.com"))
        #expect(try client.readResponse().status == 204)
        #expect(try anna.status == 403)
    }

    @Test(
        "who is not named clearly gets in by no other way",
        arguments: [
            "mallory", "", "anna, anna", "anna\r\nX-Forwarded-User: anna",
            "anna\r\nx-forwarded-user: mallory", "local", "<b>anna</b>", "%61nna", "\u{212A}im",
        ])
    func unclear(_ name: String) throws {
        let store = try Self.store()
        let session = try store.signedIn("anna")
        // What Unicode makes the Kelvin sign into.
        _ = try store.link("kim")
        let browser = Self.browser(store, name)
        #expect(try browser.status == 403)
        // Not even with the cookie of somebody who has signed in.
        browser.cookie = session.cookie
        #expect(try browser.status == 403)
        #expect(try browser.ask("GET", "/console/").body.contains("<b>") == false)
        #expect(try session.status == 200)
    }

    @Test func `a field that no trusted proxy has sent is nothing`() throws {
        let store = try Self.store(trusted: false)
        _ = try store.link("anna", #", "role": "admin""#)
        let client = try TestClient(port: store.origin.adminPort)
        // The admin listener has no proxy before it.
        client.send(
            "GET /console/ HTTP/1.1\r\nHost: 127.0.0.1:\(store.origin.adminPort)\r\n"
                + "X-Forwarded-User: anna\r\n\r\n")
        #expect(try client.readResponse().status == 401)
        let answer = shell(
            "printf 'GET /console/ HTTP/1.1\\r\\nHost: links.localhost\\r\\nX-Forwarded-User: anna\\r\\n"
                + "Connection: close\\r\\n\\r\\n' | openssl s_client -quiet -connect "
                + "127.0.0.1:\(store.origin.httpsPort) -servername links.localhost 2>/dev/null"
        ).output
        #expect(answer.hasPrefix("HTTP/1.1 401 "), "\(answer)")
    }

    @Test func `another field names nobody`() throws {
        let store = try Self.store()
        _ = try store.link("anna")
        let browser = Browser(store)
        for field in ["X-Forwarded-Users", "X_Forwarded_User", "Remote-User", "X-Forwarded-Use"] {
            browser.fields = "\(Self.own)\(field): anna\r\n"
            #expect(try browser.status == 401, "\(field)")
        }
    }

    @Test(
        "a page of elsewhere does nothing with an identity", arguments: ["cross-site", "same-site"])
    func foreign(_ site: String) throws {
        let store = try Self.store()
        _ = try store.link("anna", #", "role": "editor""#)
        let anna = Self.browser(store, "anna")
        let form = "collection=short&slug=made&destination=https://www.example.com/"
        anna.fields = "Sec-Fetch-Site: \(site)\r\nX-Forwarded-User: anna\r\n"
        #expect(try anna.ask("POST", "/console/new", form).status == 403)
        anna.fields = "\(Self.own)X-Forwarded-User: anna\r\n"
        #expect(try anna.ask("POST", "/console/new", form).status == 303)
    }
}
