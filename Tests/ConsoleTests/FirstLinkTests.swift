@testable import Console
import Foundation
import JSONSyntax
import SiteConfiguration
import TestSupport
import Testing
import URISyntax

/// What somebody meets who makes a first link on a machine of their own.
@Suite("A first link")
struct FirstLinkTests {
    private static let port = "\n    https-port: 8443\n"
    private static let link =
        #"{"collection": "short", "slug": "one", "destination": "https://www.example.com/1"}"#

    @Test(
        "the page of a link says where browsers find it, if that is another port",
        arguments: [(ConsoleLanguage.en, "at port 8443:"), (.de, "an Port 8443:")])
    func port(_ language: ConsoleLanguage, _ words: String) throws {
        let console = try TestConsole(Self.port)
        let path = "links/\(try console.make(Self.link))"
        for role in [ConsoleRole.viewer, .editor] {
            let page = PageStructure(console.get(path, as: role, language).content)
            #expect(page.faults == [] && page.text.contains(words))
            #expect(page.hrefs.contains("https://go.example.com:8443/s/one"))
            // The URL itself is that of apps and codes.
            #expect(page.text.contains("https://go.example.com/s/one"))
        }
    }

    @Test("the port of https is no news", arguments: ["", "\n    https-port: 443\n"])
    func usualPort(_ more: String) throws {
        let console = try TestConsole(more)
        let page = console.get("links/\(try console.make(Self.link))").text
        #expect(!page.contains(":443") && !page.contains("at port"))
        let collections = console.ask("GET", ["collections"]).json?["collections"]?.elements
        #expect(
            collections?.count == 2 && collections?.contains { $0["httpsPort"] != nil } == false)
    }

    @Test(
        "the port goes behind the host alone",
        arguments: [
            ("https://e.example/s/a?b=https://c/", "https://e.example:1/s/a?b=https://c/"),
            ("https://e.example", "https://e.example:1"), ("one", nil), ("", nil),
        ])
    func hosts(_ url: String, _ withPort: String?) throws {
        let link = try #require(JSONDocument(Array("{\"url\": \"\(url)\"}".utf8), file: "").root)
        #expect(LinkWords(link, now: 0).url(port: 1) == withPort)
    }

    @Test func `the example has a port, and a page for a link that is mistyped`() throws {
        let text = try Data(
            contentsOf: URL(filePath: repository("docs/examples/smart-links.yaml")))
        let read = Configuration.read(Array(text), file: "smart-links.yaml")
        let site = try #require(read.configuration?.environments.first?.sites.first)
        #expect(site.httpsPort == 8443)
        guard case .landing(status: 404) = site.unmatched else {
            Issue.record("\(site.unmatched)")
            return
        }
    }

    @Test(
        "an address without its scheme is a destination",
        arguments: [
            ("www.example.com/new", "https://www.example.com/new"),
            ("WWW.Example.com", "https://WWW.Example.com"),
            ("www.example.com?a=b", "https://www.example.com?a=b"),
            ("www.example.com#a", "https://www.example.com#a"),
            ("https://www.example.com/", "https://www.example.com/"),
            ("www.example.com.", "https://www.example.com."), ("1.example/", "https://1.example/"),
            // Not so sure.
            ("/new", "/new"), ("new", "new"), ("store", "store"), ("", ""), (".", "."),
            (".com", ".com"), ("anna@example.com", "anna@example.com"),
            ("mailto:anna@example.com", "mailto:anna@example.com"),
            ("example.com:8080/", "example.com:8080/"), ("two words.com", "two words.com"),
            ("ünder.example", "ünder.example"), ("12.50", "12.50"), ("v1.2", "v1.2"),
            ("192.0.2.1/x", "192.0.2.1/x"), ("a.", "a."),
        ])
    func scheme(_ typed: String, _ destination: String) {
        #expect(addressWithScheme(typed) == destination)
    }

    @Test func `a link is made with such an address, and its parameters`() throws {
        let console = try TestConsole()
        let made = console.post(
            "new",
            [
                ("collection", "short"), ("slug", "one"), ("destination", "www.example.com/new"),
                ("utm_source", "poster"),
            ])
        let link = console.link(try #require(made.linkID))
        #expect(
            link?["destination"]?.text == "https://www.example.com/new?utm_source=poster")
    }
}
