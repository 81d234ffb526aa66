@testable import Console
import JSONSyntax
import LinkStore
import Testing
import Visits

@Suite("Orders and columns of the list of links")
struct ListViewTests {
    private func slugs(_ answer: ConsoleResponse) -> [String] {
        answer.text.matches(of: #/go\.example\.com/s/([a-z0-9-]+)<\/span>/#).map { String($0.1) }
    }

    private func make(_ console: TestConsole, _ slug: String, _ more: String = "") throws -> String
    {
        try console.make(
            #"{"collection": "short", "slug": "\#(slug)", "destination": "https://www.example.com/"\#(more)}"#
        )
    }

    private func visit(_ console: TestConsole, _ visits: [(link: Int, ago: Int, count: Int)]) throws
    {
        try console.visits.use { store throws(StoreError) in
            var batch = VisitBatch()
            for one in visits {
                let hour = console.now / 3_600 - 24 * one.ago
                batch.add(VisitKey(link: one.link, hour: hour, .visit), one.count)
            }
            try store.add(batch)
        }
    }

    @Test func `each order has the links that it names first`() throws {
        let console = try TestConsole()
        let first = try make(console, "m", #", "until": "2027-06-01T00:00:00Z""#)
        _ = try make(console, "a")
        _ = try make(console, "z", #", "until": "2027-02-01T00:00:00Z""#)
        try visit(console, [(1, 0, 1), (2, 8, 9), (2, 1, 1), (3, 40, 50), (3, 3, 2)])
        let patched = console.ask("PATCH", ["links", first], #"{"note": "x"}"#, ["if-match": "*"])
        #expect(patched.isSuccess)
        for (order, expected) in [
            ("newest", ["z", "a", "m"]), ("oldest", ["m", "a", "z"]), ("slug", ["a", "m", "z"]),
            ("changed", ["m", "z", "a"]), ("ending", ["z", "m", "a"]), ("week", ["z", "a", "m"]),
            ("month", ["a", "z", "m"]), ("quarter", ["z", "a", "m"]), ("none", ["z", "a", "m"]),
        ] {
            let page = console.get("links?order=\(order)", as: .viewer)
            let structure = PageStructure(page.content)
            #expect(slugs(page) == expected && structure.faults == [], "\(order)")
            #expect(structure.choices["order"] == (order == "none" ? "newest" : order))
        }
        let week = console.get("links?order=week").text
        #expect(
            week.contains("Visits, 7 days") && week.contains(#"data-label="Visits, 7 days">2<"#))
        #expect(
            console.get("links?order=quarter", as: .viewer, .de).text.contains("Besuche, 90 Tage"))
        // A table for spreadsheets is put in order there.
        let table = console.get("links.csv?order=week").text
        #expect(table.split(separator: "\r\n").count == 4)
    }

    @Test(arguments: ["slug", "changed", "ending", "week", "oldest"])
    func `pages of an order have each link once, with its filter and its columns`(
        _ order: String
    ) throws {
        let console = try TestConsole()
        for number in 1...120 {
            _ = try make(
                console, "n\(number)", #", "tags": ["\#(number % 10 == 0 ? "rare" : "t")"]"#)
        }
        try visit(console, (1...120).map { ($0, 1, $0 % 7 + 1) })
        var (path, found) = ("links?tag=t&order=\(order)&columns=none&column=visits", [String]())
        for page in 0..<3 {
            let answer = console.get(path)
            found += slugs(answer)
            #expect(!answer.text.contains("<span class=\"goal\">"))
            let next = PageStructure(answer.content).hrefs.last { $0.contains("after=") }
            #expect((next != nil) == (page < 2))
            path = next?.replacing("/console/", with: "") ?? ""
            #expect(page == 2 || path.contains("tag=t&order=\(order)&columns=visits&after="))
        }
        #expect(found.count == 108 && Set(found).count == 108)
        let rare = console.get("links?tag=rare&order=\(order)")
        #expect(slugs(rare).count == 12)
    }

    @Test func `links that end soon are in the order that was chosen`() throws {
        let console = try TestConsole()
        for (slug, until) in [("m", "20"), ("a", "18"), ("z", "22")] {
            _ = try make(console, slug, #", "until": "2027-01-\#(until)T00:00:00Z""#)
        }
        _ = try make(console, "b", #", "until": "2027-06-01T00:00:00Z""#)
        _ = try make(console, "c")
        try visit(console, [(1, 1, 5), (3, 1, 9), (4, 1, 50)])
        // Without a choice, and where the page offers none of creation, the next end is the first, and the list says so.
        for (order, expected, shown) in [
            ("", ["a", "m", "z"], "ending"), ("&order=newest", ["a", "m", "z"], "ending"),
            ("&order=oldest", ["a", "m", "z"], "ending"), ("&order=slug", ["a", "m", "z"], "slug"),
            ("&order=week", ["z", "m", "a"], "week"),
            ("&order=changed", ["z", "a", "m"], "changed"),
        ] {
            let answer = console.get("links?state=ending\(order)", as: .viewer)
            let page = PageStructure(answer.content)
            #expect(slugs(answer) == expected && page.faults == [], "\(order): \(slugs(answer))")
            #expect(page.choices["order"] == shown && page.choices["state"] == "ending")
        }
        #expect(console.get("links.csv?state=ending").text.split(separator: "\r\n").count == 4)
        // The nearest: all links, in the order that was chosen.
        #expect(slugs(console.get("links?order=week")).first == "b")
        #expect(PageStructure(console.get("links").content).choices["order"] == "newest")
    }

    @Test(
        "pages of links that end soon have each once",
        arguments: ["", "&order=week", "&order=slug"])
    func endingPages(_ order: String) throws {
        let console = try TestConsole()
        for number in 1...70 {
            _ = try make(console, "n\(number)", #", "until": "2027-01-20T00:00:00Z""#)
        }
        try visit(console, (1...70).map { ($0, 1, $0 % 7 + 1) })
        let first = console.get("links?state=ending\(order)")
        let next = try #require(PageStructure(first.content).hrefs.last { $0.contains("after=") })
        #expect(next.contains("state=ending\(order)"))
        let second = console.get(next.replacing("/console/", with: ""))
        #expect(Set(slugs(first) + slugs(second)).count == 70 && slugs(second).count == 20)
    }

    @Test func `columns are those that were chosen, in the URL alone`() throws {
        let console = try TestConsole()
        _ = try make(
            console, "a", #", "tags": ["t"], "note": "<b>", "from": "2026-01-02T00:00:00Z""#)
        func headings(_ query: String) -> [String] {
            console.get("links?\(query)").text.matches(of: #/<th scope="col"[^>]*>([^<]*)</#)
                .map { String($0.1) }
        }
        #expect(
            headings("") == ["Link", "Destination", "Tags", "State", "Visits, 30 days", "Made"])
        #expect(headings("columns=none") == ["Link"])
        #expect(
            headings("columns=none&column=note&column=visits") == [
                "Link", "Visits, 30 days", "Note",
            ])
        #expect(
            headings("columns=starts-ends-changed-collection")
                == ["Link", "Collection", "Last changed", "Starts", "Ends"])
        #expect(headings("columns=nonsense").count == 6)
        let answer = console.get("links?columns=note-starts-tags")
        #expect(PageStructure(answer.content).faults == [])
        #expect(answer.text.contains("&lt;b&gt;") && answer.text.contains("2026-01-02"))
        // The way by a tag, and the form for selected links, keep the view.
        #expect(answer.text.contains("links?tag=t&amp;columns=tags-starts-note"))
        #expect(
            answer.text.contains(#"name="filter.columns" value="tags-starts-note""#))
        #expect(!answer.fields.contains { $0.name == "Set-Cookie" })
        let id = console.ask("GET", ["links"]).json?["links"]?.elements?.first?["id"]?.text ?? ""
        let back = console.post(
            "links/selected",
            [
                ("do", "tag"), ("value", "x"), ("id", id), ("filter.columns", "note"),
                ("filter.order", "slug"),
            ])
        #expect(back.field("Location")?.contains("order=slug&columns=note") == true)
    }

    @Test func `links are listed also where visits cannot be read`() throws {
        let console = try TestConsole()
        _ = try make(console, "a")
        console.visits.close()
        let page = console.get("links?order=month")
        #expect(page.status == 200 && slugs(page) == ["a"])
        #expect(page.text.contains("cannot be read now"))
    }
}
