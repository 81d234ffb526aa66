import LinkAPI
import LinkStore
import Testing

/// What is refused of a new link, and was taken once, does not stand in the way of other changes.
@Suite("A link keeps what it had before there was a limit")
struct KeptMarksTests {
    private static let any = ["if-match": "*"]
    private static let upsert = [(name: "mode", value: "upsert")]
    private static let marked = "a" + String(repeating: "\u{301}", count: 31)
    private static let many = (0..<150).map { "t\($0)" }
    private static let members = [
        "note", "externalId", "tags", "many", "title", "data", "key", "schema",
    ]

    /// A store with a link that has a text of too many marks, or too many tags, in a member.
    private func api(_ member: String) throws -> (api: TestAPI, id: String) {
        let api = try TestAPI()
        let id = try api.create(
            #"{"collection": "short", "slug": "a", "destination": "https://www.example.com/"}"#
        )["id"]
        let link = try #require(try LinkID(id).flatMap { try api.store.link($0) })
        try api.store.transaction { generation throws(StoreError) in
            _ = try api.store.update(link.id, expected: nil, at: 1, generation: generation) {
                var content = $0.content
                switch member {
                case "note": content.note = Self.marked
                case "externalId": content.externalID = Self.marked
                case "tags": content.tags = ["b", Self.marked]
                case "many": content.tags = Self.many
                case "title": content.details = #"{"page": {"title": "\#(Self.marked)"}}"#
                case "data": content.details = #"{"app": {"data": {"v": ["\#(Self.marked)"]}}}"#
                case "schema":
                    let type = #""@context": "https://schema.org", "@type": "Product""#
                    content.details =
                        #"{"page": {"schema": {\#(type), "name": "\#(Self.marked)"}}}"#
                default: content.details = #"{"app": {"data": {"\#(Self.marked)": 1}}}"#
                }
                return content
            }
        }
        return (api, id)
    }

    private func content(_ api: TestAPI) throws -> LinkContent {
        try #require(try api.store.link("short", slug: "a")).content
    }

    @Test("another member is changed", arguments: members)
    func another(_ member: String) throws {
        let (api, id) = try api(member)
        var before = try content(api)
        let disabled = api.ask("PATCH", "links/\(id)", #"{"state": "disabled"}"#, Self.any)
        #expect(disabled.status == 200, "\(disabled.text)")
        before.isDisabled = true
        #expect(try content(api) == before)
        let noted = api.ask(
            "PATCH", "links/\(id)", #"{"web": {"android": "landing"}}"#, Self.any)
        #expect(noted.status == 200, "\(noted.text)")
        let line = #"{"collection": "short", "slug": "a", "until": "2040-01-01T00:00:00Z"}"#
        let lines = try api.importing(line, Self.upsert)
        #expect(counts(lines) == [0, 1, 0, 0], "\(lines)")
        let table = try api.importing(
            "collection,slug,from\nshort,a,2020-01-01T00:00:00Z\n", Self.upsert, type: "text/csv")
        #expect(counts(table) == [0, 1, 0, 0], "\(table)")
    }

    @Test("the origin's own exports change nothing", arguments: members)
    func exports(_ member: String) throws {
        let (api, _) = try api(member)
        let lines = try api.importing(try api.exported(), Self.upsert)
        #expect(counts(lines) == [0, 0, 1, 0], "\(lines)")
        let table = try api.importing(
            try api.exported([("format", "csv")]), Self.upsert, type: "text/csv")
        #expect(counts(table) == [0, 0, 1, 0], "\(table)")
        // Another store has no link that had it before.
        let other = try TestAPI()
        #expect(counts(try other.importing(try api.exported())) == [0, 0, 0, 1])
        let empty = try other.importing(
            try api.exported([("format", "csv")]), Self.upsert, type: "text/csv")
        #expect(counts(empty) == [0, 0, 0, 1])
    }

    @Test(
        "what is new keeps the limit, also beside what is old",
        arguments: [
            ("note", #"{"note": "xT"}"#, "/note wrong-value"),
            ("note", #"{"tags": ["T"]}"#, "/tags/0 wrong-value"),
            ("title", #"{"page": {"title": "Tx"}}"#, "/page/title wrong-value"),
            ("title", #"{"page": {"description": "T"}}"#, "/page/description wrong-value"),
            ("tags", #"{"tags": ["T", "xT"]}"#, "/tags/1 wrong-value"),
            ("data", #"{"app": {"data": {"v": ["T", "Tb"]}}}"#, "/app/data/v/1 wrong-value"),
            ("key", #"{"app": {"data": {"xT": 1}}}"#, "/app/data wrong-value"),
            ("externalId", #"{"externalId": "xT"}"#, "/externalId wrong-value"),
        ])
    func new(_ member: String, _ patch: String, _ fault: String) throws {
        let (api, id) = try api(member)
        let before = try content(api)
        let text = patch.replacing("T", with: Self.marked)
        let refused = api.ask("PATCH", "links/\(id)", text, Self.any)
        #expect(refused.status == 422 && refused.faults == [fault], "\(refused.text)")
        let line = #"{"collection": "short", "slug": "a", "#
        let lines = try api.importing(line + text.dropFirst(), Self.upsert)
        #expect(counts(lines) == [0, 0, 0, 1] && faults(lines[0]) == [fault], "\(lines)")
        #expect(try content(api) == before)
    }

    @Test("what it had is sent again, moved and taken away")
    func again() throws {
        let (api, id) = try api("tags")
        for patch in [#"{"tags": ["T", "c"]}"#, #"{"tags": ["T"], "note": "n"}"#] {
            let text = patch.replacing("T", with: Self.marked)
            let same = api.ask("PATCH", "links/\(id)", text, Self.any)
            #expect(same.status == 200, "\(same.text)")
        }
        #expect(api.ask("PATCH", "links/\(id)", #"{"tags": null}"#, Self.any).status == 200)
        let back = api.ask("PATCH", "links/\(id)", #"{"tags": ["\#(Self.marked)"]}"#, Self.any)
        #expect(back.status == 422, "\(back.text)")
        let (other, number) = try self.api("many")
        for (count, status) in [(151, 422), (149, 422), (100, 200), (101, 422)] {
            let tags = (0..<count).map { #""t\#($0)""# }.joined(separator: ",")
            let changed = other.ask("PATCH", "links/\(number)", "{\"tags\": [\(tags)]}", Self.any)
            #expect(changed.status == status, "\(count): \(changed.text)")
        }
    }

    @Test("it is found by the name that another system gave it")
    func named() throws {
        let (api, _) = try api("externalId")
        func put(_ name: String, _ json: String) -> APIResponse {
            api.ask("PUT", "links/by-external-id/\(name)", json)
        }
        #expect(put(Self.marked, #"{"note": "n"}"#).status == 200)
        let same = put(Self.marked, #"{"note": "m", "externalId": "\#(Self.marked)"}"#)
        #expect(same.status == 200, "\(same.text)")
        let new = put(
            Self.marked + "b",
            #"{"collection": "short", "destination": "https://www.example.com/"}"#)
        #expect(new.status == 422 && new.faults == ["/externalId wrong-value"], "\(new.text)")
        #expect(new.text.contains("more than 30 combining marks"))
        let line = #"{"externalId": "\#(Self.marked)", "collection": "short", "note": "l"}"#
        let lines = try api.importing(line, Self.upsert)
        #expect(counts(lines) == [0, 1, 0, 0], "\(lines)")
        #expect(try content(api).note == "l")
    }
}
