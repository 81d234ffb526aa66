@testable import Console
import LinkStore
import Testing
import Visits

/// Names in tables that people or programs have written, without a place at which a line can break.
@Suite("Long names in tables")
struct LongNameTests {
    @Test(
        "leave the numbers in sight",
        arguments: [
            ("tag", true), ("campaign", true), ("link", true), ("day", false), ("platform", false),
        ])
    func names(_ dimension: String, _ isLong: Bool) throws {
        let console = try TestConsole()
        let long = String(repeating: "W", count: 64)
        _ = try console.make(
            #"""
            {"collection": "short", "destination": "https://www.example.com/?utm_campaign=\#(long)",
             "page": {"title": "\#(long)"}, "tags": ["\#(long)"]}
            """#)
        try console.visits.use { store throws(StoreError) in
            var batch = VisitBatch()
            batch.add(VisitKey(link: 1, hour: console.now / 3_600, .visit), 3)
            try store.add(batch)
        }
        let page = console.get("visits?by=\(dimension)")
        #expect(PageStructure(page.content).faults == [])
        #expect(page.text.contains("<th scope=\"row\" class=\"long\">") == isLong)
        #expect(page.text.contains(long) == isLong)
    }

    @Test func `a list with many columns scrolls by itself, also by keys`() throws {
        let console = try TestConsole()
        _ = try console.make(#"{"collection": "short", "destination": "https://www.example.com/"}"#)
        for role in [ConsoleRole.viewer, .editor] {
            #expect(!console.get("links", as: role).text.contains("\"broad\""))
            let all = ListColumn.allCases.map { "column=\($0.rawValue)" }.joined(separator: "&")
            let page = console.get("links?\(all)", as: role)
            #expect(PageStructure(page.content).faults == [])
            let region = #"<div tabindex="0" role="region" class="broad" aria-label="Links">"#
            #expect(page.text.contains(region))
        }
    }

    @Test func `what is to be copied is seen whole, and a table that goes on shows it`() {
        let style = String(decoding: ConsoleStyle.bytes, as: UTF8.self)
        // A line below letters would hide `_`.
        #expect(style.contains("code a{text-decoration:none}"))
        #expect(style.contains(".scroll{overflow-x:auto;background:linear-gradient("))
    }

    @Test func `a name wraps in its column, which has a width`() {
        let style = String(decoding: ConsoleStyle.bytes, as: UTF8.self)
        #expect(
            style.contains(".scroll th.long{min-width:9rem;max-width:20rem;white-space:normal}"))
    }
}
