import Associations
import Foundation
import LinkAPI
import LinkIndex
import Resolution
import SQLite
import Testing

@testable import LinkStore

/// Links that only somebody makes who means harm, or another program.
@Suite struct UglyLinkTests {
    /// The same letters in this letter case.
    private func variant(_ number: Int) -> String {
        (0..<20).map { number >> $0 & 1 == 0 ? "a" : "A" }.joined()
    }

    // MARK: Letter case

    @Test func slugsThatDifferOnlyInCaseAreLinksOfTheirOwn() throws {
        let api = try TestAPI()
        for number in 0..<200 {
            let link = try api.create(
                #"{"collection": "exact", "slug": "\#(variant(number))", "destination": "https://any.example/\#(number)"}"#
            )
            #expect(link["slug"] == variant(number))
        }
        let taken = api.ask(
            "POST", "links",
            #"{"collection": "exact", "slug": "\#(variant(7))", "destination": "https://any.example/"}"#
        )
        #expect(taken.status == 409)
        // Where letter case does not matter, the second is taken.
        let other =
            #"{"collection": "short", "slug": "\#(variant(0))", "destination": "https://www.example.com/"}"#
        #expect(api.ask("POST", "links", other).status == 201)
        #expect(
            api.ask("POST", "links", other.replacing(variant(0), with: variant(1))).status == 409)
        let again = try LinkStoreCopy(of: api.store)
        #expect(again.store.index.count == 201)
        for number in 0..<200 {
            let found = api.ask("GET", "links:find?collection=exact&slug=\(variant(number))")
            #expect(found["destination"] == "https://any.example/\(number)")
            #expect(
                try again.store.link("exact", slug: variant(number))?.content.destination
                    == "https://any.example/\(number)")
        }
    }

    @Test func largeLinksThatDifferOnlyInCaseAreLinksOfTheirOwn() throws {
        let api = try TestAPI()
        let data = String(repeating: "d", count: 16_000)
        for number in 0..<40 {
            _ = try api.create(
                #"{"collection": "exact", "slug": "\#(variant(number))", "destination": "https://any.example/", "app": {"data": {"x": "\#(data)"}}}"#
            )
        }
        for number in 0..<40 {
            #expect(
                api.ask("GET", "links:find?collection=exact&slug=\(variant(number))")["slug"]
                    == variant(number))
        }
        #expect(try LinkStoreCopy(of: api.store).store.index.count == 40)
    }

    @Test func aliasesAndImportedSlugsMayDifferOnlyInCase() throws {
        let api = try TestAPI()
        let id = try api.create(
            #"{"collection": "exact", "slug": "first", "destination": "https://any.example/"}"#)[
                "id"]
        for number in 0..<70 {
            #expect(
                api.ask("POST", "links/\(id)/aliases", #"{"slug": "\#(variant(number))"}"#).status
                    == 201)
        }
        let lines = (70..<300).map {
            #"{"collection": "exact", "slug": "\#(variant($0))", "destination": "https://any.example/"}"#
        }
        let answer = try api.importing(lines.joined(separator: "\n"))
        #expect((answer.last?["summary"] as? [String: Any])?["created"] as? Int == 230)
        #expect(api.store.index.count == 301)
        #expect(try LinkStoreCopy(of: api.store).store.index.count == 301)
    }

    @Test func customSuffixesMayDifferOnlyInCase() throws {
        let api = try TestAPI(
            TestAPI.configuration.replacing(
                "case: exact", with: "case: exact, firebase: [long-links, api]"
            ).replacing(#"destinations: "*""#, with: "destinations: any.example"))
        for number in 0..<70 {
            let made = api.ask(
                "POST", "shortLinks",
                #"{"dynamicLinkInfo": {"domainUriPrefix": "https://go.example.com/X", "link": "https://any.example/\#(number)"}, "suffix": {"option": "CUSTOM", "customSuffix": "\#(variant(number))"}}"#
            )
            #expect(
                made["shortLink"] == "https://go.example.com/X/\(variant(number))", "\(made.text)")
        }
        #expect(try LinkStoreCopy(of: api.store).store.index.count == 70)
    }

    // MARK: Sizes

    @Test(arguments: [(2_048, 201), (2_049, 422)])
    func aDestinationHasSoManyBytes(bytes: Int, status: Int) throws {
        let api = try TestAPI()
        let plain = "https://www.example.com/"
        let url = plain + String(repeating: "x", count: bytes - plain.utf8.count)
        func answered(_ destination: String) -> Int {
            api.ask(
                "POST", "links", #"{"collection": "short", "destination": "\#(destination)"}"#
            ).status
        }
        #expect(answered(url) == status)
        #expect(api.store.unanswered.count == 0)
    }

    // MARK: Rows

    @Test(arguments: [
        "slug = ''", "slug = 'a/b'", "slug = 'ä' || char(0)", "slug = '../x'",
        "slug = '\(String(repeating: "x", count: 300))'", "destination = char(13, 10) || 'X: y'",
        "destination = 'javascript:alert(1)'",
        "destination = 'https://www.example.com/{9}{query.x}{1}{{}'", "destination = '{'",
        "details = '{'", "details = '[[['",
        "details = '{\"page\": 7, \"web\": [], \"app\": {\"data\": 3}}'",
        "details = '\(String(repeating: "[", count: 40_000))'", "tags = ''", "note = char(0)",
        "starts = -9223372036854775808", "ends = 9223372036854775807",
        "created = -9223372036854775808", "updated = 9223372036854775807", "deleted = -1",
        "generation = 9223372036854775807", "external_id = ''", "id = -7",
        "id = 9223372036854775807", "archived = 9", "disabled = -1",
    ])
    func aRowOfAnotherProgramIsShownAndEndsNothing(change: String) throws {
        let before = try TestAPI()
        let id = try before.create(
            #"{"collection": "short", "slug": "odd", "destination": "https://www.example.com/"}"#)[
                "id"]
        let rows = try #require(before.store.rows as? SQLiteLinkRows)
        try rows.database.execute("UPDATE link SET \(change)")
        let api = try TestAPI(files: before.store)
        let again = try LinkStoreCopy(of: api.store)
        // Whether it is answered or refused, there is an answer.
        for path in [
            "links", "links?archived=true", "links?changed-since=0", "links/\(id)",
            "links/\(id)/explain", "links/\(id)/qr", "audit?link=\(id)",
            "links?q=a", "links?tag=a",
        ] {
            let status = api.ask("GET", path).status
            #expect([200, 404, 410, 422].contains(status), "\(path): \(status)")
        }
        for format in ["ndjson", "csv"] {
            let exported = try api.exported([("format", format), ("deleted", "true")])
            _ = try api.importing(
                exported, [("mode", "upsert")],
                type: format == "csv" ? "text/csv" : "application/x-ndjson")
        }
        for (method, path, json) in [
            ("PATCH", "links/\(id)", #"{"note": "x"}"#),
            ("POST", "links/\(id)/aliases", #"{"slug": "other"}"#), ("DELETE", "links/\(id)", ""),
        ] {
            let status = api.ask(method, path, json, ["if-match": "*"]).status
            #expect(status < 500, "\(method) \(path): \(status)")
        }
        #expect(
            try api.create(
                #"{"collection": "short", "slug": "new", "destination": "https://www.example.com/"}"#
            ).status == 201)
        // Visitors are answered, too.
        let resolver = try #require(api.sites.first?.resolver)
        for slug in ["odd", "a/b", "..%2fx", ""] {
            for agent in [
                "", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)", "Googlebot/2.1",
            ] {
                var scratch = LinkScratch()
                scratch.index = again.store.index
                let url = try LinkURL("https://go.example.com/s/\(slug)?x={9}")
                _ = resolver.decide(url, for: Visitor(userAgent: agent), at: api.now, &scratch)
            }
        }
    }
}

/// The same store as another process would read it.
private final class LinkStoreCopy {
    let store: LinkStore
    private let path: String

    init(of other: LinkStore) throws {
        path = "\(other.path).\(UUID().uuidString)"
        try other.backup(to: path)
        store = try LinkStore(path)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
