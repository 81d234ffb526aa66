@testable import Console
import Foundation
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
            ([("text", "a,b\n1,2\n")], 422, "which nothing here is"),
            ([("text", Self.bitly), ("collection", "other")], 422, "other is not there"),
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
            page.choices == [
                "ours.0": "destination", "ours.1": "slug", "ours.2": "note", "ours.3": "",
                "ours.4": "", "ours.5": "",
            ], "\(page.choices)")
        #expect(page.text.contains("Column 4") && page.text.contains("Column 6"))
        func form(_ page: PageStructure, _ changes: [String: String]) -> [(String, String)] {
            page.form.filter { changes[$0.0] == nil } + changes.map { ($0.key, $0.value) }
        }
        let refused = console.post(
            "import", form(page, ["ours.0": "", "ours.2": "", "ours.4": "note"]))
        let again = PageStructure(refused.content)
        #expect(refused.status == 422 && again.faults == [] && again.hrefs.contains("#ours.0"))
        #expect(
            again.choices == [
                "ours.0": "", "ours.1": "slug", "ours.2": "", "ours.3": "", "ours.4": "note",
                "ours.5": "",
            ])
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
            changed.choices == [
                "ours.0": "destination", "ours.1": "", "ours.2": "", "ours.3": "", "ours.4": "note",
                "ours.5": "",
            ], "\(changed.choices)")
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

    @Test func `columns without a heading, and of several with one, are chosen by their number`()
        throws
    {
        let console = try TestConsole()
        let table =
            "Key,,Web,Web,\na,,https://www.example.com/a,first,x\nb,note of b,https://www.example.com/b,second,\n"
        let asked = console.post(
            "import", [("format", "columns"), ("collection", "short"), ("text", table)])
        let page = PageStructure(asked.content)
        // The example is the first that there is; of two with one heading, the first is suggested.
        #expect(page.faults == [] && page.text.contains("note of b"))
        #expect(page.choices["ours.2"] == "destination" && page.choices["ours.3"] == "")
        #expect(page.text.contains("Column 2") && page.text.contains("Column 5"))
        let form =
            page.form.filter { !["ours.0", "ours.1", "ours.3"].contains($0.0) }
            + [("ours.0", "slug"), ("ours.1", "note"), ("ours.3", "page.title"), ("do", "check")]
        let seen = console.post("import", form)
        #expect(seen.text.contains("Import 2 links"), "\(PageStructure(seen.content).text)")
        #expect(press("import", on: seen, console).text.contains("Links made: 2"))
        let links = console.ask("GET", ["links"]).json?["links"]?.elements ?? []
        #expect(links.compactMap { $0["note"]?.text } == ["note of b"])
        #expect(Set(links.compactMap { $0["page"]?["title"]?.text }) == ["first", "second"])
    }

    @Test func `a column whose position is the heading of another one cannot be chosen`() throws {
        let console = try TestConsole()
        for (heading, isTakeable) in [("#2", false), ("#3", true)] {
            let table = "\(heading),,Web\nx,y,https://www.example.com/a\n"
            let asked = console.post("import", [("format", "columns"), ("text", table)])
            let page = PageStructure(asked.content)
            #expect(page.faults == [] && page.choices["ours.0"] == "")
            #expect((page.choices["ours.1"] == "") == isTakeable)
            #expect(page.text.contains("another column has the heading #2") == !isTakeable)
            #expect(page.choices["ours.2"] == "destination")
        }
    }

    @Test func `a heading that is nearly right, and addresses, say what a column is`() throws {
        let console = try TestConsole()
        func choices(_ table: String) -> [String: String] {
            PageStructure(
                console.post("import", [("format", "columns"), ("text", table)]).content
            ).choices
        }
        let near = choices("Destinaton,Titel,Sluug\nhttps://www.example.com/,T,a\n")
        #expect(
            near == ["ours.0": "destination", "ours.1": "page.title", "ours.2": "slug"], "\(near)")
        let far = choices("Wohin,Wer\nhttps://www.example.com/,me\n")
        #expect(far == ["ours.0": "destination", "ours.1": ""], "\(far)")
    }

    @Test func `a table with other headings leads to the choice of columns`() throws {
        let console = try TestConsole()
        let table = "Wohin,Kurz\nhttps://www.example.com/,a\n"
        let refused = console.post(
            "import",
            [("format", "csv"), ("collection", "short"), ("text", table), ("do", "check")])
        #expect(refused.text.contains("Say what the columns are"))
        let asked = press("columns", on: refused, console)
        let page = PageStructure(asked.content)
        #expect(page.faults == [] && page.choices["ours.0"] == "destination")
        let seen = press("check", on: asked, console)
        #expect(seen.text.contains("Import 1 link"))
        // A line that is refused for another reason does not.
        let line = console.post(
            "import",
            [
                ("format", "csv"), ("collection", "short"), ("do", "check"),
                ("text", "slug,destination\na,https://evil.example/\n"),
            ])
        #expect(!line.text.contains("Say what the columns are"))
    }

    @Test(
        "an import that ends early goes on with the lines that are left",
        arguments: [
            (
                "csv", "slug,note\r\na,\"1\r\n2\"\r\nb,x\r\nc,y\r\n", 2,
                "slug,note\r\nb,x\r\nc,y\r\n"
            ),
            ("csv", "slug,note\na,1\nb,2\nc,3", 3, "slug,note\nc,3"),
            ("csv", "\n , \nslug,note\na,1\nb,2\n", 4, "\n , \nslug,note\nb,2\n"),
            ("ndjson", "{}\n{}\n{\"slug\": \"c\"}\n", 2, "{\"slug\": \"c\"}\n"),
            // Nothing is left, or it cannot be divided.
            ("csv", "slug,note\na,1\n", 2, ""), ("csv", "slug,note\ra,1\rb,2\r", 2, ""),
            ("ndjson", "{}\n", 1, ""),
        ])
    func rest(_ format: String, _ content: String, _ line: Int, _ rest: String) throws {
        let request = ConsoleRequest(
            .post, ["import"],
            form: [
                (name: "format", value: format), (name: "step", value: "seen"),
                (name: "content", value: base64URL(Array(content.utf8))),
                (name: "do", value: "import"),
            ], person: ConsolePerson("Anna", .editor),
            setting: ConsoleSetting(environment: "e", language: .en, isSecure: true), now: 0)
        let answer = """
            {"line": \(line), "status": 201, "outcome": "created"}
            {"type": "/v1/problems/store-unavailable", "title": "The store cannot be used now", "status": 503}

            """
        let page = Console.answer(
            request,
            ConsoleAPI { question in
                ConsoleAPI.Answer(
                    status: 200,
                    type: question.path == ["import"] ? "application/x-ndjson" : "application/json",
                    fields: [:], content: Array((question.path == ["import"] ? answer : "{}").utf8))
            })
        let structure = PageStructure(page.content)
        let kept = structure.hidden.first { $0.0 == "content" }?.1
        #expect(structure.faults == [] && structure.text.contains("The store cannot be used now"))
        #expect(
            kept.flatMap { base64URLDecoded($0) }.map { String(decoding: $0, as: UTF8.self) } ?? ""
                == rest)
        #expect(page.text.contains("Go on with the lines that are left") == !rest.isEmpty)
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
            (line, true), (line + "\n" + #"{"line":2,"outcome":"refused","problem":{}}"#, true),
            (#"{"line":2,"outcome":"refused","problem":{}}"#, false),
            (
                line + "\n" + #"{"lines":2,"created":1,"changed":0,"unchanged":0,"refused":1}"#,
                false
            ),
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

    @Test func `a refused line is shown though each line has a remark`() throws {
        let console = try TestConsole()
        let rows = (1...200).map { number in
            let host = number == 181 ? "evil.example" : "www.example.com"
            return "bit.ly/7\(number),https://\(host)/\(number),go.brand.co/x\(number)\n"
        }.joined()
        let form = [
            ("format", "bitly"), ("collection", "short"),
            ("text", "Link,Long URL,Custom bitlinks\n\(rows)"), ("do", "check"),
        ]
        let seen = PageStructure(console.post("import", form).content)
        let done = PageStructure(console.post("import", seen.form + [("do", "import")]).content)
        for page in [seen, done] {
            #expect(page.faults == [] && page.text.contains("evil.example"), "\(page.text)")
            #expect(page.text.contains("And 100 more."))
            #expect(page.tags.filter { $0 == "tr " }.count == ImportAnswer.findingsMax + 1)
            // It stands before the remarks.
            let (fault, remark) = (
                page.text.firstRange(of: "evil.example"),
                page.text.firstRange(of: "is of another domain")
            )
            #expect(
                fault.map { $0.lowerBound } ?? page.text.endIndex < remark?.lowerBound
                    ?? page.text.startIndex)
        }
    }

    @Test func `lines with many findings each are fewer`() {
        let fault = #"{"pointer": "/tags", "rule": "text-length", "detail": "too long"}"#
        let faults = [String](repeating: fault, count: 50).joined(separator: ",")
        let lines = (1...30).map {
            #"{"line": \#($0), "outcome": "refused", "problem": {"errors": [\#(faults)]}}"#
        }
        let report = ImportAnswer(
            ConsoleAPI.Answer(
                status: 200, type: "application/x-ndjson", fields: [:],
                content: Array(lines.joined(separator: "\n").utf8)))
        #expect(report.findings.count == 10 && report.moreFindings == 20)
    }

    @Test func `lines with remarks that the answer only counts are counted on the page`() throws {
        let line =
            #"{"line": 1, "outcome": "created", "warnings": [{"pointer": "", "detail": "d"}]}"#
        let summary =
            #"{"summary": {"created": 10400, "changed": 0, "unchanged": 0, "refused": 0, "warned": 10400}}"#
        let report = ImportAnswer(
            ConsoleAPI.Answer(
                status: 200, type: "application/x-ndjson", fields: [:],
                content: Array("\(line)\n\(summary)\n".utf8)))
        #expect(report.moreFindings == 10_399)
        let console = try TestConsole()
        let rows = (0..<10_100).map { "n\($0),https://www.example.com/%\n" }.joined()
        let answer = console.post(
            "import", [("collection", "short"), ("text", "slug,destination\n\(rows)")])
        let page = PageStructure(answer.content)
        #expect(
            page.faults == [] && page.text.contains("And 10,000 more."), "\(page.text.suffix(300))")
        let few = console.post(
            "import",
            [("collection", "short"), ("text", "slug,destination\nn,https://www.example.com/%\n")])
        #expect(!PageStructure(few.content).text.contains(" more."))
    }

    @Test func `lines that the answer counts and does not have are counted`() {
        let lines = [
            #"{"line": 2, "outcome": "refused", "problem": {"errors": []}, "warnings": [{"detail": "a"}]}"#,
            #"{"line": 3, "outcome": "created", "warnings": [{"detail": "b"}]}"#,
            #"{"summary": {"lines": 900, "created": 890, "refused": 10, "warned": 400}}"#,
        ]
        let report = ImportAnswer(
            ConsoleAPI.Answer(
                status: 200, type: "application/x-ndjson", fields: [:],
                content: Array(lines.joined(separator: "\n").utf8)))
        // Nine more refused lines, and 399 more that are taken with a remark.
        #expect(report.findings.count == 2 && report.moreFindings == 9 + 399)
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
