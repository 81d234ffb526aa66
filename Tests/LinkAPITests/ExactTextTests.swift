import Associations
import LinkAPI
import Testing

/// Texts are compared by their bytes, and none of them makes that slow.
@Suite("Texts that look alike")
struct ExactTextTests {
    private static let any = ["if-match": "*"]
    private static let link = #""collection": "short", "destination": "https://www.example.com/""#

    @Test(
        "a change of one form into another is made",
        arguments: [
            #"{"note": "T"}"#, #"{"tags": ["T"]}"#, #"{"page": {"title": "T"}}"#,
            #"{"app": {"data": {"a": ["T"]}}}"#, #"{"externalId": "T"}"#,
        ])
    func forms(_ patch: String) throws {
        for (before, after) in [("caf\u{E9}", "cafe\u{301}"), ("\u{212A}", "K"), ("\u{37E}", ";")] {
            let api = try TestAPI()
            let made = try api.create("{\(Self.link)}")
            let path = "links/\(made["id"])"
            func change(_ text: String) -> APIResponse {
                api.ask("PATCH", path, patch.replacing("T", with: text), Self.any)
            }
            let first = change(before)
            let second = change(after)
            #expect(second.status == 200, "\(second.text)")
            #expect(first.fields["ETag"] != second.fields["ETag"])
            #expect(
                second.text.unicodeScalars.split(separator: "\"").contains {
                    $0.elementsEqual(after.unicodeScalars)
                })
            #expect(change(after).fields["ETag"] == second.fields["ETag"])
        }
    }

    private static let most = "a" + String(repeating: "\u{301}\u{323}", count: 15)

    @Test(
        "thirty combining marks in a row are taken, and one more is refused",
        arguments: [
            (#""note": "T""#, "/note"), (#""page": {"title": "T"}"#, "/page/title"),
            (#""app": {"data": {"T": 1}}"#, "/app/data"),
            (#""tags": ["b", "T"]"#, "/tags/1"),
        ])
    func marks(_ members: String, _ pointer: String) throws {
        let api = try TestAPI()
        func make(_ text: String) -> APIResponse {
            api.ask("POST", "links", "{\(Self.link), \(members.replacing("T", with: text))}")
        }
        #expect(make(Self.most).status == 201)
        let refused = make(Self.most + "\u{301}")
        #expect(refused.status == 422)
        #expect(
            refused.text.contains("more than 30 combining marks in a row")
                && refused.text.contains(#""pointer": "\#(pointer)""#), "\(refused.text)")
    }

    @Test func `columns that look alike are two, as members are`() throws {
        let api = try TestAPI()
        let table =
            "collection,destination,app.data.caf\u{E9},app.data.cafe\u{301}\nshort,https://www.example.com/,1,2\n"
        let answer = try api.importing(table, type: "text/csv")
        #expect(counts(answer) == [1, 0, 0, 0], "\(answer)")
        let link = api.ask("GET", "links").text.unicodeScalars
        for member in ["\"caf\u{E9}\": \"1\"", "\"cafe\u{301}\": \"2\""] {
            #expect(link.firstRange(of: member.unicodeScalars) != nil, "\(member)")
        }
        let twice = table.replacing("cafe\u{301}", with: "caf\u{E9}")
        let refused = try api.importing(twice, type: "text/csv")
        #expect("\(refused)".contains("are both"), "\(refused)")
    }

    @Test("the name in the path is that of the link", arguments: ["null", "5", #""other""#])
    func named(_ value: String) throws {
        let api = try TestAPI()
        let path = "links/by-external-id/order"
        #expect(api.ask("PUT", path, "{\(Self.link)}", Self.any).status == 201)
        let refused = api.ask("PUT", path, "{\(Self.link), \"externalId\": \(value)}", Self.any)
        #expect(refused.status == 422, "\(refused.text)")
        let same = #"{\#(Self.link), "externalId": "order"}"#
        #expect(api.ask("PUT", path, same, Self.any).status == 200)
        #expect(api.ask("PUT", path, "{\(Self.link)}", Self.any).status == 200)
    }
}
