import Foundation
import TestSupport
import Testing
import URISyntax

@testable import Origin

@Suite("The page of a link in the console, over connections")
struct ConsolePreviewTests {
    @Test func `it is the page that is served`() throws {
        let store = try StoreOrigin()
        let ben = try store.signedIn("ben", #", "role": "editor""#)
        let json = #"{"slug": "a", "web": "landing", "page": {"title": "Spring & more"}}"#
        let draft =
            "/console/page?draft=\(json.queryEscaped)&as=desktop-chrome&scheme=light"
        let before = try ben.ask("GET", draft)
        // The log knows the path by one spelling.
        let spelled = draft.replacing("/page", with: "/%70age")
        #expect(try ben.ask("GET", spelled).status == 404)
        #expect(before.status == 200 && before.body.contains("Spring &amp; more"))
        ben.fields += "Sec-Fetch-Dest: document\r\n"
        #expect(try ben.ask("GET", draft).status == 404)
        let client = try store.client
        client.send(store.request("POST", "links", json))
        #expect(try client.readResponse().status == 201)
        let visitor = try TestClient(port: store.origin.httpPort)
        let agent =
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/126.0.0.0 Safari/537.36"
        visitor.send(
            "GET /s/a HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-Proto: https\r\nUser-Agent: \(agent)\r\n\r\n"
        )
        let served = try visitor.readResponse()
        #expect(served.status == 200 && served.body.contains("<h1"))
        let anna = try store.signedIn("anna", #", "role": "viewer""#)
        let path =
            "/console/page?url=https%3A%2F%2Flocalhost%2Fs%2Fa&as=desktop-chrome&scheme=light"
        let framed = try anna.ask("GET", path)
        // The page of the link, before it was made, is that of the link.
        #expect(framed.body == before.body)
        #expect(try anna.ask("GET", draft).status == 404)
        #expect(framed.status == 200 && framed.body.contains("Spring &amp; more"))
        let policy = framed.fields["content-security-policy"] ?? ""
        #expect(policy.hasPrefix("sandbox; ") && !policy.contains("script-src"), "\(policy)")
        // But for its scripts, and for what a tap would do.
        let main = { (page: String) in
            page.range(of: "<body").map { String(page[$0.lowerBound...]) }?
                .replacing(/<script[^>]*>.*?<\/script>/.dotMatchesNewlines(), with: "")
                .replacing("<body inert", with: "<body") ?? ""
        }
        #expect(main(framed.body) == main(served.body) && !main(served.body).isEmpty)
        #expect(try Browser(store).ask("GET", path).status == 401)
        let other = path.replacing("localhost", with: "elsewhere")
        #expect(try anna.ask("GET", other).status == 404)
    }
}
