import PostgreSQLSupport
import Testing

@testable import LinkStore

@Suite("Links that are put in order, in both databases", .serialized)
struct LinkKeysTests {
    @Test(arguments: TestStores.kinds)
    func `each link of a list is there once, with what orders it`(_ kind: TestStores.Kind) throws {
        let database = try TestStores(kind)
        let store = try database.open()
        for number in 0..<230 {
            var link = content("https://www.example.com/p/\(number)")
            link.tags = number % 3 == 0 ? ["mail"] : []
            link.isArchived = number % 13 == 0
            link.until = number % 5 == 0 ? 1_800_000_000 + number : nil
            link.note = number % 7 == 0 ? "für" : "for"
            try create(store, "s\(number)", link, number)
        }
        var (all, tagged, noted) = (LinkFilter(), LinkFilter(), LinkFilter())
        all.includesArchived = true
        tagged.tag = "mail"
        noted.text = "FÜR"
        for filter in [all, tagged, noted, LinkFilter()] {
            let expected = try store.links(filter, after: nil, limit: 1_000)
            var (keys, last) = ([LinkKeys](), LinkID?.none)
            repeat {
                let end = try store.link(filter, after: last, rows: 50)
                try store.forEachLink(filter, after: last, upTo: end) { keys.append($0) }
                last = end
            } while last != nil
            #expect(keys.map(\.slug).sorted() == expected.map(\.slug).sorted())
            #expect(Set(keys.compactMap(\.until)) == Set(expected.compactMap(\.content.until)))
            #expect(keys.map(\.generation).max() == expected.map(\.generation).max())
            // More than are named in a statement, in an order of their own.
            let backwards = keys.sorted { $0.number > $1.number }
            let found = try store.links(filter, numbered: backwards.map(\.number) + [9_999])
            #expect(found.map(\.link.slug) == backwards.map(\.slug))
            #expect(found.map(\.row) == backwards.map(\.number))
        }
        #expect(try store.links(tagged, numbered: [2, 1]).map(\.link.slug) == [])
    }
}
