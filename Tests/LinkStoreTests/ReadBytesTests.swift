import TestSupport
import Testing

@testable import LinkStore

/// Large links are read as far as an answer can have them.
@Suite(.serialized) struct `Reading ends after so many bytes of links` {
    private static let count = 25
    /// Reached by the fifth link.
    private static let bytesMax = 45_000

    /// A store of links with 10,000 bytes each, of which every fifth is of another tag.
    private func makeStore(_ database: TestStores) throws -> LinkStore {
        let store = try database.open()
        for number in 0..<Self.count {
            var link = content("https://www.example.com/\(number)")
            let text = String(repeating: "d", count: 9_900)
            link.details = #"{"app":{"data":{"a":"\#(text)"}}}"#
            link.note = "für alle"
            link.tags = [number % 5 == 0 ? "some" : "others"]
            try create(store, "s\(number)", link, number)
        }
        return store
    }

    @Test(arguments: TestStores.kinds)
    func `in each list, and the next part goes on behind it`(_ kind: TestStores.Kind) throws {
        let database = try TestStores(kind)
        let store = try makeStore(database)
        let ids = try store.links(LinkFilter(), after: nil, limit: 100).map(\.id)
        for text in [nil, "example", "FÜR"] as [String?] {
            for isNewestFirst in [false, true] {
                var filter = LinkFilter()
                (filter.text, filter.isNewestFirst) = (text, isNewestFirst)
                var (seen, sizes) = ([LinkID](), [Int]())
                while seen.count < ids.count, sizes.count < ids.count {
                    let part = try store.links(
                        filter, after: seen.last, limit: 100, bytesMax: Self.bytesMax)
                    seen += part.map(\.id)
                    sizes.append(part.count)
                }
                #expect(seen == (isNewestFirst ? ids.reversed() : ids), "\(text ?? "")")
                #expect(sizes == [5, 5, 5, 5, 5], "\(text ?? "")")
                #expect(try store.links(filter, after: nil, limit: 3, bytesMax: 45_000).count == 3)
                #expect(try store.links(filter, after: nil, limit: 9, bytesMax: 1).count == 1)
            }
        }
        var tagged = LinkFilter()
        (tagged.tag, tagged.ids) = ("some", ids)
        let some = try store.links(tagged, after: nil, limit: 100, bytesMax: Self.bytesMax)
        #expect(some.map(\.id) == stride(from: 0, to: 25, by: 5).map { ids[$0] })
    }

    @Test(arguments: TestStores.kinds)
    func `of links by their numbers, in their order`(_ kind: TestStores.Kind) throws {
        let database = try TestStores(kind)
        let store = try makeStore(database)
        let numbers = Array((1...Self.count).reversed())
        let found = try store.links(LinkFilter(), numbered: numbers, bytesMax: Self.bytesMax)
        #expect(found.map(\.row) == Array(numbers.prefix(5)))
        let all = try store.links(LinkFilter(), numbered: numbers)
        #expect(all.map(\.row) == numbers)
        let most = try store.links(LinkFilter(), numbered: numbers, bytesMax: 215_000)
        #expect(most.map(\.row) == Array(numbers.prefix(22)))
    }

    @Test(arguments: TestStores.kinds, [nil, ["short"], ["other"]] as [[String]?])
    func `of changes, which go on behind it`(
        _ kind: TestStores.Kind, _ collections: [String]?
    ) throws {
        let database = try TestStores(kind)
        let store = try makeStore(database)
        let ids = try store.links(LinkFilter(), after: nil, limit: 100).map(\.id)
        var (place, seen, sizes) = (
            ChangePlace?.some(ChangePlace(generation: 0, id: nil)), [LinkID](), [Int]()
        )
        while let from = place, sizes.count < 10 {
            let part = try store.changes(
                after: from, in: collections, limit: 100, bytesMax: Self.bytesMax, rows: 12)
            seen += part.links.map(\.id)
            sizes.append(part.links.count)
            place = part.last
        }
        #expect(seen == (collections == ["other"] ? [] : ids))
        #expect(place == nil && sizes.allSatisfy { $0 <= 5 })
    }

    @Test(arguments: TestStores.kinds)
    func `of the audit`(_ kind: TestStores.Kind) throws {
        let database = try TestStores(kind)
        let store = try database.open()
        let link = id(1)
        let text = #""\#(String(repeating: "a", count: 9_998))""#
        try store.transaction { _ throws(StoreError) in
            for number in 0..<20 {
                var entry = AuditEntry(
                    time: number, actor: "a", action: "link.change",
                    link: number % 2 == 0 ? link : nil)
                (entry.before, entry.after) = (text, number % 4 == 0 ? nil : text)
                try store.add(entry)
            }
        }
        let all = try store.audit(before: nil, limit: 100)
        #expect(all.map(\.entry.time) == Array((0..<20).reversed()))
        // The last three have 20,000 bytes each, and so on.
        let some = try store.audit(before: nil, limit: 100, bytesMax: Self.bytesMax)
        #expect(some.map(\.entry.time) == [19, 18, 17])
        let next = try store.audit(before: some.last?.number, limit: 100, bytesMax: 30_001)
        #expect(next.map(\.entry.time) == [16, 15, 14])
        #expect(try store.audit(before: nil, limit: 2, bytesMax: Self.bytesMax).count == 2)
        let own = try store.audit(of: link, before: nil, limit: 100, bytesMax: Self.bytesMax)
        #expect(own.map(\.entry.time) == [18, 16, 14])
    }
}
