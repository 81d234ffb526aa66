import Answering
import Foundation
import Resolution
import SiteConfiguration
import TestSupport
import Testing

/// What is answered for links that begin and end, a second before and at each time.
@Suite("Answers for links with a time")
struct LinkTimeAnswerTests {
    private static let text = """
        version: 1
        apps: {app: {name: App, ios: {id: W4X7K2M9QH.com.example.app, store: 412366298}}}
        links:
          page: {match: /page, until: 2026-10-01T00:00:00Z, web: /a.html, after: /b.html}
          plain: {match: /plain, web: /a.html}
          begun: {match: /begun, from: 2026-10-01T00:00:00Z, web: /a.html}
          moved: {match: /moved, until: 2026-10-01T00:00:00Z, web: landing, after: "https://x.example/"}
          ended: {match: /ended, until: 2026-10-01T00:00:00Z, web: "https://x.example/", after: landing}
          gone: {match: /gone, until: 2026-10-01T00:00:00Z, web: landing}
          empty: {match: /empty, web: gone}
        environments:
          dev:
            hosts: [localhost]
            tls: {certificate: certs/dev.pem, key: certs/dev.key}
            publish: {app: [page, moved, ended, gone]}

        """
    private static let end = 1_790_812_800
    private let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let pages = directory.appending(path: "Public")
        try FileManager.default.createDirectory(at: pages, withIntermediateDirectories: true)
        for name in ["a", "b"] {
            try Data("<p>\(name)".utf8).write(to: pages.appending(path: "\(name).html"))
        }
        try Data(Self.text.utf8).write(to: directory.appending(path: "waymark.yaml"))
    }

    private func prepare(_ now: Int, after previous: PreparedSite? = nil) throws -> PreparedSite {
        let path = directory.appending(path: "waymark.yaml").path
        let (read, findings) = Configuration.load(path: path)
        let environment = try #require(read?.environments.first, "\(findings)")
        let prepared = try PreparedSite.prepare(environment, now: now, after: previous)
        guard prepared !== previous else { return prepared }
        prepared.prepareFiles()
        prepared.preparePages(at: now)
        return prepared
    }

    private func get(
        _ site: PreparedSite, _ path: String, at now: Int, fields: String = ""
    ) throws -> TestResponse {
        let agent = try #require(VisitorProfile.userAgent(of: "iphone-safari"))
        let request =
            "GET \(path) HTTP/1.1\r\nHost: localhost\r\nUser-Agent: \(agent)\r\n\(fields)\r\n"
        var predictor = Predictor(SiteTable([site]), now: now)
        let bytes = predictor.answer(Array(request.utf8), isSecure: true, now: now)
        return try #require(TestResponse(bytes, isHead: false))
    }

    @Test(
        "the answer changes at the second, whenever the site was prepared",
        arguments: [
            ("/page", end - 1, 200, "<p>a"), ("/page", end, 200, "<p>b"),
            ("/begun", end - 1, 404, ""), ("/begun", end, 200, "<p>a"),
            ("/moved", end - 1, 200, "<!doctype html>"), ("/moved", end, 302, ""),
            ("/ended", end - 1, 302, ""), ("/ended", end, 200, "<!doctype html>"),
            ("/gone", end - 1, 200, "<!doctype html>"), ("/gone", end, 410, "<!doctype html>"),
            ("/empty", end, 410, "<!doctype html>"),
        ])
    func boundary(_ path: String, _ now: Int, _ status: Int, _ body: String) throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        for prepared in [0, Self.end - 1, Self.end] {
            let response = try get(try prepare(prepared), path, at: now)
            #expect(response.status == status)
            #expect(response.body.lowercased().hasPrefix(body.lowercased()))
        }
    }

    @Test(
        "a cache keeps no answer beyond a time, and asks again",
        arguments: [
            ("/page", end - 1, "private, no-cache"), ("/page", end, "private, no-cache"),
            ("/begun", end - 1, "private, no-cache"), ("/moved", end - 1, "private, no-cache"),
            ("/moved", end, "private, no-store"), ("/ended", end - 1, "private, no-store"),
            ("/ended", end, "private, no-cache"), ("/gone", end, "private, no-cache"),
        ])
    func caching(_ path: String, _ now: Int, _ expected: String) throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        let site = try prepare(0)
        #expect(try get(site, path, at: now).fields["cache-control"] == expected)
        // A link that has begun and does not end is like one without a time.
        for path in ["/begun", "/plain"] {
            let fields = try get(site, path, at: Self.end).fields
            #expect(
                fields["cache-control"] == (try get(site, "/a.html", at: 0)).fields["cache-control"]
            )
        }
    }

    @Test func `a page that was kept is confirmed before the end, and replaced at the end`() throws
    {
        defer { try? FileManager.default.removeItem(at: directory) }
        let site = try prepare(0)
        let tag = try #require(try get(site, "/page", at: Self.end - 1).fields["etag"])
        let fields = "If-None-Match: \(tag)\r\n"
        #expect(try get(site, "/page", at: Self.end - 1, fields: fields).status == 304)
        let later = try get(site, "/page", at: Self.end, fields: fields)
        #expect(later.status == 200 && later.body == "<p>b")
    }

    @Test func `the page of a link that has ended is not to be listed`() throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        let site = try prepare(0)
        #expect(try get(site, "/ended", at: Self.end).fields["x-robots-tag"] == "noindex")
        #expect(try get(site, "/gone", at: Self.end - 1).fields["x-robots-tag"] == nil)
    }

    @Test(
        "the sitemap lists no link that ends, and one that begins once it has begun",
        arguments: [(0, ["/plain"]), (end - 1, ["/plain"]), (end, ["/begun", "/plain"])])
    func sitemap(_ now: Int, _ expected: [String]) throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        // The same where a site is taken over by a reload.
        for site in [try prepare(now), try prepare(now, after: prepare(0))] {
            let map = try get(site, "/sitemap.xml", at: now)
            let found = map.body.components(separatedBy: "<loc>https://localhost").dropFirst().map {
                $0.components(separatedBy: "</loc>")[0]
            }
            #expect(found.filter { !$0.hasSuffix(".html") }.sorted() == expected)
        }
    }
}
