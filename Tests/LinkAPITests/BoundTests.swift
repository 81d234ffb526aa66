import Foundation
import LinkIndex
import SQLite
import Testing

@testable import LinkAPI
@testable import LinkStore

/// A request makes nothing long or slow.
@Suite struct BoundTests {
    private static let destination = "https://www.example.com/"

    private static func link(_ slug: String, _ others: String) -> String {
        #"{"collection": "short", "slug": "\#(slug)", "destination": "\#(destination)", \#(others)}"#
    }

    @Test func `links have so much memory and no more, and can be changed and deleted then`() throws
    {
        let api = try TestAPI(linkBytesMax: 65_536)
        let long = String(repeating: "d", count: 10_000)
        func fat(_ slug: String) -> String {
            Self.link(slug, #""app": {"data": {"k": "\#(long)"}}"#)
        }
        func isFull(_ answer: APIResponse) -> Bool {
            answer.status == 507 && answer["type"] == "/v1/problems/no-room"
                && answer["detail"].contains("may have 65536")
        }
        let ids = try (0..<7).map { try api.create(fat("f\($0)"))["id"] }
        #expect(isFull(api.ask("POST", "links", fat("g"))))
        #expect(isFull(api.ask("POST", "links", Self.link("g", #""tags": ["t"]"#))))
        #expect(
            isFull(
                api.ask(
                    "PUT", "links/by-external-id/x",
                    #"{"collection": "short", "destination": "\#(Self.destination)"}"#)))
        #expect(isFull(api.ask("POST", "links/\(ids[0])/aliases", #"{"slug": "g"}"#)))
        func change(_ json: String) -> APIResponse {
            api.ask("PATCH", "links/\(ids[0])", json, ["if-match": "*"])
        }
        #expect(isFull(change(#"{"destination": "https://www.example.com/longer"}"#)))
        #expect(change(#"{"tags": ["t"], "state": "disabled"}"#).status == 200)
        let lines = try api.importing(
            [
                Self.link("h", #""tags": ["t"]"#),
                Self.link("f1", #""aliases": ["i"]"#),
                Self.link("f1", #""note": "n""#),
                Self.link("f2", #""page": {"title": "\#(long.prefix(200))"}"#),
            ].joined(separator: "\n"), [("mode", "upsert")])
        #expect(lines.prefix(4).map { $0["status"] as? Int } == [507, 507, 200, 507], "\(lines)")
        #expect(change(#"{"app": null}"#).status == 200)
        #expect(api.ask("DELETE", "links/\(ids[3])", "", ["if-match": "*"]).status == 204)
        _ = try api.create(Self.link("j", #""tags": ["t"]"#))
        // Also what one transaction adds is counted.
        let many = try api.importing(
            (0..<9).map { fat("m\($0)") }.joined(separator: "\n"), [("atomic", "false")])
        #expect(many.count { $0["outcome"] as? String == "created" } < 4, "\(many)")
        let again = try TestAPI(files: api.store, linkBytesMax: 65_536)
        #expect(isFull(again.ask("POST", "links", fat("z"))))
    }

    /// More than a hundred tags are a fault of their own.
    @Test(
        "a refusal lists a hundred faults, and says how many others there are",
        arguments: [
            (100, nil), (101, "2 more errors are not listed"),
            (4_000, "3901 more errors are not listed"),
        ] as [(Int, String?)])
    func manyFaults(_ count: Int, _ more: String?) throws {
        let api = try TestAPI()
        let tags = Array(repeating: "1", count: count).joined(separator: ",")
        let json = Self.link("a", #""tags": [\#(tags)]"#)
        let refused = api.ask("POST", "links", json)
        #expect(refused.status == 422 && refused.faults.count == 100)
        #expect(refused.object["detail"] as? String == more)
        let checked = api.ask("POST", "links:check", json)
        #expect(checked.faults.prefix(100) == refused.faults[...])
        let rest = (checked.object["errors"] as? [[String: Any]] ?? []).dropFirst(100)
        #expect(rest.compactMap { $0["detail"] as? String } == [more].compactMap(\.self))
    }

    @Test(
        "a refused line of an import lists ten faults, and says how many others there are",
        arguments: [(10, nil), (11, "1 more errors are not listed")] as [(Int, String?)])
    func faultsOfALine(_ count: Int, _ more: String?) throws {
        let tags = Array(repeating: "1", count: count).joined(separator: ",")
        let api = try TestAPI()
        let lines = try api.importing(Self.link("a", #""tags": [\#(tags)]"#), [])
        let problem = try #require(lines.first?["problem"] as? [String: Any])
        let errors = problem["errors"] as? [[String: Any]] ?? []
        let pointers = errors.prefix(10).compactMap { $0["pointer"] as? String }
        #expect(pointers == (0..<10).map { "/tags/\($0)" })
        let rest = errors.dropFirst(10).compactMap { $0["detail"] as? String }
        #expect(rest == [more].compactMap(\.self))
    }

    @Test func `a note has at most 4,096 bytes`() throws {
        let api = try TestAPI()
        func note(_ count: Int) -> String {
            #""note": "\#(String(repeating: "n", count: count))""#
        }
        let made = try api.create(Self.link("a", note(4_096)))
        let refused = api.ask("POST", "links", Self.link("b", note(4_097)))
        #expect(refused.status == 422 && refused.faults == ["/note too-many"])
        #expect(refused.text.contains("4097 bytes, may have 4096"))
        let changed = api.ask(
            "PATCH", "links/\(made["id"])", "{\(note(4_097))}", ["if-match": "*"])
        #expect(changed.status == 422 && changed.faults == ["/note too-many"])
    }

    @Test func `a link keeps a longer note that it had before`() throws {
        let api = try TestAPI()
        let id = try api.create(Self.link("a", #""tags": ["t"]"#))["id"]
        let link = try #require(try LinkID(id).flatMap { try api.store.link($0) })
        let long = String(repeating: "n", count: 5_000)
        try api.store.transaction { generation throws(StoreError) in
            _ = try api.store.update(link.id, expected: nil, at: 1, generation: generation) {
                var content = $0.content
                content.note = long
                return content
            }
        }
        let kept = api.ask("PATCH", "links/\(id)", #"{"tags": ["u"]}"#, ["if-match": "*"])
        #expect(kept.status == 200 && kept["note"] == long)
        let other = api.ask(
            "PATCH", "links/\(id)", #"{"note": "\#(long)n"}"#, ["if-match": "*"])
        #expect(other.status == 422)
    }

    /// Quotes have an escape in JSON, and are doubled in tables; a link has as much of them as the API
    /// takes, in every place that can have any.
    @Test(
        "what the API takes, an import takes as a line of an export", arguments: ["\"", "x", "é"])
    func exportedLines(_ character: String) throws {
        let api = try TestAPI()
        let written = character == "\"" ? "\\\"" : character
        func text(_ bytes: Int) -> String {
            String(repeating: written, count: bytes / character.utf8.count)
        }
        let slug = String(repeating: "s", count: 64)
        let tags = (0..<100).map { number in
            #""\#(String(format: "%02d", number))\#(text(62))""#
        }
        // As much as the limit of details leaves, whose quotes are escaped in it already.
        let data = 16_384 / (character == "\"" ? 2 : 1) - 200
        let long =
            Self.destination + String(repeating: "d", count: 2_048 - Self.destination.utf8.count)
        let id = try api.create(
            #"{"collection": "short", "slug": "\#(slug)", "destination": "\#(long)"}"#)["id"]
        // Before the rest, which each of them would read again.
        for number in 0..<100 {
            let alias = "\(number)".padding(toLength: 64, withPad: "a", startingAt: 0)
            #expect(api.ask("POST", "links/\(id)/aliases", #"{"slug": "\#(alias)"}"#).status == 201)
        }
        let rest = """
            {"tags": [\(tags.joined(separator: ","))], "note": "\(text(4_096))",
             "externalId": "\(text(128))", "app": {"data": {"a": "\(text(data))"}}}
            """
        #expect(api.ask("PATCH", "links/\(id)", rest, ["if-match": "*"]).status == 200)
        for (format, type) in [("ndjson", "application/x-ndjson"), ("csv", "text/csv")] {
            let exported = try api.exported([("format", format)])
            #expect(exported.utf8.count > 16_384)
            let other = try TestAPI()
            let lines = try other.importing(exported, type: type)
            #expect(counts(lines) == [1, 0, 0, 0], "\(format): \(lines)")
        }
    }

    @Test(
        "a list has at most 256 KiB of links, and says where it goes on", arguments: [false, true])
    func lists(_ isOfChanges: Bool) throws {
        let api = try TestAPI()
        let text = String(repeating: "x", count: 15_000)
        let lines = (0..<60).map { number in
            Self.link("s\(number)", #""app": {"data": {"a": "\#(text)"}}"#)
        }
        #expect(counts(try api.importing(lines.joined(separator: "\n")))[0] == 60)
        var (next, seen) = (
            String?.some("links?limit=200" + (isOfChanges ? "&changed-since=0" : "")), Set<String>()
        )
        var pages = 0
        while let path = next, pages < 60 {
            let page = api.ask("GET", path)
            #expect(page.status == 200 && page.content.count < 300_000)
            let links = page.object["links"] as? [[String: Any]] ?? []
            for link in links { #expect(seen.insert(link["slug"] as? String ?? "").inserted) }
            pages += 1
            next = page.fields["Link"].flatMap { $0.firstMatch(of: /<\/v1\/([^>]*)>/) }
                .map { String($0.1) }
        }
        #expect(seen.count == 60 && pages == 4)
        // Without much text, as many are there as were asked for.
        let small = try TestAPI()
        let many = (0..<200).map { Self.link("s\($0)", #""note": "n""#) }
        #expect(counts(try small.importing(many.joined(separator: "\n")))[0] == 200)
        let page = small.ask("GET", "links?limit=200")
        #expect((page.object["links"] as? [Any])?.count == 200 && page.fields["Link"] == nil)
    }

    /// The details of later links cannot be read, so a list that reads them fails.
    @Test(arguments: [
        "limit=200", "limit=200&q=example", "limit=200&q=alle&order=newest", "limit=200&tag=t",
        "limit=200&changed-since=0", "limit=200&order=slug", "limit=200&order=ending",
        "limit=200&q=f%C3%BCr",
    ])
    func `no more links are read than an answer has`(_ query: String) throws {
        let api = try TestAPI()
        let text = String(repeating: "x", count: 15_000)
        let lines = (0..<60).map { number in
            let (slug, note) = (number + 100, "f\u{FC}r alle")
            return Self.link(
                "s\(slug)",
                #""tags": ["t"], "note": "\#(note)", "app": {"data": {"a": "\#(text)"}}"#)
        }
        #expect(counts(try api.importing(lines.joined(separator: "\n")))[0] == 60)
        let rows = try #require(api.store.rows as? SQLiteLinkRows)
        let isReverse = query.contains("newest") || query.contains("ending")
        try rows.database.execute(
            """
            ALTER TABLE link RENAME TO own;
            CREATE VIEW link AS SELECT id, uid, collection, slug, destination,
              CASE WHEN id \(isReverse ? "< 30" : "> 31") THEN abs(-9223372036854775807 - (id > 0)) ELSE details END AS details,
              tags, note, disabled, archived, starts, ends, external_id, created, updated, deleted, generation FROM own
            """)
        rows.file.noteWritten()
        let page = api.ask("GET", "links?\(query)")
        #expect(page.status == 200, "\(page.text.prefix(300))")
        #expect((page.object["links"] as? [Any])?.count == 17 && page.fields["Link"] != nil)
    }

    @Test func `a list of what was changed is bounded as well`() throws {
        let api = try TestAPI()
        let id = try api.create(Self.link("a", #""note": "n""#))["id"]
        for number in 0..<40 {
            let text = String(repeating: "\(number % 10)", count: 15_000)
            let changed = api.ask(
                "PATCH", "links/\(id)", #"{"app": {"data": {"a": "\#(text)"}}}"#,
                ["if-match": "*"])
            #expect(changed.status == 200)
        }
        var (next, numbers) = (String?.some("audit?link=\(id)"), [Int]())
        while let path = next, numbers.count < 50 {
            let page = api.ask("GET", path)
            #expect(page.status == 200 && page.content.count < 330_000)
            let entries = page.object["entries"] as? [[String: Any]] ?? []
            numbers += entries.compactMap { $0["number"] as? Int }
            next = page.fields["Link"].flatMap { $0.firstMatch(of: /<\/v1\/([^>]*)>/) }
                .map { String($0.1) }
        }
        #expect(numbers.count == 41 && numbers == numbers.sorted(by: >))
    }

    // MARK: Beside the store's thread

    private static func admitted(
        _ api: TestAPI, _ method: String, _ path: [String], _ json: String
    ) throws -> AdmittedRequest {
        let request = APIRequest(
            method: method, path: path,
            fields: [
                "authorization": "Bearer \(TestAPI.secret)", "content-type": "application/json",
                "if-match": "*", "if-none-match": "*",
            ], content: Array(json.utf8))
        return try api.api.admit(
            request, TokenTable([]), at: api.now * 1000, localSecret: TestAPI.secret
        ).get()
    }

    @Test(
        "with the store at hand, no content is read",
        arguments: [
            ("POST", ["links"], 201), ("POST", ["links:check"], 200),
            ("PUT", ["links", "short", "s"], 201),
        ])
    func prepared(_ method: String, _ path: [String], _ status: Int) throws {
        for isFaulty in [false, true] {
            let api = try TestAPI()
            let json =
                #"{"collection": "short", "destination": "https://www.example.com/""#
                + (isFaulty ? #", "nosuch": 1}"# : "}")
            var admitted = try Self.admitted(api, method, path, json)
            api.api.prepare(&admitted, at: api.now)
            admitted.request.content = Array("what is here is not read".utf8)
            let answer = api.api.answer(admitted, api.store, at: api.now * 1000)
            #expect(answer.status == (isFaulty && status == 201 ? 422 : status), "\(answer.text)")
            #expect(!isFaulty || answer.text.contains("nosuch"))
        }
    }

    @Test("a short link of Firebase is checked beside the store", arguments: [false, true])
    func shortLink(isFaulty: Bool) throws {
        let api = try TestAPI(
            """
            version: 1
            apps: {shop: {ios: {id: ABCDE12345.com.example.shop}}}
            links:
              fdl: {match: /l/*, stored: {destinations: www.example.com, case: exact, firebase: api}}
            environments:
              prod:
                hosts: [go.example.com]
                tls: {certificate: c.pem, key: k.pem}
                publish: {shop: [fdl]}
                store: var/links.db
            """)
        let host = isFaulty ? "evil.example" : "www.example.com"
        var admitted = try Self.admitted(
            api, "POST", ["shortLinks"],
            #"{"longDynamicLink": "https://go.example.com/l/?link=https://\#(host)/"}"#)
        api.api.prepare(&admitted, at: api.now)
        admitted.request.content = Array("what is here is not read".utf8)
        let answer = api.api.answer(admitted, api.store, at: api.now * 1000)
        #expect(answer.status == (isFaulty ? 400 : 200), "\(answer.text)")
        #expect(answer.text.contains(isFaulty ? "evil.example" : "https://go.example.com/l/"))
        #expect(api.store.index.count == (isFaulty ? 0 : 1))
    }

    @Test func `a patch is applied beside the store, to the link as it is then`() throws {
        let api = try TestAPI()
        let id = try api.create(Self.link("a", #""note": "n""#))["id"]
        var admitted = try Self.admitted(api, "PATCH", ["links", id], #"{"note": "m"}"#)
        api.api.prepare(&admitted, at: api.now)
        let first = try #require(
            api.api.answer(admitted, api.store, at: api.now * 1000).merging)
        // Another change comes first.
        #expect(
            api.ask("PATCH", "links/\(id)", #"{"tags": ["t"]}"#, ["if-match": "*"]).status == 200)
        api.api.merge(&admitted, into: first, at: api.now)
        let second = try #require(
            api.api.answer(admitted, api.store, at: api.now * 1000).merging)
        #expect(second.generation > first.generation)
        api.api.merge(&admitted, into: second, at: api.now)
        let done = api.api.answer(admitted, api.store, at: api.now * 1000)
        #expect(done.status == 200 && done["note"] == "m" && done.text.contains(#""tags": ["t"]"#))
    }

    @Test func `a link that is changed all the time is changed all the same`() throws {
        let api = try TestAPI()
        let id = try api.create(Self.link("a", #""note": "n""#))["id"]
        var admitted = try Self.admitted(api, "PATCH", ["links", id], #"{"note": "m"}"#)
        api.api.prepare(&admitted, at: api.now)
        var merges = 0
        while let link = api.api.answer(admitted, api.store, at: api.now * 1000).merging {
            let other = #"{"tags": ["t\#(merges)"]}"#
            #expect(api.ask("PATCH", "links/\(id)", other, ["if-match": "*"]).status == 200)
            api.api.merge(&admitted, into: link, at: api.now)
            merges += 1
            try #require(merges < 10)
        }
        #expect(merges == 3)
        #expect(api.ask("GET", "links/\(id)")["note"] == "m")
    }
}
