import Foundation
import LinkAPI
import LinkStore
import Testing

extension TestAPI {
    func resolve(_ url: String, ifNoneMatch: String? = nil) -> APIResponse {
        api.resolve([("url", url)], ifNoneMatch: ifNoneMatch, in: store.index, at: now)
    }
}

@Suite struct ResolutionTests {
    /// For a URL with another port or with a user name, another server would be asked, or none.
    @Test(
        arguments: [
            ("https://go.example.com/s/a", nil, 200), ("https://go.example.com:443/s/a", nil, 200),
            ("https://go.example.com:8443/s/a", 8443, 200),
            ("https://go.example.com:8443/s/a", nil, 404),
            ("https://go.example.com:1/s/a", 8443, 404), ("https://u@go.example.com/s/a", nil, 404),
            ("https://u:p@go.example.com/s/a", nil, 404),
            ("https://go.example.com/s/a@b", nil, 404),
        ] as [(String, UInt16?, Int)])
    func aLinkIsOfTheOriginThatIsAsked(url: String, port: UInt16?, status: Int) throws {
        let api = try TestAPI()
        _ = try api.create(
            #"{"collection": "short", "slug": "a", "destination": "https://www.example.com/"}"#)
        let answer = api.api.resolve(
            [("url", url)], ifNoneMatch: nil, in: api.store.index, at: api.now, port: port)
        #expect(answer.status == status, "\(answer.text)")
    }

    @Test func anAppIsToldWhatTheLinkSays() throws {
        let api = try TestAPI()
        _ = try api.create(
            """
            {"collection": "short", "slug": "spring", "destination": "https://www.example.com/s?x=1",
             "page": {"title": "Spring \\"sale\\"", "image": "https://www.example.com/i.png"},
             "app": {"path": "/offers/42", "data": {"coupon": ["A1", null]}, "minVersion": "2.1"},
             "until": "2027-06-01T00:00:00Z"}
            """)
        let url = "https://go.example.com/s/SPRING?utm_source=mail%20x&ref=y"
        let answer = api.resolve(url)
        #expect(answer.status == 200)
        #expect(answer["url"] == url)
        #expect(answer["canonical"] == "https://go.example.com/s/spring")
        #expect(answer["state"] == "active")
        #expect(answer["web"] == "https://www.example.com/s?x=1&utm_source=mail%20x")
        let app = try #require(answer.object["app"] as? [String: Any])
        #expect(app["path"] as? String == "/offers/42")
        #expect(app["minVersion"] as? String == "2.1")
        #expect(answer.text.contains(#""coupon": ["A1", null]"#))
        #expect(answer.object["campaign"] as? [String: String] == ["source": "mail x"])
        #expect(
            answer.object["page"] as? [String: String]
                == ["title": "Spring \"sale\"", "image": "https://www.example.com/i.png"])
        #expect(answer.fields["Cache-Control"] == "private, max-age=60")
        let tag = try #require(answer.fields["ETag"])
        let again = api.resolve(url, ifNoneMatch: tag)
        #expect(again.status == 304 && again.content.isEmpty && again.fields["ETag"] == tag)
        #expect(api.resolve(url, ifNoneMatch: "\"other\"").status == 200)
        api.now = 1_900_000_000
        #expect(api.resolve(url)["state"] == "expired")
    }

    @Test func allNamesOfALinkHaveTheSameCanonicalURL() throws {
        let api = try TestAPI()
        let made = try api.create(
            """
            {"collection": "short", "slug": "spring", "destination": "https://www.example.com/s",
             "app": {"path": "/offers/42"}}
            """)
        for alias in ["lenz", "frueh"] {
            let added = api.ask(
                "POST", "links/\(made["id"])/aliases", #"{"slug": "\#(alias)"}"#)
            #expect(added.status == 201)
        }
        func expect(_ state: String) {
            for name in ["spring", "lenz", "frueh", "FRUEH", "lenz/"] {
                let answer = api.resolve("https://go.example.com/s/\(name)?x=y")
                #expect(answer["canonical"] == "https://go.example.com/s/spring", "\(name)")
                #expect(answer["url"] == "https://go.example.com/s/\(name)?x=y")
                #expect(answer["state"] == state)
            }
        }
        expect("active")
        let change = #"{"until": "2027-06-01T00:00:00Z"}"#
        #expect(api.ask("PATCH", "links/\(made["id"])", change, ["if-match": "*"]).status == 200)
        expect("active")
        api.now = 1_900_000_000
        expect("expired")
        let deleted = api.ask("DELETE", "links/\(made["id"])", ["if-match": "*"])
        #expect(deleted.status == 204)
        expect("expired")
    }

    @Test func aLinkOfTheConfigurationIsResolvedTheSameWay() throws {
        let api = try TestAPI()
        let answer = api.resolve("https://go.example.com/s/info?utm_medium=x")
        #expect(answer.status == 200)
        #expect(answer["canonical"] == "https://go.example.com/s/info")
        #expect(answer["web"].hasPrefix("https://www.example.com/info"))
        #expect(answer.object["app"] == nil)
    }

    @Test(arguments: [
        "https://go.example.com/s/none", "https://go.example.com/s/early",
        "https://go.example.com/s/off", "https://go.example.com/other", "https://go.example.com/",
        "https://other.example/s/there", "http://go.example.com/s/there", "there", "",
        "https://go.example.com/s/page.html", "https://go.example.com/robots.txt",
        "https://go.example.com:8443/s/../s/x",
    ])
    func whatIsNoLinkIsUnknown(url: String) throws {
        let api = try TestAPI()
        for (slug, more) in [
            ("there", ""), ("off", #", "state": "disabled""#),
            ("early", #", "from": "2030-01-01T00:00:00Z""#),
        ] {
            _ = try api.create(
                #"{"collection": "short", "slug": "\#(slug)", "destination": "https://www.example.com/"\#(more)}"#
            )
        }
        #expect(api.resolve("https://go.example.com/s/there")["state"] == "active")
        let answer = api.resolve(url)
        #expect(answer.status == 404)
        #expect(answer["state"] == "unknown" && answer["url"] == url)
        #expect(Set(answer.object.keys) == ["url", "state"])
        #expect(answer.fields["Cache-Control"] == "no-store")
    }

    @Test func theQueryIsOneURL() throws {
        let api = try TestAPI()
        for items in [
            [], [("link", "x")], [("url", "a"), ("url", "b")],
            [("url", String(repeating: "x", count: 5_000))],
        ] as [[(name: String, value: String)]] {
            let answer = api.api.resolve(items, ifNoneMatch: nil, in: api.store.index, at: api.now)
            #expect(answer.status == 400)
        }
    }
}
