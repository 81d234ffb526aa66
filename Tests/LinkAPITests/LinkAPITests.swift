import Associations
import Foundation
@testable import LinkAPI
import LinkIndex
import LinkStore
import Resolution
import SiteConfiguration
import Testing
import Visits

/// The API over a store of its own.
final class TestAPI {
    static let configuration = """
        version: 1
        apps:
          shop: {name: Shop, ios: {id: ABCDE12345.com.example.shop, store: 123456789}}
        links:
          info: {match: /s/info, web: https://www.example.com/info}
          short:
            match: /s/*
            stored: {destinations: [www.example.com, "*.example.org/shop/", store]}
            web: {ios: landing}
          exact: {match: /X/*, stored: {destinations: "*", case: exact}}
        environments:
          prod:
            hosts: [go.example.com]
            tls: {certificate: c.pem, key: k.pem}
            publish: {shop: [info, short]}
            store: var/links.db
        """
    private let directory: String
    let store: LinkStore
    let api: LinkAPI
    let sites: [APISite]
    var now = 1_800_000_000
    /// Nil where none are counted.
    var visits: SharedVisits?
    /// In how many parts the last answer was made.
    private(set) var parts = 1
    /// Is done between two parts of an answer.
    var betweenParts: () -> Void = {}
    static let secret = "the local secret"

    /// - Parameter other: a store whose files are served anew, as after a restart.
    init(
        _ configuration: String = TestAPI.configuration, files other: LinkStore? = nil,
        linkBytesMax: Int = .max, atomicWrittenBytesMax: Int = .max, logo: CodeLogo? = nil
    ) throws {
        directory = NSTemporaryDirectory() + "waymark-api-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        for end in ["", "-wal"] where other != nil {
            try FileManager.default.copyItem(
                atPath: (other?.path ?? "") + end, toPath: directory + "/links.db" + end)
        }
        store = try LinkStore(directory + "/links.db")
        let read = Configuration.read(Array(configuration.utf8), file: "waymark.yaml")
        let environment = try #require(read.configuration?.environments.first)
        sites = environment.sites.map { site in
            APISite(site, Router(site, files: ["s/page.html"]), LinkResolver(site), logo: logo)
        }
        api = LinkAPI(
            environment: "prod", sites: sites, linkBytesMax: linkBytesMax,
            atomicWrittenBytesMax: atomicWrittenBytesMax)
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    /// Keeps a link with details that the API would not take.
    func keep(_ details: String, slug: String) throws {
        try store.transaction { generation throws(StoreError) in
            var random = SystemRandomNumberGenerator()
            var content = LinkContent()
            (content.destination, content.details) = ("https://www.example.com/broken", details)
            let made = try store.create(
                store.makeID(milliseconds: 1_800_000_000_000, &random), "short", slug: slug,
                content, isExact: false, at: (0, 0), generation: generation)
            #expect(throws: Never.self) { try made.get() }
        }
    }

    func ask(
        _ method: String, _ path: String, _ json: String = "", token: String = secret,
        _ fields: [String: String] = [:], isLocal: Bool = true
    ) -> APIResponse {
        let parts = path.split(separator: "?", maxSplits: 1)
        var query = [(name: String, value: String)]()
        for item in parts.count < 2 ? [] : parts[1].split(separator: "&") {
            let pair = item.split(separator: "=", maxSplits: 1).map(String.init)
            query.append(
                (pair[0], pair.count > 1 ? pair[1].removingPercentEncoding ?? pair[1] : ""))
        }
        var fields = fields
        if !token.isEmpty { fields["authorization"] = "Bearer \(token)" }
        if !json.isEmpty, fields["content-type"] == nil {
            fields["content-type"] = "application/json"
        }
        var request = APIRequest(
            method: method, path: parts[0].split(separator: "/").map(String.init), query: query,
            fields: fields, content: Array(json.utf8))
        request.isLocal = isLocal
        var response = api.answer(
            request, store, at: now * 1000, localSecret: Self.secret, visits: visits)
        self.parts = 1
        while let rest = response.rest {
            betweenParts()
            (response, self.parts) = (rest.next(store), self.parts + 1)
        }
        // Tables of visits are described in documents.
        let isTable = response.type.hasPrefix("text/csv")
        let isDescribed = isTable || isDescribed(response, to: method, request.path)
        #expect(isDescribed, "\(method) \(path): \(response.status) \(response.text)")
        return response
    }

    /// Counts visits, in the store of visits.
    func count(_ add: (inout VisitBatch) -> Void) throws {
        if visits == nil {
            visits = SharedVisits()
            try visits?.open(store.path + ".visits")
        }
        try visits?.use { store throws(StoreError) in
            var batch = VisitBatch()
            add(&batch)
            try store.add(batch)
        }
    }

    func create(_ json: String) throws -> APIResponse {
        let response = ask("POST", "links", json)
        try #require(response.status == 201, "\(response.text)")
        return response
    }
}

extension APIResponse {
    var text: String { String(decoding: content, as: UTF8.self) }
    var object: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(content))) as? [String: Any] ?? [:]
    }
    subscript(_ key: String) -> String { object[key] as? String ?? "" }
    /// The pointers and rules of a problem, `/slug slug-taken`.
    var faults: [String] {
        (object["errors"] as? [[String: Any]] ?? []).map {
            "\($0["pointer"] ?? "") \($0["rule"] ?? "")"
        }
    }
}

