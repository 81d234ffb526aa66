@testable import Console
import JSONSyntax
import Testing

@Suite("Deleting for good")
struct ErasePageTests {
    private func console() throws -> (TestConsole, String) {
        let console = try TestConsole()
        let id = try console.make(
            #"{"collection": "short", "slug": "a", "destination": "https://www.example.com/", "page": {"title": "Spring <sale>"}}"#
        )
        #expect(console.post("links/\(id)/delete", []).status == 303)
        return (console, id)
    }

    @Test("it is asked about on a page of its own", arguments: ConsoleLanguage.allCases)
    func asked(_ language: ConsoleLanguage) throws {
        let (console, id) = try console()
        let link = PageStructure(console.get("links/\(id)", as: .editor, language).content)
        #expect(link.hrefs.contains("/console/links/\(id)/erase"))
        #expect(!link.hidden.contains { $0.0 == "sure" })
        let question = console.get("links/\(id)/erase", as: .editor, language)
        let page = PageStructure(question.content)
        #expect(question.status == 200 && page.faults == [])
        let words =
            language == .en
            ? "Delete “Spring <sale>” for good?" : "„Spring <sale>“ endgültig löschen?"
        #expect(page.text.contains(words) && page.hrefs.contains("/console/links/\(id)"))
        #expect(console.link(id)?["deleted"] == nil)
        let form = page.hidden.filter { ["tag", "sure"].contains($0.0) }
        #expect(form.count == 2)
        let done = console.post("links/\(id)/erase", form, as: .editor, language)
        #expect(done.status == 303 && done.field("Location")?.hasSuffix("done=erased") == true)
        #expect(console.get("links/\(id)").status == 410)
    }

    @Test func `a form that was not asked deletes nothing`() throws {
        let (console, id) = try console()
        let answer = console.post("links/\(id)/erase", [("tag", "*")])
        let page = PageStructure(answer.content)
        #expect(answer.status == 409 && page.text.contains("for good?"))
        #expect(console.link(id)?["deleted"] == nil && console.link(id)?["archived"] != nil)
        #expect(console.get("links/\(id)/erase", as: .viewer).status == 403)
        #expect(console.get("links/none/erase").status == 404)
    }
}
