@testable import Console
import Diagnostics
import JSONSyntax
import LinkStore
import Testing
import URISyntax

/// What happens to people's work when a session ends, somebody else was faster, the configuration changes, or the store is away.
@Suite("Slow and broken")
struct SlowAndBrokenTests {
    private let new = [
        ("collection", "short"), ("slug", "spring"),
        ("destination", "https://www.example.com/?a=1&b=2"), ("title", "Früh\"ling"),
        ("description", "line\r\n\r\n  line"), ("utm_campaign", "sale"), ("tags", "a, \"b, c\""),
        ("note", "n"), ("until", "31.12.2030"), ("ios", "url"),
        ("ios-url", "https://www.example.com/ios"),
    ]

    private func setting(_ language: ConsoleLanguage = .en) -> ConsoleSetting {
        ConsoleSetting(environment: "prod", language: language, isSecure: true)
    }

    private func links(_ console: TestConsole) -> Int {
        console.ask("GET", ["links"]).json?["links"]?.elements?.count ?? -1
    }

    // MARK: A session that ends

    @Test(
        "a form that was filled in when the session ended is sent again as it was",
        arguments: ConsoleLanguage.allCases)
    func session(_ language: ConsoleLanguage) throws {
        let console = try TestConsole()
        let form = new + [("do", "save")]
        let answer = Console.notice(
            .sessionEnded(action: "/console/new", form: form.map { (name: $0.0, value: $0.1) }),
            setting(language))
        let page = PageStructure(answer.content)
        #expect(answer.status == 401 && page.faults == [])
        #expect(page.hrefs.contains("/console/new") && answer.text.contains("data-kept"))
        // Everything is there, in its order and to the byte; browsers send line ends as CR LF.
        #expect(page.hidden.map(\.0) == form.map(\.0))
        for (kept, typed) in zip(page.hidden, form) {
            #expect(kept.1 == typed.1.replacing("\r\n", with: "\n"), "\(typed.0)")
        }
        let again = page.hidden.map { ($0.0, $0.1.replacing("\n", with: "\r\n")) }
        let id = try #require(console.post("new", again).linkID)
        let other = try TestConsole()
        let direct = try #require(other.post("new", form).linkID)
        for member in ["destination", "page", "tags", "note", "until", "web"] {
            let (kept, whole) = (console.link(id)?[member], other.link(direct)?[member])
            #expect(whole != nil && kept?.written.compact == whole?.written.compact, "\(member)")
        }
        #expect(console.link(id)?["page"]?["description"]?.text == "line\n\n  line")
    }

