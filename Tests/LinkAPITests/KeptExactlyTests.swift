import Foundation
@testable import LinkAPI
import LinkIndex
import LinkStore
import Testing

/// What is given is kept as it is, and what is refused is told where it is.
@Suite("What is given is kept")
struct KeptExactlyTests {
    private static let any = ["if-match": "*"]

    @Test(
        "the origin's own table changes no tag",
        arguments: [
            "\u{A0}x", "a\u{A0}", "\u{A0}", "a\u{A0}b", "\u{A0}\"q\"", "5\u{A0}%", "x",
            "\"\u{301}x", "a,\"\u{200D}b", "\"\u{FE0F}", "\"\u{301}\"", ",\u{301}",
        ])
    func tags(tag: String) throws {
        let api = try TestAPI()
        let tags = try #require(
            String(data: JSONSerialization.data(withJSONObject: [tag, "other"]), encoding: .utf8))
        let id = try api.create(
            #"{"collection": "short", "destination": "https://www.example.com/", "tags": \#(tags)}"#
        )["id"]
        let table = try api.exported([("format", "csv")])
        let answer = try api.importing(table, [("mode", "upsert")], type: "text/csv")
        #expect(counts(answer) == [0, 0, 1, 0], "\(answer)")
        let kept = api.ask("GET", "links/\(id)").object["tags"] as? [String]
        #expect(kept?.map { Array($0.utf8) } == [Array(tag.utf8), Array("other".utf8)])
    }

    // MARK: Data of the app

    @Test(arguments: [
        #"{"filters": {}}"#, #"{"a": [{}]}"#, "{}", #"{"a": {"b": {}}, "c": []}"#,
    ])
    func `an empty object in the data of the app is kept`(data: String) throws {
        let api = try TestAPI()
        let made = try api.create(
            #"{"collection": "short", "destination": "https://www.example.com/", "app": {"data": \#(data)}}"#
        )
        #expect(made.text.contains(#""data": \#(data)"#), "\(made.text)")
        let noted = api.ask("PATCH", "links/\(made["id"])", #"{"note": "x"}"#, Self.any)
        #expect(noted.status == 200 && noted.text.contains(#""data": \#(data)"#), "\(noted.text)")
        let lines = try api.exported()
        #expect(counts(try api.importing(lines, [("mode", "upsert")])) == [0, 0, 1, 0])
    }

    @Test func `null leaves an empty object in the data of the app, and none elsewhere`() throws {
        let api = try TestAPI()
        let made = try api.create(
            #"{"collection": "short", "destination": "https://www.example.com/", "page": {"title": "T"}, "app": {"data": {"filters": {"a": 1}}}}"#
        )
        let changed = api.ask(
            "PATCH", "links/\(made["id"])",
            #"{"page": {"title": null}, "app": {"data": {"filters": {"a": null}}}}"#, Self.any)
        #expect(changed.status == 200 && changed.object["page"] == nil, "\(changed.text)")
        #expect(changed.text.contains(#""data": {"filters": {}}"#), "\(changed.text)")
        // An empty page is no page of anybody's.
        let empty = api.ask(
            "POST", "links",
            #"{"collection": "short", "destination": "https://www.example.com/", "page": {}}"#)
        #expect(empty.status == 422)
    }

    // MARK: Codings

    @Test(
        "content with a coding is 415, and nothing is done",
        arguments: [
            ("gzip", 415), ("br", 415), ("x", 415), ("identity, gzip", 415), ("identity", 201),
            ("Identity", 201), ("", 201),
        ])
    func coding(coding: String, status: Int) throws {
        let api = try TestAPI()
        let link =
            #"{"collection": "short", "slug": "a", "destination": "https://www.example.com/"}"#
        let fields = ["content-encoding": coding]
        let answer = api.ask("POST", "links", link, fields)
        #expect(answer.status == status, "\(answer.text)")
        #expect(answer.fields["Accept-Encoding"] == (status == 415 ? "identity" : nil))
        #expect(api.store.index.count == (status == 415 ? 0 : 1))
        // A request without content has none that is coded.
        #expect(api.ask("GET", "links", fields).status == 200)
        let opens = api.api.refusalOfOpens(
            type: "application/json", coding: coding, isSecure: true)
        #expect(opens?.status == (status == 415 ? 415 : nil))
        let request = APIRequest(
            method: "POST", path: ["import"],
            fields: [
                "authorization": "Bearer \(TestAPI.secret)", "content-type": "application/x-ndjson",
                "content-encoding": coding,
            ])
        switch api.api.admit(request, api.store, at: api.now * 1000, localSecret: TestAPI.secret) {
        case .success: #expect(status == 201)
        case .failure(let refusal): #expect(refusal.status == 415 && status == 415)
        }
    }

    // MARK: Times

    @Test(
        "an app keeps what a link says no longer than the link",
        arguments: [(1, 0), (2, 1), (60, 59), (61, 60), (62, 60), (100_000, 60)])
    func untilItsEnd(left: Int, seconds: Int) throws {
        let api = try TestAPI()
        let end = 1_811_808_000  // 2027-06-01T00:00:00Z
        _ = try api.create(
            #"{"collection": "short", "slug": "a", "destination": "https://www.example.com/", "until": "2027-06-01T00:00:00Z"}"#
        )
        func answer(at now: Int) -> APIResponse {
            api.api.resolve(
                [("url", "https://go.example.com/s/a")], ifNoneMatch: nil, in: api.store.index,
                at: now)
        }
        let before = answer(at: end - left)
        #expect(before["state"] == "active")
        #expect(before.fields["Cache-Control"] == "private, max-age=\(seconds)")
        let after = answer(at: end + left)
        #expect(after["state"] == "expired")
        #expect(after.fields["Cache-Control"] == "private, max-age=60")
    }

    @Test func `two times within a second are equal in whole seconds`() throws {
        let api = try TestAPI()
        let frame = #"{"collection": "short", "destination": "https://www.example.com/""#
        let answer = api.ask(
            "POST", "links:check",
            frame + #", "from": "2027-06-01T00:00:00.1Z", "until": "2027-06-01T00:00:00.9Z"}"#)
        #expect(answer.text.contains("in whole seconds"), "\(answer.text)")
        let later = api.ask(
            "POST", "links:check",
            frame + #", "from": "2027-06-01T00:00:00.1Z", "until": "2027-06-01T00:00:01.0Z"}"#)
        #expect(later.object["isValid"] as? Bool == true)
    }

    // MARK: Identities

    private func id(_ milliseconds: Int) -> String {
        var random = SystemRandomNumberGenerator()
        return LinkID(milliseconds: milliseconds, random: &random).description
    }

    private func line(_ slug: String, _ id: String, _ more: String = "") -> String {
        #"{"id": "\#(id)", "collection": "exact", "slug": "\#(slug)", "destination": "https://a.example/"\#(more)}"#
    }

    @Test func `an id of the future is refused, and a link of the future is as old as its import`()
        throws
    {
        let api = try TestAPI()
        let now = api.now * 1000
        let lines = [
            line("a", "ffffffff-ffff-7fff-bfff-ffffffffffff"), line("b", id(now + 86_400_001)),
            line("c", id(now + 86_400_000)), line("d", id(now - 1)),
            line(
                "e", id(now),
                #", "created": "9999-12-31T00:00:00Z", "updated": "9999-12-31T00:00:00Z""#),
            line("f", id(now), #", "created": "2026-01-01T00:00:00Z""#),
        ]
        let answer = try api.importing(lines.joined(separator: "\n"))
        #expect(counts(answer) == [4, 0, 0, 2], "\(answer)")
        #expect(faults(answer[0]) == ["/id wrong-value"] && faults(answer[1]) == faults(answer[0]))
        let made = try #require(try api.store.link("exact", slug: "e"))
        #expect(made.created == api.now && made.updated == api.now)
        let notes = try #require(answer[4]["warnings"] as? [[String: Any]])
        #expect(notes.map { $0["pointer"] as? String } == ["/created", "/updated"])
        #expect(try api.store.link("exact", slug: "f")?.created == 1_767_225_600)
        #expect(answer[5]["warnings"] == nil)
        // A new link comes after all of them.
        let new = try api.create(#"{"collection": "exact", "destination": "https://a.example/"}"#)
        let list = api.ask("GET", "links").object["links"] as? [[String: Any]] ?? []
        #expect(list.last?["id"] as? String == new["id"])
    }

    @Test func `a token for some collections is not told which ids there are`() throws {
        let api = try TestAPI()
        let token = api.ask(
            "POST", "tokens",
            #"{"name": "t", "scopes": ["links.write"], "collections": ["exact"]}"#)["token"]
        let theirs = try api.create(
            #"{"collection": "short", "slug": "x", "destination": "https://www.example.com/"}"#)[
                "id"]
        for mode in ["create", "upsert"] {
            let answers = try [theirs, id(1_700_000_000_000)].map { id in
                try api.importing(
                    line("\(mode)\(id.prefix(6))", id), [("mode", mode)], token: token)
            }
            #expect(answers.map { $0[0]["status"] as? Int } == [201, 201], "\(answers)")
            #expect(answers.allSatisfy { ($0[0]["id"] as? String) != theirs })
            // Without a slug, it names nothing.
            let nameless = try [theirs, id(1_700_000_000_000)].map { id in
                try api.importing(
                    #"{"id": "\#(id)", "destination": "https://a.example/"}"#, [("mode", mode)],
                    token: token)
            }
            #expect(
                Set(nameless.map { $0[0]["status"] as? Int }) == [mode == "create" ? 201 : 422],
                "\(nameless)")
        }
        // Its own export changes nothing.
        let own = try api.exported([("collection", "exact")])
        let again = try api.importing(own, [("mode", "upsert")], token: token)
        #expect(summary(again)["refused"] as? Int == 0 && summary(again)["created"] as? Int == 0)
        // A token for all collections keeps ids.
        let free = id(1_700_000_000_001)
        #expect(try api.importing(line("free", free))[0]["id"] as? String == free)
    }

    // MARK: Slugs by chance

    @Test func `the lengths that were tried are told`() throws {
        let api = try TestAPI()
        let collection = try #require(api.api.collections.first { $0.name.description == "exact" })
        let letters = "abcdefghijklmnopqrstuvwxyz"
        let all = (letters + letters.uppercased() + "0123456789").map { slug in
            #"{"collection": "exact", "slug": "\#(slug)", "destination": "https://a.example/"}"#
        }
        #expect(counts(try api.importing(all.joined(separator: "\n")))[0] == 62)
        var content = LinkContent()
        content.destination = "https://a.example/"
        let actor = LinkAPI.Actor(number: 0, name: "local", scopes: [.admin], collections: nil)
        let making = LinkMaking(
            api: api.api, collection: collection, content: content,
            lengths: [Int](repeating: 1, count: LinkMaking.attemptsMax))
        let made = try api.store.transaction { generation throws(StoreError) in
            try making.make(by: actor, in: api.store, at: api.now * 1000, generation)
        }
        guard case .failure(let problem) = made else { return #expect(Bool(false)) }
        #expect(problem.response.text.contains("5 slugs of 1 characters were taken"))
        #expect(problem.response.text.contains("; ask again"))
    }
}
