@testable import Console
import JSONSyntax
import Testing

@Suite("Buttons of a page that is older than its link")
struct OldPageTests {
    private func make(_ console: TestConsole, _ more: String = "") throws -> String {
        try console.make(
            #"{"collection": "short", "destination": "https://www.example.com/"\#(more)}"#)
    }

    private func change(_ console: TestConsole, _ id: String, _ patch: String) {
        console.ask("PATCH", ["links", id], patch, ["if-match": "*"])
    }

    /// What the button sends that brings a link back.
    private func items(_ page: ConsoleResponse) -> [(String, String)] {
        let hidden = PageStructure(page.content).hidden
        let first = hidden.indices.dropLast().first {
            hidden[$0].0 == "was" && hidden[$0 + 1].0 == "tag"
        }
        return first.map { Array(hidden[$0...($0 + 1)]) } ?? []
    }

    private static let back = #"{"archived": null, "state": "active"}"#
    private static let off = #"{"archived": true, "state": "disabled"}"#

    /// A page of the link, and the list with the button that undoes a deletion.
    private func pages(_ console: TestConsole, _ id: String) throws -> [[(String, String)]] {
        let location = try #require(console.post("links/\(id)/delete", []).field("Location"))
        return [
            items(console.get("links/\(id)")),
            items(console.get(location.replacing("/console/", with: ""))),
        ]
    }

    @Test func `a link that came back meanwhile is not switched off`() throws {
        let console = try TestConsole()
        let id = try make(console, #", "state": "disabled""#)
        let forms = try pages(console, id)
        change(console, id, Self.back)
        for form in forms {
            #expect(form.map { $0.0 } == ["was", "tag"] && form.first?.1 == "disabled")
            let answer = console.post("links/\(id)/restore", form)
            #expect(answer.field("Location")?.hasSuffix("done=changed-meanwhile") == true)
            #expect(console.link(id)?["state"]?.text == "active")
        }
    }

    @Test func `a link that was deleted again meanwhile stays so`() throws {
        let console = try TestConsole()
        let id = try make(console)
        let forms = try pages(console, id)
        change(console, id, #"{"archived": null}"#)
        change(console, id, Self.off)
        for form in forms {
            let answer = console.post("links/\(id)/restore", form)
            #expect(answer.field("Location")?.hasSuffix("done=changed-meanwhile") == true)
            #expect(console.link(id)?["archived"]?.boolean == true)
        }
    }

    @Test("a button that is pressed twice does what it says", arguments: [true, false])
    func twice(_ isArchived: Bool) throws {
        let console = try TestConsole()
        let id = try make(console, #", "archived": \#(isArchived)"#)
        let undo = try pages(console, id)[1]
        for _ in 0..<2 {
            let answer = console.post("links/\(id)/restore", undo)
            #expect(answer.field("Location")?.hasSuffix("done=restored") == true)
            #expect(console.link(id)?["state"]?.text == "active")
            #expect((console.link(id)?["archived"]?.boolean == true) == isArchived)
        }
        change(console, id, #"{"archived": null}"#)
        for deed in ["disable", "enable"] {
            for _ in 0..<2 {
                let answer = console.post("links/\(id)/\(deed)", [])
                #expect(answer.field("Location")?.hasSuffix("done=\(deed)d") == true)
            }
        }
    }

    @Test("a link that was deleted meanwhile is not switched", arguments: ["enable", "disable"])
    func deleted(_ deed: String) throws {
        let console = try TestConsole()
        let id = try make(console)
        change(console, id, Self.off)
        let answer = console.post("links/\(id)/\(deed)", [])
        #expect(answer.field("Location")?.hasSuffix("done=changed-meanwhile") == true)
        #expect(console.link(id)?["state"]?.text == "disabled")
    }

    @Test func `a link of the archive that works comes back so`() throws {
        let console = try TestConsole()
        let id = try make(console, #", "state": "disabled""#)
        change(console, id, #"{"archived": true}"#)
        #expect(items(console.get("links/\(id)")).first?.1 == "disabled")
        change(console, id, #"{"state": "active"}"#)
        let form = items(console.get("links/\(id)"))
        #expect(console.post("links/\(id)/restore", form).status == 303)
        #expect(console.link(id)?["state"]?.text == "active")
        #expect(console.link(id)?["archived"]?.boolean != true)
    }

    @Test func `the undoing of a deletion of several links leaves what others have changed`() throws
    {
        let console = try TestConsole()
        let ids = try (0..<2).map { _ in try make(console) }
        #expect(
            console.post("links/selected", ids.map { ("id", $0) } + [("do", "archive")]).status
                == 303)
        change(console, ids[0], #"{"archived": null}"#)
        let answer = console.post("links/selected", ids.map { ("id", $0) } + [("do", "restore")])
        #expect(answer.field("Location")?.contains("count=1&same=1") == true)
        #expect(ids.map { console.link($0)?["state"]?.text } == ["disabled", "active"])
    }
}
