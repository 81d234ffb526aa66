import Foundation
import PostgreSQL
import PostgreSQLSupport
import TestSupport
import Testing

@testable import LinkAPI
@testable import LinkStore

/// The search that begins in memory, over each database, beside one that reads each row.
@Suite(.serialized) struct `Searches over both databases` {
    /// The ids of a list, by the search that begins in memory.
    private func list(
        _ store: LinkStore, _ filter: LinkFilter, after last: LinkID? = nil,
        _ sizes: IndexedSearch.Sizes = .init()
    ) throws -> [String] {
        try search(store, filter, after: last, sizes).ids
    }

    /// The same, and the number of its parts.
    private func search(
        _ store: LinkStore, _ filter: LinkFilter, after last: LinkID? = nil,
        _ sizes: IndexedSearch.Sizes
    ) throws -> (ids: [String], parts: Int) {
        let api = LinkAPI(environment: "test", sites: [])
        let search = LinkSearch(api, filter, limit: 100, [], after: .creation(last))
        var response = try #require(IndexedSearch(search, sizes)).step(store)
        var parts = 1
        while let rest = response.rest { (response, parts) = (rest.next(store), parts + 1) }
        #expect(response.status == 200 && parts > 1)
        let object = try JSONSerialization.jsonObject(with: Data(response.content))
        let links = (object as? [String: Any])?["links"] as? [[String: Any]] ?? []
        return (links.compactMap { $0["id"] as? String }, parts)
    }

    @Test(arguments: TestStores.kinds)
    func `it has the links that a look at each row has`(_ kind: TestStores.Kind) throws {
        let database = try TestStores(kind)
        let store = try database.open()
        let titles = ["Spring sale", "a \\\"quoted\\\" spring", "\\u00e9t\\u00e9", "Winter"]
        let notes = ["SPRING of 7", "für 9", "nothing of it", nil]
        for number in 0..<60 {
            var link = content("https://www.example.com/p/\(number)")
            link.details = #"{"page":{"title":"\#(titles[number % 4])"}}"#
            link.note = notes[number % 7 % 4]
            link.tags = number % 3 == 0 ? ["mail"] : []
            link.isDisabled = number % 11 == 0
            link.isArchived = number % 13 == 0
            try create(store, "s\(number)", link, number)
        }
        let texts = [
            "spring", "SPRING of", "für 9", "quoted\" spring", "example.com/p/1", "s42", "no such",
        ]
        for text in texts {
            for isNewestFirst in [false, true] {
                for tag in [nil, "mail", ""] as [String?] {
                    var filter = LinkFilter()
                    (filter.text, filter.tag) = (text, tag)
                    filter.isNewestFirst = isNewestFirst
                    let all = try store.links(filter, after: nil, limit: 100).map(\.id)
                    #expect(try list(store, filter) == all.map(\.description), "\(text)")
                    // As if they were very many.
                    for (candidates, dense) in [(0, 7), (3, 7), (12, 7), (3, 1)] {
                        let sizes = IndexedSearch.Sizes(
                            candidates: candidates, partsOfRows: 0, links: 7, dense: dense)
                        let own = try list(store, filter, after: nil, sizes)
                        #expect(own == all.map(\.description), "\(text) \(candidates)")
                    }
                    guard all.count > 2 else { continue }
                    let rest = all.dropFirst(2).map(\.description)
                    #expect(try list(store, filter, after: all[1]) == rest, "\(text)")
                    let few = IndexedSearch.Sizes(candidates: 3, partsOfRows: 0, links: 7)
                    #expect(try list(store, filter, after: all[1], few) == rest, "\(text)")
                }
            }
        }
    }

    @Test(arguments: TestStores.kinds)
    func `what one look finds is read in several parts, and at once where it is very much`(
        _ kind: TestStores.Kind
    ) throws {
        let database = try TestStores(kind)
        let store = try database.open()
        for number in 0..<250 {
            var link = content("https://www.example.com/p/\(number)")
            link.tags = number % 100 == 7 ? ["mail"] : []
            link.note = number % 3 == 0 ? "of example.com/p/" : nil
            try create(store, "s\(number)", link, number)
        }
        var filter = LinkFilter()
        (filter.text, filter.tag) = ("example.com/p/", "mail")
        let all = try store.links(filter, after: nil, limit: 100).map(\.id.description)
        func found(dense: Int) throws -> (ids: [String], parts: Int) {
            let sizes = IndexedSearch.Sizes(
                candidates: 100, partsOfRows: 0, links: 1_000, dense: dense)
            return try search(store, filter, sizes)
        }
        let (few, many) = try (found(dense: 400), found(dense: 249))
        #expect(all.count == 3 && few.ids == all && many.ids == all)
        #expect(few.parts == many.parts + 2)
    }

    /// The node has followed the change, and its index cannot have the link.
    @Test(
        .enabled(if: TestServer.isInstalled, TestServer.reason),
        arguments: [
            "destination = 'https://www.example.com/ sought'", "slug = repeat('sought', 20)",
            #"details = '{"page":{"title":"' || repeat('sought', 3000) || '"}}'"#,
        ])
    func `a link that another program has made odd is found, and others as before`(
        _ change: String
    ) throws {
        let database = try TestStores()
        let store = try database.open()
        for number in 1...3 {
            var link = content("https://www.example.com/\(number)")
            link.note = number == 3 ? "it is sought" : nil
            try create(store, "l\(number)", link, number)
        }
        let isOfSlug = change.hasPrefix("slug")
        let slug = isOfSlug ? "UPDATE waymark.slug SET \(change) WHERE link = 2;" : ""
        try database.connect().execute(
            """
            UPDATE waymark.link SET \(change), generation = (SELECT generation + 1 FROM waymark.store)
              WHERE id = 2;
            \(slug)
            INSERT INTO waymark.change SELECT generation + 1, '\\x01'::bytea, 'x', 0 FROM waymark.store;
            UPDATE waymark.store SET generation = generation + 1
            """, by: soon)
        store.follow()
        #expect(store.failure == nil && store.oddRows.rows == [2])
        // Once more, as after a start.
        for store in [store, try database.open()] {
            var filter = LinkFilter()
            filter.text = "sought"
            let all = try store.links(filter, after: nil, limit: 100).map(\.id.description)
            #expect(try all.count == 2 && list(store, filter) == all)
        }
    }
}
