import Diagnostics
import Resolution
import SiteConfiguration
import Testing
import URISyntax

@Suite("What happens to a request, by its host and path")
struct RouterTests {
    private let position = SourcePosition(file: "test.yaml", line: 1, column: 1)

    private func router(
        aasa: Bool = true, assetlinks: Bool = false, isClosed: Bool = false, acme: Bool = true,
        files: [String] = ["index.html", "shop/index.html", "page.html"]
    ) throws -> Router {
        let reference = FileReference(path: "x", position: position)
        let site = Site(
            environment: "test", position: position, hosts: [try HostName("one.example")],
            openHost: try HostName("open.example"), certificates: [], publicDirectory: reference,
            acmeWebroot: acme ? reference : nil, httpsPort: nil, unmatched: .notFound,
            isClosedToRobots: isClosed,
            associations: .init(
                aasa: aasa ? [0x7B, 0x7D] : nil, assetlinks: assetlinks ? [0x5B, 0x5D] : nil,
                signing: nil))
        return Router(site, files: files)
    }

    private func decide(
        _ router: Router, _ path: String, host: String = "one.example", isSecure: Bool = true
    ) -> String {
        let (host, path) = (Array(host.utf8), Array(path.utf8))
        let decision = router.decide(
            host: host, 0..<host.count, path: path, 0..<path.count, isSecure: isSecure)
        guard case .resource(let number) = decision else { return "\(decision)" }
        return "\(router.resources[number])"
    }

    private static let apple = "appleAppSiteAssociation"

    @Test(
        "association files come first on every host, on plain HTTP too",
        arguments: [
            ("/.well-known/apple-app-site-association", apple),
            ("/apple-app-site-association", apple),
            ("/apple-app-site-association/", "unmatched"),
            ("/apple-app-site-association.json", "unmatched"),
            ("/Apple-App-Site-Association", "unmatched"),
            ("/.well-known/assetlinks.json", "assetLinks"),
            ("/assetlinks.json", "unmatched"),
        ])
    func associations(_ path: String, _ expected: String) throws {
        let router = try router(assetlinks: true)
        for host in ["one.example", "open.example"] {
            #expect(decide(router, path, host: host) == expected)
            #expect(
                decide(router, path, host: host, isSecure: false)
                    == (expected == "unmatched" ? "redirectToHTTPS" : expected))
        }
        #expect(decide(router, path, host: "two.example") == "unknownHost")
    }

    @Test(
        "one that is not published is not found, whatever `unmatched` says",
        arguments: [
            "/.well-known/apple-app-site-association", "/apple-app-site-association",
            "/.well-known/assetlinks.json",
        ])
    func notPublished(_ path: String) throws {
        let router = try router(aasa: false)
        #expect(decide(router, path) == "notFound")
        #expect(decide(router, path, isSecure: false) == "notFound")
    }

    @Test func `a file of the public directory can stand in for one`() throws {
        let router = try router(files: [".well-known/assetlinks.json"])
        let expected = "publicFile(\".well-known/assetlinks.json\")"
        #expect(decide(router, "/.well-known/assetlinks.json") == expected)
    }

    @Test(
        "well-known paths are never answered with a page",
        arguments: [
            ("/.well-known/security.txt", "notFound"), ("/.well-known/", "notFound"),
            ("/.well-known", "unmatched"), ("/well-known/x", "unmatched"),
        ])
    func wellKnown(_ path: String, _ expected: String) throws {
        #expect(decide(try router(), path) == expected)
    }

    @Test(
        "files answer for their path, and an index for its directory",
        arguments: [
            ("/", "publicFile(\"index.html\")"), ("/index.html", "publicFile(\"index.html\")"),
            ("/shop/", "publicFile(\"shop/index.html\")"), ("/shop", "directory"),
            ("/page.html", "publicFile(\"page.html\")"), ("/page", "unmatched"),
            ("/robots.txt", "robots"),
        ])
    func files(_ path: String, _ expected: String) throws {
        let router = try router()
        #expect(decide(router, path) == expected)
        #expect(decide(router, path, isSecure: false) == "redirectToHTTPS")
    }

    @Test func `a closed environment keeps its own robots file`() throws {
        let files = ["robots.txt"]
        #expect(
            decide(try router(files: files), "/robots.txt") == "publicFile(\"robots.txt\")")
        #expect(decide(try router(isClosed: true, files: files), "/robots.txt") == "robots")
    }

    @Test(
        "an ACME challenge is answered on both listeners, with a clean token only",
        arguments: [
            ("token-_09", "challenge"), (String(repeating: "t", count: 128), "challenge"),
            (String(repeating: "t", count: 129), "notFound"), ("", "notFound"),
            ("a/b", "notFound"), ("..", "notFound"), ("a.txt", "notFound"),
        ])
    func challenge(_ token: String, _ expected: String) throws {
        let path = "/.well-known/acme-challenge/\(token)"
        #expect(decide(try router(), path).hasPrefix(expected))
        #expect(
            decide(try router(), path, isSecure: false)
                .hasPrefix(expected == "notFound" ? "redirectToHTTPS" : expected))
        #expect(decide(try router(acme: false), path) == "notFound")
    }
}
