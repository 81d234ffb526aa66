import Foundation
import LinkAPI
import LinkStore
import Testing

/// What Hoko's service did for each of its calls, made with this API.
@Suite struct HokoTests {
    private func resolve(_ url: String, _ api: TestAPI) -> [String: Any] {
        api.api.resolve([("url", url)], ifNoneMatch: nil, in: api.store.index, at: api.now).object
    }

    /// `POST /v2/smartlinks {uri}`: only the address is needed, the rest comes from the template.
    @Test func aLinkNeedsOnlyItsAddress() throws {
        let api = try TestAPI()
        let link = try api.create(
            #"{"collection": "short", "destination": "https://www.example.com/product/7"}"#)
        #expect(link["url"].hasPrefix("https://go.example.com/s/"))
        let web = try api.api.explained(link["id"], api)
        // The collection's action for iPhones, and the destination for everybody else.
        #expect(web["iphone-safari"]?.contains("landing") == true)
        #expect(web["desktop-chrome"]?.contains("https://www.example.com/product/7") == true)
    }

    /// `routes: {web, iphone, ipad, universal, android}`, each with a link and a fallback.
    @Test func eachPlatformHasItsOwnRoute() throws {
        let api = try TestAPI()
        let link = try api.create(
            #"""
            {"collection": "short", "destination": "https://www.example.com/web",
             "web": {"ios": "https://www.example.com/iphone", "ipad": "https://www.example.com/ipad",
                     "android": "store"}}
            """#)
        let web = try api.api.explained(link["id"], api)
        #expect(web["iphone-safari"]?.contains("https://www.example.com/iphone") == true)
        #expect(web["desktop-chrome"]?.contains("https://www.example.com/web") == true)
    }

    /// `metadata`, and `POST /v2/smartlinks/resolve {smartlink, uid}`: it needs no identifier here.
    @Test func theAppGetsItsPathAndMetadata() throws {
        let api = try TestAPI()
        let link = try api.create(
            #"""
            {"collection": "short", "destination": "https://www.example.com/",
             "app": {"path": "product/7", "data": {"coupon": "A1", "nested": {"a": [1, null]}}}}
            """#)
        let said = resolve(link["url"] + "?from=mail", api)
        let app = said["app"] as? [String: Any]
        #expect(app?["path"] as? String == "product/7")
        let data = app?["data"] as? [String: Any]
        #expect(data?["coupon"] as? String == "A1" && data?["nested"] != nil)
        #expect(resolve("https://go.example.com/s/none", api)["state"] as? String == "unknown")
    }

    /// `unique`: the same thing is shared twice, and has one link.
    @Test func whatIsSharedTwiceHasOneLink() throws {
        let api = try TestAPI()
        let body = #"{"collection": "short", "destination": "https://www.example.com/p/7"}"#
        let first = api.ask("PUT", "links/by-external-id/product-7", body)
        let second = api.ask("PUT", "links/by-external-id/product-7", body)
        #expect(first.status == 201 && second.status == 200)
        #expect(first["url"] == second["url"])
        // Without it, each call makes a link.
        #expect(try api.create(body)["url"] != api.create(body)["url"])
    }

    /// `GET /v2/smartlinks/:code`: by its code, with tags and routes.
    @Test func aLinkIsReadByItsCode() throws {
        let api = try TestAPI()
        _ = try api.create(
            #"{"collection": "short", "slug": "spring", "tags": ["mail"], "web": "store"}"#)
        let found = api.ask("GET", "links:find?collection=short&slug=spring")
        #expect(found.status == 200 && found["slug"] == "spring", "\(found.text)")
        #expect(found.object["tags"] as? [String] == ["mail"] && found["web"] == "store")
    }
}

extension LinkAPI {
    /// What a link's explanations say, by client.
    fileprivate func explained(_ id: String, _ api: TestAPI) throws -> [String: String] {
        try ["iphone-safari", "desktop-chrome"].reduce(into: [:]) { all, client in
            let answer = api.ask("GET", "links/\(id)/explain?as=\(client)")
            try #require(answer.status == 200, "\(answer.text)")
            all[client] = answer.text
        }
    }
}
