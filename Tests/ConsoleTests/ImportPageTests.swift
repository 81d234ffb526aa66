@testable import Console
import JSONSyntax
@testable import LinkAPI
import Testing
import URISyntax

@Suite("The import of the console")
struct ImportPageTests {
    private static let bitly = """
        id,long_url,title,archived,tags,created_at,clicks
        bit.ly/spring,https://www.example.com/spring,Spring,false,,2024-03-01T10:00:00+0000,12
        bit.ly/summer,https://www.example.com/summer,Summer,false,,2024-06-01T10:00:00+0000,3
        bit.ly/bad,https://evil.example/,Bad,false,,2024-06-01T10:00:00+0000,3

        """
    private static let choices = [
        ("format", "bitly"), ("collection", "short"), ("mode", "create"), ("do", "check"),
    ]

    private func count(_ console: TestConsole) -> Int {
        console.ask("GET", ["links"]).json?["links"]?.elements?.count ?? -1
    }

    /// Sends the form of a page with one of its buttons.
    private func press(
        _ deed: String, on answer: ConsoleResponse, _ console: TestConsole
    ) -> ConsoleResponse {
        console.post("import", PageStructure(answer.content).form + [("do", deed)])
    }

    @Test func `a table is looked at first, and imported then as it was seen`() throws {
        let console = try TestConsole()
        let file = base64URL(Array(Self.bitly.utf8))
        let seen = console.post(
            "import", Self.choices + [("file", file), ("file.name", "links.csv"), ("text", "")])
        let page = PageStructure(seen.content)
        #expect(seen.status == 200 && page.faults == [], "\(page.faults)")
        #expect(count(console) == 0)
        for text in ["New links: 2", "Refused lines: 1", "Import 2 links", "links.csv"] {
            #expect(page.text.contains(text), "\(text)")
        }
        #expect(page.text.contains("evil.example"))
        let done = press("import", on: seen, console)
        let after = PageStructure(done.content)
        #expect(after.faults == [] && after.text.contains("Links made: 2"), "\(after.text)")
        #expect(count(console) == 2)
        // Once more, nothing is made twice.
        let again = PageStructure(press("import", on: seen, console).content)
        #expect(again.text.contains("Links made: 0") && again.text.contains("Refused lines: 3"))
        let upsert = console.post(
            "import",
            [
                ("mode", "upsert"), ("format", "bitly"), ("collection", "short"),
                ("text", Self.bitly),
            ])
        #expect(upsert.text.contains("Left as they are: 2") && count(console) == 2)
    }

    @Test func `what was sent stays when choices change, also the language`() throws {
        let console = try TestConsole()
        let seen = console.post("import", Self.choices + [("text", Self.bitly)])
        let changed = PageStructure(press("change", on: seen, console).content)
        #expect(changed.faults == [] && changed.text.contains("is kept"))
        #expect(changed.choices["format"] == "bitly")
        let form = changed.form.filter { $0.0 != "mode" } + [("mode", "upsert"), ("do", "check")]
        #expect(console.post("import", form).text.contains("Import 2 links"))
        let german = console.post(
            "import", PageStructure(seen.content).form + [("language", "de")])
        #expect(german.text.contains("2 Links importieren") && german.text.contains("lang=\"de\""))
        #expect(count(console) == 0)
    }

