@testable import Console
import JSONSyntax
import Testing

@Suite("Codes of several links at once")
struct CodesPageTests {
    private func make(_ console: TestConsole, _ slug: String, _ more: String = "") throws -> String
    {
        try console.make(
            #"{"collection": "short", "slug": "\#(slug)", "destination": "https://www.example.com/"\#(more)}"#
        )
    }

    private func pages(_ answer: ConsoleResponse) -> Int? {
        answer.text.firstMatch(of: #/\/Count ([0-9]+) >>/#).flatMap { Int($0.1) }
    }

    @Test("from the list to the file, without scripts", arguments: ConsoleLanguage.allCases)
    func ofList(_ language: ConsoleLanguage) throws {
        let console = try TestConsole()
        for number in 1...20 {
            let tag = number <= 12 ? #", "tags": ["poster"]"# : ""
            _ = try make(console, "n\(number)", tag)
        }
        let list = PageStructure(console.get("links?tag=poster", as: .viewer, language).content)
        let path = try #require(list.hrefs.first { $0.hasPrefix("/console/codes") })
        let answer = console.get(
            String(path.dropFirst("/console/".utf8.count)), as: .viewer, language)
        let page = PageStructure(answer.content)
        #expect(answer.status == 200 && page.faults == [])
        #expect(page.text.contains(language == .en ? "codes of 12 links" : "Codes von 12 Links"))
        #expect(page.text.contains("go.example.com/s/n12") && !page.text.contains("/s/n13"))
        #expect(page.hidden.contains { $0 == ("tag", "poster") } && page.choices["mm"] == "50")
        let file = console.get("codes.pdf?tag=poster&mm=50&own=", as: .viewer, language)
        #expect(file.status == 200 && file.type == "application/pdf" && pages(file) == 1)
        #expect(
            file.field("Content-Disposition") == "attachment; filename=\"codes-12-50mm.pdf\"")
        #expect(pages(console.get("codes.pdf?tag=poster&mm=own&own=%20100%20")) == 6)
        #expect(pages(console.get("codes.pdf?tag=poster&mm=25&own=100")) == 6)
    }

    @Test func `selected links have a button of their own in the form of the list`() throws {
        let console = try TestConsole()
        let ids = try ["a", "b", "c"].map { try make(console, $0) }
        let list = console.get("links").text
        #expect(list.contains(#"<button formmethod="get" formaction="/console/codes">"#))
        #expect(!console.get("links", as: .viewer).text.contains("formaction"))
        // As a browser sends the form.
        let sent = "filter.tag=x&do=tag&value=&id=\(ids[0])&id=\(ids[2])"
        let answer = console.get("codes?\(sent)")
        let page = PageStructure(answer.content)
        #expect(page.faults == [] && page.text.contains("codes of 2 links"))
        #expect(page.hrefs.contains("/console/links?tag=x"))
        for id in [ids[0], ids[2]] {
            #expect(answer.text.contains(#"name="id" value="\#(id)""#))
        }
        #expect(!answer.text.contains(ids[1]))
        let file = console.get("codes.pdf?id=\(ids[0])&id=\(ids[2])&mm=50")
        #expect(file.status == 200 && pages(file) == 1)
        // Nothing selected is no list of all links.
        for path in ["codes?do=tag&value=", "codes.pdf?do=tag&value="] {
            let none = PageStructure(console.get(path).content)
            #expect(none.faults == [] && none.text.contains("No links, so no codes"), "\(path)")
        }
    }

    @Test("a side that cannot be is said beside the form", arguments: ConsoleLanguage.allCases)
    func refused(_ language: ConsoleLanguage) throws {
        let console = try TestConsole()
        let id = try make(console, "a")
        for (own, words) in [
            ("10", language == .en ? "Choose at least 11 mm." : "Wähle mindestens 11 mm."),
            ("191", language == .en ? "from 10 to 190" : "zwischen 10 und 190"),
            ("x", language == .en ? "from 10 to 190" : "zwischen 10 und 190"),
        ] {
            let path = "codes.pdf?id=\(id)&mm=50&own=\(own)"
            let answer = console.get(path, as: .viewer, language)
            let page = PageStructure(answer.content)
            #expect(answer.status == 400 && page.faults == [])
            #expect(page.text.contains(words), "\(own)")
            #expect(page.values["own"] == own && page.choices["mm"] == "own")
            #expect(answer.text.contains(#"name="id" value="\#(id)""#))
        }
        // What is no identity counts as a link that is missing.
        for more in ["x", "\(id)0", String(repeating: "-", count: 36), "a,b"] {
            let answer = console.get("codes?id=\(more)&id=\(id)", as: .viewer, language)
            let page = PageStructure(answer.content)
            #expect(answer.status == 200 && page.faults == [])
            #expect(page.text.contains(language == .en ? "Without a code: 1 " : "Ohne Code: 1 "))
            #expect(page.text.contains("/s/a"))
        }
        #expect(console.get("codes?id=x").status == 200)
    }

