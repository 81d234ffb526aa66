import Foundation
@testable import LinkAPI
import Resolution
import Testing

@Suite("What a link would do that is not saved")
struct DraftTests {
    private static let links = [
        #""destination": "https://www.example.com/a""#,
        #""destination": "https://www.example.com/a", "web": "landing""#,
        #""destination": "https://www.example.com/a", "web": {"ios": "store", "desktop": "landing"}"#,
        #""destination": "https://www.example.com/a?utm_source=b", "page": {"title": "A"}"#,
        #""destination": "https://www.example.com/a", "state": "disabled""#,
        #""destination": "https://www.example.com/a", "until": "2030-01-01T00:00:00Z""#,
        #""destination": "https://www.example.com/a", "app": {"path": "/p", "data": {"k": "v"}}"#,
    ]

    /// The answers and the steps for each client, of a link that is there.
    private func explained(_ api: TestAPI, _ id: String) -> [NSDictionary] {
        VisitorProfile.all.map { client in
            var one = api.ask("GET", "links/\(id)/explain?as=\(client.name)").object
            #expect(one.removeValue(forKey: "url") as? String != nil)
            one.removeValue(forKey: "opens")
            return one as NSDictionary
        }
    }

    private func explanations(_ response: APIResponse) -> [NSDictionary] {
        response.object["explanations"] as? [NSDictionary] ?? []
    }

    @Test("it is what the link does once it is saved", arguments: links)
    func same(_ members: String) throws {
        let api = try TestAPI()
        let json = #"{"collection": "short", "slug": "a", \#(members)}"#
        let draft = api.ask("POST", "links:explain", json)
        #expect(draft.status == 200, "\(draft.text)")
        #expect(api.ask("GET", "links").object["links"] as? [NSDictionary] == [])
        let made = try api.create(json)
        #expect(explanations(draft) == explained(api, made["id"]))
        #expect(!explanations(draft).isEmpty)
    }

    @Test("a change does what it says", arguments: links)
    func changed(_ members: String) throws {
        let api = try TestAPI()
        let id = try api.create(
            #"{"collection": "short", "slug": "a", "destination": "https://www.example.com/old"}"#)[
                "id"]
        let before = explained(api, id)
        let draft = api.ask("POST", "links/\(id)/explain", "{\(members)}")
        #expect(draft.status == 200, "\(draft.text)")
        #expect(explained(api, id) == before)
        #expect(api.ask("PATCH", "links/\(id)", "{\(members)}", ["if-match": "*"]).status == 200)
        #expect(explanations(draft) == explained(api, id) && explanations(draft) != before)
    }

    @Test func `a link to come is explained at its beginning`() throws {
        let api = try TestAPI()
        let json = #"""
            {"collection": "short", "destination": "https://www.example.com/a", "from": "2031-01-01T00:00:00Z"}
            """#
        let draft = api.ask("POST", "links:explain?as=desktop-chrome", json)
        #expect(draft.object["at"] as? String == "2031-01-01T00:00:00Z")
        #expect(draft.text.contains(#""location": "https://www.example.com/a""#))
    }

    @Test func `an external identifier of another link is refused, as saving would`() throws {
        let api = try TestAPI()
        let members = #""collection": "short", "destination": "https://www.example.com/a""#
        _ = try api.create("{\(members), \"externalId\": \"theirs\"}")
        let id = try api.create("{\(members), \"externalId\": \"own\"}")["id"]
        for (name, status) in [("theirs", 409), ("own", 200), ("free", 200)] {
            let patch = "{\"externalId\": \"\(name)\"}"
            let draft = api.ask("POST", "links/\(id)/explain", patch)
            #expect(draft.status == status, "\(draft.text)")
            let saved = api.ask("PATCH", "links/\(id)", patch, ["if-match": "*"])
            #expect(saved.status == status, "\(saved.text)")
        }
    }

    @Test func `a client is explained once`() throws {
        let answer = try TestAPI().ask(
            "POST", "links:explain?as=curl,googlebot,curl",
            #"{"collection": "short", "destination": "https://www.example.com/a"}"#)
        #expect(explanations(answer).map { $0["as"] as? String } == ["curl", "googlebot"])
    }
}
