import Foundation
import LinkAPI
import LinkStore
import Testing

/// What imports say of lines that they take, and of identities.
@Suite struct ImportNoteTests {
    private func pointers(_ line: [String: Any]) -> [String] {
        (line["warnings"] as? [[String: Any]] ?? []).compactMap { $0["pointer"] as? String }
    }

    private static let line =
        #"{"collection": "short", "web": {"desktop": "/nosuch", "ios": "/s/page.html"}, "#
        + #""destination": "https://www.example.com/", "page": {"title": "T", "image": "/no.png"}}"#

    @Test func missingFilesAreWarnedOfLikeInRequests() throws {
        let api = try TestAPI()
        let made = try api.create(Self.line).object["warnings"] as? [[String: Any]]
        #expect(
            (made ?? []).compactMap { $0["pointer"] as? String } == ["/web/desktop", "/page/image"])
        let answer = try api.importing([Self.line, Self.line].joined(separator: "\n"))
        #expect(counts(answer) == [2, 0, 0, 0], "\(answer)")
        #expect(pointers(answer[0]) == ["/web/desktop", "/page/image"], "\(answer)")
        // Each file once.
        #expect(pointers(answer[1]) == [], "\(answer)")
        let table = try api.importing(
            "collection,slug,destination,page.title,page.image\n"
                + "short,t,https://www.example.com/,T,/no.png\n", type: "text/csv")
        let warnings = table[0]["warnings"] as? [[String: Any]] ?? []
        #expect(warnings.compactMap { $0["heading"] as? String } == ["page.image"], "\(table)")
    }

    /// Answers have room for so many warnings, so that they are not longer than content by far.
    @Test func warningsAreBounded() throws {
        let api = try TestAPI()
        let lines = (0..<12_000).map {
            #"{"collection": "short", "slug": "w\#($0)", "destination": "https://www.example.com/%"}"#
        }
        let answer = try api.importing(lines.joined(separator: "\n"))
        #expect(counts(answer) == [12_000, 0, 0, 0])
        #expect(answer.count { $0["warnings"] != nil } == 10_000)
        // Those without room are counted.
        func warned(_ answer: [[String: Any]]) -> Int? { summary(answer)["warned"] as? Int }
        #expect(warned(answer) == 12_000)
        let upsert = [(name: "mode", value: "upsert"), (name: "report", value: "refused")]
        let again = try api.importing(lines.joined(separator: "\n"), upsert)
        #expect(counts(again) == [0, 0, 12_000, 0] && warned(again) == 12_000)
        #expect(again.count == 10_001)
        // A refused line is counted as one.
        let refused = try api.importing(lines[0] + "\n{}\n")
        #expect(counts(refused) == [0, 0, 0, 2] && warned(refused) == 0, "\(refused)")
        let plain = #"{"collection": "short", "destination": "https://www.example.com/"}"#
        #expect(warned(try api.importing(plain)) == 0)
    }

    /// Answers have room for so many bytes of warnings, too.
    @Test func warningsWithoutRoomAreCounted() throws {
        let api = try TestAPI()
        let url = "https://www.example.com/%" + String(repeating: "z", count: 200)
        let web = ["ios", "ipad", "android", "desktop", "default"].map { #""\#($0)": "\#(url)""# }
            .joined(separator: ", ")
        let lines = (0..<4_000).map {
            #"{"collection": "short", "slug": "b\#($0)", "destination": "\#(url)", "web": {\#(web)}}"#
        }
        let answer = try api.importing(lines.joined(separator: "\n"))
        let listed = answer.count { $0["warnings"] != nil }
        #expect(summary(answer)["warned"] as? Int == 4_000 && listed < 4_000, "\(listed)")
    }

    @Test func anIdOfAnotherLinkIsNamed() throws {
        let api = try TestAPI()
        let id = try api.create(
            #"{"collection": "exact", "slug": "e", "destination": "https://a.example/"}"#)["id"]
        func line(_ collection: String) -> String {
            #"{"id": "\#(id)", "collection": "short", "slug": "n", "destination": "https://www.example.com/"}"#
        }
        let answer = try api.importing(line("short"))
        #expect(counts(answer) == [0, 0, 0, 1])
        #expect("\(answer[0])".contains(#"the link \"exact/e\" has this id"#), "\(answer)")
        let token = api.ask(
            "POST", "tokens",
            #"{"name": "t", "scopes": ["links.create"], "collections": ["short"]}"#)["token"]
        let hidden = try api.importing(line("short"), token: token)
        #expect(counts(hidden) == [1, 0, 0, 0] && hidden[0]["id"] as? String != id, "\(hidden)")
    }

    @Test(arguments: [
        ("https://www.example.com/%", false), ("https://www.example.com/%zz", false),
        ("https://www.example.com/?q=100%2", false), ("https://www.example.com/%25", true),
        ("https://www.example.com/?q=%C3%A4", true),
    ])
    func aPercentSignBeginsAnEscape(url: String, isTaken: Bool) throws {
        let api = try TestAPI()
        let status = isTaken ? 201 : 422
        let answer = api.ask(
            "POST", "links", #"{"collection": "short", "destination": "\#(url)"}"#)
        #expect(answer.status == status, "\(answer.text)")
        let platform = api.ask(
            "POST", "links",
            #"{"collection": "short", "destination": "https://www.example.com/", "web": {"ios": "\#(url)"}}"#
        )
        #expect(platform.status == status, "\(platform.text)")
        // Exports have such links, and a link that has one can be changed otherwise.
        let line =
            #"{"collection": "short", "slug": "i", "destination": "\#(url)", "after": "\#(url)", "until": "2030-01-01T00:00:00Z"}"#
        let imported = try api.importing(line)
        #expect(counts(imported) == [1, 0, 0, 0], "\(imported)")
        #expect(pointers(imported[0]).contains("/destination") == !isTaken, "\(imported)")
        let id = try #require(try api.store.link("short", slug: "i")?.id)
        let changed = api.ask("PATCH", "links/\(id)", #"{"note": "n"}"#, ["if-match": "*"])
        #expect(changed.status == 200, "\(changed.text)")
        let other = api.ask(
            "PATCH", "links/\(id)", #"{"destination": "https://www.example.com/other%"}"#,
            ["if-match": "*"])
        #expect(other.status == 422, "\(other.text)")
    }
}
