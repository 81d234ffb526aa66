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
}
