@testable import Console
import JSONSyntax
import Testing

@Suite("Forms in another language, of old links, and of links that are gone")
struct FormStateTests {
    private let new = [
        ("collection", "short"), ("slug", "spring"), ("destination", "https://www.example.com/"),
        ("title", "Spring"),
    ]

    @Test func `a form that is shown in another language keeps what was typed`() throws {
        let console = try TestConsole()
        let made = console.post("new", new + [("language", "de")])
        let page = PageStructure(made.content)
        #expect(made.status == 200 && page.faults == [] && page.text.contains("Link erstellen"))
        #expect(page.values["title"] == "Spring" && page.values["slug"] == "spring")
        #expect(made.field("Set-Cookie")?.hasPrefix("waymark-language=de;") == true)
        #expect(console.ask("GET", ["links"]).json?["links"]?.elements?.count == 0)
        #expect(made.text.contains(#"name="language" form="editor" value="en""#))
        let id = try #require(console.post("new", new).linkID)
        var items = PageStructure(console.get("links/\(id)/edit").content).form
        items.removeAll { $0.0 == "title" }
        let edited = console.post(
            "links/\(id)/edit", items + [("title", "Mine"), ("language", "de")])
        let editor = PageStructure(edited.content)
        #expect(edited.status == 200 && editor.values["title"] == "Mine")
        #expect(console.link(id)?["page"]?["title"]?.text == "Spring")
        // And is saved from there.
        #expect(console.post("links/\(id)/edit", editor.form).status == 303)
        #expect(console.link(id)?["page"]?["title"]?.text == "Mine")
    }

    @Test(
        "a language leads back to the page of its button",
        arguments: [
            ("/console/links?q=a&tag=b", "/console/links?q=a&tag=b"), ("", "/console/"),
            ("https://evil.example/", "/console/"), ("//evil.example/console/", "/console/"),
            ("/console/x\r\nX: y", "/console/"), ("/other", "/console/"),
        ])
    func back(_ back: String, _ location: String) throws {
        let answer = try TestConsole().post("language", [("language", "de"), ("back", back)])
        #expect(answer.status == 303 && answer.field("Location") == location)
    }

    @Test("the script says that the session has ended", arguments: ConsoleLanguage.allCases)
    func ended(_ language: ConsoleLanguage) throws {
        let console = try TestConsole()
        for path in ["new", "import"] {
            let words = " data-ended=\"\(ConsoleText.sessionEnded(language))"
            #expect(console.get(path, as: .editor, language).text.contains(words), "\(path)")
        }
    }

