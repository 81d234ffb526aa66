import Diagnostics
@testable import LinkAPI
import LinkStore
import Testing

/// The number of links of a list, on all its pages.
@Suite struct LinkCountTests {
    /// An API with so many links, of which every third has the tag `t`, every fourth the title `Winter`, and every fifth is archived.
    private func api(_ count: Int) throws -> TestAPI {
        let api = try TestAPI()
        let lines = (1...count).map { number in
            #"{"collection": "short", "slug": "n\#(number)", "destination": "https://www.example.com/""#
                + (number % 3 == 0 ? #", "tags": ["t"]"# : "")
                + (number % 4 == 0 ? #", "page": {"title": "Winter"}"# : "")
                + (number % 5 == 0 ? #", "archived": true"# : "") + "}"
        }
        _ = try api.importing(lines.joined(separator: "\n") + "\n", [])
        return api
    }

    /// Such as `96 true`.
    private func counted(_ answer: APIResponse) -> String? {
        guard let count = answer.object["count"] as? Int,
            let isExact = answer.object["countIsExact"] as? Bool
        else { return nil }
        return "\(count) \(isExact)"
    }

    private static let lists: [(query: String, count: Int)] = [
        ("", 96), ("archived=true", 120), ("archived=only", 24), ("tag=t", 32),
        ("tag=t&archived=true", 40), ("q=winter", 24), ("q=winter&archived=true", 30),
        ("q=winter&tag=t", 8), ("q=w", 96), ("state=disabled", 0), ("collection=short", 96),
        ("collection=exact", 0),
    ]

    /// Whatever the order and the page.
    @Test func `each page of a list says how many there are`() throws {
        let api = try api(120)
        for (query, count) in Self.lists {
            for order in ["oldest", "newest", "slug", "changed"] {
                var (path, seen) = ("links?count=true&limit=11&order=\(order)&\(query)", 0)
                var next = String?.some("")
                while let after = next {
                    let answer = api.ask("GET", path + after)
                    #expect(counted(answer) == "\(count) true", "\(path)\(after)")
                    seen += (answer.object["links"] as? [Any])?.count ?? 0
                    next = answer.fields["Link"].flatMap { $0.firstMatch(of: #/after=([^>&]+)/#) }
                        .map { "&after=\($0.1)" }
                    path = path.replacing(/&after=.*/, with: "")
                }
                #expect(seen == count, "\(path)")
            }
        }
        #expect(counted(api.ask("GET", "links")) == nil)
        #expect(counted(api.ask("GET", "links?count=false")) == nil)
        #expect(api.ask("GET", "links?count=true&changed-since=0").status == 400)
    }

    @Test func `behind a thousand it is at least so many`() throws {
        let api = try api(1_300)
        for query in ["", "&order=newest", "&q=example", "&q=example&order=newest", "&limit=200"] {
            let answer = api.ask("GET", "links?count=true\(query)")
            #expect(counted(answer) == "1000 false", "\(query)")
        }
        // A list in another order is a look at all links in any case.
        #expect(counted(api.ask("GET", "links?count=true&order=slug")) == "1040 true")
        #expect(counted(api.ask("GET", "links?count=true&tag=t")) == "347 true")
        #expect(counted(api.ask("GET", "links?count=true&q=winter")) == "260 true")
    }

    @Test func `few links among very many are counted up to a limit`() throws {
        let api = try api(2_500)
        var filter = LinkFilter()
        (filter.tag, filter.includesArchived) = ("t", true)
        for (rows, expected) in [
            (2_000, LinkTally(count: 666, isExact: false)), (2_001, LinkTally(count: 833)),
        ] {
            var count = LinkCount(filter, after: nil, counted: 0)
            count.rowsMax = rows
            var answer = try count.answer(api.store) { tally in
                APIResponse(
                    200,
                    .object([
                        ("count", .number(tally.count)), ("countIsExact", .boolean(tally.isExact)),
                    ]))
            }
            var parts = 1
            while let rest = answer.rest { (answer, parts) = (rest.next(api.store), parts + 1) }
            #expect(counted(answer) == "\(expected.count) \(expected.isExact)")
            #expect(parts == (expected.isExact ? 2 : 1))
        }
    }
}
