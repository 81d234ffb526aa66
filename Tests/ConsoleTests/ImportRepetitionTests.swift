@testable import Console
import JSONSyntax
import Testing

/// Browsers send a form again when its page is loaded anew.
@Suite("An import that is sent again")
struct ImportRepetitionTests {
    private static let table = """
        destination,page.title
        https://www.example.com/,A
        https://www.example.com/,B

        """
    private static let form = [
        ("format", "csv"), ("collection", "short"), ("text", table), ("do", "check"),
    ]

    private func count(_ console: TestConsole) -> Int {
        console.ask("GET", ["links"]).json?["links"]?.elements?.count ?? -1
    }

    @Test("links without a short name are asked about", arguments: ConsoleLanguage.allCases)
    func repeated(_ language: ConsoleLanguage) throws {
        let console = try TestConsole()
        func press(_ form: [(String, String)]) -> ConsoleResponse {
            console.post("import", form + [("do", "import")], language)
        }
        let seen = PageStructure(console.post("import", Self.form, language).content)
        #expect(press(seen.form).status == 200 && count(console) == 2)
        let again = press(seen.form)
        let page = PageStructure(again.content)
        #expect(again.status == 409 && page.faults == [] && count(console) == 2)
        let words = language == .en ? "would be made once more" : "noch einmal erstellt"
        #expect(page.text.contains(words), "\(page.text)")
        // Whoever means it makes them.
        #expect(press(page.form).status == 200 && count(console) == 4)
        // Other changes are no imports.
        let next = PageStructure(console.post("import", Self.form, language).content)
        _ = try console.make(#"{"collection": "short", "destination": "https://www.example.com/"}"#)
        #expect(press(next.form).status == 200 && count(console) == 7)
    }

    /// The links of 70 lines are made in two transactions.
    @Test("links are made once by a form that is sent twice at once", arguments: [2, 70])
    func twice(_ lines: Int) throws {
        let console = try TestConsole()
        console.endsTransactionsSoon = true
        let table = "destination\n" + String(repeating: "https://www.example.com/\n", count: lines)
        let form = Self.form.filter { $0.0 != "text" } + [("text", table)]
        let seen = PageStructure(console.post("import", form).content)
        let (first, second) = console.postTwice("import", seen.form + [("do", "import")])
        #expect(second?.status == 200 && first.status == 409)
        // The table has a heading.
        #expect(console.get("links.csv").text.split(separator: "\r\n").count == lines + 1)
        // Whoever means it makes them.
        let asked = PageStructure(first.content)
        #expect(asked.text.contains("would be made once more"), "\(asked.text)")
        #expect(console.post("import", asked.form + [("do", "import")]).status == 200)
    }

    @Test func `links are asked about where changes cannot be read`() throws {
        let console = try TestConsole()
        console.isAway = { $0.path == ["audit"] }
        let seen = PageStructure(console.post("import", Self.form).content)
        let form = seen.form + [("do", "import")]
        #expect(console.post("import", form).status == 200 && count(console) == 2)
        #expect(console.post("import", form).status == 409 && count(console) == 2)
        // Nothing is imported where it cannot be looked at first.
        console.isAway = { $0.path == ["audit"] || $0.query.contains { $0.value == "true" } }
        #expect(console.post("import", form).status == 503 && count(console) == 2)
        console.isAway = { $0.path == ["audit"] }
        // Another page of the same table is another form.
        let next = PageStructure(console.post("import", Self.form).content)
        #expect(console.post("import", next.form + [("do", "import")]).status == 200)
        #expect(count(console) == 4)
    }

    @Test func `lines with a short name are made once, and nothing is asked`() throws {
        let console = try TestConsole()
        let table = "destination,slug\nhttps://www.example.com/,a\n"
        let form = Self.form.filter { $0.0 != "text" } + [("text", table)]
        let seen = PageStructure(console.post("import", form).content)
        let (first, second) = console.postTwice("import", seen.form + [("do", "import")])
        #expect(second?.status == 200 && count(console) == 1)
        #expect(first.text.contains("Nothing was imported"), "\(first.text)")
    }
}
