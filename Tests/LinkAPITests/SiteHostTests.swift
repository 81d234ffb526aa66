import LinkAPI
import LinkStore
import Testing

/// A host that a site lists is not one of another site's wildcard: browsers get the answers of the
/// site that lists it.
@Suite struct SiteHostTests {
    static let configuration = """
        version: 1
        apps: {shop: {ios: {id: ABCDE12345.com.example.shop}}}
        environments:
          prod: {store: var/links.db, tls: {certificate: c.pem, key: k.pem}, publish: {shop: [s]}}
        links: {s: {match: /s/*, stored: {destinations: "*", case: exact, firebase: [api]}}}
        sites:
          all: {environments: {prod: {hosts: [links.example, "*.links.example"]}}}
          own: {environments: {prod: {hosts: [own.links.example]}}}
        """

    private func makeAPI() throws -> TestAPI {
        let api = try TestAPI(Self.configuration)
        for name in ["all.s", "own.s"] {
            let destination = "https://x.example/\(name)"
            _ = try api.create(
                #"{"collection": "\#(name)", "slug": "a", "destination": "\#(destination)"}"#)
        }
        return api
    }

    static let hosts = [
        ("links.example", "all"), ("other.links.example", "all"), ("own.links.example", "own"),
    ]

    @Test("a link is of the site that answers for its host", arguments: hosts)
    func finds(_ host: String, _ site: String) throws {
        let api = try makeAPI()
        #expect(api.resolve("https://\(host)/s/a")["web"] == "https://x.example/\(site).s")
        let found = api.ask("GET", "links:find?url=https://\(host)/s/a")
        #expect(found["collection"] == "\(site).s")
    }

    @Test("a host says and counts nothing of another site's links", arguments: hosts, hosts)
    func keeps(_ link: (host: String, site: String), _ asked: (host: String, site: String)) throws {
        let (api, isOwn) = (try makeAPI(), link.site == asked.site)
        let url = "https://\(link.host)/s/a"
        let answer = api.api.resolve(
            [(name: "url", value: url)], ifNoneMatch: nil, in: api.store.index, at: api.now,
            on: asked.host)
        #expect(answer.status == (isOwn ? 200 : 404))
        let (response, opens) = api.api.readOpens(
            Array(#"[{"url": "\#(url)"}]"#.utf8), from: "network", in: api.store.index,
            at: api.now * 1000, on: asked.host)
        #expect(response.status == 204 && opens.count == (isOwn ? 1 : 0))
    }

    @Test(
        "a host of no site has no links",
        arguments: ["links", "a.b.links.example", ".links.example", "own.example"])
    func findsNone(_ host: String) throws {
        #expect(try makeAPI().resolve("https://\(host)/s/a").status == 404)
    }

    @Test(
        "rules are the same in another reading of the same configuration, and not in one of others",
        arguments: [
            ("x", "x", nil, true),
            ("destinations: \"*\"", "destinations: www.example.com", nil, false),
            (", firebase: [api]", "", nil, false), ("/s/*", "/t/*", nil, false),
            ("own.links", "o.links", nil, false), ("own.links", "o.links", ["own.s"], false),
            ("own.links", "o.links", ["all.s"], true),
        ])
    func rules(_ old: String, _ new: String, _ collections: [String]?, _ areSame: Bool) throws {
        let api = try TestAPI(Self.configuration)
        let other = try TestAPI(Self.configuration.replacing(old, with: new)).api
        let token = collections.map { api.token("links.create", collections: $0) }
        let request = APIRequest(
            method: "POST", path: ["links"],
            fields: [
                "authorization": "Bearer \(token ?? TestAPI.secret)",
                "content-type": "application/json",
            ])
        let admitted = try api.api.admit(
            request, api.store, at: api.now * 1_000, localSecret: TestAPI.secret
        ).get()
        #expect(api.api.decides(like: other, for: admitted) == areSame)
    }
}
