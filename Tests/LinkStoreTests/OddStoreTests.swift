import Foundation
import LinkIndex
import LinkStore
import SQLite
import Testing

/// What a store answers whose file another program has written.
@Suite struct OddStoreTests {
    private let directory = StoreDirectory()

    /// A store with the link `good`, and with rows that `statements` make of it or beside it.
    private func store(_ statements: String) throws -> LinkStore {
        do {
            let store = try LinkStore(directory.database)
            var content = LinkContent()
            content.destination = "https://www.example.com/"
            for (number, slug) in ["good", "odd"].enumerated() {
                var random = SystemRandomNumberGenerator()
                let id = LinkID(milliseconds: 1_800_000_000_000 + number, random: &random)
                _ = try store.transaction { generation throws(StoreError) in
                    try store.create(
                        id, "short", slug: slug, content, isExact: false, at: (100, 100),
                        generation: generation)
                }
            }
            try store.close()
        }
        try SQLiteDatabase(directory.database, .readWrite).execute(statements)
        return try LinkStore(directory.database)
    }

    private static let long = String(repeating: "x", count: 65)

    @Test(arguments: [
        ("slug = '\(Self.long)'", false), ("slug = ''", false), ("slug = 'a/b'", false),
        ("slug = 'ä'", false), ("slug = '\(String(repeating: "y", count: 300))'", false),
        ("details = '\(String(repeating: " ", count: 16_385))'", true),
        ("details = '\(String(repeating: " ", count: 70_000))'", true),
        ("destination = 'https://a.example/\(String(repeating: "z", count: 2_048))'", true),
        ("destination = 'https://a.example/' || char(13, 10) || 'Set-Cookie: a=b'", true),
        ("destination = 'https://ä.example/'", true),
        ("id = -7", true), ("id = 281474976710656", true),
        ("id = 9223372036854775807", true), ("starts = -9223372036854775808", false),
        ("ends = 9223372036854775807", false), ("created = -9223372036854775808", false),
        ("updated = 9223372036854775807", false), ("deleted = -1", false),
        ("generation = 9223372036854775807", false), ("uid = x'00'", false),
        ("details = '{'", false), ("tags = '\(String(repeating: "t", count: 100_000))'", false),
    ])
    func aRowThatNoLinkCanHaveEndsNothing(change: String, staysTaken: Bool) throws {
        let store = try store("UPDATE link SET \(change) WHERE slug = 'odd'")
        #expect(record(store, "good")?.state == .active)
        if staysTaken { #expect(record(store, "odd")?.state == .disabled) }
        var filter = LinkFilter()
        (filter.includesDeleted, filter.includesArchived) = (true, true)
        for link in try store.links(filter, after: nil, limit: 10) {
            for slug in [link.slug, String(link.slug.reversed())] {
                _ = try store.transaction { generation throws(StoreError) in
                    try store.addAliases(
                        ["z" + slug.prefix(20)], to: link.id, isExact: false, at: 300,
                        generation: generation)
                }
            }
            _ = try store.transaction { generation throws(StoreError) in
                try store.update(link.id, expected: nil, at: 300, generation: generation) {
                    var content = $0.content
                    content.note = "changed"
                    return content
                }
            }
            _ = try store.transaction { generation throws(StoreError) in
                try store.delete(link.id, expected: nil, at: 300, generation: generation)
            }
        }
        try store.close()
    }

    /// The index has such a link by its aliases alone, each with everything that answers.
    @Test(arguments: [long, ""])
    func aLinkWhoseSlugIsOddIsChangedUnderItsAliases(slug: String) throws {
        let store = try store(
            """
            INSERT INTO alias (collection, slug, link) SELECT collection, 'old', id FROM link
              WHERE slug = 'odd';
            UPDATE link SET slug = '\(slug)' WHERE slug = 'odd'
            """)
        #expect(record(store, "old")?.state == .active)
        let link = try #require(try store.link("short", slug: "old"))
        _ = try store.transaction { generation throws(StoreError) in
            try store.update(link.id, expected: nil, at: 300, generation: generation) {
                var content = $0.content
                content.isDisabled = true
                return content
            }
        }
        #expect(record(store, "old")?.state == .disabled)
    }

    @Test(arguments: ["store SET generation = 9223372036854775807", "store SET generation = -1"])
    func aStoreWithoutANextGenerationIsDamaged(change: String) throws {
        do {
            _ = try store("UPDATE \(change)")
            #expect(Bool(false), "it is open")
        } catch let error as StoreError {
            guard case .isDamaged = error else { return #expect(Bool(false), "\(error)") }
        }
    }

    @Test(arguments: ["symbolic", "hard", "renamed"])
    func theLockOfTheFileOfVisitsFollowsIt(_ kind: String) throws {
        let path = directory.path + "/links.db.visits"
        let other = directory.path + "/other.visits"
        let visits = try VisitStore(path)
        switch kind {
        case "symbolic":
            try FileManager.default.createSymbolicLink(
                atPath: other, withDestinationPath: "links.db.visits")
        case "hard": try FileManager.default.linkItem(atPath: path, toPath: other)
        default: try FileManager.default.moveItem(atPath: path, toPath: other)
        }
        #expect(throws: StoreError.isServed(path: other)) { _ = try VisitStore(other) }
        _ = visits
    }
}