    @Test func `what is no table is refused beside what is one`() throws {
        let console = try TestConsole()
        let long = String(repeating: "x", count: ImportForm.contentBytesMax + 1)
        let cases: [([(String, String)], Int, String)] = [
            ([("text", " \r\n")], 422, "Choose a file"),
            ([("text", "a"), ("file", base64URL([0x61]))], 422, "remove one of them"),
            ([("text", long)], 413, "longer than 2 MB"),
            ([("text", String(long.utf8.dropLast()) ?? "")], 422, "Refused"),
            ([("text", "a,b\n1,2\n")], 422, "no member is called so"),
            ([("text", Self.bitly), ("collection", "other")], 400, "other"),
        ]
        for (form, status, text) in cases {
            let answer = console.post("import", form)
            #expect(
                answer.status == status && answer.text.contains(text)
                    && PageStructure(answer.content).faults == [],
                "\(status) \(answer.status) \(text)")
        }
        #expect(
            console.post("import", [("text", "a"), ("file", base64URL([0x61]))]).text.contains(
                ">\na</textarea>"))
    }

    @Test func `columns are chosen by hand`() throws {
        let console = try TestConsole()
        let table =
            "Name;\"Web, address\";Key;Hits;\"=Key\"\r\nA <b>;https://www.example.com/a;one;3;x\r\n"
        let asked = console.post(
            "import", [("format", "columns"), ("collection", "short"), ("text", table)])
        let page = PageStructure(asked.content)
        #expect(page.faults == [] && page.choices["ours.0"] == "page.title", "\(page.choices)")
        #expect(page.text.contains("A &lt;b>") || asked.text.contains("A &lt;b"))
        var form = page.form.filter { !["ours.1", "ours.2"].contains($0.0) }
        form += [("ours.1", "destination"), ("ours.2", "slug")]
        let seen = console.post("import", form)
        #expect(seen.text.contains("Import 1 link"), "\(PageStructure(seen.content).text)")
        #expect(press("import", on: seen, console).text.contains("Links made: 1"))
        let link = console.ask("GET", ["links"]).json?["links"]?.elements?.first
        #expect(
            link?["slug"]?.text == "one" && link?["page"]?["title"]?.text == "A <b>"
                && link?["destination"]?.text == "https://www.example.com/a")
    }

    @Test func `chosen columns stay, and a missing destination is told beside them`() throws {
        let console = try TestConsole()
        let table =
            "Ziel-URL,Kürzel,Bemerkung,Bemerkung,Foo,\nhttps://www.example.com/a,one,x,y,z,w\n"
        let asked = console.post(
            "import", [("format", "columns"), ("collection", "short"), ("text", table)])
        let page = PageStructure(asked.content)
        #expect(
            page.choices == ["ours.0": "destination", "ours.1": "slug", "ours.4": ""],
            "\(page.choices)")
        #expect(page.text.contains("the same heading") && page.text.contains("Column 6"))
        func form(_ page: PageStructure, _ changes: [String: String]) -> [(String, String)] {
            page.form.filter { changes[$0.0] == nil } + changes.map { ($0.key, $0.value) }
        }
        let refused = console.post("import", form(page, ["ours.0": "", "ours.4": "note"]))
        let again = PageStructure(refused.content)
        #expect(refused.status == 422 && again.faults == [] && again.hrefs.contains("#ours.0"))
        #expect(again.choices == ["ours.0": "", "ours.1": "slug", "ours.4": "note"])
        let german = console.post("import", form(again, ["language": "de"]))
        #expect(PageStructure(german.content).choices == again.choices)
        let first = PageStructure(press("change", on: refused, console).content)
        #expect(first.choices["format"] == "columns")
        let back = PageStructure(
            console.post("import", form(first, ["do": "check"])).content)
        #expect(back.choices == again.choices)
        let seen = console.post("import", form(back, ["ours.0": "destination", "ours.1": ""]))
        let changed = PageStructure(press("change", on: seen, console).content)
        #expect(
            changed.choices == ["ours.0": "destination", "ours.1": "", "ours.4": "note"],
            "\(changed.choices)")
    }

    @Test func `a heading of several columns is no fault where none of them is kept`() throws {
        let console = try TestConsole()
        let asked = console.post(
            "import",
            [
                ("format", "columns"), ("collection", "short"),
                ("text", "Ziel,Notiz,Notiz\nhttps://www.example.com/a,x,y\n"),
            ])
        let seen = press("check", on: asked, console)
        #expect(seen.text.contains("Import 1 link"), "\(PageStructure(seen.content).text)")
    }

    @Test func `what is wrong with the form is told of the form`() throws {
        let console = try TestConsole()
        let other = PageStructure(
            console.post("import", [("collection", "short"), ("text", Self.bitly)]).content)
        #expect(other.text.contains("an export of Bitly"))
        let domain = console.post(
            "import", Self.choices + [("domain", "https://bit.ly/"), ("text", Self.bitly)])
        #expect(domain.text.contains("Import 2 links"))
        let done = press("import", on: domain, console)
        #expect(done.text.contains("<h1>Imported</h1>") && done.text.contains("class=\"success\""))
        let again = press("import", on: domain, console)
        let page = PageStructure(again.content)
        #expect(page.faults == [] && again.text.contains("<h1>Nothing was imported</h1>"))
        #expect(!again.text.contains("class=\"success\"") && !page.text.contains("--mode"))
        #expect(page.text.contains("changes the link"))
        let line =
            #"{"line":1,"outcome":"refused","problem":{"errors":[{"pointer":"/collection","rule":"missing-key"}]}}"#
        for (lines, lacks) in [
            (line, true), (line + "\n" + #"{"line":2,"outcome":"refused","problem":{}}"#, false),
        ] {
            let report = ImportAnswer(
                ConsoleAPI.Answer(
                    status: 200, type: "application/x-ndjson", fields: [:],
                    content: Array(lines.utf8)))
            #expect(report.lacksCollection == lacks)
        }
    }

    @Test func `findings are bounded, and the rest is counted`() throws {
        let console = try TestConsole()
        let rows = (0..<130).map { "n\($0),https://evil.example/\($0)\n" }.joined()
        let answer = console.post(
            "import", [("collection", "short"), ("text", "slug,destination\n\(rows)")])
        let page = PageStructure(answer.content)
        #expect(page.faults == [] && page.text.contains("Refused lines: 130"))
        #expect(page.text.contains("And 30 more.") && !page.text.contains("Import "))
        #expect(page.tags.filter { $0 == "tr " }.count == ImportAnswer.findingsMax + 1)
    }

    @Test func `a viewer gets no import`() throws {
        let console = try TestConsole()
        #expect(console.get("import").status == 200)
        #expect(PageStructure(console.get("import").content).faults == [])
        #expect(console.get("import", as: .viewer).status == 403)
        #expect(console.post("import", [("text", Self.bitly)], as: .viewer).status == 403)
    }

    @Test func `the presets are those of the API`() {
        let names = ["firebase"] + ForeignService.all.map(\.name)
        #expect(Set(ImportFormat.services.map(\.name)) == Set(names))
        for service in ForeignService.all {
            #expect(ImportFormat.services.contains { $0.title == service.title })
        }
    }
}
