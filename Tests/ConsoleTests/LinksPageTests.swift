@testable import Console
import JSONSyntax
import LinkIndex
import LinkStore
import Testing
import Visits

@Suite("Lists, previews and counts in the console")
struct LinksPageTests {
    private func slugs(_ answer: ConsoleResponse) -> [String] {
        answer.text.matches(of: #/go\.example\.com/s/([a-z0-9-]+)<\/span>/#).map { String($0.1) }
    }

    @Test func `a list goes on to the last page, the newest link first`() throws {
        let console = try TestConsole()
        for number in 1...120 {
            _ = try console.make(
                #"{"collection": "short", "slug": "n\#(number)", "tags": ["t&t"], "destination": "https://www.example.com/"}"#
            )
        }
        var (path, found) = ("links?tag=t%26t", [String]())
        for page in 0..<3 {
            let answer = console.get(path)
            found += slugs(answer)
            let next = PageStructure(answer.content).hrefs.last { $0.contains("after=") }
            #expect((next != nil) == (page < 2))
            path = next?.replacing("/console/", with: "") ?? ""
            #expect(page == 2 || path.contains("tag=t%26t"))
        }
        #expect(found == (1...120).reversed().map { "n\($0)" })
    }

    @Test func `a list says how many links there are`() throws {
        let console = try TestConsole()
        for number in 1...60 {
            _ = try console.make(
                #"{"collection": "short", "slug": "n\#(number)", "destination": "https://www.example.com/\#(number)"}"#
            )
        }
        func text(_ path: String, _ language: ConsoleLanguage = .en) -> String {
            PageStructure(console.get(path, as: .viewer, language).content).text
        }
        #expect(text("links").contains("60 links"))
        #expect(text("links", .de).contains("60 Links"))
        let one = text("links?q=%2F60")
        #expect(one.contains("1 link") && !one.contains("1 links"))
        #expect(text("links?q=%2F5&order=slug").contains("11 links"))
        let next = try #require(
            PageStructure(console.get("links").content).hrefs.last { $0.contains("after=") })
        #expect(text(next.replacing("/console/", with: "")).contains("60 links"))
        #expect(!text("links?q=none").contains("0 links"))
    }

    @Test("a list of the archive alone", arguments: ConsoleLanguage.allCases)
    func archive(_ language: ConsoleLanguage) throws {
        let console = try TestConsole()
        let nothing = console.get("links?state=archived", as: .viewer, language)
        let empty = PageStructure(nothing.content)
        #expect(empty.faults == [])
        #expect(
            empty.text.contains(language == .en ? "The archive is empty" : "Das Archiv ist leer"))
        for (slug, more) in [("a", ""), ("b", #", "archived": true"#), ("c", "")] {
            _ = try console.make(
                #"{"collection": "short", "slug": "\#(slug)", "destination": "https://www.example.com/"\#(more)}"#
            )
        }
        for order in ["newest", "slug"] {
            let answer = console.get("links?state=archived&order=\(order)", as: .viewer, language)
            let page = PageStructure(answer.content)
            #expect(page.faults == [] && slugs(answer) == ["b"])
            #expect(page.choices["state"] == "archived")
            #expect(answer.text.contains("links.csv?state=archived"))
        }
        #expect(slugs(console.get("links?state=archived&q=other")) == [])
        let table = console.get("links.csv?state=archived").text
        #expect(table.split(separator: "\r\n").count == 2)
    }