@Suite struct LinkAPITests {
    @Test func aTokenMayReadSoOften() throws {
        let api = try TestAPI()
        let tokens = (0..<2).map { _ in
            api.ask("POST", "tokens", #"{"name": "t", "scopes": ["links.read", "links.create"]}"#)[
                "token"]
        }
        let link = #"{"collection": "short", "destination": "https://www.example.com/"}"#
        func read(_ count: Int) -> Int {
            (0..<count).count { _ in
                api.ask("GET", "links?limit=1", token: tokens[0]).status == 200
            }
        }
        #expect(read(550) == 500)
        for refused in [
            api.ask("GET", "links", token: tokens[0]), api.ask("GET", "export", token: tokens[0]),
            api.ask("POST", "links:check", link, token: tokens[0]),
        ] {
            #expect(refused.status == 429 && refused.fields["Retry-After"] == "1")
        }
        api.now += 1
        #expect(read(120) == 100)
        // Neither another token, nor changes, nor whoever runs the origin is affected.
        #expect(api.ask("GET", "links", token: tokens[1]).status == 200)
        #expect(api.ask("POST", "links", link, token: tokens[0]).status == 201)
        #expect(api.ask("GET", "links").status == 200)
    }

    /// A token that may only read would fill the disk with answers.
    @Test func whatChangesNothingKeepsNoAnswer() throws {
        let api = try TestAPI()
        let json =
            #"{"collection": "short", "slug": "a", "destination": "https://www.example.com/"}"#
        let key = ["idempotency-key": "a"]
        #expect(api.ask("POST", "links:check", json, key).object["isValid"] as? Bool == true)
        _ = try api.create(json)
        #expect(api.ask("POST", "links:check", json, key).object["isValid"] as? Bool == false)
        // A key is free for a request that changes something.
        let other = json.replacingOccurrences(of: "\"a\"", with: "\"b\"")
        #expect(api.ask("POST", "links", other, key).status == 201)
    }

