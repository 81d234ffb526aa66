import Answering
import Foundation
import LinkIndex
import Resolution
import SiteConfiguration
import TestSupport
import Testing

/// What people and programs get for links that have ended, were deleted, or do not exist.
@Suite("Answers for links that are not there any more")
struct EndedLinkAnswerTests {
    private static let text = """
        version: 1
        site: {name: Shop, url: "https://www.example.com/", languages: [en, de]}
        apps: {app: {name: App, ios: {id: W4X7K2M9QH.com.example.app, store: 412366298}}}
        links:
          web:
            match: /w/*
            stored: {destinations: www.example.com}
            web: "https://www.example.com/shop"
            page: {title: Secret, description: Only today}
          store: {match: /s/*, stored: {destinations: www.example.com}, web: {ios: store}}
          after:
            match: /a/*
            stored: {destinations: www.example.com}
            after: {desktop: "https://www.example.com/over/{1}", ios: landing}
        environments:
          test:
            hosts: [localhost]
            open-host: open.localhost
            tls: {certificate: certs/dev.pem, key: certs/dev.key}
            publish: {app: [web, store, after]}
            unmatched: landing
            store: links.db

        """
    private static let now = 1_000
    private let site: PreparedSite
    private let index: LinkIndex

    init() throws {
        let (read, findings) = Configuration.read(
            Array(Self.text.utf8), file: "w", directory: "/nowhere")
        let environment = try #require(read?.environments.first, "\(findings)")
        site = try PreparedSite.prepare(environment, now: Self.now)
        site.preparePages(at: Self.now)
        var records = [LinkRecord]()
        for name in ["web", "store", "after"] {
            for slug in ["ended", "own", "deleted"] {
                var record = LinkRecord(
                    collection: CollectionName(name).number, id: 7, slug: Array(slug.utf8),
                    destination: Array("https://www.example.com/secret".utf8))
                record.until = Self.now
                if slug == "own" { record.details = Array(#"{"after": "landing"}"#.utf8) }
                if slug == "deleted" { record.state = .deleted }
                records.append(record)
            }
        }
        index = LinkIndex().changed(records.compactMap { LinkChange($0) }, generation: 1)
    }

    private func get(
        _ path: String, as client: String, _ fields: String = ""
    ) throws -> TestResponse {
        let agent = try #require(VisitorProfile.userAgent(of: client))
        let request =
            "GET \(path) HTTP/1.1\r\nHost: localhost\r\nUser-Agent: \(agent)\r\n\(fields)\r\n"
        var predictor = Predictor(SiteTable([site]), now: Self.now, stored: index)
        let bytes = predictor.answer(Array(request.utf8), isSecure: true, now: Self.now)
        return try #require(TestResponse(bytes, isHead: false))
    }

    @Test(
        "people get a page in their language, with one way on above the others",
        arguments: [
            ("/w/ended", "desktop-chrome", "https://www.example.com/shop"),
            ("/w/ended", "iphone-safari", "https://www.example.com/shop"),
            ("/w/deleted", "android-chrome", "https://www.example.com/shop"),
            ("/w/deleted", "instagram-ios", "https://www.example.com/shop"),
            ("/s/ended", "iphone-safari", "https://www.example.com/"),
            ("/s/deleted", "desktop-chrome", "https://www.example.com/"),
            ("/a/deleted", "desktop-chrome", "https://www.example.com/"),
        ])
    func pages(_ path: String, _ client: String, _ way: String) throws {
        for (fields, title) in [
            ("Accept: text/html,*/*;q=0.8\r\n", "This link is no longer available"),
            ("Accept-Language: de-AT\r\n", "Diesen Link gibt es nicht mehr"),
        ] {
            let answer = try get(path, as: client, fields)
            #expect(answer.status == 410)
            #expect(answer.fields["content-type"] == "text/html; charset=utf-8")
            #expect(answer.fields["x-robots-tag"] == "noindex")
            #expect(answer.fields["vary"] == "Accept, User-Agent, Accept-Language")
            #expect(answer.body.contains(">\(title)</h1>"))
            #expect(answer.body.ranges(of: "\"button primary").count == 1)
            #expect(answer.body.contains(/class="button primary[^>]*href="(.*?)"/))
            let primary = answer.body.firstMatch(of: /class="button primary[^>]*href="(.*?)"/)
            #expect(primary.map { String($0.1) } == way)
            let stores = answer.body.firstRange(of: "<div class=\"stores")
            let first = answer.body.firstRange(of: "\"button primary")
            if path.hasPrefix("/w/"), let stores, let first {
                #expect(first.lowerBound < stores.lowerBound)
            }
            for text in ["Secret", "Only today", "/secret", "open.localhost"] {
                #expect(!answer.body.contains(text), "\(text)")
            }
        }
        let store = "https://apps.apple.com/app/id412366298"
        if !client.hasPrefix("android") {
            #expect(try get(path, as: client).body.contains(store))
        }
    }

    @Test(
        "programs, and what asks for no page, get a line of text",
        arguments: ["/w/ended", "/s/deleted", "/a/deleted"])
    func text(_ path: String) throws {
        for (client, fields) in [
            ("curl", ""), ("slack-preview", ""), ("googlebot", ""), ("applebot", ""),
            ("iphone-safari", "Accept: application/json\r\n"),
            ("desktop-chrome", "Accept: image/avif, image/png\r\n"),
        ] {
            let answer = try get(path, as: client, fields)
            #expect(answer.status == 410 && answer.body == "410 Gone\n", "\(client)")
            #expect(answer.fields["content-type"] == "text/plain; charset=utf-8")
        }
    }

    @Test func `the collection's after is that of all its links without their own`() throws {
        let desktop = try get("/a/ended", as: "desktop-chrome")
        #expect(desktop.status == 302)
        #expect(desktop.fields["location"] == "https://www.example.com/over/ended")
        // A preview does not show what the link was.
        let preview = try get("/a/ended", as: "slack-preview")
        #expect(preview.status == 302)
        #expect(preview.fields["location"] == "https://www.example.com/over/ended")
        #expect(try get("/a/ended", as: "iphone-safari").status == 200)
        // A platform without an action gets 410.
        #expect(try get("/a/ended", as: "android-chrome").status == 410)
        #expect(try get("/a/own", as: "desktop-chrome").status == 200)
    }

    @Test(arguments: ["desktop-chrome", "iphone-safari", "android-chrome", "instagram-ios"])
    func `a link that does not exist has one way on, and no app opens it`(_ client: String) throws {
        let answer = try get("/w/none", as: client)
        #expect(answer.status == 404)
        #expect(answer.body.contains(">There is no page at this address</h1>"))
        #expect(answer.body.ranges(of: "\"button primary").count == 1)
        #expect(!answer.body.contains("open.localhost"))
    }
}
