import LinkAPI
import Testing

/// What is taken out of a link, and what is there twice.
@Suite struct EmptiedMemberTests {
    private static let any = ["if-match": "*"]
    private static let link = #"""
        {"collection": "short", "slug": "tt", "destination": "https://www.example.com/1",
         "page": {"title": "A"}, "app": {"data": {"coupon": "x"}},
         "campaign": {"apple": {"provider": "1"}}}
        """#

    @Test(
        "an object that loses its last member is taken away",
        arguments: [
            (#"{"page": {"title": null}}"#, "page"),
            (#"{"page": {"title": null, "description": null}}"#, "page"),
            (#"{"campaign": {"apple": {"provider": null}}}"#, "campaign"),
            (#"{"app": {"data": {"coupon": null}}}"#, "app"),
        ])
    func lastMember(patch: String, member: String) throws {
        let api = try TestAPI()
        let id = try api.create(Self.link)["id"]
        let answer = api.ask("PATCH", "links/\(id)", patch, Self.any)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(answer.object[member] == nil, "\(answer.text)")
        let others = ["page", "campaign", "app"].filter { $0 != member }
        #expect(others.allSatisfy { answer.object[$0] != nil }, "\(answer.text)")
        // There is nothing to take away any more, which is no fault.
        #expect(api.ask("PATCH", "links/\(id)", patch, Self.any).status == 200)
    }

    @Test func whatElseAChangeHasIsNotLost() throws {
        let api = try TestAPI()
        let id = try api.create(Self.link)["id"]
        let answer = api.ask(
            "PATCH", "links/\(id)",
            #"{"destination": "https://www.example.com/2", "page": {"title": null}}"#, Self.any)
        #expect(answer["destination"] == "https://www.example.com/2", "\(answer.text)")
        #expect(answer.object["page"] == nil)
    }

    @Test(
        "a text is not taken away by a patch of a member that it does not have",
        arguments: [
            (#""web": "landing""#, #"{"web": {"ios": null}}"#),
            (
                #""page": {"title": "T", "image": "https://www.example.com/a.png"}"#,
                #"{"page": {"image": {"alt": null}}}"#
            ),
        ])
    func text(members: String, patch: String) throws {
        let api = try TestAPI()
        let link = #""collection": "short", "destination": "https://www.example.com/""#
        let made = try api.create("{\(link), \(members)}")
        let answer = api.ask("PATCH", "links/\(made["id"])", patch, Self.any)
        #expect(answer.status == 422, "\(answer.text)")
        #expect(api.ask("GET", "links/\(made["id"])").text.contains(members))
    }

    @Test func whatIsWrittenEmptyIsRefused() throws {
        let api = try TestAPI()
        let id = try api.create(
            #"{"collection": "short", "slug": "e", "destination": "https://www.example.com/1"}"#)[
                "id"]
        let answer = api.ask("PATCH", "links/\(id)", #"{"page": {}}"#, Self.any)
        #expect(answer.status == 422, "\(answer.text)")
        let other = api.ask(
            "PATCH", "links/\(id)", #"{"page": {"title": null, "image": "/a.png"}}"#, Self.any)
        #expect(other.status == 200 && other.text.contains("/a.png"), "\(other.text)")
    }

    @Test func aLineOfAnImportDoesTheSame() throws {
        let api = try TestAPI()
        _ = try api.create(Self.link)
        let answer = try api.importing(
            #"{"collection": "short", "slug": "tt", "page": {"title": null}}"#,
            [(name: "mode", value: "upsert")])
        #expect("\(answer)".contains("changed"), "\(answer)")
        let id = try #require(answer[0]["id"] as? String)
        #expect(api.ask("GET", "links/\(id)").object["page"] == nil)
    }

    @Test func aTagIsKeptOnce() throws {
        let api = try TestAPI()
        let answer = try api.create(
            #"""
            {"collection": "short", "destination": "https://www.example.com/1",
             "tags": ["x", "mail", "x", "X", "mail"]}
            """#)
        #expect(answer.object["tags"] as? [String] == ["x", "mail", "X"], "\(answer.text)")
    }

    @Test(
        "an image over http is warned of, and one over https is not",
        arguments: [
            (#""http://www.example.com/a.png""#, "/page/image"),
            (
                #"{"url": "http://www.example.com/a.png", "width": 10, "height": 10}"#,
                "/page/image/url"
            ),
            (#""https://www.example.com/a.png""#, nil),
        ] as [(String, String?)])
    func imageOverHTTP(image: String, pointer: String?) throws {
        let answer = try TestAPI().create(
            #"""
            {"collection": "short", "destination": "https://www.example.com/1",
             "page": {"title": "A", "image": \#(image)}}
            """#)
        let warnings = answer.object["warnings"] as? [[String: Any]] ?? []
        #expect(warnings.compactMap { $0["pointer"] as? String } == [pointer].compactMap(\.self))
    }
}
