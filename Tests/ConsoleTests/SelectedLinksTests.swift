@testable import Console
import JSONSyntax
import Testing

@Suite("Several links at once, and their list as a table")
struct SelectedLinksTests {
    private func make(_ console: TestConsole, _ slug: String, _ more: String = "") throws -> String
    {
        try console.make(
            #"{"collection": "short", "slug": "\#(slug)", "destination": "https://www.example.com/"\#(more)}"#
        )
    }

    private func tags(_ console: TestConsole, _ id: String) -> [String] {
        (console.link(id)?["tags"]?.elements ?? []).compactMap(\.text)
    }

    @Test func `selected links are changed, and others are not`() throws {
        let console = try TestConsole()
        let ids = try ["a", "b", "c"].map { try make(console, $0, #", "tags": ["old"]"#) }
        let chosen = ids.prefix(2).map { ("id", $0) }
        let form = chosen + [("do", "tag"), ("value", "new"), ("filter.tag", "old")]
        let answer = console.post("links/selected", form)
        #expect(answer.status == 303)
        let query = "done=tag&count=2&value=new&id=\(ids[0])&id=\(ids[1])&tag=old"
        #expect(answer.field("Location") == "/console/links?\(query)")
        #expect(ids.map { tags(console, $0) } == [["old", "new"], ["old", "new"], ["old"]])
        let end = [("do", "extend"), ("value", "2030-01-01T00:00")]
        #expect(console.post("links/selected", chosen + end).status == 303)
        #expect(console.link(ids[1])?["until"]?.text == "2030-01-01T00:00:00Z")
        #expect(console.post("links/selected", chosen + [("do", "archive")]).status == 303)
        #expect(ids.map { console.link($0)?["archived"]?.boolean == true } == [true, true, false])
    }

    @Test func `the end of a change says what it did, and to how many`() throws {
        let console = try TestConsole()
        let ids = [try make(console, "a", #", "tags": ["new"]"#), try make(console, "b")]
        let chosen = ids.map { ("id", $0) }
        func said(_ form: [(String, String)], _ language: ConsoleLanguage = .en) -> String {
            let path = console.post("links/selected", chosen + form).field("Location") ?? ""
            return PageStructure(
                console.get(String(path.dropFirst("/console/".utf8.count)), language).content
            ).text
        }
        let tagged = said([("do", "tag"), ("value", "new")])
        #expect(tagged.contains("Tagged with new: 1 link. There was nothing to change in 1 link."))
        let end = said([("do", "extend"), ("value", "2030-01-01")], .de)
        #expect(
            end.contains("Enden jetzt 01.01.2030 23:59 UTC: 2 Links.") && !end.contains("nichts"))
        let tags = (10..<30).map { String(repeating: "x", count: 60) + "\($0)" }
            .joined(separator: ",")
        let long = said([("do", "tag"), ("value", tags)])
        #expect(long.contains("Tagged with …: 2 links."))
    }

    @Test func `an end is read as people write it, and what is none is said once`() throws {
        let console = try TestConsole()
        let ids = [try make(console, "a"), try make(console, "b")]
        func extend(_ end: String) -> String? {
            let chosen = ids.map { ("id", $0) }
            let form = chosen + [("do", "extend"), ("value", end)]
            return console.post("links/selected", form).field("Location")
        }
        _ = extend("31.12.2030 10:00")
        #expect(console.link(ids[1])?["until"]?.text == "2030-12-31T10:00:00Z")
        let none = extend("12/01/2030") ?? ""
        #expect(none.contains("done=end-unread"))
        #expect(console.link(ids[1])?["until"]?.text == "2030-12-31T10:00:00Z")
    }

    @Test func `a tag with a comma is one`() throws {
        let console = try TestConsole()
        let id = try make(console, "a", #", "tags": ["one, two"]"#)
        let form = [("id", id), ("do", "tag"), ("value", "\"mail, news\", print")]
        #expect(console.post("links/selected", form).status == 303)
        #expect(tags(console, id) == ["one, two", "mail, news", "print"])
        let gone = [("id", id), ("do", "untag"), ("value", "\"one, two\"")]
        #expect(console.post("links/selected", gone).status == 303)
        #expect(tags(console, id) == ["mail, news", "print"])
    }

    @Test func `a value that is too long for a URL is left out, and the numbers are not`() throws {
        let console = try TestConsole()
        let tags = (0..<99).map { String(repeating: "x", count: 60) + "\($0)" }
        let list = tags.map { "\"\($0)\"" }.joined(separator: ",")
        let ids = [try make(console, "a", ", \"tags\": [\(list)]"), try make(console, "b")]
        let form = [("do", "tag"), ("value", tags.joined(separator: ","))]
        let answer = console.post("links/selected", ids.map { ("id", $0) } + form)
        let path = answer.field("Location") ?? ""
        #expect(path.hasPrefix("/console/links?done=tag&count=1&same=1&value="), "\(path)")
        #expect(!path.contains("xxx") && self.tags(console, ids[1]) == tags)
    }

    @Test("a selection that says nothing changes nothing", arguments: ["untag", "extend", "tag"])
    func nothing(_ deed: String) throws {
        let console = try TestConsole()
        let id = try make(console, "a")
        let form = [("do", deed), ("value", " "), ("id", id)]
        let answer = console.post("links/selected", form)
        #expect(answer.field("Location")?.contains("nothing-selected") == true)
        #expect(tags(console, id) == [])
        #expect(console.post("links/selected", form, as: .viewer).status == 403)
    }

    @Test func `what is refused is named, and the rest is changed`() throws {
        let console = try TestConsole()
        let id = try make(console, "a")
        let gone = "01900000-0000-7000-8000-000000000000"
        let answer = console.post(
            "links/selected", [("id", gone), ("id", id), ("do", "tag"), ("value", "t")])
        let page = PageStructure(answer.content)
        #expect(answer.status == 422 && page.faults == [])
        #expect(page.text.contains("Changed: 1. Not changed: 1") && tags(console, id) == ["t"])
        let wrong = console.post(
            "links/selected",
            [("id", id), ("do", "tag"), ("value", String(repeating: "x", count: 65))])
        #expect(
            wrong.status == 422
                && PageStructure(wrong.content).hrefs.contains("/console/links/\(id)"))
    }

    @Test func `a table has all links of the list, and nothing that is computed`() throws {
        let console = try TestConsole()
        for number in 1...210 { _ = try make(console, "n\(number)", #", "tags": ["all"]"#) }
        _ = try make(console, "odd", #", "note": "=HYPERLINK(\"x\")", "tags": ["one, two"]"#)
        let all = console.get("links.csv")
        let lines = String(decoding: all.content.dropFirst(3), as: UTF8.self).split(
            separator: "\r\n")
        #expect(
            all.type == "text/csv; charset=utf-8" && all.content.prefix(3) == [0xEF, 0xBB, 0xBF])
        // An export, which can be imported, is links.csv.
        #expect(
            all.fields.contains {
                $0.name == "Content-Disposition" && $0.value.contains("list-of-links.csv")
            })
        #expect(
            lines.count == 212 && lines[1].contains(#""'=HYPERLINK(""x"")""#)
                && lines[1].contains(#""""one, two""""#), "\(lines[1])")
        #expect(lines[0].hasPrefix("id,collection,slug,url,title,"))
        #expect(lines[0].hasSuffix(",from (UTC),until (UTC),created (UTC)"))
        #expect(lines[2].hasSuffix(",active,false,,,2027-01-15 08:00:00"), "\(lines[2])")
        let some = console.get("links.csv?tag=all").text.split(separator: "\r\n")
        #expect(some.count == 211 && some[1].contains("https://go.example.com/s/n210"))
        #expect(console.get("links.csv?collection=shart").status == 400)
    }

    /// What the button of the page does to which a form has led.
    private func undo(_ console: TestConsole, _ answer: ConsoleResponse) throws {
        let location = try #require(answer.field("Location"))
        let page = PageStructure(
            console.get(location.replacing("/console/", with: "")).content)
        #expect(page.faults == [])
        let end = try #require(page.hidden.firstIndex { $0.0.hasPrefix("filter.") })
        #expect(page.hidden[end] == ("filter.state", "all"))
        #expect(
            console.post("links/selected", Array(page.hidden[...end])).status == 303)
    }

    @Test func `a deletion of several links is undone as a whole`() throws {
        let console = try TestConsole()
        let ids = try ["a", "b"].map { try make(console, $0) }
        console.ask("PATCH", ["links", ids[1]], #"{"state": "disabled"}"#, ["if-match": "*"])
        let form = ids.map { ("id", $0) } + [("do", "archive"), ("filter.state", "all")]
        let answer = console.post("links/selected", form)
        #expect(ids.allSatisfy { console.link($0)?["archived"]?.boolean == true })
        try undo(console, answer)
        #expect(ids.allSatisfy { console.link($0)?["archived"]?.boolean != true })
        #expect(ids.map { console.link($0)?["state"]?.text } == ["active", "disabled"])
    }

    @Test func `the undoing of a deletion leaves what it did not change`() throws {
        let console = try TestConsole()
        let states = ["", #", "archived": true"#, #", "state": "disabled""#]
        let ids = try states.enumerated().map { try make(console, "s\($0)", $1) }
        let both = try make(console, "b", #", "archived": true, "state": "disabled""#)
        let before = ids.map { console.link($0)?["state"]?.text }
        let form = (ids + [both]).map { ("id", $0) } + [("do", "archive"), ("filter.state", "all")]
        let answer = console.post("links/selected", form)
        #expect(answer.field("Location")?.contains("count=3&same=1") == true)
        #expect(ids.allSatisfy { console.link($0)?["state"]?.text == "disabled" })
        try undo(console, answer)
        #expect(
            ids.map { console.link($0)?["archived"]?.boolean == true } == [false, true, false])
        #expect(ids.map { console.link($0)?["state"]?.text } == before)
        #expect(console.link(both)?["archived"]?.boolean == true)
        #expect(console.link(both)?["state"]?.text == "disabled")
    }

    @Test("one deletion is undone in the same way", arguments: [true, false])
    func oneDeletion(_ isArchived: Bool) throws {
        let console = try TestConsole()
        let id = try make(console, "a", #", "archived": \#(isArchived)"#)
        let answer = console.post("links/\(id)/delete", [])
        #expect(console.link(id)?["state"]?.text == "disabled")
        let location = try #require(answer.field("Location"))
        let page = PageStructure(console.get(location.replacing("/console/", with: "")).content)
        let was = try #require(page.hidden.first { $0.0 == "was" })
        #expect(console.post("links/\(id)/restore", [was]).status == 303)
        #expect((console.link(id)?["archived"]?.boolean == true) == isArchived)
        #expect(console.link(id)?["state"]?.text == "active")
        console.ask(
            "PATCH", ["links", id], #"{"archived": true, "state": "disabled"}"#, ["if-match": "*"])
        let none = console.post("links/\(id)/delete", []).field("Location")
        #expect(none?.hasSuffix("done=unchanged") == true)
    }

    @Test(
        "removed tags come back to their places",
        arguments: ["a", "c, a", "d", "b, c, d", "d, c, b, a"])
    func places(_ value: String) throws {
        let console = try TestConsole()
        let all = ["a", "b", "c", "d"]
        let ids = [
            try make(console, "l1", #", "tags": ["a", "b", "c", "d"]"#),
            try make(console, "l2", #", "tags": ["d", "e", "a"]"#),
        ]
        let form = ids.map { ("id", $0) } + [("value", value), ("filter.state", "all")]
        let removed = console.post("links/selected", form + [("do", "untag")])
        #expect(tags(console, ids[0]).count < all.count)
        try undo(console, removed)
        #expect(ids.map { tags(console, $0) } == [all, ["d", "e", "a"]])
    }

    @Test func `tags are split at commas, and undone of each link as far as they were new`() throws
    {
        let console = try TestConsole()
        let ids = [try make(console, "a", #", "tags": ["x", "y"]"#), try make(console, "b")]
        let form = ids.map { ("id", $0) } + [("value", " y, z,"), ("filter.state", "all")]
        let added = console.post("links/selected", form + [("do", "tag")])
        #expect(ids.map { tags(console, $0) } == [["x", "y", "z"], ["y", "z"]])
        try undo(console, added)
        #expect(ids.map { tags(console, $0) } == [["x", "y"], []])
        let removed = console.post("links/selected", form + [("do", "untag")])
        #expect(ids.map { tags(console, $0) } == [["x"], []])
        #expect(removed.field("Location")?.contains("count=1&") == true)
        try undo(console, removed)
        #expect(ids.map { tags(console, $0) } == [["x", "y"], []])
    }

    /// All fields of an answer together have 8,192 bytes.
    @Test func `what undoes a change is left out where a URL has no room for it`() throws {
        let console = try TestConsole()
        let ids = try (1...50).map { try make(console, "s\($0)", #", "tags": ["Sommer"]"#) }
        for (value, hasUndo) in [
            ("Sommer,b", true), ("Sommer,c,\(String(repeating: "ü", count: 20))", false),
        ] {
            let form = ids.map { ("id", $0) } + [("do", "tag"), ("value", value)]
            let answer = console.post("links/selected", form)
            let location = try #require(answer.field("Location"))
            #expect(answer.status == 303 && location.utf8.count <= 6_000)
            #expect(location.contains("count=50") && location.contains("&id=") == hasUndo)
        }
        let nothing = console.post(
            "links/selected", [("do", "tag"), ("value", String(repeating: "a", count: 9_000))])
        #expect(nothing.field("Location").map { $0.utf8.count <= 6_000 } == true)
    }

    @Test("too many links, or an end that is over, change nothing", arguments: [true, false])
    func refusedWhole(_ isOver: Bool) throws {
        let console = try TestConsole()
        let id = try make(console, "a")
        let form = isOver ? [("do", "extend"), ("value", "2020-01-01T00:00")] : [("do", "archive")]
        let ids = [id] + (isOver ? [] : (1...50).map { "x\($0)" })
        let answer = console.post("links/selected", ids.map { ("id", $0) } + form)
        let location = try #require(answer.field("Location"))
        #expect(location.contains(isOver ? "end-is-over" : "too-many-selected"))
        #expect(console.link(id)?["until"] == nil && console.link(id)?["archived"]?.boolean != true)
        // The list has what was chosen.
        let page = console.get(location.replacing("/console/", with: ""))
        #expect(page.text.contains("value=\"\(id)\" checked") && page.text.contains("Nothing was"))
        #expect(PageStructure(page.content).choices["do"] == (isOver ? "extend" : "archive"))
    }
}