    @Test func `what a link has already is no fault of a change`() throws {
        let console = try TestConsole()
        let id = try console.make(
            #"{"collection": "short", "destination": "https://www.example.com/", "until": "2027-01-15T08:00:01Z"}"#
        )
        var items = PageStructure(console.get("links/\(id)/edit").content).form
        items.removeAll { $0.0 == "title" || $0.0 == "was.until" || $0.0 == "until" }
        let ended = [("was.until", "2027-01-01T00:00"), ("until", "2027-01-01T00:00")]
        let check = items + ended + [("title", "New"), ("do", "check")]
        let whole = console.post("links/\(id)/edit", check)
        #expect(whole.text.contains("That works") && PageStructure(whole.content).faults == [])
        let live = console.post("check", items + ended + [("title", "New")])
        #expect(!live.text.contains(#""field": "until""#))
        // The nearest that is refused: another text, typed now.
        let typed = items + [("was.until", ""), ("until", "then"), ("do", "check")]
        #expect(
            PageStructure(console.post("links/\(id)/edit", typed).content).hrefs.contains("#until"))
        #expect(console.post("check", typed).text.contains(#""field": "until""#))
    }

    @Test func `who edits a link that was deleted meanwhile reads so`() throws {
        let console = try TestConsole()
        let id = try #require(console.post("new", new).linkID)
        let items = PageStructure(console.get("links/\(id)/edit").content).form
        #expect(!console.get("links/\(id)/edit").text.contains("This link is in the archive"))
        #expect(console.post("links/\(id)/delete", []).status == 303)
        let answer = console.post("links/\(id)/edit", items)
        #expect(answer.status == 409 && answer.text.contains("This link is in the archive"))
    }

    @Test func `what was typed for a link that was deleted for good is shown`() throws {
        let console = try TestConsole()
        let id = try #require(console.post("new", new).linkID)
        var items = PageStructure(console.get("links/\(id)/edit").content).form
        items.removeAll { $0.0 == "note" }
        items.append(("note", "typed meanwhile"))
        #expect(console.post("links/\(id)/delete", []).status == 303)
        #expect(console.post("links/\(id)/erase", [("tag", "*"), ("sure", "1")]).status == 303)
        let answer = console.post("links/\(id)/edit", items)
        #expect(answer.status == 404 && answer.text.contains("typed meanwhile"))
        // The nearest: a link that never was, of which nobody has typed anything.
        #expect(!console.get("links/\(id)/edit").text.contains("typed meanwhile"))
    }

    @Test func `a form that comes back asks before it is left`() throws {
        let console = try TestConsole()
        #expect(!console.get("new").text.contains(" data-typed"))
        let refused = console.post("new", [("destination", "nowhere"), ("do", "save")])
        #expect(refused.status == 422 && refused.text.contains(" data-typed"))
        // Nothing was typed where a form comes back in another language as it was.
        let id = try #require(console.post("new", new).linkID)
        for path in ["new", "links/\(id)/edit"] {
            let form = PageStructure(console.get(path).content).form
            let other = console.post(path, form + [("language", "de")])
            #expect(other.status == 200 && !other.text.contains(" data-typed"), "\(path)")
            let typed = form.filter { $0.0 != "note" } + [("note", "x"), ("language", "de")]
            #expect(console.post(path, typed).text.contains(" data-typed"), "\(path)")
        }
    }

    @Test func `an empty list says whether there is an archive`() throws {
        let console = try TestConsole()
        let id = try #require(console.post("new", new).linkID)
        #expect(console.post("links/\(id)/delete", []).status == 303)
        let page = console.get("links")
        #expect(page.text.contains("All links are in the archive"))
        #expect(!page.text.contains("No links yet"))
        #expect(PageStructure(page.content).hrefs.contains("/console/links?state=archived"))
    }

    @Test func `a link whose collection is gone is not said to be active`() throws {
        let console = try TestConsole()
        let id = try #require(console.post("new", new).linkID)
        console.removeCollections()
        let answer = console.get("links/\(id)")
        let page = PageStructure(answer.content)
        #expect(
            page.faults == [] && page.text.contains("Its collection is not in the configuration"))
        #expect(!page.text.contains("Active"))
        // Its visits can be downloaded, and nothing else can be done.
        let own = page.hrefs.filter { $0.contains("/\(id)/") }
        #expect(own.allSatisfy { $0.contains("/\(id)/visits.csv?") })
        #expect(console.get("links").text.contains("Not served"))
        // The filter says of which collection the list is, and the page of what it does that it does nothing.
        let list = PageStructure(console.get("links?collection=short").content)
        #expect(list.faults == [] && list.choices["collection"] == "short")
        let preview = console.get("links/\(id)/preview")
        let shown = PageStructure(preview.content)
        #expect(preview.status == 200 && shown.faults == [], "\(shown.faults)")
        #expect(
            shown.text.contains("Its collection is not in the configuration")
                && !shown.text.contains("There is a problem"))
    }

    @Test func `an address that was typed counts, and one that was there can be left`() throws {
        let console = try TestConsole()
        let typed = [("ios", ""), ("ios-url", "https://www.example.com/ios")]
        let id = try #require(console.post("new", new + typed).linkID)
        #expect(console.link(id)?["web"]?["ios"]?.text == "https://www.example.com/ios")
        var items = PageStructure(console.get("links/\(id)/edit").content).form
        #expect(items.contains { $0 == ("ios", "url") })
        items.removeAll { $0.0 == "ios" }
        #expect(console.post("links/\(id)/edit", items + [("ios", "")]).status == 303)
        #expect(console.link(id)?["web"] == nil)
    }

    @Test func `a destination that is missing is said beside its field`() throws {
        let answer = try TestConsole().post("new", [("collection", "short"), ("title", "T")])
        let page = PageStructure(answer.content)
        #expect(answer.status == 422 && page.hrefs.contains("#destination"))
        #expect(page.text.contains("Write the page that the link leads to."))
    }

    @Test func `a change is taken back from the history`() throws {
        let console = try TestConsole()
        let id = try #require(console.post("new", new).linkID)
        console.ask(
            "PATCH", ["links", id], #"{"page": {"title": "Wrong"}, "note": "n"}"#,
            ["if-match": "*"])
        console.ask("PATCH", ["links", id], #"{"tags": ["later"]}"#, ["if-match": "*"])
        let hrefs = PageStructure(console.get("links/\(id)").content).hrefs
        let undo = try #require(hrefs.last { $0.contains("undo=") })
        #expect(!console.get("links/\(id)", as: .viewer).text.contains("undo="))
        let path = undo.replacing("/console/", with: "")
        let editor = PageStructure(console.get(path).content)
        #expect(!editor.text.contains("Changed again since then"))
        #expect(editor.faults == [] && editor.values["title"] == "Spring")
        #expect(console.link(id)?["page"]?["title"]?.text == "Wrong")
        #expect(console.post("links/\(id)/edit", editor.form).status == 303)
        let link = console.link(id)
        #expect(link?["page"]?["title"]?.text == "Spring" && link?["note"] == nil)
        #expect(link?["tags"]?.elements?.compactMap(\.text) == ["later"])
        #expect(!console.get(path).text.contains("Changed again since then"))
        console.ask("PATCH", ["links", id], #"{"page": {"title": "Third"}}"#, ["if-match": "*"])
        #expect(console.get(path).text.contains("Changed again since then, and replaced here"))
    }

    @Test func `another link like one begins with what that one has`() throws {
        let console = try TestConsole()
        let id = try #require(console.post("new", new).linkID)
        let page = PageStructure(console.get("new?like=\(id)").content)
        #expect(page.values["title"] == "Spring" && page.values["slug"] == "")
        #expect(page.choices["collection"] == "short")
        #expect(console.get("new?like=x").status == 200)
    }

    @Test func `findings are said in the language of the page`() throws {
        let console = try TestConsole()
        let form = [
            ("collection", "short"), ("slug", "a b"), ("destination", "https://evil.example/"),
        ]
        let answer = PageStructure(console.post("new", form, .de).content)
        #expect(answer.text.contains("„evil.example“ ist in der Sammlung „short“ nicht erlaubt"))
        #expect(answer.text.contains("– nimm ein anderes Ziel oder lass es freischalten"))
        let english = console.post("new", form).text
        #expect(
            english.contains("“evil.example” is not allowed in the collection “short”")
                && !english.contains(" lang=\"en\">–"))
    }

    @Test func `whose role has changed has what was typed`() throws {
        let console = try TestConsole()
        let answer = console.post(
            "new", [("title", "<Spring>"), ("note", "For Ben"), ("slug", "")], as: .viewer, .de)
        let page = PageStructure(answer.content)
        #expect(answer.status == 403 && page.faults == [])
        #expect(answer.text.contains("<dd>&lt;Spring&gt;</dd>") && page.text.contains("For Ben"))
    }
}
