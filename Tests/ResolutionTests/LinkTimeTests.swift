import Associations
import Diagnostics
import Resolution
import SiteConfiguration
import Testing
import URISyntax

@Suite("Links with a time")
struct LinkTimeTests {
    private static func configuration(_ links: String, _ more: String = "") -> String {
        """
        version: 1
        apps:
          shop: {name: Shop, ios: {id: W4X7K2M9QH.com.example.shop, store: 412366298}}
        links:
        \(links)
        environments:
          dev:
            hosts: [e.example]
            tls: {certificate: a, key: b}
            publish: {shop: [sale]}
            \(more)
        """
    }

    private static let links = """
          next:
            match: /sale
            from: 2026-10-01T00:00:00Z
            web: https://www.example.com/next
          sale:
            match: [/sale, /sale/*]
            from: 2026-09-01T00:00:00+02:00
            until: 2026-10-01T00:00:00Z
            web: https://www.example.com/sale
            after: {ios: landing, desktop: "https://www.example.com/ended?of={path}"}
          ends: {match: /ends, until: 2026-10-01T00:00:00Z}
          moved:
            match: /moved/*
            until: 2026-10-01T00:00:00Z
            web: landing
            after: "https://www.example.com/{1}"
          page: {match: /page, until: 2026-10-01T00:00:00Z, web: /a.html, after: /b.html}
          begun: {match: /begun, from: 2026-10-01T00:00:00Z, web: /a.html}
          rest: {match: /sale/x, web: not-found}
          gone: {match: /gone, web: gone}
        """

    private static func site(_ links: String = links, _ more: String = "") throws -> Site {
        let (read, findings) = Configuration.read(
            Array(configuration(links, more).utf8), file: "f", directory: ".")
        return try #require(read?.environments.first?.sites.first, "\(findings)")
    }

    private static let begin = 1_788_213_600
    private static let end = 1_790_812_800

    private func answer(
        _ path: String, _ client: String, at now: Int?, _ site: Site
    ) throws -> String {
        let agent = try #require(VisitorProfile.userAgent(of: client))
        return LinkResolver(site).decide(
            try LinkURL("https://e.example\(path)"), for: Visitor(userAgent: agent), at: now
        ).answer.inShort
    }

    @Test(
        "`from` belongs to the time of a link, and `until` does not",
        arguments: [
            ("/sale/x", "desktop-chrome", begin - 1, "404"),
            ("/sale/x", "desktop-chrome", begin, "302 https://www.example.com/sale"),
            ("/sale/x", "desktop-chrome", end - 1, "302 https://www.example.com/sale"),
            ("/sale/x", "desktop-chrome", end, "302 https://www.example.com/ended?of=/sale/x"),
            ("/sale/x", "iphone-safari", end - 1, "302 https://www.example.com/sale"),
            ("/sale/x", "iphone-safari", end, "landing"),
            ("/sale/x", "ipad-chrome", end, "landing"),
            // A platform without an action after the end gets 410.
            ("/sale/x", "android-chrome", end, "410"),
            ("/sale/x", "googlebot", end, "410"),
            ("/sale/x", "applebot", end, "302 https://www.example.com/ended?of=/sale/x"),
            // A link that follows another comes before it in the file.
            ("/sale", "desktop-chrome", begin - 1, "fallback"),
            ("/sale", "desktop-chrome", begin, "302 https://www.example.com/sale"),
            ("/sale", "desktop-chrome", end, "302 https://www.example.com/next"),
            ("/ends", "iphone-safari", end - 1, "fallback"), ("/ends", "iphone-safari", end, "410"),
            ("/moved/a", "desktop-chrome", end - 1, "landing"),
            ("/moved/a", "desktop-chrome", end, "302 https://www.example.com/a"),
            ("/page", "curl", end - 1, "200 /a.html"), ("/page", "curl", end, "200 /b.html"),
            ("/begun", "curl", end - 1, "fallback"), ("/begun", "curl", end, "200 /a.html"),
            ("/gone", "curl", 0, "410"),
            // Without a time, every link is within its period.
            ("/sale", "desktop-chrome", nil, "302 https://www.example.com/next"),
            ("/sale/x", "desktop-chrome", nil, "302 https://www.example.com/sale"),
            ("/page", "curl", nil, "200 /a.html"),
        ] as [(String, String, Int?, String)])
    func boundary(_ path: String, _ client: String, _ now: Int?, _ expected: String) throws {
        #expect(try answer(path, client, at: now, Self.site()) == expected)
    }

    @Test(
        "a cache must ask again where an answer changes later, or an end can be put off",
        arguments: [
            ("/page", end - 1, true), ("/page", end, true), ("/begun", end - 1, true),
            ("/begun", end, false), ("/gone", end, false), ("/nothing", end, false),
            ("/ends", end - 1, true), ("/ends", end, true),
        ])
    func caching(_ path: String, _ now: Int, _ expected: Bool) throws {
        let decision = LinkResolver(try Self.site()).decide(
            try LinkURL("https://e.example\(path)"), for: Visitor(userAgent: ""), at: now)
        #expect(decision.needsRevalidation == expected)
    }