    @Test(
        "a link is found by what people paste",
        arguments: [
            ("https://go.example.com/s/summer", ["summer"]),
            ("go.example.com/s/summer", ["summer"]),
            ("https://go.example.com/s/summer?a=b", ["summer"]), (" summer ", ["summer"]),
            ("HTTPS://Go.Example.COM:8443/s/summer#a", ["summer"]),
            ("https://go.example.com/s/summer/", ["summer"]),
            ("/s/summer", ["summer"]), ("s/summer", ["summer"]), ("/t/summer", []),
            // Another name of the link.
            ("https://go.example.com/s/poster7", ["summer"]), ("POSTER7", ["summer"]),
            ("go.example.com/s/poster7/?a=b", ["summer"]), ("poster8", []),
            ("https://go.example.com:443/s/summer", ["summer"]),
            ("go.example.com:443/s/summer", ["summer"]),
            ("https://www.example.com:443/other", ["winter"]),
            ("www.example.com:443/other", ["winter"]),
            ("www.example.com/other", ["winter"]), ("https://go.example.com/t/summer", []),
        ])
    func pasted(_ text: String, _ found: [String]) throws {
        let console = try TestConsole()
        for (slug, path) in [("summer", "one"), ("winter", "other")] {
            let id = try console.make(
                #"{"collection": "short", "slug": "\#(slug)", "destination": "https://www.example.com/\#(path)"}"#
            )
            guard slug == "summer" else { continue }
            let alias = console.ask("POST", ["links", id, "aliases"], #"{"slug": "poster7"}"#)
            #expect(alias.status == 201)
        }
        let typed = text.replacing(" ", with: "%20").replacing("?", with: "%3F")
            .replacing("=", with: "%3D").replacing("#", with: "%23")
        #expect(slugs(console.get("links?q=\(typed)")) == found)
    }

    @Test(
        "numbers have their thousands apart, as the language writes them",
        arguments: [
            (0, "0", "0"), (7, "7", "7"), (999, "999", "999"), (1_000, "1,000", "1.000"),
            (13_269, "13,269", "13.269"), (100_000, "100,000", "100.000"),
            (-1_234_567, "-1,234,567", "-1.234.567"),
            (.max, "9,223,372,036,854,775,807", "9.223.372.036.854.775.807"),
            (.min, "-9,223,372,036,854,775,808", "-9.223.372.036.854.775.808"),
        ])
    func numerals(_ number: Int, _ english: String, _ german: String) {
        for (language, text) in [(ConsoleLanguage.en, english), (.de, german)] {
            let setting = ConsoleSetting(environment: "prod", language: language, isSecure: true)
            #expect(PageWriter(setting).numeral(number) == text)
        }
    }

    @Test func `each row has its visits of thirty days, by one question for the page`() throws {
        let console = try TestConsole()
        for slug in ["a", "b", "c"] {
            _ = try console.make(
                #"{"collection": "short", "slug": "\#(slug)", "destination": "https://www.example.com/"}"#
            )
        }
        try console.visits.use { store throws(StoreError) in
            var batch = VisitBatch()
            let hour = console.now / 3_600
            batch.add(VisitKey(link: 1, hour: hour, .visit), 12_338)
            batch.add(VisitKey(link: 1, hour: hour - 24 * 29, .visit), 7)
            batch.add(VisitKey(link: 1, hour: hour, .bot), 90)
            batch.add(VisitKey(link: 2, hour: hour - 24 * 31, .visit), 40)
            try store.add(batch)
        }
        let asked = Asked()
        console.before = { asked.paths.append($0.path) }
        let answer = console.get("links")
        let numbers = answer.text.matches(of: #/data-label="Visits, 30 days">([^<]*)</#)
        #expect(numbers.map { String($0.1) } == ["0", "0", "12,345"])
        #expect(asked.paths.filter { $0 == ["visits"] }.count == 1)
        #expect(!asked.paths.contains { $0.first == "links" && $0.count > 1 })
        let german = console.get("links", .de)
        #expect(german.text.contains(#"data-label="Besuche, 30 Tage">12.345<"#))
        // Without figures the list is there all the same.
        console.visits.close()
        let without = console.get("links")
        #expect(without.status == 200 && slugs(without) == ["c", "b", "a"])
        #expect(without.text.contains(#"data-label="Visits, 30 days">–<"#))
    }

    @Test func `a miss that can be no short name is no way to a link`() throws {
        let console = try TestConsole()
        let names = [
            "poster", "%22%3E", "_x", "a.", ".a", "a/b", String(repeating: "x", count: 65),
        ]
        try console.visits.use { store throws(StoreError) in
            var batch = VisitBatch()
            for name in names {
                batch.addMiss(
                    CollectionName("short").number, console.now / 3_600, "/s/\(name)", 5)
            }
            try store.add(batch)
        }
        let page = PageStructure(console.get("misses").content)
        let ways = page.hrefs.filter { $0.contains("slug=") }
        #expect(ways == ["/console/new?collection=short&slug=poster"])
        for name in names where name != ".a" {
            #expect(page.text.contains("/s/\(name)"), "\(name)")
        }
    }

    private final class Asked { var paths = [[String]]() }

    @Test func `filters and the search find what they name`() throws {
        let console = try TestConsole()
        _ = try console.make(
            #"{"collection": "short", "slug": "a", "tags": ["x"], "destination": "https://www.example.com/"}"#
        )
        _ = try console.make(
            #"{"collection": "short", "slug": "b", "note": "Größe", "destination": "https://www.example.com/"}"#
        )
        let off = try console.make(
            #"{"collection": "short", "slug": "c", "state": "disabled", "destination": "https://www.example.com/"}"#
        )
        #expect(slugs(console.get("links")) == ["c", "b", "a"])
        #expect(slugs(console.get("links?q=gr%C3%B6%C3%9Fe")) == ["b"])
        #expect(slugs(console.get("links?tag=x")) == ["a"])
        #expect(slugs(console.get("links?state=disabled")) == ["c"])
        #expect(slugs(console.get("links?state=active")) == ["b", "a"])
        #expect(console.post("links/\(off)/delete", []).status == 303)
        #expect(slugs(console.get("links")) == ["b", "a"])
        #expect(slugs(console.get("links?state=all")) == ["c", "b", "a"])
        #expect(console.get("links?q=nothing").text.contains("No link matches"))
        let unknown = console.get("links?collection=shart")
        #expect(unknown.status == 400 && unknown.text.contains("did you mean"))
    }

    @Test func `an empty list teaches, and only those who may make links get the button`() throws {
        let console = try TestConsole()
        #expect(console.get("links").text.contains("Make the first link"))
        #expect(!console.get("links", as: .viewer).text.contains("Make the first link"))
    }

    @Test func `the preview says what each client gets`() throws {
        let console = try TestConsole()
        let id = try console.make(
            #"{"collection": "short", "slug": "a", "destination": "https://www.example.com/d", "web": {"android": "store"}}"#
        )
        let text = PageStructure(console.get("links/\(id)/preview").content).text
        for words in [
            "Opens the app", "Sees the link’s page", "Goes to the app’s store:", "Goes to",
            "https://www.example.com/d", "Gets a card", "Stays in Instagram’s own browser",
        ] {
            #expect(text.contains(words), "\(words)")
        }
        let typed = console.get("preview?url=https://go.example.com/s/info")
        #expect(typed.status == 200 && typed.text.contains("https://www.example.com/info"))
        let plain = PageStructure(console.get("preview?url=http://go.example.com/s/info").content)
        #expect(plain.text.contains("Goes to https://go.example.com/s/info"), "\(plain.text)")
        #expect(!plain.text.contains("Something else"))
        let none = PageStructure(console.get("preview?url=https://go.example.com/s/none").content)
        #expect(none.text.contains("Finds nothing (404)"))
        #expect(console.get("preview?url=https://other.example/").status == 404)
        #expect(console.get("preview?url=x%20y").status == 400)
        // The page leads to the link, whichever of its names is typed.
        let alias = console.ask("POST", ["links", id, "aliases"], #"{"slug": "a-too"}"#)
        #expect(alias.status == 201)
        func ways(_ url: String) -> [String] {
            PageStructure(console.get("preview?url=\(url)").content).hrefs
                .filter { $0.hasPrefix("/console/links/") }
        }
        for name in ["a", "a-too"] {
            #expect(ways("https://go.example.com/s/\(name)") == ["/console/links/\(id)"])
        }
        #expect(ways("https://go.example.com/s/info") == [])
        // As the list shows it.
        let short = console.get("preview?url=go.example.com/s/info")
        #expect(short.status == 200 && short.text.contains("https://www.example.com/info"))
        // In a collection that no app publishes.
        let other = try console.make(
            #"{"collection": "exact", "slug": "a", "destination": "https://x.example/"}"#)
        let preview = console.get("links/\(other)/preview").text
        #expect(preview.contains("Opens no app"))
        // Remarks about an app are where one opens, and those about a page where there is one.
        for remark in ["A tap opens the app", "Opens once Android", "says how to get out"] {
            #expect(!preview.contains(remark) && text.contains(remark), "\(remark)")
        }
    }

    @Test("who sees some collections is told whom sums are for", arguments: [403, 503])
    func sums(_ status: Int) {
        for (path, isOfAll) in [("visits", false), ("misses", true)] {
            let request = ConsoleRequest(
                .get, [path], person: ConsolePerson("Anna", .viewer),
                setting: ConsoleSetting(environment: "prod", language: .en, isSecure: true), now: 1)
            let page = Console.answer(
                request,
                ConsoleAPI { _ in
                    ConsoleAPI.Answer(
                        status: status, type: "application/problem+json", fields: [:], content: [])
                })
            #expect(
                page.text.contains("Sums of all links are for people") == (isOfAll && status == 403)
            )
            #expect(page.text.contains("cannot be read now") == (!isOfAll || status == 503))
        }
    }

    @Test func `visits are a chart with a table, and a miss is the way to a link`() throws {
        let console = try TestConsole()
        let id = try console.make(
            #"{"collection": "short", "slug": "a", "destination": "https://www.example.com/"}"#)
        try console.visits.use { store throws(StoreError) in
            var batch = VisitBatch()
            batch.add(VisitKey(link: 1, hour: console.now / 3_600, .visit), 41)
            batch.add(VisitKey(link: 1, hour: console.now / 3_600 - 24 * 29, .visit), 1)
            batch.addMiss(CollectionName("short").number, console.now / 3_600, "/s/poster", 5)
            try store.add(batch)
        }
        for path in ["", "visits", "links/\(id)"] {
            let page = PageStructure(console.get(path).content)
            #expect(
                page.text.contains("42 visits in 30 days. The most: 41 on 2027-01-15."), "\(path)")
            #expect(page.bars == ["2026-12-17: 1", "2027-01-15: 41"], "\(page.bars)")
        }
        for path in ["", "misses"] {
            let page = PageStructure(console.get(path).content)
            #expect(page.text.contains("/s/poster"))
            #expect(page.hrefs.contains("/console/new?collection=short&slug=poster"))
            #expect(!console.get(path, as: .viewer).text.contains("slug=poster"))
        }
        let form = PageStructure(console.get("new?collection=short&slug=poster").content)
        #expect(form.values["slug"] == "poster")
    }
}
