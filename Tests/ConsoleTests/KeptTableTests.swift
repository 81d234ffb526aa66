@testable import Console
import JSONSyntax
import Testing
import URISyntax

@Suite("A table that is imported when the configuration has changed")
struct KeptTableTests {
    private static let table = "slug,destination\none,https://www.example.com/1\n"

    @Test(
        "a collection that goes between the steps of an import takes nothing along",
        arguments: [ConsoleLanguage.en, .de])
    func gone(_ language: ConsoleLanguage) throws {
        let console = try TestConsole()
        let first = console.post(
            "import", [("collection", "short"), ("text", Self.table), ("do", "check")])
        let seen = PageStructure(first.content)
        #expect(seen.text.contains("Import 1 link"))
        console.removeCollections()
        let answer = console.post("import", seen.form + [("do", "import")], as: .editor, language)
        let page = PageStructure(answer.content)
        #expect(answer.status == 422 && page.faults == [], "\(page.faults)")
        #expect(
            page.text.contains(
                language == .en
                    ? "The collection short is not there any more"
                    : "Die Sammlung short gibt es nicht mehr"), "\(page.text)")
        #expect(!page.text.contains("query") && page.hrefs.contains("#collection"))
        // The field to which the summary leads is there, and nothing is chosen in it.
        #expect(page.ids.contains("collection") && page.choices["collection"] != "short")
        let content = page.hidden.first { $0.0 == "content" }?.1 ?? ""
        #expect(base64URLDecoded(content) == Array(Self.table.utf8))
        // The first step says the same.
        let again = console.post(
            "import", [("collection", "short"), ("text", Self.table), ("do", "check")])
        #expect(again.status == 422 && again.text.contains("is not there any more"))
    }

    /// With another collection, the same page goes on.
    @Test func `the table goes on into a collection that is there`() throws {
        let console = try TestConsole()
        let answer = console.post(
            "import",
            [
                ("collection", "old"), ("content", base64URL(Array(Self.table.utf8))),
                ("step", "seen"), ("do", "import"),
            ])
        let page = PageStructure(answer.content)
        #expect(answer.status == 422 && page.text.contains("The collection old is not there"))
        let form = page.form.filter { !["collection", "do"].contains($0.0) }
        let seen = console.post("import", form + [("collection", "short"), ("do", "check")])
        #expect(seen.text.contains("Import 1 link"), "\(PageStructure(seen.content).text)")
        let done = console.post("import", PageStructure(seen.content).form + [("do", "import")])
        #expect(done.text.contains("Links made: 1"))
    }

    /// What is refused as a whole for another reason has its table, too.
    @Test func `an import that is not begun keeps its table`() throws {
        let console = try TestConsole()
        let content = base64URL(Array(Self.table.utf8))
        let form = [
            ("collection", "short"), ("content", content), ("step", "seen"), ("do", "import"),
            ("format", "columns"), ("columns", "slug=slug,destination=nonsense"),
        ]
        let page = PageStructure(console.post("import", form).content)
        #expect(page.faults == [] && page.text.contains("your table is kept here"))
        #expect(page.hidden.contains { $0 == ("content", content) })
    }
}
