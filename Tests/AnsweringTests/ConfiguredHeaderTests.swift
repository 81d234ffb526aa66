import Foundation
import Resolution
import SiteConfiguration
import TestSupport
import Testing

@testable import Answering

@Suite("Response header fields of the configuration")
struct ConfiguredHeaderTests {
    private static let headers = """
              - {match: /images/*, set: {cache-control: "max-age=31536000, immutable", X-Kind: image}}
              - {match: [/*.html, /docs/], set: {X-Kind: page}}
              - set: {Content-Security-Policy: "default-src 'self'", X-Kind: all, X-Robots-Tag: noarchive}

        """
    private let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let pages = directory.appending(path: "Public")
        for name in ["images/a.svg", "docs/index.html", "docs/b.txt", "lost.html", "c ä.html"] {
            let file = pages.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(String(repeating: "<p>\(name)", count: 100).utf8).write(to: file)
        }
    }

    private func prepare(
        _ headers: String = Self.headers, robots: String = "open",
        after previous: PreparedSite? = nil
    ) throws -> PreparedSite {
        let text = """
            version: 1
            apps: {app: {name: App, ios: {id: W4X7K2M9QH.com.example.app, store: 412366298}}}
            links:
              ad: {match: /ad/*, web: landing}
              moved: {match: /moved, web: "https://x.example/"}
              shown: {match: /shown, web: {ios: /docs/index.html, default: landing}}
            environments:
              dev:
                hosts: [localhost]
                tls: {certificate: certs/dev.pem, key: certs/dev.key}
                publish: {app: [ad, shown]}
                robots: \(robots)
                unmatched: {page: /lost.html, status: 404}
                headers:
            \(headers)
            """
        let prepared = try PreparedSite.prepare(
            text, in: directory, now: Self.now, after: previous)
        prepared.prepareFiles()
        prepared.preparePages(at: Self.now)
        return prepared
    }

    private static let now = 1_790_812_800

    private func ask(
        _ site: PreparedSite, _ path: String, _ fields: String = "", method: String = "GET"
    ) throws -> Head {
        let agent = try #require(VisitorProfile.userAgent(of: "iphone-safari"))
        let request =
            "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nUser-Agent: \(agent)\r\n\(fields)\r\n"
        var predictor = Predictor(SiteTable([site]), now: Self.now)
        return try #require(
            Head(predictor.answer(Array(request.utf8), isSecure: true, now: Self.now)))
    }

    /// Every field line of a response, by its name in lower case.
    private struct Head {
        let status: Int
        private var lines = [(name: String, value: String)]()

        init?(_ bytes: [UInt8]) {
            let text = String(decoding: bytes, as: UTF8.self)
            guard let head = text.components(separatedBy: "\r\n\r\n").first else { return nil }
            let all = head.components(separatedBy: "\r\n")
            guard let status = Int(all[0].dropFirst(9).prefix(3)) else { return nil }
            self.status = status
            for line in all.dropFirst() {
                let parts = line.components(separatedBy: ": ")
                lines.append((parts[0].lowercased(), parts.dropFirst().joined(separator: ": ")))
            }
        }

        subscript(name: String) -> String? { lines.first { $0.name == name.lowercased() }?.value }

        func count(of name: String) -> Int { lines.count { $0.name == name.lowercased() } }
    }

    @Test(arguments: [
        ("/images/a.svg", "image", "max-age=31536000, immutable"),
        ("/docs/", "page", "no-cache"), ("/docs/index.html", "page", "no-cache"),
        ("/docs/b.txt", "all", "max-age=3600"), ("/c%20%C3%A4.html", "page", "no-cache"),
        ("/none", "page", nil), ("/ad/1", "all", "private, no-cache"),
        ("/shown", "page", "private, no-cache"),
    ])
    func `the first rule that has a field decides`(
        path: String, kind: String, cacheControl: String?
    ) throws {
        let response = try ask(try prepare(), path)
        #expect(response["X-Kind"] == kind)
        #expect(response["Content-Security-Policy"] == "default-src 'self'")
        if let cacheControl { #expect(response["Cache-Control"] == cacheControl) }
        #expect(response.count(of: "Cache-Control") <= 1)
        #expect(response.count(of: "Content-Security-Policy") == 1)
    }

    @Test(arguments: [
        "/.well-known/apple-app-site-association", "/apple-app-site-association", "/robots.txt",
        "/moved",
    ])
    func `what is generated for programs, and redirects, have none`(path: String) throws {
        let response = try ask(try prepare(), path)
        #expect(response["X-Kind"] == nil)
        #expect(response["Content-Security-Policy"] == nil)
    }

    @Test func `every answer of a file has them, but for what a cache does not need again`() throws
    {
        let site = try prepare()
        let whole = try ask(site, "/images/a.svg")
        let tag = try #require(whole["ETag"])
        for (fields, method, status) in [
            ("", "HEAD", 200), ("Range: bytes=0-9\r\n", "GET", 206),
            ("If-None-Match: \(tag)\r\n", "GET", 304), ("Accept-Encoding: gzip\r\n", "GET", 200),
        ] {
            let response = try ask(site, "/images/a.svg", fields, method: method)
            #expect(response.status == status)
            #expect(response["X-Kind"] == "image")
            #expect(response["Cache-Control"] == "max-age=31536000, immutable")
            #expect(response["Content-Security-Policy"] == "default-src 'self'")
            #expect((response["Content-Type"] == nil) == (status == 304))
        }
    }

    @Test func `a closed environment stays closed`() throws {
        let site = try prepare(robots: "closed")
        for path in ["/docs/", "/ad/1", "/none"] {
            let response = try ask(site, path)
            #expect(response.count(of: "X-Robots-Tag") == 2)
            #expect(response["X-Robots-Tag"] == "noindex")
        }
    }

    @Test func `a file is shared with the next snapshot unless its own fields change`() throws {
        let site = try prepare()
        let same = try prepare(after: site)
        let other = try prepare(
            Self.headers.replacing("X-Kind: image", with: "X-Kind: picture"), after: site)
        func file(_ site: PreparedSite, _ path: String) throws -> PublicFile {
            try #require(site.publicFiles.files.first { $0.path == path })
        }
        for path in ["images/a.svg", "docs/b.txt"] {
            #expect(try file(site, path) === file(same, path))
        }
        #expect(try file(site, "images/a.svg") !== file(other, "images/a.svg"))
        #expect(try file(site, "docs/b.txt") === file(other, "docs/b.txt"))
        #expect(try ask(other, "/images/a.svg")["X-Kind"] == "picture")
    }
}