    @Test func `a change that was typed when the session ended meets what another did meanwhile`()
        throws
    {
        let console = try TestConsole()
        let id = try #require(console.post("new", new).linkID)
        var form = PageStructure(console.get("links/\(id)/edit").content).form
        form.removeAll { $0.0 == "note" }
        form.append(("note", "mine"))
        let ended = Console.notice(
            .sessionEnded(
                action: "/console/links/\(id)/edit", form: form.map { (name: $0.0, value: $0.1) }),
            setting())
        console.ask("PATCH", ["links", id], #"{"tags": ["theirs"]}"#, ["if-match": "*"])
        let again = PageStructure(ended.content).hidden
        let answer = console.post("links/\(id)/edit", again)
        let page = PageStructure(answer.content)
        #expect(answer.status == 409 && page.text.contains("while you were editing it"))
        #expect(page.values["note"] == "mine" && page.values["tags"] == "theirs")
        #expect(console.post("links/\(id)/edit", page.form).status == 303)
        #expect(console.link(id)?["note"]?.text == "mine")
    }

    // MARK: Two people

    /// The destination and its UTM parameters are one member of a link, and fields of their own in the form.
    @Test func `parts of one member that two people change are both kept`() throws {
        let console = try TestConsole()
        let id = try #require(console.post("new", new).linkID)
        var form = PageStructure(console.get("links/\(id)/edit").content).form
        form.removeAll { ["utm_source", "app-path"].contains($0.0) }
        form += [("utm_source", "mail"), ("app-path", "/mine")]
        let theirs = #"""
            {"destination": "https://www.example.com/new?utm_campaign=winter", "app": {"data": {"k": "theirs"}},
             "web": {"android": "gone"}, "until": "2031-01-01T00:00:00Z"}
            """#
        #expect(console.ask("PATCH", ["links", id], theirs, ["if-match": "*"]).isSuccess)
        let answer = console.post("links/\(id)/edit", form)
        let page = PageStructure(answer.content)
        #expect(answer.status == 409 && page.faults == [])
        #expect(page.values["destination"] == "https://www.example.com/new")
        #expect(page.values["utm_campaign"] == "winter" && page.values["utm_source"] == "mail")
        // A third is faster again: nothing is saved over that either.
        console.ask("PATCH", ["links", id], #"{"note": "third"}"#, ["if-match": "*"])
        let second = console.post("links/\(id)/edit", page.form)
        let last = PageStructure(second.content)
        #expect(second.status == 409 && last.values["note"] == "third")
        #expect(last.values["utm_source"] == "mail" && last.values["app-path"] == "/mine")
        #expect(console.post("links/\(id)/edit", last.form).status == 303)
        let link = console.link(id)
        #expect(
            link?["destination"]?.text
                == "https://www.example.com/new?utm_source=mail&utm_campaign=winter")
        #expect(
            link?["app"]?["path"]?.text == "/mine" && link?["app"]?["data"]?["k"]?.text == "theirs")
        #expect(link?["web"]?["android"]?.text == "gone" && link?["web"]?["ios"] != nil)
        #expect(link?["until"]?.text == "2031-01-01T00:00:00Z" && link?["note"]?.text == "third")
    }

    @Test func `what both have changed alike is no conflict of a field`() throws {
        let console = try TestConsole()
        let id = try #require(console.post("new", new).linkID)
        var form = PageStructure(console.get("links/\(id)/edit").content).form
        form.removeAll { $0.0 == "note" }
        form.append(("note", "same"))
        console.ask("PATCH", ["links", id], #"{"note": "same"}"#, ["if-match": "*"])
        let page = PageStructure(console.post("links/\(id)/edit", form).content)
        #expect(page.values["note"] == "same" && page.text.contains("while you were editing it"))
        #expect(console.post("links/\(id)/edit", page.form).status == 303)
    }

    // MARK: A reload

    @Test(
        "a form of a collection that is gone keeps everything", arguments: ConsoleLanguage.allCases)
    func newOfGone(_ language: ConsoleLanguage) throws {
        let console = try TestConsole()
        // A collection that was renamed while somebody typed.
        var form = new.filter { $0.0 != "collection" } + [("collection", "old")]
        let answer = console.post("new", form, as: .editor, language)
        let page = PageStructure(answer.content)
        #expect(answer.status == 422 && page.faults == [], "\(page.faults)")
        #expect(page.hrefs.contains("#collection") && page.ids.contains("collection"))
        #expect(page.values["title"] == "Früh\"ling" && page.values["slug"] == "spring")
        // No other is chosen by itself, and without a choice nothing is made.
        #expect(page.choices["collection"] == "old")
        #expect(console.post("new", page.form).status == 422 && links(console) == 0)
        form = page.form.filter { $0.0 != "collection" } + [("collection", "short")]
        #expect(console.post("new", form).status == 303 && links(console) == 1)
        // None is left.
        console.removeCollections()
        let none = console.post("new", new + [("slug", "x")], as: .editor, language)
        let last = PageStructure(none.content)
        #expect(none.status == 422 && last.faults == [] && last.values["title"] == "Früh\"ling")
        #expect(!last.text.contains(language == .en ? "may lead to:" : "führen zu:"))
        #expect(
            !none.text.contains("lang=\"en\">–") && !last.text.contains("stored"), "\(last.text)")
        // Shown in another language, it is the same form.
        let shown = PageStructure(console.post("new", new + [("language", "de")]).content)
        #expect(shown.values["title"] == "Früh\"ling")
    }

    @Test(
        "where one collection is left, a form of another one does not go into it",
        arguments: ConsoleLanguage.allCases)
    func onlyOther(_ language: ConsoleLanguage) throws {
        let console = try TestConsole()
        console.removeCollections(but: "exact")
        let answer = console.post("new", new, as: .editor, language)
        let page = PageStructure(answer.content)
        #expect(answer.status == 422 && page.faults == [])
        #expect(page.choices["collection"] == "short", "\(page.choices)")
        #expect(console.post("new", page.form).status == 422 && links(console) == 0)
        // The nearest: a form of the only one has nothing to choose.
        let only = PageStructure(console.get("new").content)
        #expect(only.choices["collection"] == nil)
        #expect(only.hidden.contains { $0 == ("collection", "exact") })
    }

    @Test("a link whose collection goes while it is edited", arguments: ConsoleLanguage.allCases)
    func editOfGone(_ language: ConsoleLanguage) throws {
        let console = try TestConsole()
        let id = try #require(console.post("new", new).linkID)
        var form = PageStructure(console.get("links/\(id)/edit").content).form
        form.removeAll { $0.0 == "note" }
        form.append(("note", "typed meanwhile"))
        console.removeCollections()
        let words =
            language == .en
            ? "Nothing was saved: the link’s collection is gone"
            : "Nichts wurde gespeichert: Die Sammlung des Links gibt es nicht mehr"
        for deed in ["save", "check"] {
            let answer = console.post(
                "links/\(id)/edit", form + [("do", deed)], as: .editor, language)
            let page = PageStructure(answer.content)
            #expect(answer.status == 409 && page.faults == [])
            #expect(page.text.contains(words) && page.text.contains("typed meanwhile"))
        }
        // Its form leads to its page, which says why there is none; so do its buttons.
        let editor = console.get("links/\(id)/edit", as: .editor, language)
        #expect(editor.status == 303 && editor.field("Location") == "/console/links/\(id)")
        let reason =
            language == .en ? "Its collection is not in the configuration" : "Seine Sammlung fehlt"
        for button in ["disable", "delete", "aliases"] {
            let answer = console.post(
                "links/\(id)/\(button)", [("slug", "x")], as: .editor, language)
            #expect((400..<500).contains(answer.status), "\(button) \(answer.status)")
            #expect(answer.text.contains(reason), "\(button)")
        }
        let selected = console.post(
            "links/selected", [("id", id), ("do", "tag"), ("value", "t")], as: .editor, language)
        #expect(selected.status == 422 && !selected.text.contains("lang=\"en\">–"))
        #expect(console.link(id)?["note"]?.text == "n")
    }

    /// A button of a link that is not there any more.
    @Test func `a button of a link that was deleted for good says so`() throws {
        let console = try TestConsole()
        let id = try #require(console.post("new", new).linkID)
        #expect(console.ask("DELETE", ["links", id], "", ["if-match": "*"]).isSuccess)
        let answer = console.post("links/\(id)/disable", [])
        #expect(answer.status == 410 && PageStructure(answer.content).faults == [])
        #expect(console.post("links/none/disable", []).status == 404)
    }

    // MARK: An import

    @Test(
        "a table whose columns are named by hand is imported, and each step says that it takes time",
        arguments: ConsoleLanguage.allCases)
    func mappedImport(_ language: ConsoleLanguage) throws {
        let console = try TestConsole()
        let rows = (1...300).map {
            "p\($0);https://www.example.com/\($0);Plakat \($0);31.12.2030;x"
        }
        let table = "Kürzel;Ziel;Titel;Ende;Nr\n" + rows.joined(separator: "\n") + "\n"
        let waits =
            language == .en
            ? "A large table takes some seconds" : "Eine große Tabelle dauert einige Sekunden"
        func step(_ answer: ConsoleResponse) -> PageStructure {
            let page = PageStructure(answer.content)
            #expect(answer.status == 200 && page.faults == [], "\(page.faults)")
            #expect(answer.text.contains("data-wait=\"") && answer.text.contains(waits))
            #expect(answer.text.contains("class=\"live\" role=\"status\""))
            return page
        }
        _ = step(console.get("import", as: .editor, language))
        let columns = step(
            console.post(
                "import",
                [("format", "columns"), ("collection", "short"), ("text", table), ("do", "check")],
                as: .editor, language))
        #expect(columns.choices["ours.0"] == "slug" && columns.choices["ours.3"] == "until")
        #expect(columns.choices["ours.4"] == "")
        let seen = step(
            console.post("import", columns.form + [("do", "check")], as: .editor, language))
        #expect(seen.text.contains(language == .en ? "Import 300 links" : "300 Links importieren"))
        // What is not kept is said before it is done.
        let omitted =
            language == .en
            ? "Columns that are not kept: Nr" : "Spalten, die nicht übernommen werden: Nr"
        #expect(seen.text.contains(omitted) && links(console) == 0, "\(seen.text)")
        let done = console.post("import", seen.form + [("do", "import")], as: .editor, language)
        #expect(
            done.status == 200 && done.text.contains(language == .en ? "Links made: 300" : "300"))
        let id = console.ask("GET", ["links"]).json?["links"]?.elements?.first?["id"]?.text ?? ""
        #expect(console.link(id)?["page"]?["title"]?.text == "Plakat 1")
        #expect(console.link(id)?["until"]?.text == "2030-12-31T23:59:59Z")
        // The same once more changes nothing.
        let again = console.post("import", seen.form + [("do", "import")], as: .editor, language)
        #expect(again.text.contains("300") && again.status == 200)
        #expect(console.ask("GET", ["links"]).json?["links"]?.elements?.count == 50)
    }

    /// Every word of the list of columns is found by itself, in both languages.
    @Test("columns that are called like the choices are those", arguments: ConsoleLanguage.allCases)
    func ownWords(_ language: ConsoleLanguage) throws {
        let console = try TestConsole()
        let page = console.post(
            "import",
            [
                ("format", "columns"), ("collection", "short"), ("text", "a,b\n1,2\n"),
                ("do", "check"),
            ],
            as: .editor, language)
        let options =
            page.text.split(separator: "<select").dropFirst().first?
            .matches(of: #/<option value="([^"]*)"[^>]*>([^<]+)</#) ?? []
        #expect(options.count > 20)
        for option in options where !option.1.isEmpty {
            let heading = option.2.replacing("&#39;", with: "'").replacing("&quot;", with: "\"")
            let answer = console.post(
                "import",
                [
                    ("format", "columns"), ("collection", "short"),
                    ("text", "\"\(heading)\"\nx\n"), ("do", "check"),
                ], as: .editor, language)
            let chosen = PageStructure(answer.content).choices["ours.0"]
            #expect(chosen == String(option.1), "\(heading): \(chosen ?? "none")")
        }
    }
}
