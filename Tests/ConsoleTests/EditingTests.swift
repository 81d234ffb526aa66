@testable import Console
import Diagnostics
import JSONSyntax
import Testing

@Suite("Making and changing links by forms")
struct EditingTests {
    @Test func `a picture is kept, and campaigns that were used are offered`() throws {
        let console = try TestConsole()
        let made = console.post(
            "new",
            [
                ("collection", "short"), ("slug", "a"), ("destination", "https://www.example.com/"),
                ("image", "https://www.example.com/a.png"), ("utm_source", "news\"letter"),
                ("utm_campaign", "spring"),
            ])
        let id = try #require(made.linkID, "\(made.text)")
        #expect(console.link(id)?["page"]?["image"]?.text == "https://www.example.com/a.png")
        let page = PageStructure(console.get("links/\(id)/edit").content)
        #expect(page.faults == [] && page.values["image"] == "https://www.example.com/a.png")
        let form = page.form.filter { $0.0 != "image" } + [("image", "")]
        #expect(console.post("links/\(id)/edit", form + [("do", "save")]).status == 303)
        #expect(console.link(id)?["page"] == nil || console.link(id)?["page"]?["image"] == nil)
        let new = console.get("new")
        #expect(PageStructure(new.content).faults == [])
        #expect(
            new.text.contains(
                "<datalist id=\"utm_source-used\">\n<option value=\"news&quot;letter\">"))
        #expect(!new.text.contains("utm_medium-used"))
        let refused = console.post(
            "new", form.filter { $0.0 != "image" } + [("image", "no picture")])
        #expect(
            refused.status == 422
                && refused.text.contains("id=\"image-faults\" aria-live=\"polite\"><p"))
    }

    private let new = [
        ("collection", "short"), ("slug", "spring"),
        ("destination", "https://www.example.com/x?a=1#f"),
        ("title", "Spring"), ("utm_source", "mail"), ("tags", "a, b c,,"), ("note", "one\r\ntwo"),
        ("ios", "url"), ("ios-url", "https://www.example.com/ios"), ("android", "store"),
        ("until", "2030-01-01T00:00"), ("after", "landing"), ("app-path", "/p"),
        ("app-data", "k=v\r\nempty="), ("do", "save"),
    ]

    /// The items of the form of a link's page, with some of them changed.
    private func form(
        _ console: TestConsole, _ id: String, _ changes: [String: String]
    ) throws -> [(String, String)] {
        let answer = console.ask("GET", ["links", id])
        let link = try #require(answer.json)
        let seen = LinkForm(link: link)
        var items = [("tag", answer.fields["ETag"] ?? ""), ("do", "save")]
        for field in LinkField.allCases {
            items.append(("was.\(field.rawValue)", seen[field]))
            items.append((field.rawValue, changes[field.rawValue] ?? seen[field]))
        }
        return items
    }

    @Test func `a link is made with everything that the form has`() throws {
        let console = try TestConsole()
        let answer = console.post("new", new)
        #expect(answer.status == 303)
        let id = try #require(answer.linkID)
        let link = try #require(console.link(id))
        #expect(link["slug"]?.text == "spring")
        #expect(
            link["destination"]?.text == "https://www.example.com/x?a=1&utm_source=mail#f")
        #expect(link["page"]?["title"]?.text == "Spring")
        #expect(link["tags"]?.elements?.compactMap(\.text) == ["a", "b c"])
        #expect(link["note"]?.text == "one\ntwo")
        #expect(link["web"]?["ios"]?.text == "https://www.example.com/ios")
        #expect(link["web"]?["android"]?.text == "store" && link["web"]?["desktop"] == nil)
        #expect(link["until"]?.text == "2030-01-01T00:00:00Z" && link["after"]?.text == "landing")
        #expect(link["app"]?["data"]?.written.compact == #"{"k": "v", "empty": ""}"#)
    }

    @Test(
        arguments: [
            // The destination that is typed, what is typed into the field, and what is kept.
            ("/y?utm_source=new", nil, "/y?utm_source=new"),
            ("/x?utm_source=new", nil, "/x?utm_source=new"),
            ("/y?utm_sourc%65=new", nil, "/y?utm_sourc%65=new"),
            ("/y?utm_source=a&utm_source=b", nil, "/y?utm_source=a&utm_source=b"),
            ("/y?utm_source=new", "typed", "/y?utm_source=typed"),
            ("/y?utm_source=new", "", "/y?utm_source=new"),
            ("/y?utm_medium=new", nil, "/y?utm_medium=new&utm_source=mail"),
            ("/y", nil, "/y?utm_source=mail"),
            ("/x?a=1", "", "/x?a=1"),
        ])
    func `the campaign of a destination that is typed counts before a field that nobody touched`(
        destination: String, source: String?, kept: String
    ) throws {
        let console = try TestConsole()
        let made = console.post(
            "new",
            [
                ("collection", "short"), ("slug", "a"),
                ("destination", "https://www.example.com/x?utm_source=mail"),
            ])
        let id = try #require(made.linkID)
        var changes = ["destination": "https://www.example.com\(destination)"]
        changes["utm_source"] = source
        #expect(console.post("links/\(id)/edit", try form(console, id, changes)).status == 303)
        #expect(console.link(id)?["destination"]?.text == "https://www.example.com\(kept)")
    }

    @Test func `a refused form says so above and beside its fields`() throws {
        let console = try TestConsole()
        let answer = console.post(
            "new",
            [
                ("collection", "short"), ("slug", "a b"), ("destination", "https://evil.example/"),
                ("title", "T"), ("ios", "url"), ("ios-url", "https://evil.example/ios"),
            ])
        #expect(answer.status == 422)
        let page = PageStructure(answer.content)
        #expect(page.faults == [])
        #expect(page.ids.contains("errors"))
        #expect(Set(page.hrefs).isSuperset(of: ["#slug", "#destination", "#ios"]))
        #expect(page.tags.contains { $0.hasPrefix("input id name aria-describedby aria-invalid") })
        #expect(page.text.contains("Error: Make") || answer.text.contains("<title>Error: New link"))
        #expect(page.values["title"] == "T")
        // The nearest that is accepted.
        let accepted = console.post(
            "new",
            [
                ("collection", "short"), ("slug", "a-b"),
                ("destination", "https://www.example.com/"),
                ("title", "T"),
            ])
        #expect(accepted.status == 303)
    }

    @Test func `a check makes nothing`() throws {
        let console = try TestConsole()
        let answer = console.post("new", Array(new.dropLast()) + [("do", "check")])
        #expect(answer.status == 200 && answer.text.contains("That works"))
        #expect(console.ask("GET", ["links"]).json?["links"]?.elements?.count == 0)
        let wrong = console.post("new", [("destination", "x"), ("do", "check")])
        #expect(PageStructure(wrong.content).ids.contains("errors"))
        let live = console.post("check", [("collection", "short"), ("destination", "x")])
        #expect(live.type == "application/json" && live.text.contains(#""field": "destination""#))
    }

    @Test func `a change sends what was changed, and nothing else`() throws {
        let console = try TestConsole()
        let id = try #require(console.post("new", new).linkID)
        var questions = [String]()
        console.before = { question in
            guard question.method == "PATCH" else { return }
            questions.append(String(decoding: question.content ?? [], as: UTF8.self))
        }
        let changes = [
            "title": "Summer", "utm_source": "", "android": "", "note": "", "app-data": "k=w",
        ]
        let answer = console.post("links/\(id)/edit", try form(console, id, changes))
        #expect(answer.status == 303)
        #expect(
            questions == [
                #"{"destination": "https://www.example.com/x?a=1#f", "page": {"title": "Summer"}, "#
                    + #""web": {"android": null}, "app": {"data": {"k": "w", "empty": null}}, "#
                    + #""note": null}"#
            ])
        let link = console.link(id)
        #expect(link?["app"]?["data"]?.written.compact == #"{"k": "w"}"#)
        #expect(link?["app"]?["path"]?.text == "/p")
        questions = []
        let same = console.post("links/\(id)/edit", try form(console, id, [:]))
        #expect(same.field("Location")?.hasSuffix("done=unchanged") == true && questions == [])
    }

    @Test func `an action for everybody is replaced as one`() throws {
        let console = try TestConsole()
        let id = try console.make(
            #"{"collection": "short", "destination": "https://www.example.com/", "web": "landing"}"#
        )
        let answer = console.post("links/\(id)/edit", try form(console, id, ["ios": "store"]))
        #expect(answer.status == 303)
        #expect(
            console.link(id)?["web"]?.written.compact
                == #"{"ios": "store", "default": "landing"}"#)
        let none = console.post(
            "links/\(id)/edit", try form(console, id, ["ios": "", "default": ""]))
        #expect(none.status == 303 && console.link(id)?["web"] == nil)
    }

    @Test func `the page of a link has words for each action`() throws {
        let console = try TestConsole()
        let id = try console.make(
            #"{"collection": "short", "destination": "https://www.example.com/", "web": {"ios": "store", "android": "gone", "default": "not-found"}}"#
        )
        let text = PageStructure(console.get("links/\(id)").content).text
        for words in [ConsoleText.actionGone, .actionNotFound, .actionStore] {
            #expect(text.contains(words(.en)), "\(text)")
        }
    }

    @Test func `the page of a link has the end of a day with its zone`() throws {
        let console = try TestConsole()
        let form = new.filter { $0.0 != "until" } + [("until", "31.12.2030")]
        let id = try #require(console.post("new", form).linkID)
        let page = PageStructure(console.get("links/\(id)", as: .editor, .de).content)
        #expect(page.text.contains("31.12.2030 23:59 UTC"))
    }

    @Test func `who edits what another has changed sees what, and keeps the rest`() throws {
        let console = try TestConsole()
        let id = try #require(console.post("new", new).linkID)
        let items = try form(console, id, ["title": "Mine", "note": "mine"])
        console.ask(
            "PATCH", ["links", id], #"{"page": {"title": "Theirs"}, "tags": ["theirs"]}"#,
            ["if-match": "*"])
        let answer = console.post("links/\(id)/edit", items)
        #expect(answer.status == 409)
        let page = PageStructure(answer.content)
        #expect(page.faults == [] && page.text.contains("while you were editing it"))
        #expect(page.text.contains("Theirs") && page.text.contains("Spring"))
        #expect(page.values["title"] == "Mine" && page.values["note"] == "mine")
        #expect(page.values["tags"] == "theirs")
        #expect(console.link(id)?["page"]?["title"]?.text == "Theirs")
        // Sent again as it is, it is saved.
        let again = console.post("links/\(id)/edit", page.form)
        #expect(again.status == 303)
        #expect(console.link(id)?["page"]?["title"]?.text == "Mine")
        #expect(console.link(id)?["tags"]?.elements?.compactMap(\.text) == ["theirs"])
    }

    @Test func `what another has changed stands in the words of the form`() throws {
        let console = try TestConsole()
        let id = try #require(console.post("new", new).linkID)
        let items = try form(console, id, ["title": "Mine"])
        console.ask(
            "PATCH", ["links", id], #"{"state": "disabled", "page": {"title": "active"}}"#,
            ["if-match": "*"])
        let text = PageStructure(console.post("links/\(id)/edit", items).content).text
        #expect(text.contains("Switched off") && !text.contains("disabled"), "\(text)")
        #expect(text.contains("active"))
    }

    @Test func `a change between look and save is a conflict, too`() throws {
        let console = try TestConsole()
        let id = try #require(console.post("new", new).linkID)
        let items = try form(console, id, ["title": "Mine"])
        console.before = { question in
            guard question.method == "PATCH" else { return }
            console.before = { _ in }
            console.ask("PATCH", ["links", id], #"{"note": "n"}"#, ["if-match": "*"])
        }
        #expect(console.post("links/\(id)/edit", items).status == 409)
        #expect(console.link(id)?["page"]?["title"]?.text == "Spring")
    }

    @Test func `a deleted link comes back with one button`() throws {
        let console = try TestConsole()
        let id = try #require(console.post("new", new).linkID)
        let answer = console.post("links/\(id)/delete", [])
        #expect(answer.status == 303)
        #expect(console.link(id)?["state"]?.text == "disabled")
        let list = try #require(answer.field("Location")).replacing("/console/", with: "")
        let page = console.get(list)
        #expect(page.text.contains("/console/links/\(id)/restore"))
        #expect(!console.get(list, as: .viewer).text.contains("/restore"))
        #expect(console.post("links/\(id)/restore", [("was", "active")]).status == 303)
        #expect(
            console.link(id)?["state"]?.text == "active" && console.link(id)?["archived"] == nil)
    }

    @Test(
        "a link of the archive comes back as it was",
        arguments: [
            ([], "active"), (["disable"], "disabled"), (["disable", "enable"], "active"),
            (["delete", "restore", "disable"], "disabled"),
        ] as [([String], String)])
    func restored(_ before: [String], _ state: String) throws {
        let console = try TestConsole()
        let id = try #require(console.post("new", new).linkID)
        for deed in before + ["delete"] {
            #expect(console.post("links/\(id)/\(deed)", [("was", "active")]).status == 303)
        }
        console.ask("PATCH", ["links", id], #"{"note": "n"}"#, ["if-match": "*"])
        let page = console.get("links/\(id)").text
        #expect(page.contains("name=\"was\" value=\"\(state)\""))
    }

    @Test func `a link that was seen as it is can be deleted for good`() throws {
        let console = try TestConsole()
        let id = try #require(console.post("new", new).linkID)
        #expect(
            console.post("links/\(id)/erase", [("tag", "\"0\""), ("sure", "1")])
                .field("Location")?.hasSuffix("changed-meanwhile") == true)
        #expect(console.link(id)?["deleted"] == nil)
        let tag = console.ask("GET", ["links", id]).fields["ETag"] ?? ""
        #expect(console.post("links/\(id)/erase", [("tag", tag), ("sure", "1")]).status == 303)
        let page = console.get("links/\(id)")
        #expect(page.status == 410 && PageStructure(page.content).faults == [])
    }

    @Test func `an alias is added, or refused beside its field`() throws {
        let console = try TestConsole()
        let id = try #require(console.post("new", new).linkID)
        #expect(console.post("links/\(id)/aliases", [("slug", "sale")]).status == 303)
        let again = console.post("links/\(id)/aliases", [("slug", "sale")])
        #expect(again.field("Location")?.hasSuffix("done=unchanged") == true)
        let answer = console.post("links/\(id)/aliases", [("slug", "a b")])
        let page = PageStructure(answer.content)
        #expect(answer.status == 422 && page.values["slug"] == "a b" && page.faults == [])
        #expect(page.text.contains("sale"))
    }

    @Test(
        "a viewer changes nothing",
        arguments: [
            "new", "check", "links/ID/edit", "links/ID/delete", "links/ID/restore",
            "links/ID/disable", "links/ID/enable",
            "links/ID/erase", "links/ID/aliases",
        ])
    func viewer(_ path: String) throws {
        let console = try TestConsole()
        let id = try #require(console.post("new", new).linkID)
        var changes = 0
        console.before = { if $0.method != "GET" { changes += 1 } }
        let form = try form(console, id, ["title": "x"])
        let answer = console.post(path.replacing("ID", with: id), form, as: .viewer)
        #expect(answer.status == 403 && changes == 0)
        #expect(PageStructure(answer.content).faults == [])
        let page = PageStructure(console.get("links/\(id)", as: .viewer).content)
        #expect(!page.hrefs.contains { $0.contains("/edit") || $0.contains("/delete") })
    }

    @Test(
        "a link that does not exist is not changed",
        arguments: ["edit", "delete", "enable", "erase", "x"])
    func missing(_ name: String) throws {
        let console = try TestConsole()
        #expect(
            console.post("links/01900000-0000-7000-8000-000000000000/\(name)", [("tag", "*")])
                .status == 404)
    }
}
