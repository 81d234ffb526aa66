@testable import Console
import Testing

@Suite("Rows of another service that have no short name")
struct DomainRowTests {
    @Test("a row of the domain alone is refused", arguments: ConsoleLanguage.allCases)
    func domainAlone(_ language: ConsoleLanguage) throws {
        let table = """
            originalURL,path,title
            https://www.example.com/,,Home
            https://www.example.com/a,a,A

            """
        for mode in ["create", "upsert"] {
            let console = try TestConsole()
            let answer = console.post(
                "import",
                [
                    ("format", "short.io"), ("collection", "short"), ("mode", mode),
                    ("do", "check"), ("text", table),
                ], as: .editor, language)
            let page = PageStructure(answer.content)
            let (words, wrong) =
                language == .en
                ? ("The row has no short name: it is of its domain alone", "Write the page that")
                : (
                    "Die Zeile hat keinen Kurznamen: Sie ist von der Domain",
                    "Schreib die Seite, zu"
                )
            #expect(page.text.contains(words) && !page.text.contains(wrong), "\(page.text)")
            let counts = language == .en ? "Refused lines: 1" : "1"
            #expect(page.text.contains(counts))
        }
    }
}
