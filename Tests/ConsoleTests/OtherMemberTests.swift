@testable import Console
import Diagnostics
import JSONSyntax
import Testing

/// What the API can change and the form cannot.
@Suite("Changes of members without a field in the form")
struct OtherMemberTests {
    private func make(_ console: TestConsole, _ more: String = "") throws -> String {
        try console.make(
            #"{"collection": "exact", "slug": "a", "destination": "https://www.example.com/"\#(more)}"#
        )
    }

    /// What the last button of the history takes back.
    private func undo(_ console: TestConsole, _ id: String) throws -> ConsoleResponse {
        let page = PageStructure(console.get("links/\(id)").content)
        #expect(page.faults == [])
        let number = try #require(page.hidden.first { $0.0 == "number" })
        return console.post("links/\(id)/undo", [number])
    }

    @Test(
        "each is said, and taken back as a whole",
        arguments: [
            (
                #""note": "n""#, #""page": {"translations": {"de": {"title": "Neu"}}}"#,
                "Other languages"
            ),
            (
                #""page": {"translations": {"de": {"title": "Alt", "description": "D"}, "fr": {"title": "F"}}}"#,
                #""page": {"translations": {"de": {"title": "Neu", "description": null}, "fr": null}}"#,
                "Other languages"
            ),
            (
                #""page": {"title": "T"}"#,
                #""page": {"schema": {"@type": "Product", "name": "x"}}"#, "Data for search engines"
            ),
            (#""externalId": "crm:1""#, #""externalId": "crm:2""#, "Name in another system"),
            (#""externalId": "crm:1""#, #""externalId": null"#, "Name in another system"),
            (#""note": "n""#, #""campaign": {"utm": false}"#, "Pass the campaign (UTM) on"),
            (#""note": "n""#, #""page": {"index": false}"#, "In search engines"),
            (
                #""app": {"path": "/p", "minVersion": "1"}"#, #""app": {"minVersion": "2"}"#,
                "Oldest version of the app that knows the place"
            ),
            (
                #""note": "n""#, #""campaign": {"google": {"link": true}}"#,
                "Campaign on Google Play"
            ),
        ])
    func takenBack(_ more: String, _ patch: String, _ label: String) throws {
        let console = try TestConsole()
        let id = try make(console, ", " + more)
        let before = try #require(console.link(id))
        #expect(
            console.ask("PATCH", ["links", id], "{\(patch)}", ["if-match": "*"]).status == 200)
        let page = PageStructure(console.get("links/\(id)").content)
        #expect(page.text.contains("\(label): "), "\(page.text)")
        #expect(!page.hrefs.contains { $0.contains("undo=") })
        #expect(try undo(console, id).field("Location")?.hasSuffix("?done=changed") == true)
        let after = try #require(console.link(id))
        for name in ["page", "externalId", "campaign", "app", "note"] {
            #expect(after[name]?.written.compact == before[name]?.written.compact, "\(name)")
        }
    }

    @Test("each member has a name and words in each language", arguments: ConsoleLanguage.allCases)
    func words(_ language: ConsoleLanguage) throws {
        let console = try TestConsole()
        let id = try make(console)
        let patch =
            #"{"page": {"index": false, "type": "article", "breadcrumbs": [{"name": "Home", "url": "/"}], "insert": true, "#
            + #""clip": "card", "argument": "https://www.example.com/x", "twitter-card": "summary", "#
            + #""video": {"url": "https://www.example.com/v.mp4", "type": "video/mp4", "width": 9, "height": 9}}, "app": {"path": "/p", "minVersion": "2"}, "externalId": "e", "#
            + #""campaign": {"utm": true, "google": {"link": true}, "apple": {"provider": "123"}}}"#
        #expect(console.ask("PATCH", ["links", id], patch, ["if-match": "*"]).status == 200)
        let page = PageStructure(console.get("links/\(id)", as: .editor, language).content)
        console.ask("POST", ["links", id, "aliases"], #"{"slug": "herbst_7"}"#)
        let named = PageStructure(console.get("links/\(id)", as: .editor, language).content)
        #expect(
            named.text.contains(
                language == .en ? "New name: herbst_7" : "Neuer Name: herbst_7"))
        for name in ["page.", "app.", "campaign.", "false"] {
            #expect(!page.text.contains(name), "\(page.text)")
        }
        #expect(page.text.contains(language == .en ? "→ no" : "→ nein"))
        #expect(page.text.contains(language == .en ? "→ yes" : "→ ja"))
    }

    @Test func `a change of both kinds has a way back for each`() throws {
        let console = try TestConsole()
        let id = try make(console, #", "externalId": "crm:1", "note": "old""#)
        console.ask(
            "PATCH", ["links", id], #"{"externalId": "crm:2", "note": "new"}"#, ["if-match": "*"])
        #expect(
            PageStructure(console.get("links/\(id)").content).hrefs.contains {
                $0.contains("undo=")
            })
        // Each says what it takes back, and not only to screen readers.
        for label in ["Note", "Name in another system"] {
            let seen = #/<(?:p|span) class="quiet">([^<]*)</#
            #expect(
                console.get("links/\(id)").text.matches(of: seen).contains { $0.1 == label },
                "\(label)")
        }
        _ = try undo(console, id)
        #expect(console.link(id)?["externalId"]?.text == "crm:1")
        #expect(console.link(id)?["note"]?.text == "new")
    }

    /// As an import does it.
    @Test func `what was changed together with the archive can be taken back`() throws {
        let console = try TestConsole()
        let id = try make(console, #", "note": "old""#)
        func ways(_ patch: String) -> Int {
            console.ask("PATCH", ["links", id], patch, ["if-match": "*"])
            let page = PageStructure(console.get("links/\(id)").content)
            #expect(page.faults == [])
            return page.hrefs.count { $0.contains("undo=") }
        }
        #expect(ways(#"{"archived": true, "note": "new"}"#) == 1)
        // A deletion has its own button.
        #expect(ways(#"{"archived": null}"#) == 1)
        #expect(ways(#"{"archived": true, "state": "disabled"}"#) == 1)
        #expect(ways(#"{"archived": null, "state": "active"}"#) == 1)
        // A text that was changed with it comes back alone: the link would answer in the archive.
        #expect(ways(#"{"archived": true, "state": "disabled", "note": "newer"}"#) == 2)
        let hrefs = PageStructure(console.get("links/\(id)").content).hrefs
        let way = try #require(hrefs.first { $0.contains("undo=") })
        let form = PageStructure(console.get(String(way.dropFirst("/console/".utf8.count))).content)
        #expect(form.values["note"] == "new" && form.choices["state"] == "disabled")
    }

    /// What it takes back is named: the link stays in the archive.
    @Test("a member that was changed together with the archive is named", arguments: [true, false])
    func namedBesideArchive(_ isArchived: Bool) throws {
        let console = try TestConsole()
        let id = try make(console)
        let patch = #"{"externalId": "q:1"\#(isArchived ? #", "archived": true"# : "")}"#
        console.ask("PATCH", ["links", id], patch, ["if-match": "*"])
        let text = console.get("links/\(id)").text
        #expect(text.contains(#"<p class="quiet">Name in another system</p>"#) == isArchived)
        let number = try #require(PageStructure(Array(text.utf8)).hidden.first { $0.0 == "number" })
        // A second click finds that it is done.
        for _ in 0..<2 {
            let answer = console.post("links/\(id)/undo", [number])
            #expect(answer.field("Location")?.hasSuffix("?done=changed") == true)
        }
        #expect(console.link(id)?["externalId"] == nil)
        #expect((console.link(id)?["archived"]?.boolean == true) == isArchived)
    }

    @Test func `what was changed again since then is not replaced`() throws {
        let console = try TestConsole()
        let id = try make(console, #", "externalId": "crm:1""#)
        console.ask("PATCH", ["links", id], #"{"externalId": "crm:2"}"#, ["if-match": "*"])
        let page = PageStructure(console.get("links/\(id)").content)
        let number = try #require(page.hidden.first { $0.0 == "number" })
        console.ask("PATCH", ["links", id], #"{"externalId": "crm:3"}"#, ["if-match": "*"])
        let answer = console.post("links/\(id)/undo", [number])
        #expect(answer.field("Location")?.hasSuffix("?done=changed-meanwhile") == true)
        #expect(console.link(id)?["externalId"]?.text == "crm:3")
        // The last change of it alone has a button.
        let buttons = PageStructure(console.get("links/\(id)").content).hidden
        #expect(buttons.filter { $0.0 == "number" }.count == 1)
        #expect(!console.get("links/\(id)", as: .viewer).text.contains("/undo\""))
        #expect(console.post("links/\(id)/undo", [number], as: .viewer).status == 403)
    }

    @Test func `a name that another link has taken is refused with the reason`() throws {
        let console = try TestConsole()
        let id = try make(console, #", "externalId": "crm:1""#)
        console.ask("PATCH", ["links", id], #"{"externalId": "crm:2"}"#, ["if-match": "*"])
        _ = try console.make(
            #"{"collection": "exact", "destination": "https://www.example.com/", "externalId": "crm:1"}"#
        )
        let answer = try undo(console, id)
        #expect(answer.status >= 400 && PageStructure(answer.content).faults == [])
        #expect(answer.text.contains("class=\"errors\""), "\(answer.text)")
        #expect(console.link(id)?["externalId"]?.text == "crm:2")
    }
}