    @Test func `the page of an ended link is not to be listed, and leads where after says`() throws
    {
        let links = """
              sale:
                match: /sale/*
                until: 2026-10-01T00:00:00Z
                web: {desktop: "https://www.example.com/sale", default: landing}
                after: {desktop: "https://www.example.com/{1}", default: landing}
            """
        let agent = try #require(VisitorProfile.userAgent(of: "iphone-safari"))
        let resolver = LinkResolver(try Self.site(links))
        for (now, web) in [(Self.end - 1, "sale"), (Self.end, "x")] {
            let decision = resolver.decide(
                try LinkURL("https://e.example/sale/x"), for: Visitor(userAgent: agent), at: now)
            guard case .landing(let offer) = decision.answer else {
                Issue.record("\(decision.answer)")
                return
            }
            #expect(offer.webURL == "https://www.example.com/\(web)")
            #expect(offer.hasEnded == (now == Self.end))
            #expect(offer.opensOnApple && offer.appStoreURL != nil)
        }
    }

    @Test(
        "explain says what time did",
        arguments: [
            (
                "/sale", begin - 1,
                [
                    "  link next: its rules match, but it is not there before "
                        + "2026-10-01T00:00:00Z",
                    "  link sale: its rules match, but it is not there before "
                        + "2026-08-31T22:00:00Z",
                    "  links: no link with an action or a page matches",
                ]
            ),
            (
                "/sale/x", begin,
                [
                    "→ link sale: the first link whose rules match: rule 2 of its 2 \"/sale/*\"",
                    "→ time: it is there since 2026-08-31T22:00:00Z and until "
                        + "2026-10-01T00:00:00Z",
                ]
            ),
            (
                "/sale/x", end,
                [
                    "→ time: it ended at 2026-10-01T00:00:00Z, so its `after` decides",
                    "→ action: its `after` for all other platforms: gone, on a generated page",
                ]
            ),
        ])
    func explained(_ path: String, _ now: Int, _ expected: [String]) throws {
        let site = try Self.site()
        let agent = try #require(VisitorProfile.userAgent(of: "android-chrome"))
        let explanation = RequestExplanation(
            try LinkURL("https://e.example\(path)"), Visitor(userAgent: agent), site,
            Router(site, files: []), LinkResolver(site), at: now)
        let lines = explanation.steps.map { "\($0.isTaken ? "→" : " ") \($0.name): \($0.reason)" }
        for line in expected { #expect(lines.contains(line), "\(line) in \(lines)") }
    }

    @Test(
        "a link test has a time, or takes every link within its own",
        arguments: [
            ("", "302 https://www.example.com/sale", true), ("", "410", false),
            (", at: 2026-09-30T23:59:59Z", "302 https://www.example.com/sale", true),
            (", at: 2026-10-01T00:00:00Z", "410", true),
            (", at: 2026-10-01T02:00:00+02:00", "410", true),
            (", at: 2026-08-31T21:59:59Z", "404", true),
        ])
    func linkTests(_ time: String, _ gets: String, _ passes: Bool) throws {
        let text =
            Self.configuration(Self.links)
            + "\nexpect: [{url: \"https://e.example/sale/x\", env: dev, as: android-chrome, "
            + "opens: [shop]\(time), gets: \"\(gets)\"}]"
        let (read, findings) = Configuration.read(Array(text.utf8), file: "f", directory: ".")
        let configuration = try #require(read, "\(findings)")
        let outcomes = configuration.runLinkTests { _ in [] }
        let failures = outcomes.flatMap(\.failures).filter { $0.key == "gets" }
        #expect(outcomes.count == 1 && failures.isEmpty == passes)
    }

    @Test(
        "times that say nothing are refused",
        arguments: [
            (
                "{match: /sale, from: 2026-10-01T00:00:00Z, until: 2026-09-01T00:00:00Z}",
                "never begins: `until` \"2026-09-01T00:00:00Z\" is not later than `from` "
                    + "\"2026-10-01T00:00:00Z\" in line 5"
            ),
            (
                "{match: /sale, from: 2026-10-01T00:00:00Z, until: 2026-10-01T02:00:00+02:00}",
                "never begins"
            ),
            ("{match: /sale, web: landing, after: landing}", "`after` but no `until`"),
            ("{match: /sale, until: 2026-10-01}", "is a day"),
            ("{match: /sale, until: 2026-10-01T00:00:00}", "has no zone"),
            (
                "{match: /sale, until: 2026-10-01T00:00:00Z, after: \"https://a.example/{1}\"}",
                "{1}"
            ),
            ("{match: /sale, until: 2026-10-01T00:00:00Z, after: expired}", "neither an action"),
        ])
    func refused(_ link: String, _ words: String) {
        let text = Self.configuration("  sale: \(link)")
        let (read, findings) = Configuration.read(Array(text.utf8), file: "f", directory: ".")
        #expect(read == nil)
        #expect(findings.contains { $0.message.contains(words) }, "\(findings)")
    }
}
