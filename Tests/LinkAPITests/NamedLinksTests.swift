import Foundation
@testable import LinkAPI
import LinkStore
import Testing
import Visits

/// Requests about links that are named by their ids.
@Suite struct NamedLinksTests {
    private func make(_ api: TestAPI) throws -> [String] {
        try ["short", "short", "exact", "short"].enumerated().map { index, collection in
            try api.create(
                """
                {"collection": "\(collection)", "slug": "l\(index)",
                 "destination": "https://www.example.com/"}
                """)["id"]
        }
    }

    private func slugs(_ answer: APIResponse) -> [String] {
        #expect(answer.status == 200, "\(answer.text)")
        let links = answer.object["links"] as? [[String: Any]] ?? []
        return links.compactMap { $0["slug"] as? String }
    }

    private func token(_ api: TestAPI, for collection: String) -> String {
        api.ask(
            "POST", "tokens",
            """
            {"name": "t", "scopes": ["links.read", "stats.read"], "collections": ["\(collection)"]}
            """)["token"]
    }

    @Test func `a list has the links that are named, in any state`() throws {
        let api = try TestAPI()
        let ids = try make(api)
        func ask(_ query: String, token: String = TestAPI.secret) -> APIResponse {
            api.ask("GET", "links?\(query)", token: token)
        }
        #expect(slugs(ask("id=\(ids[2]),\(ids[0])")) == ["l0", "l2"])
        #expect(slugs(ask("id=\(ids[2]),\(ids[0])&order=newest")) == ["l2", "l0"])
        #expect(slugs(ask("id=\(ids[1].uppercased()),\(ids[1])")) == ["l1"])
        let archive = api.ask(
            "PATCH", "links/\(ids[0])", #"{"archived": true}"#, ["if-match": "*"])
        #expect(archive.status == 200)
        #expect(api.ask("DELETE", "links/\(ids[1])", ["if-match": "*"]).status == 204)
        let all = ids.joined(separator: ",")
        #expect(slugs(ask("id=\(all)")) == ["l0", "l1", "l2", "l3"])
        #expect(ask("id=\(ids[1])").text.contains(#""deleted": "#))
        // Without ids, the list is as it was.
        #expect(slugs(ask("order=oldest")) == ["l2", "l3"])
        // Other conditions hold, too, and pages go on with the same ids.
        #expect(slugs(ask("id=\(all)&collection=exact")) == ["l2"])
        let first = ask("id=\(all)&limit=3")
        #expect(slugs(first) == ["l0", "l1", "l2"])
        #expect(first.fields["Link"]?.contains("id=\(ids[0])") == true)
        #expect(slugs(ask("id=\(all)&limit=3&after=\(ids[2])")) == ["l3"])
        // Nobody sees links of another collection by their ids.
        #expect(slugs(ask("id=\(all)", token: token(api, for: "exact"))) == ["l2"])
        let stranger = "01900000-0000-7000-8000-000000000000"
        #expect(slugs(ask("id=\(stranger)")) == [])
    }

    @Test(
        "what is no list of ids is refused",
        arguments: [
            ("", "\"\", must be ids"), ("x", "\"x\", must be ids"), ("ID,", "\"\", must be ids"),
            ("ID ID", "must be ids"), ("MANY", "has 101 ids, may have 100"),
        ])
    func refused(_ value: String, _ words: String) throws {
        let api = try TestAPI()
        let id = try make(api)[0]
        let many = [String](repeating: id, count: 101).joined(separator: ",")
        let text = value.replacing("ID", with: id).replacing("MANY", with: many)
            .replacing(" ", with: "%20")
        for path in ["links?id=\(text)", "visits?link=\(text)"] {
            let answer = api.ask("GET", path)
            #expect(answer.status == 400)
            let detail = answer.object["detail"] as? String ?? ""
            #expect(detail.contains(words), "\(detail)")
        }
        // A hundred are taken.
        let most = many.split(separator: ",").dropLast().joined(separator: ",")
        #expect(slugs(api.ask("GET", "links?id=\(most)")) == ["l0"])
        #expect(api.ask("GET", "links?changed-since=0&id=\(id)").status == 400)
    }

    @Test func `visits are those of the links that are named`() throws {
        let api = try TestAPI()
        let ids = try make(api)
        try api.count { batch in
            for link in 1...4 {
                batch.add(VisitKey(link: link, hour: api.now / 3_600, .visit), 10 * link)
            }
        }
        func counts(_ query: String, token: String = TestAPI.secret) -> [String: Int] {
            let answer = api.ask("GET", "visits?\(query)", token: token)
            #expect(answer.status == 200, "\(answer.text)")
            let rows = answer.object["rows"] as? [[String: Any]] ?? []
            return Dictionary(
                rows.map { ($0["link"] as? String ?? "", $0["visits"] as? Int ?? 0) },
                uniquingKeysWith: +)
        }
        #expect(counts("by=link&link=\(ids[3]),\(ids[0])") == [ids[0]: 10, ids[3]: 40])
        #expect(counts("by=day&link=\(ids[3]),\(ids[0])") == ["": 50])
        #expect(counts("by=link&link=\(ids[3]),\(ids[2])&collection=exact") == [ids[2]: 30])
        let narrow = token(api, for: "exact")
        let all = ids.joined(separator: ",")
        #expect(counts("by=link&link=\(all)", token: narrow) == [ids[2]: 30])
        #expect(counts("by=link&link=\(ids[0])", token: narrow) == [:])
        // A deleted link keeps its visits.
        #expect(api.ask("DELETE", "links/\(ids[1])", ["if-match": "*"]).status == 204)
        #expect(counts("by=link&link=\(ids[1])") == [ids[1]: 20])
    }
}
