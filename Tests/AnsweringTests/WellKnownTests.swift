import Foundation
import TestSupport
import Testing

@testable import Answering

@Suite("Names below /.well-known/")
struct WellKnownTests {
    private static let keys = """
            webauthn: ["https://Shop.example:443", "https://shop.example.de:8443"]
            passkey-endpoints: {enroll: "https://a.example/new", manage: "https://a.example/keys"}
            change-password: https://accounts.example/password?from=well-known
        """

    private func site(
        _ keys: String = "", links: String = "all: {match: /*, web: landing}",
        files: [String] = []
    ) throws -> PreparedSite {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let text = """
            version: 1
            apps:
              app: {ios: {id: W4X7K2M9QH.com.example.app}, harmony: {id: 5765880207853624761}}
            links: {\(links)}
            environments:
              dev:
                hosts: [localhost]
                tls: {certificate: certs/dev.pem, key: certs/dev.key}
                publish: {app: [all]}
                unmatched: {page: landing, status: 200}
            \(keys)
            """
        for file in files {
            let path = directory.appending(path: "Public").appending(path: file)
            try FileManager.default.createDirectory(
                at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("public".utf8).write(to: path)
        }
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let prepared = try PreparedSite.prepare(text, in: directory)
        prepared.prepareFiles()
        return prepared
    }

    private func get(
        _ site: PreparedSite, _ path: String, isSecure: Bool = true
    ) throws -> TestResponse {
        let request = "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n"
        var predictor = Predictor(SiteTable([site]), now: 0)
        let bytes = predictor.answer(Array(request.utf8), isSecure: isSecure, now: 0)
        return try #require(TestResponse(bytes, isHead: false))
    }

    @Test(
        "files of keys are JSON, over https only",
        arguments: [
            ("webauthn", #"{"origins":["https://shop.example","https://shop.example.de:8443"]}"#),
            (
                "passkey-endpoints",
                #"{"enroll":"https://a.example/new","manage":"https://a.example/keys"}"#
            ),
            (
                "applinking.json",
                #"{"applinking":{"apps":[{"appIdentifier":"5765880207853624761"}]}}"#
            ),
        ])
    func files(_ name: String, _ content: String) throws {
        let site = try site(Self.keys)
        let response = try get(site, "/.well-known/\(name)")
        #expect(response.status == 200)
        #expect(response.fields["content-type"] == "application/json")
        let compact = response.body.filter { !$0.isWhitespace }
        #expect(compact == content)
        #expect(try get(site, "/.well-known/\(name)", isSecure: false).status == 308)
        #expect(try get(site, "/.well-known/\(name)/").status == 404)
    }

    @Test func `the page for passwords is a redirect, and what cannot exist is 404`() throws {
        let site = try site(Self.keys)
        let response = try get(site, "/.well-known/change-password")
        #expect(response.status == 302)
        #expect(
            response.fields["location"] == "https://accounts.example/password?from=well-known")
        let none = "resource-that-should-not-exist-whose-status-code-should-not-be-200"
        #expect(try get(site, "/.well-known/\(none)").status == 404)
    }

    @Test func `without the keys there is nothing, and an empty list is none`() throws {
        for keys in ["", "    webauthn: []"] {
            let site = try site(keys)
            #expect(try get(site, "/.well-known/webauthn").status == 404)
            #expect(try get(site, "/.well-known/passkey-endpoints").status == 404)
            #expect(try get(site, "/.well-known/change-password").status == 404)
        }
        let empty = try get(try site("    passkey-endpoints: {}"), "/.well-known/passkey-endpoints")
        #expect(empty.status == 200 && empty.body == "{}\n")
    }

    @Test func `a key comes before a public file, which comes before a link`() throws {
        let names = [".well-known/webauthn", ".well-known/nodeinfo"]
        let links =
            "own: {match: /.well-known/*, web: \"https://x.example/\"}, all: {match: /*, web: landing}"
        let both = try site(Self.keys, links: links, files: names)
        #expect(try get(both, "/.well-known/webauthn").body.contains("origins"))
        #expect(try get(both, "/.well-known/nodeinfo").body == "public")
        #expect(try get(both, "/.well-known/other").status == 302)
        let file = try get(try site(links: links, files: names), "/.well-known/webauthn")
        #expect(file.body == "public" && file.fields["content-type"] == "application/json")
    }

    @Test(
        "a link gets a well-known name only with a pattern for it",
        arguments: [
            ("/.well-known/caldav", 302), ("/.well-known/caldav/", 302),
            ("/.well-known/carddav", 404),
            ("/%2Ewell-known/carddav", 404), ("/.well-known/", 404), ("/.well-known", 200),
            ("/.well-known/m/x", 302), ("/.well-known/m", 302), ("/else", 200),
            ("/.well-known/acme-challenge/x", 404), ("/.well-known/assetlinks.json", 404),
            ("/.WELL-KNOWN/folded", 200), ("/.well-known/FOLDED", 302),
        ])
    func links(_ path: String, _ status: Int) throws {
        let site = try site(
            links: """
                all: {match: /*, web: landing}, dav: {match: /.well-known/caldav, web: "https://x.example/"}, \
                m: {match: "/.well-known/m/*", web: "https://x.example/{1}"}, \
                acme: {match: [/.well-known/acme-challenge/x, /.well-known/assetlinks.json], web: "https://x.example/"}, \
                folded: {match: {"/": /.WELL-known/folded, caseSensitive: false}, web: "https://x.example/"}
                """)
        #expect(try get(site, path).status == status)
    }
}
