import Associations
import Resolution
import SiteConfiguration
import Testing

/// Placeholders repeat what a request has: what is made of them has a limit wherever it is made.
@Suite("URLs that a request makes long")
struct LongURLTests {
    private static let sha = "\"" + Array(repeating: "A1", count: 32).joined(separator: ":") + "\""
    /// `https://www.example.com/?` has 25 bytes; the query comes twice, with an ampersand between.
    private static let site: Site? = {
        let text = """
            version: 1
            apps: {a: {ios: {id: ABCDE12345.a, store: 1}, android: {package: a.b, sha256: \(sha)}}}
            links:
              two: {match: "/two", web: "https://www.example.com/?{query}&{query}"}
              many:
                match: "/many"
                page: {title: Many, argument: "https://e.example/?\(String(repeating: "{query}", count: 200))"}
                web:
                  default: "https://www.example.com/?\(String(repeating: "{query}", count: 200))"
                  ios: landing
              paths: {match: "/p/*", web: "https://www.example.com/\(String(repeating: "{1}/", count: 20))x#{path}{path}{path}"}
            environments:
              e:
                hosts: e.example
                tls: {certificate: a, key: b}
                publish: {a: [two, many, paths]}
                campaign: {utm: false}
            """
        return Configuration.read(Array(text.utf8), file: "f").configuration?
            .environments[0].sites[0]
    }()

    private func decide(_ target: String, as client: String) throws -> WebDecision {
        let site = try #require(Self.site)
        let url = try LinkURL("https://e.example\(target)")
        let agent = try #require(VisitorProfile.userAgent(of: client))
        return LinkResolver(site).decide(url, for: Visitor(userAgent: agent), at: nil)
    }

    @Test("a URL of 16,384 bytes is sent, and a longer one is refused")
    func boundary() throws {
        let fitting = String(repeating: "a", count: (16_384 - 26) / 2)
        guard
            case .redirect(let url, _) = try decide("/two?\(fitting)", as: "desktop-chrome").answer
        else {
            Issue.record("no redirect")
            return
        }
        #expect(url.count == 16_384)
        let decision = try decide("/two?\(fitting)a", as: "desktop-chrome")
        #expect(decision.answer == .tooLong)
        #expect(decision.reason == .tooLong)
    }

    @Test(
        "who would be redirected to a URL that is too long is refused, a program, too",
        arguments: ["desktop-chrome", "android-chrome", "googlebot", "facebook"])
    func refused(client: String) throws {
        let query = String(repeating: "a", count: 7_900)
        guard VisitorProfile.userAgent(of: client) != nil else { return }
        #expect(try decide("/many?\(query)", as: client).answer == .tooLong)
        #expect(try decide("/p/\(query)", as: client).answer == .tooLong)
    }

    @Test("a page offers no URL that is too long, and the banner has the page's own")
    func page() throws {
        guard
            case .landing(let short) = try decide("/many?a", as: "iphone-safari").answer,
            case .landing(let long) = try decide(
                "/many?\(String(repeating: "a", count: 7_900))", as: "iphone-safari"
            ).answer
        else {
            Issue.record("no page")
            return
        }
        #expect(short.webURL != nil)
        #expect(short.argument != nil)
        #expect(long.webURL == nil)
        #expect(long.argument == nil)
    }

    @Test("an explanation says that the URL is too long")
    func explanation() throws {
        let site = try #require(Self.site)
        let url = try LinkURL("https://e.example/p/\(String(repeating: "a", count: 2_000))")
        let agent = try #require(VisitorProfile.userAgent(of: "desktop-chrome"))
        let explanation = RequestExplanation(
            url, Visitor(userAgent: agent), site, Router(site, files: []), LinkResolver(site),
            at: nil)
        #expect(
            explanation.steps.contains {
                $0.reason.hasPrefix(
                    "refused: with the link's texts, the URL has more than 16384 bytes")
            })
    }
}