    @Test func aTokenMayMakeSoManyChanges() throws {
        let api = try TestAPI()
        let token = api.ask(
            "POST", "tokens", #"{"name": "t", "scopes": ["links.create"]}"#)["token"]
        let link = #"{"collection": "short", "destination": "https://www.example.com/"}"#
        func make(_ count: Int) -> Int {
            (0..<count).count { _ in
                api.ask("POST", "links", link, token: token).status == 201
            }
        }
        #expect(make(250) == 200)
        let refused = api.ask("POST", "links", link, token: token)
        #expect(refused.status == 429)
        #expect(refused.fields["Retry-After"] == "1")
        api.now += 1
        #expect(make(60) == 50)
        // Neither another token nor reading is affected.
        #expect(api.ask("POST", "links:check", link).status == 200)
        #expect(api.ask("GET", "links", token: token).status == 403)
    }

    @Test func aLinkIsMadeShownChangedAndDeleted() throws {
        let api = try TestAPI()
        let made = try api.create(
            """
            {"collection": "short", "destination": "https://www.example.com/spring?x=1",
             "page": {"title": "Spring sale"}, "web": {"android": "store"},
             "app": {"path": "/offers/42", "data": {"coupon": "A1"}}, "tags": ["mail"],
             "until": "2027-04-01T00:00:00Z"}
            """)
        let id = made["id"]
        #expect(made.fields["Location"] == "/v1/links/\(id)")
        #expect(made["url"].hasPrefix("https://go.example.com/s/"))
        #expect(made["slug"].utf8.count == 10)
        #expect(made["slug"].utf8.allSatisfy(Collection.usualAlphabet.contains))
        #expect(made.object["opens"] as? [String] == ["ABCDE12345.com.example.shop"])

        let shown = api.ask("GET", "links/\(id)")
        #expect(shown.status == 200)
        #expect(shown.fields["ETag"] == made.fields["ETag"])
        #expect((shown.object["app"] as? [String: Any])?["path"] as? String == "/offers/42")
        let tag = try #require(shown.fields["ETag"])
        #expect(api.ask("GET", "links/\(id)", ["if-none-match": tag]).status == 304)

        #expect(api.ask("PATCH", "links/\(id)", #"{"note": "x"}"#).status == 428)
        let changed = api.ask(
            "PATCH", "links/\(id)", #"{"until": null, "page": {"description": "d"}, "note": "x"}"#,
            ["if-match": tag])
        #expect(changed.status == 200, "\(changed.text)")
        #expect(changed.object["until"] == nil && changed["note"] == "x")
        let page = changed.object["page"] as? [String: String]
        #expect(page == ["title": "Spring sale", "description": "d"])
        let late = api.ask("PATCH", "links/\(id)", #"{"note": "y"}"#, ["if-match": tag])
        #expect(late.status == 412 && late.fields["ETag"] == changed.fields["ETag"])

        #expect(api.ask("DELETE", "links/\(id)").status == 428)
        #expect(api.ask("DELETE", "links/\(id)", ["if-match": "*"]).status == 204)
        let gone = api.ask("GET", "links/\(id)")
        #expect(gone.status == 410 && gone["slug"] == made["slug"])
        #expect(api.ask("GET", "links/\(id)", ["if-none-match": "*"]).status == 410)
        #expect(api.ask("PATCH", "links/\(id)", "{}", ["if-match": "*"]).status == 410)
        let again = api.ask(
            "POST", "links",
            #"{"collection": "short", "slug": "\#(made["slug"])", "destination": "https://www.example.com/"}"#
        )
        #expect(again.status == 409 && again.faults == ["/slug slug-taken"])
    }

    @Test(
        arguments: [
            // What is wrong with each, and the nearest that is right, which has no fault.
            (#"{"collection": "short", "destination": "https://www.example.com/"}"#, []),
            (#"{"destination": "https://www.example.com/"}"#, [" missing-key"]),
            (
                #"{"collection": "shor", "destination": "https://www.example.com/"}"#,
                ["/collection unknown-name"]
            ),
            (#"{"collection": "short"}"#, [" missing-key"]),
            (#"{"collection": "short", "web": {"default": "landing"}}"#, []),
            (
                #"{"collection": "short", "destination": "https://evil.example/"}"#,
                ["/destination destination-not-allowed"]
            ),
            (
                #"{"collection": "short", "destination": "https://www.example.com:8443/"}"#,
                ["/destination destination-not-allowed"]
            ),
            (#"{"collection": "short", "destination": "https://a.example.org/shop/1"}"#, []),
            (
                #"{"collection": "short", "destination": "https://a.example.org/shop/../x"}"#,
                ["/destination destination-not-allowed"]
            ),
            (
                #"{"collection": "short", "destination": "https://a.example.org/"}"#,
                ["/destination destination-not-allowed"]
            ),
            (
                #"{"collection": "short", "destination": "https://example.org/shop/"}"#,
                ["/destination destination-not-allowed"]
            ),
            (
                #"{"collection": "short", "destination": "javascript:alert(1)"}"#,
                ["/destination destination-form"]
            ),
            (
                #"{"collection": "short", "destination": "https://u@www.example.com/"}"#,
                ["/destination destination-form"]
            ),
            (
                #"{"collection": "exact", "destination": "https://go.example.com/s/x"}"#,
                ["/destination destination-loop"]
            ),
            (
                #"{"collection": "exact", "destination": "https://go.example.com/y/%2e%2E/%73/x"}"#,
                ["/destination destination-loop"]
            ),
            (
                #"{"collection": "exact", "destination": "https://go.example.com//s/x"}"#,
                ["/destination destination-loop"]
            ),
            (#"{"collection": "exact", "destination": "https://go.example.com/y"}"#, []),
            (#"{"collection": "exact", "destination": "https://go.example.com/s/../y"}"#, []),
            (
                #"{"collection": "exact", "destination": "https://a.example/", "web": {"ios": "store"}}"#,
                ["/web/ios destination-not-allowed"]
            ),
            (
                #"{"collection": "short", "web": "https://evil.example/"}"#,
                ["/web destination-not-allowed"]
            ),
            (
                #"{"collection": "short", "slug": "a b", "destination": "https://www.example.com/"}"#,
                ["/slug slug-form"]
            ),
            (
                #"{"collection": "short", "slug": "favicon.ico", "destination": "https://www.example.com/"}"#,
                ["/slug slug-reserved"]
            ),
            (
                #"{"collection": "short", "slug": "_x", "destination": "https://www.example.com/"}"#,
                ["/slug slug-reserved"]
            ),
            (
                #"{"collection": "short", "slug": "info", "destination": "https://www.example.com/"}"#,
                ["/slug slug-shadowed"]
            ),
            (
                #"{"collection": "short", "slug": "page.html", "destination": "https://www.example.com/"}"#,
                ["/slug slug-shadowed"]
            ),
            (
                #"{"collection": "short", "slug": "infos", "destination": "https://www.example.com/"}"#,
                []
            ),
            (
                #"{"collection": "short", "destination": "https://www.example.com/", "until": "2020-01-01T00:00:00Z"}"#,
                ["/until wrong-value"]
            ),
            (
                #"{"collection": "short", "destination": "https://www.example.com/", "tag": []}"#,
                ["/tag unknown-key"]
            ),
            (
                #"{"collection": "short", "destination": "ftp://x", "page": {"image": "ftp://x"}, "state": "on"}"#,
                ["/destination destination-form", "/page/image url", "/state wrong-value"]
            ),
        ] as [(String, [String])])
    func everyFaultIsNamedAtItsPlace(_ json: String, _ faults: [String]) throws {
        let api = try TestAPI()
        let checked = api.ask("POST", "links:check", json)
        #expect(checked.status == 200)
        #expect(checked.faults == faults, "\(checked.text)")
        #expect(api.store.index.count == 0)
        let made = api.ask("POST", "links", json)
        #expect(made.status == (faults.isEmpty ? 201 : 422), "\(made.text)")
        #expect(made.faults == faults)
    }

    @Test func aRepeatedKeyMakesOneLink() throws {
        let api = try TestAPI()
        let json = #"{"collection": "short", "destination": "https://www.example.com/"}"#
        let first = api.ask("POST", "links", json, ["idempotency-key": "a"])
        let second = api.ask("POST", "links", json, ["idempotency-key": "a"])
        #expect(first.status == 201 && first == second)
        #expect(api.store.index.count == 1)
        let other = api.ask(
            "POST", "links", json.replacingOccurrences(of: "com/", with: "com/2"),
            ["idempotency-key": "a"])
        #expect(other.status == 422 && api.store.index.count == 1)
        #expect(api.ask("POST", "links", json, ["idempotency-key": "b"]).status == 201)
        api.now += 86_401
        #expect(api.ask("POST", "links", json, ["idempotency-key": "a"])["id"] != first["id"])
        #expect(api.store.index.count == 3)
    }

    @Test func aLinkIsMadeOnceUnderItsSlugAndByItsExternalName() throws {
        let api = try TestAPI()
        let json = #"{"destination": "https://www.example.com/"}"#
        #expect(api.ask("PUT", "links/short/abc", json).status == 428)
        let made = api.ask("PUT", "links/short/abc", json, ["if-none-match": "*"])
        #expect(made.status == 201 && made["url"] == "https://go.example.com/s/abc")
        #expect(api.ask("PUT", "links/short/abc", json, ["if-none-match": "*"]).status == 412)
        #expect(api.ask("PUT", "links/short/ABC", json, ["if-none-match": "*"]).status == 409)

        let named = #"{"collection": "short", "destination": "https://www.example.com/1"}"#
        let first = api.ask("PUT", "links/by-external-id/e-1", named)
        #expect(first.status == 201, "\(first.text)")
        let second = api.ask(
            "PUT", "links/by-external-id/e-1", #"{"destination": "https://www.example.com/2"}"#)
        #expect(second.status == 200, "\(second.text)")
        #expect(second["id"] == first["id"] && second["destination"].hasSuffix("/2"))
    }

    @Test func linksAreListedByPages() throws {
        let api = try TestAPI()
        for number in 0..<7 {
            _ = try api.create(
                #"{"collection": "exact", "slug": "s\#(number)", "destination": "https://a.example/"}"#
            )
            api.now += 1
        }
        var (path, seen) = ("links?limit=3", [String]())
        while true {
            let page = api.ask("GET", path)
            let links = page.object["links"] as? [[String: Any]] ?? []
            seen += links.compactMap { $0["slug"] as? String }
            guard let next = page.fields["Link"] else { break }
            #expect(next.hasSuffix(">; rel=\"next\""))
            path = String(next.dropFirst("</v1/".count).prefix { $0 != ">" })
        }
        #expect(seen == (0..<7).map { "s\($0)" })
        #expect(api.ask("GET", "links?limit=201").status == 400)
        #expect(api.ask("GET", "links?colection=x").text.contains("collection"))
    }

    @Test func aListOfFewAmongManyIsMadeInParts() throws {
        let api = try TestAPI()
        let wanted = [0, 9_999, 10_000, 20_500]
        try api.store.transaction { generation throws(StoreError) in
            var random = SystemRandomNumberGenerator()
            for number in 0...20_500 {
                var content = LinkContent()
                content.note = wanted.contains(number) ? "wanted" : nil
                let made = try api.store.create(
                    api.store.makeID(milliseconds: 1_800_000_000_000, &random), "exact",
                    slug: "s\(number)", content, isExact: true, at: (0, 0), generation: generation)
                #expect(throws: Never.self) { try made.get() }
            }
        }
        func list(_ text: String, _ limit: Int, _ more: String = "") -> (
            slugs: [String], next: String?
        ) {
            let response = api.ask("GET", "links?q=\(text)&limit=\(limit)\(more)")
            let links = response.object["links"] as? [[String: Any]] ?? []
            let after = response.fields["Link"]?.components(separatedBy: "after=").last?
                .prefix(36)
            return (links.compactMap { $0["slug"] as? String }, after.map { "\($0)" })
        }
        // One letter is looked for in each row; more of them in the index and the notes first. The index has
        // parts by random keys, so how many they are differs.
        for (text, parts) in [("w", (21, 11)), ("wanted", nil)] as [(String, (Int, Int)?)] {
            let all = list(text, 4)
            #expect(all.slugs == wanted.map { "s\($0)" } && all.next == nil)
            #expect(parts.map { api.parts == $0.0 } ?? (api.parts < 21))
            let first = list(text, 2)
            #expect(first.slugs == ["s0", "s9999"])
            #expect(parts.map { api.parts == $0.1 } ?? true)
            let next = try #require(first.next)
            #expect(list(text, 2, "&after=\(next)").slugs == ["s10000", "s20500"])
            #expect(list(text, 4, "&order=newest").slugs == wanted.reversed().map { "s\($0)" })
            #expect(list(text, 4, "&collection=short").slugs.isEmpty)
        }
        // Few candidates, and more than are put in order.
        #expect(list("s1050", 200).slugs == ["s1050"] + (10_500...10_509).map { "s\($0)" })
        #expect(list("s1", 3).slugs == ["s1", "s10", "s11"])
        #expect(list("s1", 2, "&order=newest").slugs == ["s19999", "s19998"])
    }

    @Test(
        arguments: [
            ("SUMMER", ["a"]), ("only%20today", ["a"]), ("/spring", ["b"]), ("note", ["b"]),
            ("title", []), ("summer%20only", []), ("broken", ["c"]),
            ("FR%C3%9CHLING", ["a"]), ("%CE%A3%CE%91%CE%9B", ["a"]), ("fru%CC%88hling", ["a"]),
            ("aab", ["b"]),
        ])
    func aSearchLooksAtWhatPeopleRead(_ text: String, _ slugs: [String]) throws {
        let api = try TestAPI()
        _ = try api.create(
            #"{"collection": "short", "slug": "a", "destination": "https://www.example.com/", "page": {"title": "Summer sale", "description": "Only today: Frühling σαλ"}}"#
        )
        _ = try api.create(
            #"{"collection": "short", "slug": "b", "destination": "https://www.example.com/spring", "note": "a note aaab"}"#
        )
        try api.keep("broken", slug: "c")
        let links = api.ask("GET", "links?q=\(text)").object["links"] as? [[String: Any]] ?? []
        #expect(links.compactMap { $0["slug"] as? String } == slugs)
    }

    /// An older Waymark has kept texts where requests have another type.
    @Test func whatAnOlderStoreHasIsShownWithItsType() throws {
        let api = try TestAPI()
        try api.keep(
            #"{"page": {"index": "true", "title": 5, "image": {"url": "/a.png", "width": "12"}}}"#,
            slug: "old")
        let found = api.ask("GET", "links:find?collection=short&slug=old")
        #expect(
            found.text.replacingOccurrences(of: " ", with: "").contains(
                #""page":{"index":true,"title":"5","image":{"url":"/a.png","width":12}}"#))
        let changed = api.ask(
            "PATCH", "links/\(found["id"])", #"{"note": "n"}"#, ["if-match": "*"])
        #expect(changed.status == 200, "\(changed.text)")
    }

    @Test func aliasesAnswerLikeTheirLink() throws {
        let api = try TestAPI()
        let link = try api.create(
            #"{"collection": "short", "slug": "one", "destination": "https://www.example.com/"}"#)
        let path = "links/\(link["id"])/aliases"
        #expect(api.ask("POST", path, #"{"slug": "two"}"#).status == 201)
        #expect(api.ask("POST", path, #"{"slug": "ONE"}"#).status == 409)
        #expect(api.ask("POST", path, #"{"slug": "info"}"#).faults == ["/slug slug-shadowed"])
        #expect(
            api.ask("POST", path, #"{"note": "x"}"#).faults
                == [" missing-key", "/note unknown-key"])
        #expect(api.ask("GET", "links/\(link["id"])").object["aliases"] as? [String] == ["two"])
    }

    /// What is asked for, and the slug of the link that is found, if any.
    static let searches: [(query: String, status: Int)] = [
        ("url=https://go.example.com/s/One", 200), ("url=https://go.example.com/s/oNE?utm=1", 200),
        ("url=https://GO.example.com/s/two/", 200), ("url=https://go.example.com/s/none", 404),
        ("url=https://other.example/s/One", 404), ("url=https://go.example.com/s/info", 404),
        ("url=https://go.example.com/", 404), ("url=s/One", 400), ("url=", 400), ("", 400),
        ("collection=short&slug=One", 200), ("collection=short&slug=TWO", 200),
        ("slug=one&collection=short", 200), ("collection=short&slug=three", 404),
        ("collection=exact&slug=One", 404), ("collection=none&slug=One", 404), ("slug=One", 400),
        ("collection=short", 400), ("collection=short&slug=One&url=x", 400),
    ]

    @Test(arguments: searches)
    func aLinkIsFoundByWhatIsAnsweredWithIt(_ query: String, _ status: Int) throws {
        let api = try TestAPI()
        let link = try api.create(
            #"{"collection": "short", "slug": "One", "destination": "https://www.example.com/"}"#)
        #expect(
            api.ask("POST", "links/\(link["id"])/aliases", #"{"slug": "two"}"#).status == 201)
        let found = api.ask("GET", "links:find?\(query)")
        #expect(found.status == status, "\(found.text)")
        let shown = api.ask("GET", "links/\(link["id"])")
        if status == 200 { #expect(found == shown) }
        _ = api.ask("DELETE", "links/\(link["id"])", ["if-match": "*"])
        #expect(api.ask("GET", "links:find?\(query)").status == (status == 200 ? 410 : status))
    }

    // MARK: Tokens

    @Test func withoutATokenNothingIsAnswered() throws {
        let api = try TestAPI()
        for token in ["", "wrong", "the local secreT"] {
            let answer = api.ask("GET", "links", token: token)
            #expect(answer.status == 401 && answer.fields["WWW-Authenticate"] == "Bearer")
        }
        #expect(api.ask("GET", "links", isLocal: false).status == 401)
        #expect(api.ask("GET", "nothing", token: "").status == 404)
        #expect(api.ask("PUT", "links").fields["Allow"] == "GET, HEAD, POST")
    }

    /// What each scope may do; everything else is refused.
    @Test(arguments: TokenScope.allCases)
    func aTokenMayDoWhatItsScopeSays(_ scope: TokenScope) throws {
        let api = try TestAPI()
        let made = api.ask("POST", "tokens", #"{"name": "t", "scopes": ["\#(scope.rawValue)"]}"#)
        #expect(made.status == 201)
        let token = made["token"]
        let link = try api.create(
            #"{"collection": "short", "destination": "https://www.example.com/"}"#)
        let id = link["id"]
        let json = #"{"collection": "short", "destination": "https://www.example.com/"}"#
        let operations: [(String, String, String, Set<TokenScope>)] = [
            ("GET", "links", "", [.linksRead, .linksWrite]),
            ("GET", "links/\(id)", "", [.linksRead, .linksWrite]),
            ("GET", "links:find?collection=short&slug=x", "", [.linksRead, .linksWrite]),
            ("GET", "links/\(id)/explain", "", [.linksRead, .linksWrite]),
            ("GET", "explain?url=https://go.example.com/s/x", "", [.linksRead, .linksWrite]),
            ("GET", "links/\(id)/qr", "", [.linksRead, .linksWrite]),
            ("GET", "links:qr?id=\(id)", "", [.linksRead, .linksWrite]),
            ("GET", "links/\(id)/visits", "", [.statsRead]), ("GET", "visits", "", [.statsRead]),
            ("GET", "misses", "", [.statsRead]),
            ("POST", "links", json, [.linksCreate, .linksWrite]),
            ("POST", "links:check", json, [.linksCreate, .linksRead, .linksWrite]),
            ("POST", "links:explain", json, [.linksCreate, .linksWrite]),
            ("POST", "links/\(id)/explain", "{}", [.linksWrite]),
            ("PUT", "links/short/new", json, [.linksCreate, .linksWrite]),
            ("PUT", "links/by-external-id/e", json, [.linksWrite]),
            ("PATCH", "links/\(id)", "{}", [.linksWrite]),
            ("POST", "links/\(id)/aliases", #"{"slug": "other"}"#, [.linksWrite]),
            ("POST", "backup", "", []), ("GET", "tokens", "", []), ("POST", "tokens", "{}", []),
            ("DELETE", "tokens/77", "", []), ("GET", "nodes", "", []),
            ("GET", "people", "", []), ("POST", "people", "{}", []),
            ("DELETE", "people/anna", "", []), ("DELETE", "people/anna/sessions", "", []),
            ("GET", "audit", "", [.auditRead]),
            ("GET", "collections", "", [.linksCreate, .linksRead, .linksWrite]),
            ("DELETE", "links/\(id)", "", [.linksDelete]),
            ("GET", "openapi.json", "", Set(TokenScope.allCases)),
        ]
        #expect(operations.count == APIRoute.own.count { $0.transfer == nil })
        for (method, path, json, allowed) in operations {
            var fields = ["if-match": "*"]
            if method == "PUT" { fields = ["if-none-match": "*"] }
            let answer = api.ask(method, path, json, token: token, fields)
            let may = scope == .admin || allowed.contains(scope)
            #expect((answer.status != 403) == may, "\(method) \(path): \(answer.text)")
            if may { #expect(answer.status != 401) }
        }
    }

    @Test func aTokenOfOneCollectionFindsNothingOfAnother() throws {
        let api = try TestAPI()
        let made = api.ask(
            "POST", "tokens",
            #"""
            {"name": "t", "scopes": ["links.write", "links.delete", "stats.read"],
             "collections": ["exact"]}
            """#)
        let token = made["token"]
        let other = try api.create(
            #"{"collection": "short", "destination": "https://www.example.com/", "externalId": "e"}"#
        )
        let id = other["id"]
        for (method, path) in [
            ("GET", "links/\(id)"), ("PATCH", "links/\(id)"), ("DELETE", "links/\(id)"),
            ("GET", "links:find?url=\(other["url"])"),
            ("GET", "links:find?collection=short&slug=\(other["slug"])"),
            ("GET", "links/\(id)/explain"), ("POST", "links/\(id)/explain"),
            ("GET", "links/\(id)/qr"), ("GET", "links/\(id)/visits"),
            ("GET", "links:qr?id=\(id)"),
            ("POST", "links/\(id)/aliases"),
        ] {
            let answer = api.ask(
                method, path, method == "GET" || method == "DELETE" ? "" : "{}", token: token,
                ["if-match": "*"])
            #expect(answer.status == 404, "\(method) \(path)")
        }
        #expect(
            api.ask(
                "POST", "links",
                #"{"collection": "short", "destination": "https://www.example.com/"}"#,
                token: token
            ).status == 403)
        // Its own sums, where visits are counted.
        #expect(api.ask("GET", "visits", token: token).status == 503)
        let list = api.ask("GET", "links", token: token)
        #expect((list.object["links"] as? [Any])?.isEmpty == true)
        // Without a collection, the only one of the token is meant.
        let own = api.ask("POST", "links", #"{"destination": "https://a.example/"}"#, token: token)
        #expect(own["collection"] == "exact")
        let upsert = api.ask(
            "PUT", "links/by-external-id/e", #"{"destination": "https://a.example/"}"#, token: token
        )
        #expect(upsert.status == 409)
        // Nor is it told which link has the name.
        #expect(!upsert.text.contains(id), "\(upsert.text)")
    }

    /// Each refusal beside what the token may do all the same.
    @Test func aTokenOfOneCollectionReachesNothingThatIsAboutAll() throws {
        let api = try TestAPI()
        let made = api.ask(
            "POST", "tokens",
            #"{"name": "t", "scopes": ["admin"], "collections": ["exact"]}"#)
        let token = made["token"]
        let own = try api.create(
            #"{"collection": "exact", "destination": "https://a.example/", "note": "mine"}"#)
        let other = try api.create(
            #"{"collection": "short", "destination": "https://www.example.com/", "note": "theirs"}"#
        )
        for (method, path, json) in [
            ("GET", "tokens", ""), ("POST", "tokens", #"{"name": "x", "scopes": ["admin"]}"#),
            ("DELETE", "tokens/1", ""), ("POST", "backup", ""),
            ("GET", "audit", ""),
        ] {
            let answer = api.ask(method, path, json, token: token)
            #expect(answer.status == 403, "\(method) \(path): \(answer.text)")
            #expect(answer["type"] == "/v1/problems/collection-not-allowed")
            #expect(!answer.text.contains("theirs"))
        }
        #expect(api.ask("GET", "audit?link=\(other["id"])", token: token).status == 404)
        let changes = api.ask("GET", "audit?link=\(own["id"])", token: token)
        #expect(changes.status == 200 && changes.text.contains("mine"))
        #expect(api.ask("GET", "links/\(own["id"])", token: token).status == 200)
        // A token for all collections.
        let all = api.ask("POST", "tokens", #"{"name": "u", "scopes": ["audit.read"]}"#)["token"]
        #expect(api.ask("GET", "audit", token: all).text.contains("theirs"))
    }

    @Test func theSecretOfATokenIsNotKept() throws {
        let api = try TestAPI()
        let json = #"{"name": "t", "scopes": ["links.read"]}"#
        let refused = api.ask("POST", "tokens", json, ["idempotency-key": "a"])
        #expect(refused.status == 400 && refused["type"] == "/v1/problems/idempotency-key")
        let secret = api.ask("POST", "tokens", json)["token"]
        #expect(secret.hasPrefix("wmk_"))
        for file in ["", "-wal"] {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: api.store.path + file))
            #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(file)")
            #expect(file.isEmpty || !bytes.isEmpty)
        }
    }

    @Test func tokensExpireAndAreRemoved() throws {
        let api = try TestAPI()
        let made = api.ask(
            "POST", "tokens",
            #"{"name": "t", "scopes": ["links.read"], "expires": "2027-02-01T00:00:00Z"}"#)
        let token = made["token"]
        #expect(token.hasPrefix("wmk_") && token.utf8.count == 53)
        #expect(api.ask("GET", "links", token: token, isLocal: false).status == 200)
        #expect(!api.ask("GET", "tokens").text.contains(token))
        api.now += 86_400 * 365
        #expect(api.ask("GET", "links", token: token).status == 401)
        api.now -= 86_400 * 365
        #expect(api.ask("DELETE", "tokens/1").status == 204)
        #expect(api.ask("DELETE", "tokens/1").status == 404)
        #expect(api.ask("GET", "links", token: token).status == 401)
        for wrong in [
            "{}", #"{"name": "", "scopes": ["admin"]}"#, #"{"name": "x", "scopes": ["all"]}"#,
            #"{"name": "x", "scopes": ["admin"], "expires": "2020-01-01T00:00:00Z"}"#,
            #"{"name": "x", "scopes": ["admin"], "collections": ["none"]}"#,
            // A token for all collections needs no such member.
            #"{"name": "x", "scopes": ["admin"], "collections": "short"}"#,
            #"{"name": "x", "scopes": ["admin"], "collections": []}"#,
            #"{"name": "x", "scopes": ["admin"], "collections": null}"#,
            #"{"name": "x", "scopes": "admin"}"#, #"{"name": ["x"], "scopes": ["admin"]}"#,
            #"{"name": "x", "scopes": ["admin"], "expires": 2000000000}"#, "[]", "1",
        ] {
            #expect(api.ask("POST", "tokens", wrong).status == 422, "\(wrong)")
        }
    }

    @Test func theAuditHasWhatWasChanged() throws {
        let api = try TestAPI()
        let link = try api.create(
            #"{"collection": "short", "slug": "one", "destination": "https://www.example.com/1"}"#)
        _ = api.ask(
            "PATCH", "links/\(link["id"])", #"{"destination": "https://www.example.com/2"}"#,
            ["if-match": "*"])
        _ = api.ask("DELETE", "links/\(link["id"])", ["if-match": "*"])
        let entries = api.ask("GET", "audit").object["entries"] as? [[String: Any]] ?? []
        #expect(entries.map { $0["action"] as? String } == ["delete", "change", "create"])
        #expect(entries.allSatisfy { $0["actor"] as? String == "local" })
        let before = entries.dropFirst().first?["before"] as? [String: Any]
        #expect(before?["destination"] as? String == "https://www.example.com/1")
    }

    @Test func aBackupIsWrittenBesideTheStore() throws {
        let api = try TestAPI()
        _ = try api.create(#"{"collection": "short", "destination": "https://www.example.com/"}"#)
        let made = api.ask("POST", "backup")
        #expect(made.status == 201 && made["path"].hasPrefix(api.store.path))
        let attributes = try FileManager.default.attributesOfItem(atPath: made["path"])
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try LinkStore(made["path"]).index.count == 1)
        let again = ["a", "a", "b"].map { key in
            api.ask("POST", "backup", ["idempotency-key": key])
        }
        #expect(again.map(\.status) == [201, 201, 201])
        // The repeated request has made no copy.
        #expect(again[0] == again[1])
        #expect(Set([made["path"]] + again.map { $0["path"] }).count == 3)
    }

    @Test(arguments: [(16_384, 201), (16_385, 422)])
    func detailsAreBounded(_ bytes: Int, _ status: Int) throws {
        let api = try TestAPI()
        let frame = #"{"app": {"data": {"a": ""}}}"#
        let text = String(repeating: "x", count: bytes - frame.utf8.count)
        let made = api.ask(
            "POST", "links",
            #"{"collection": "short", "destination": "https://www.example.com/", "app": {"data": {"a": "\#(text)"}}}"#
        )
        #expect(made.status == status)
    }

    // MARK: What links do

    @Test func explainSaysWhatALinkDoes() throws {
        let api = try TestAPI()
        let link = try api.create(
            #"{"collection": "short", "slug": "one", "destination": "https://www.example.com/1"}"#)
        let desktop = api.ask("GET", "links/\(link["id"])/explain?as=desktop-chrome")
        let answer = desktop.object["answer"] as? [String: Any]
        #expect(answer?["status"] as? Int == 302)
        #expect(answer?["location"] as? String == "https://www.example.com/1")
        let phone = api.ask("GET", "links/\(link["id"])/explain?as=iphone-safari")
        #expect((phone.object["answer"] as? [String: Any])?["page"] as? String == "landing")
        #expect(api.ask("GET", "links/\(link["id"])/explain?as=nobody").status == 400)
        // Over plain HTTP, the same URL is a redirect to https before any link is looked for.
        for (url, status, location) in [
            ("http://GO.example.com/s/one?a=ü", 308, "https://go.example.com/s/one?a=%C3%BC"),
            ("https://go.example.com/s/one", 302, "https://www.example.com/1"),
            ("https://go.example.com/s/a%252Fb", 400, nil),
            ("https://go.example.com/.well-known/apple-app-site-association", nil, nil),
        ] as [(String, Int?, String?)] {
            let found = api.ask("GET", "explain?as=desktop-chrome&url=\(url)")
            let answer = found.object["answer"] as? [String: Any]
            #expect(answer?["status"] as? Int == status, "\(url): \(found.text)")
            #expect(answer?["location"] as? String == location, "\(url): \(found.text)")
        }
        #expect(api.ask("GET", "links/\(link["id"])/qr").type == "image/svg+xml")
        #expect(api.ask("GET", "links/\(link["id"])/qr?format=gif").status == 400)
        for (query, type, beginning) in [
            ("format=pdf", "application/pdf", "%PDF-1.4"),
            ("format=pdf&mm=500", "application/pdf", "%PDF"),
            ("mm=13", "image/svg+xml", "<svg"), ("format=png&mm=25", "image/png", "\u{FFFD}PNG"),
            ("format=png&size=111", "image/png", "\u{FFFD}PNG"),
        ] {
            let code = api.ask("GET", "links/\(link["id"])/qr?\(query)")
            #expect(code.status == 200 && code.type == type, "\(query)")
            #expect(String(decoding: code.content, as: UTF8.self).hasPrefix(beginning), "\(query)")
        }
        for query in ["mm=9", "mm=501", "format=png&mm=25&size=300", "format=pdf&mm=x"] {
            #expect(api.ask("GET", "links/\(link["id"])/qr?\(query)").status == 400, "\(query)")
        }
    }

    /// A module has 0.33 mm in print, and 3 pixels on a screen, or more.
    @Test func `a code that phones do not read is refused, and says how large it has to be`() throws
    {
        let api = try TestAPI()
        let id = try api.create(
            #"{"collection": "short", "slug": "one", "destination": "https://www.example.com/1"}"#)[
                "id"]
        // 29 modules, and 4 of margin on each side.
        for format in ["svg", "pdf", "png"] {
            let small = api.ask("GET", "links/\(id)/qr?format=\(format)&mm=12")
            #expect(small.status == 400, "\(format)")
            #expect(small.text.contains("mm is 12, must be at least 13"), "\(small.text)")
            #expect(api.ask("GET", "links/\(id)/qr?format=\(format)&mm=13").status == 200)
        }
        let pixels = api.ask("GET", "links/\(id)/qr?format=png&size=110")
        #expect(pixels.status == 400 && pixels.text.contains("must be at least 111"))
        // What is not asked for is large enough for any code.
        let slug = String(repeating: "a", count: 64)
        let long = try api.create(
            #"{"collection": "short", "slug": "\#(slug)", "destination": "https://www.example.com/1"}"#
        )["id"]
        for format in ["svg", "pdf", "png"] {
            #expect(api.ask("GET", "links/\(long)/qr?format=\(format)").status == 200)
        }
        #expect(api.ask("GET", "links/\(long)/qr?mm=13").status == 400)
    }

    /// The density says of which size the pixels are (PNG, 11.3.5.3).
    @Test(
        "the dark part of a picture for print has the size that was asked for",
        arguments: [13, 14, 17, 25, 33, 40, 50, 100, 250])
    func printed(_ side: Int) throws {
        let api = try TestAPI()
        let id = try api.create(
            #"{"collection": "short", "slug": "one", "destination": "https://www.example.com/1"}"#)[
                "id"]
        let png = api.ask("GET", "links/\(id)/qr?format=png&mm=\(side)").content
        func number(_ place: Int) -> Double {
            Double(png[place..<place + 4].reduce(0) { $0 << 8 | Int($1) })
        }
        let mark = Array("pHYs".utf8)
        let place = try #require(png.indices.first { png[$0...].starts(with: mark) })
        let (pixels, density) = (number(16), number(place + 4))
        #expect(density >= 11_811 && number(place + 8) == density && png[place + 12] == 1)
        // Each of the 37 modules is a whole number of pixels.
        #expect(Int(pixels) % 37 == 0)
        #expect(abs(pixels / density * 1_000 - Double(side)) < 0.01 * Double(side))
    }
}

extension TestAPI {
    func ask(_ method: String, _ path: String, _ fields: [String: String]) -> APIResponse {
        ask(method, path, "", fields)
    }

    func ask(
        _ method: String, _ path: String, _ json: String, _ fields: [String: String]
    ) -> APIResponse {
        ask(method, path, json, token: Self.secret, fields)
    }
}