    @Test func `more than a hundred links are said to be too many for one file`() throws {
        let console = try TestConsole()
        for number in 1...101 { _ = try make(console, "n\(number)") }
        let answer = console.get("codes?order=oldest")
        let page = PageStructure(answer.content)
        #expect(page.faults == [] && page.text.contains("codes of 100 links"))
        #expect(page.text.contains("A file has at most 100 codes"))
        #expect(page.text.contains("/s/n100") && !page.text.contains("/s/n101"))
        #expect(answer.content.count < 100_000)
        let file = console.get("codes.pdf?order=oldest&mm=25")
        #expect(pages(file) == 5 && file.field("Content-Disposition")?.contains("-100-") == true)
    }

    @Test("of a selection, those without a code are counted", arguments: ConsoleLanguage.allCases)
    func missing(_ language: ConsoleLanguage) throws {
        let console = try TestConsole()
        let ids = try (1...103).map { try make(console, "n\($0)") }
        func page(_ ids: [String]) -> PageStructure {
            let query = ids.map { "id=\($0)" }.joined(separator: "&")
            return PageStructure(console.get("codes?\(query)", as: .viewer, language).content)
        }
        let others =
            language == .en ? "Missing from your selection: " : "Aus deiner Auswahl fehlt: "
        let gone = language == .en ? "Without a code: " : "Ohne Code: "
        let whole = page(Array(ids.prefix(100)) + ids.prefix(3))
        #expect(whole.faults == [] && !whole.text.contains(others) && !whole.text.contains(gone))
        #expect(page(ids).text.contains(others + (language == .en ? "3 links" : "3 Links")))
        console.ask("DELETE", ["links", ids[1]], "", ["if-match": "*"])
        for (count, expected) in [(6, "1 "), (2, "1 "), (1, nil)] as [(Int, String?)] {
            let found = page(Array(ids.prefix(count)))
            #expect(found.faults == [] && !found.text.contains(others))
            #expect(found.text.contains(gone) == (expected != nil))
            if let expected { #expect(found.text.contains(gone + expected), "\(found.text)") }
        }
        // A link that was deleted behind the page is said before anything is printed, and the rest is offered.
        let late = "codes.pdf?id=\(ids[0])&id=\(ids[1])&mm=50"
        let said = console.get(late, as: .viewer, language)
        let rest = PageStructure(said.content)
        #expect(said.type.hasPrefix("text/html") && rest.text.contains(gone + "1 "))
        #expect(rest.hidden.filter { $0.0 == "id" }.map(\.1) == [ids[0]])
        #expect(pages(console.get("codes.pdf?id=\(ids[0])&mm=50")) == 1)
        let none = page([ids[1]])
        #expect(none.text.contains(gone + "1 "), "\(none.text)")
    }

    @Test(
        "while no visits can be read, the newest links are offered, and nothing else is printed unseen",
        arguments: ConsoleLanguage.allCases)
    func withoutVisits(_ language: ConsoleLanguage) throws {
        let console = try TestConsole()
        for slug in ["a", "b"] {
            _ = try make(console, slug)
            console.now += 1
        }
        let path = "codes?order=week&mm=50"
        let words = language == .en ? "cannot be read now" : "gerade nicht lesbar"
        let whole = PageStructure(console.get(path, as: .viewer, language).content)
        #expect(!whole.text.contains(words) && whole.hidden.contains { $0 == ("order", "week") })
        console.isAway = { $0.query.contains { $0 == ("order", "visits") } }
        for path in [path, "codes.pdf?order=week&mm=50"] {
            let answer = console.get(path, as: .viewer, language)
            let page = PageStructure(answer.content)
            #expect(answer.status == 200 && page.faults == [] && page.text.contains(words))
            let places = ["/s/b", "/s/a"].compactMap { page.text.firstRange(of: $0)?.lowerBound }
            #expect(places.count == 2 && places[0] < places[1])
            // The file has what the page shows.
            #expect(!page.hidden.contains { $0.0 == "order" })
        }
        #expect(console.get("codes.pdf?mm=50").type == "application/pdf")
        // Without any list, the page says so.
        console.isAway = { $0.path == ["links"] }
        #expect(console.get(path, as: .viewer, language).status == 503)
        console.isAway = { _ in false }
        #expect(console.get("codes.pdf?order=week&mm=50").type == "application/pdf")
    }

    @Test func `links of a collection that is not served have no codes`() throws {
        let console = try TestConsole()
        let id = try make(console, "a")
        console.removeCollections(but: "exact")
        let page = PageStructure(console.get("codes?id=\(id)").content)
        #expect(page.faults == [] && page.text.contains("No links, so no codes"))
        #expect(console.get("codes.pdf?id=\(id)&mm=50").type != "application/pdf")
        // Of a list, the others are printed.
        _ = try console.make(
            #"{"collection": "exact", "slug": "b", "destination": "https://www.example.com/"}"#)
        #expect(PageStructure(console.get("codes").content).text.contains("Without a code: 1 "))
        #expect(pages(console.get("codes.pdf?mm=50")) == 1)
    }
}
