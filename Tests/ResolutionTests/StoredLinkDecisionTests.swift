import Associations
import LinkIndex
import SiteConfiguration
import Testing

@testable import Resolution

@Suite struct StoredLinkDecisionTests {
    private let resolver: LinkResolver
    private let index: LinkIndex

    private static let text = """
        version: 1
        apps: {a: {name: A, ios: {id: ABCDE12345.com.example.a, store: 12345}}}
        links:
          fixed: {match: /s/fixed, web: https://www.example.com/fixed}
          s: {match: /s/*, stored: {destinations: "*"}, web: {ios: landing}}
          exact: {match: /x/*, stored: {destinations: "*", case: exact}}
        environments:
          e: {hosts: a.b, tls: {certificate: c, key: k}, publish: {a: s}, store: l}
        """

    init() throws {
        let read = Configuration.read(Array(Self.text.utf8), file: "w")
        resolver = LinkResolver(try #require(read.configuration?.environments[0].sites[0]))
        let (s, x) = (CollectionName("s").number, CollectionName("exact").number)
        func record(_ collection: UInt32, _ slug: String) -> LinkRecord {
            LinkRecord(
                collection: collection, id: 7, slug: Array(slug.utf8),
                destination: Array("https://www.example.com/\(slug)?a=1#f".utf8))
        }
        var records = [
            record(s, "plain"), record(s, "Mixed"), record(x, "Mixed"), record(s, "fixed"),
        ]
        var timed = record(s, "timed")
        (timed.from, timed.until) = (100, 200)
        var disabled = record(s, "disabled")
        disabled.state = .disabled
        var deleted = record(s, "deleted")
        deleted.state = .deleted
        var page = record(s, "page")
        page.details = Array(#"{"web": {"desktop": "landing"}, "page": {"title": "T"}}"#.utf8)
        var ended = record(s, "ended")
        ended.until = 100
        ended.details = Array(#"{"after": "https://www.example.com/over"}"#.utf8)
        records += [timed, disabled, deleted, page, ended]
        index = LinkIndex().changed(records.compactMap(LinkChange.init), generation: 1)
    }

    private func decide(
        _ path: String, as client: String = "desktop-chrome", at now: Int = 150
    ) throws -> WebDecision {
        var scratch = LinkScratch()
        scratch.index = index
        let agent = try #require(VisitorProfile.userAgent(of: client))
        return resolver.decide(
            try LinkURL("https://a.b\(path)"), for: Visitor(userAgent: agent), at: now, &scratch)
    }

    private func words(_ decision: WebDecision) -> String {
        switch decision.answer {
        case .redirect(let url, _): String(decoding: url, as: UTF8.self)
        case .landing(let offer): "landing \(offer.status) \(offer.webURL ?? "")"
        case .summary(let offer): "summary \(offer.webURL ?? "")"
        case .notFound: "not found"
        case .gone: "gone"
        case .fallback: "fallback"
        case .tooLong: "414"
        case .refused: "400"
        case .debug: "debug"
        case .page(let path): path
        }
    }

    @Test(
        arguments: [
            ("/s/plain", "desktop-chrome", 150, "https://www.example.com/plain?a=1#f"),
            ("/s/plain/", "desktop-chrome", 150, "https://www.example.com/plain?a=1#f"),
            ("/s/plain?b=2", "desktop-chrome", 150, "https://www.example.com/plain?a=1#f"),
            (
                "/s/plain?utm_source=x", "desktop-chrome", 150,
                "https://www.example.com/plain?a=1&utm_source=x#f"
            ),
            ("/s/plain", "iphone-safari", 150, "landing 200 https://www.example.com/plain?a=1#f"),
            ("/s/plain", "googlebot", 150, "summary https://www.example.com/plain?a=1#f"),
            ("/s/PLAIN", "desktop-chrome", 150, "https://www.example.com/plain?a=1#f"),
            ("/x/Mixed", "desktop-chrome", 150, "https://www.example.com/Mixed?a=1#f"),
            ("/x/mixed", "desktop-chrome", 150, "not found"),
            ("/s/none", "desktop-chrome", 150, "not found"),
            ("/s/", "desktop-chrome", 150, "not found"),
            ("/s/plain/x", "desktop-chrome", 150, "not found"),
            ("/s/disabled", "desktop-chrome", 150, "not found"),
            ("/s/deleted", "desktop-chrome", 150, "landing 410 "),
            ("/s/deleted", "curl", 150, "gone"), ("/s/deleted", "googlebot", 150, "gone"),
            ("/s/timed", "desktop-chrome", 99, "not found"),
            ("/s/timed", "desktop-chrome", 100, "https://www.example.com/timed?a=1#f"),
            ("/s/timed", "desktop-chrome", 199, "https://www.example.com/timed?a=1#f"),
            ("/s/timed", "desktop-chrome", 200, "landing 410 "),
            ("/s/timed", "curl", 200, "gone"),
            ("/s/ended", "desktop-chrome", 100, "https://www.example.com/over"),
            ("/s/ended", "desktop-chrome", 99, "https://www.example.com/ended?a=1#f"),
            ("/s/page", "desktop-chrome", 150, "landing 200 https://www.example.com/page?a=1#f"),
            ("/s/page", "android-chrome", 150, "https://www.example.com/page?a=1#f"),
            // A link of the configuration above the collection comes first.
            ("/s/fixed", "desktop-chrome", 150, "https://www.example.com/fixed"),
        ])
    func aVisitorGets(_ path: String, _ client: String, _ now: Int, _ expected: String) throws {
        #expect(words(try decide(path, as: client, at: now)) == expected)
    }

    @Test func nothingTellsDisabledAndEarlyLinksFromUnknownOnes() throws {
        let unknown = try decide("/s/none")
        for path in ["/s/disabled", "/s/timed"] {
            let other = try decide(path, at: 50)
            #expect(other.answer == unknown.answer && other.link == unknown.link)
            #expect(other.needsRevalidation == unknown.needsRevalidation)
        }
        #expect(try decide("/s/disabled").reason == .disabledSlug)
    }

    @Test func aDecisionNamesTheStoredLink() throws {
        let plain = try decide("/s/plain")
        #expect(plain.stored?.id == 7 && plain.stored?.link == nil)
        let page = try decide("/s/page")
        #expect(resolver.link(of: page)?.page?.title == "T")
        #expect(try decide("/s/none").stored == nil)
    }

    @Test func withoutAStoreNothingIsFound() throws {
        let decision = resolver.decide(
            try LinkURL("https://a.b/s/plain"), for: Visitor(userAgent: ""), at: nil)
        #expect(decision.reason == .notLookedUp && decision.answer == .notFound)
    }

    @Test(arguments: [
        ("/s/plain", "302 https://www.example.com/plain?a=1#f", true),
        ("/s/plain", "404", false), ("/s/none", "404", true), ("/s/deleted", "410", true),
        ("/s/none", "302", false), ("/s/fixed", "302 https://www.example.com/fixed", true),
    ])
    func linkTestsNameStoredLinks(_ path: String, _ gets: String, _ passes: Bool) throws {
        let text =
            Self.text + "\nexpect: [{url: \"https://a.b\(path)\", env: e, as: desktop-chrome, "
            + "opens: \(path == "/s/fixed" ? "[]" : "[a]"), gets: \"\(gets)\"}]"
        let read = Configuration.read(Array(text.utf8), file: "w")
        let configuration = try #require(read.configuration, "\(read.diagnostics)")
        let outcome = try #require(
            configuration.runLinkTests(stored: index) { _ in [] }.first)
        #expect(outcome.failures.allSatisfy { $0.key != "gets" } == passes, "\(outcome)")
        // Only a running origin knows, so nothing has failed, and a start is not refused.
        let unknown = try #require(configuration.runLinkTests { _ in [] }.first)
        #expect((unknown.undecided != nil) == (path != "/s/fixed"), "\(unknown)")
        #expect(unknown.failures.allSatisfy { $0.key != "gets" }, "\(unknown)")
    }

    @Test func aGuesserGetsWhatIsUnknown() throws {
        var scratch = LinkScratch()
        scratch.index = index
        scratch.isGuesser = true
        let decision = resolver.decide(
            try LinkURL("https://a.b/s/plain"), for: Visitor(userAgent: ""), at: 150, &scratch)
        #expect(decision.reason == .unknownSlug && decision.stored == nil && scratch.isMiss)
        #expect(try decision.answer == decide("/s/none").answer)
    }
}
