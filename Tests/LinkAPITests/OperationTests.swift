import Associations
@testable import LinkAPI
import LinkStore
import Testing

/// One request of an operation, and its answer: what is accepted beside each refusal.
struct OperationCase: CustomTestStringConvertible, Sendable {
    let operation: String
    let method: String
    /// With `{id}` and `{gone}` for the ids of a link and of a deleted one, and `{token}` for a token's.
    let path: String
    let content: String
    let fields: [String: String]
    let status: Int
    /// A part of the answer's content, in the order of its bytes.
    let words: String

    var testDescription: String { "\(operation): \(method) \(path) \(content) \(status)" }

    init(
        _ operation: String, _ request: String, _ status: Int, _ words: String = "",
        json content: String = "", fields: [String: String] = [:]
    ) {
        let parts = request.split(separator: " ").map(String.init)
        (self.operation, method, path) = (operation, parts[0], parts[1])
        (self.content, self.fields, self.status, self.words) = (content, fields, status, words)
    }

    private static let seen = ["if-match": "*"]
    private static let new = ["if-none-match": "*"]
    private static let link =
        #"{"collection": "short", "destination": "https://www.example.com/b"}"#
    private static let other = #"{"collection": "short", "destination": "https://other.example/"}"#

    static let links: [OperationCase] = [
        .init("listLinks", "GET links?collection=short", 200, #""slug": "a""#),
        .init("listLinks", "GET links?collection=shart", 400, #"did you mean \"short\"?"#),
        .init("listLinks", "GET links?limit=200", 200, #"{"links": ["#),
        .init("listLinks", "GET links?limit=201", 400, "limit is \\\"201\\\", must be 1 to 200"),
        .init("listLinks", "GET links?order=newest", 200, #""slug": "a""#),
        .init("listLinks", "GET links?order=new", 400, "order is"),
        .init("listLinks", "GET links?changed-since=0&order=newest", 400, "order cannot be used"),
        .init("listLinks", "GET links?id={id}", 200, #""slug": "a""#),
        .init("listLinks", "GET links?id=a", 400, "must be ids of links"),
        .init("listLinks", "GET links?changed-since=0", 200, #""generation": "#),
        .init("listLinks", "GET links?changed-since=0&tag=a", 400, "tag cannot be used"),
        .init("createLink", "POST links", 201, #""slug": "#, json: link),
        .init("createLink", "POST links", 422, #""pointer": "/destination""#, json: other),
        .init("createLink", "POST links", 400, "/v1/problems/invalid-json", json: "{"),
        .init("findLink", "GET links:find?collection=short&slug=a", 200, #""slug": "a""#),
        .init("findLink", "GET links:find?collection=short&slug=none", 404),
        .init("findLink", "GET links:find?url=https://go.example.com/s/a", 200, #""slug": "a""#),
        .init("findLink", "GET links:find?url=x", 400, "url is"),
        .init("findLink", "GET links:find?slug=a", 400, "it has `url`, or `collection` and `slug`"),
        .init("checkLink", "POST links:check", 200, #"{"isValid": true, "errors": []"#, json: link),
        .init(
            "checkLink", "POST links:check", 200, #"{"isValid": false, "errors": [{"#, json: other),
        .init(
            "putLinkByExternalID", "PUT links/by-external-id/e", 201, #""externalId": "e""#,
            json: link),
        .init(
            "putLinkByExternalID", "PUT links/by-external-id/a", 200, #""note": "n""#,
            json: #"{"note": "n"}"#),
        .init(
            "putLinkByExternalID", "PUT links/by-external-id/a", 422,
            #"\"b\" differs from \"a\" of the path"#, json: #"{"externalId": "b"}"#),
        .init("createLinkOnce", "PUT links/short/b", 201, #""slug": "b""#, json: link, fields: new),
        .init(
            "createLinkOnce", "PUT links/short/a", 412, "short/a is there", json: link, fields: new),
        .init("createLinkOnce", "PUT links/short/b", 428, "send If-None-Match: *", json: link),
        .init("createLinkOnce", "PUT links/none/b", 404, json: link, fields: new),
        .init("showLink", "GET links/{id}", 200, #""slug": "a""#),
        .init("showLink", "GET links/{gone}", 410, #""deleted": "#),
        .init("showLink", "GET links/1", 404),
        .init("showLink", "GET links/{id}", 304, fields: ["if-none-match": "*"]),
        .init(
            "changeLink", "PATCH links/{id}", 200, #""note": "n""#, json: #"{"note": "n"}"#,
            fields: seen),
        .init(
            "changeLink", "PATCH links/{id}", 422, #""pointer": "/note""#, json: #"{"note": 1}"#,
            fields: seen),
        .init(
            "changeLink", "PATCH links/{id}", 412, "it is of generation", json: "{}",
            fields: ["if-match": "\"0\""]),
        .init("changeLink", "PATCH links/{id}", 428, "send If-Match", json: "{}"),
        .init(
            "changeLink", "PATCH links/{gone}", 410, "its slug stays taken", json: "{}",
            fields: seen),
        .init("deleteLink", "DELETE links/{id}", 204, fields: seen),
        .init("deleteLink", "DELETE links/{id}", 428, "send If-Match"),
        .init("deleteLink", "DELETE links/{gone}", 410, fields: seen),
        .init(
            "addAlias", "POST links/{id}/aliases", 201, #""aliases": ["b"]"#,
            json: #"{"slug": "b"}"#
        ),
        .init("addAlias", "POST links/{id}/aliases", 409, "slug-taken", json: #"{"slug": "a"}"#),
        .init("addAlias", "POST links/{gone}/aliases", 410, json: #"{"slug": "b"}"#),
        .init("explainLink", "GET links/{id}/explain", 200, #""as": "desktop-chrome""#),
        .init("explainLink", "GET links/{id}/explain?as=nobody", 400, "as is"),
        .init(
            "explainChange", "POST links/{id}/explain?as=desktop-chrome", 200,
            #""location": "https://www.example.com/b""#,
            json: #"{"destination": "https://www.example.com/b"}"#),
        .init(
            "explainChange", "POST links/{id}/explain", 422, #""pointer": "/destination""#,
            json: #"{"destination": "https://other.example/"}"#),
        .init("explainChange", "POST links/{gone}/explain", 410, json: "{}"),
        .init(
            "explainNewLink", "POST links:explain?as=desktop-chrome,iphone-safari", 200,
            #"{"url": "https://go.example.com/s/xxxxxxxxxx", "at": "#, json: link),
        .init(
            "explainNewLink", "POST links:explain", 422, #""pointer": "/destination""#, json: other),
        .init(
            "explainNewLink", "POST links:explain", 409, "slug-taken",
            json:
                #"{"collection": "short", "slug": "a", "destination": "https://www.example.com/b"}"#
        ),
        .init(
            "explainNewLink", "POST links:explain?as=desktop-chrome,nobody", 400,
            #"as has \"nobody\""#, json: link),
        .init(
            "explainURL", "GET explain?url=https://go.example.com/s/info&as=iphone-safari", 200,
            #""location": "https://www.example.com/info""#),
        .init("explainURL", "GET explain?url=https://go.example.com/s/a", 200, #""taken": true"#),
        .init("explainURL", "GET explain?url=https://other.example/s/a", 404, "is no host"),
        .init("explainURL", "GET explain?url=x", 400, "url is"),
        .init("explainURL", "GET explain", 400, "url is"),
        .init(
            "listCollections", "GET collections", 200, #""prefix": "https://go.example.com/s/""#),
        .init("listCollections", "GET collections?x=1", 400, "x"),
        .init("drawLink", "GET links/{id}/qr", 200, "<svg"),
        .init("drawLink", "GET links/{id}/qr?size=8193", 400, "size is"),
        .init("drawLinks", "GET links:qr?id={id}", 200, "%PDF-1.4"),
        .init("drawLinks", "GET links:qr?id={id}&mm=190", 200, "%PDF-1.4"),
        .init("drawLinks", "GET links:qr?id={id}&mm=191", 400, "must be 10 to 190"),
        .init("drawLinks", "GET links:qr?id={id}&mm=10", 400, "must be at least 11"),
        .init("drawLinks", "GET links:qr", 400, "id is missing"),
        .init(
            "drawLinks", "GET links:qr?id={id},01a22764-4dec-7447-8bb2-41f40164deda", 404),
        .init("listLinks", "GET links?archived=only", 200, #"{"links": []"#),
        .init("listLinks", "GET links?archived=x", 400, "must be one of true, false, only"),
        .init("listLinks", "GET links?count=true", 200, #""count": 1, "countIsExact": true"#),
        .init("listLinks", "GET links?changed-since=0&archived=only", 400, "archived=only cannot"),
        .init("countLinkVisits", "GET links/{id}/visits", 503, "visits are not counted"),
        .init(
            "countLinkVisits", "GET links/{id}/visits?from=x", 400,
            "from is \\\"x\\\", must be a day"),
    ]

    static let others: [OperationCase] = [
        .init(
            "countVisits", "GET visits?from=2027-01-02&to=2027-01-01", 400, "from must be before to"
        ),
        .init("countVisits", "GET visits", 503, "visits are not counted"),
        .init("countVisits", "GET visits?by=referrer,tag", 400, "by is"),
        .init("countVisits", "GET visits?link=a", 400, "must be ids of links"),
        .init("listMisses", "GET misses", 503, "visits are not counted"),
        .init("listMisses", "GET misses?to=x", 400, "to is"),
        .init("listTokens", "GET tokens", 200, #"{"tokens": [{"id": "#),
        .init(
            "createToken", "POST tokens", 201, #""token": "wmk_"#,
            json: #"{"name": "n", "scopes": ["admin"]}"#),
        .init(
            "createToken", "POST tokens", 422, #"\"short\" is there twice"#,
            json: #"{"name": "n", "scopes": ["admin"], "collections": ["short", "short"]}"#),
        .init(
            "createToken", "POST tokens", 422, "2020-01-01T00:00:00Z is over",
            json: #"{"name": "n", "scopes": ["admin"], "expires": "2020-01-01T00:00:00Z"}"#),
        .init(
            "createToken", "POST tokens", 422, "is a URL",
            json: #"{"name": "HTTPS://id.example", "scopes": ["admin"]}"#),
        .init(
            "createToken", "POST tokens", 201, #""token": "wmk_"#,
            json: #"{"name": "https", "scopes": ["admin"]}"#),
        .init(
            "createToken", "POST tokens", 422, "a person has the name",
            json: #"{"name": "Anna", "scopes": ["admin"]}"#),
        .init("removeToken", "DELETE tokens/{token}", 204),
        .init("removeToken", "DELETE tokens/77", 404),
        .init("removeToken", "DELETE tokens/x", 404),
        .init("listPeople", "GET people", 200, #"{"people": [{"name": "anna", "role": "editor"#),
        .init("invitePerson", "POST people", 201, #""isNew": true"#, json: #"{"name": "Bob"}"#),
        .init(
            "invitePerson", "POST people", 201, #"{"name": "anna", "role": "editor""#,
            json: #"{"name": "ANNA", "collections": ["short"]}"#),
        .init(
            "invitePerson", "POST people", 201, #"{"name": "anna", "role": "viewer""#,
            json: #"{"name": "anna", "role": "viewer"}"#),
        .init(
            "invitePerson", "POST people", 422, #""pointer": "/name""#, json: #"{"name": "a b"}"#),
        .init("invitePerson", "POST people", 422, "whoever runs", json: #"{"name": "Local"}"#),
        .init(
            "invitePerson", "POST people", 422, #""pointer": "/role""#,
            json: #"{"name": "bob", "role": "owner"}"#),
        .init(
            "invitePerson", "POST people", 422, #""pointer": "/collections/1""#,
            json: #"{"name": "bob", "collections": ["short", "shart"]}"#),
        .init("invitePerson", "POST people", 422, "a token has the name", json: #"{"name": "T"}"#),
        .init(
            "invitePerson", "POST people", 400, "the answer has a secret",
            json: #"{"name": "bob"}"#, fields: ["idempotency-key": "k"]),
        .init("removePerson", "DELETE people/Anna", 204),
        .init("removePerson", "DELETE people/bob", 404),
        .init("signOutPerson", "DELETE people/Anna/sessions", 204),
        .init("signOutPerson", "DELETE people/bob/sessions", 404),
        .init("listNodes", "GET nodes", 200, #"{"nodes": []}"#),
        .init("listNodes", "GET nodes?index=true", 200, #""index": {"generation": "#),
        .init("listNodes", "GET nodes?index=yes", 400, "must be true or false"),
        .init("backUp", "POST backup", 201, #""visits": null"#),
        .init("listChanges", "GET audit", 200, #""action": "create""#),
        .init("listChanges", "GET audit?link={id}", 200, #""action": "create""#),
        .init("listChanges", "GET audit?link=x", 400, "must be the id of a link"),
        .init("describe", "GET openapi.json", 200, #""openapi""#),
    ]
}

@Suite("Each operation, accepted and refused")
struct OperationTests {
    /// A store with a link, a deleted one, a person and a token.
    private func answer(_ row: OperationCase) throws -> APIResponse {
        let api = try TestAPI()
        func make(_ slug: String) throws -> String {
            try api.create(
                #"""
                {"collection": "short", "slug": "\#(slug)", "externalId": "\#(slug)",
                 "destination": "https://www.example.com/"}
                """#)["id"]
        }
        let (id, gone) = (try make("a"), try make("gone"))
        _ = api.ask("DELETE", "links/\(gone)", "", ["if-match": "*"])
        _ = api.ask("POST", "people", #"{"name": "anna", "role": "editor"}"#)
        let token = api.ask("POST", "tokens", #"{"name": "t", "scopes": ["stats.read"]}"#)
        let path = row.path.replacing("{id}", with: id).replacing("{gone}", with: gone)
            .replacing("{token}", with: "\(token.object["id"] as? Int ?? 0)")
        return api.ask(row.method, path, row.content, row.fields)
    }

    @Test("it answers", arguments: OperationCase.links + OperationCase.others)
    func answers(_ row: OperationCase) throws {
        let answer = try answer(row)
        #expect(answer.status == row.status, "\(answer.text)")
        #expect(row.words.isEmpty || answer.text.contains(row.words), "\(answer.text)")
    }

    @Test func `the table has each operation`() {
        let named = Set((OperationCase.links + OperationCase.others).map(\.operation))
        #expect(named == Set(APIRoute.own.filter { $0.operation != nil }.map(\.name)))
    }

    @Test("a path tells which methods it has", arguments: APIRoute.own.map(\.path))
    func allows(_ path: [String]) throws {
        let methods = APIRoute.own.filter { $0.values(in: path) != nil }.flatMap {
            $0.method == "GET" ? ["GET", "HEAD"] : [$0.method]
        }
        let answer = try TestAPI().ask("TRACE", path.joined(separator: "/"))
        #expect(answer.status == 405 && answer.fields["Allow"] == methods.joined(separator: ", "))
    }
}
