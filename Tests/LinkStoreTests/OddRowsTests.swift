import LinkIndex
import PostgreSQL
import PostgreSQLSupport
import TestSupport
import Testing
import Visits

@testable import LinkStore
@testable import SharedStore

/// Rows that no node has written so.
@Suite(.serialized, .enabled(if: TestServer.isInstalled, TestServer.reason))
struct `Odd rows of a database` {
    private func make(_ slug: String, at store: LinkStore) throws -> Int? {
        let link = try store.transaction { generation throws(StoreError) in
            var random = SystemRandomNumberGenerator()
            return try store.create(
                store.makeID(milliseconds: 1_700_000_000_000, &random), "short", slug: slug,
                content("https://a.example/"), isExact: false, at: (1, 1), generation: generation)
        }
        return try store.number(of: link.get().id)
    }

    private func has(_ slug: String, _ store: LinkStore) -> Bool {
        var lookup = LinkLookup()
        return store.index.find(
            CollectionName("short").number, Array(slug.utf8).span, isExact: true, &lookup)
    }

    @Test func `the greatest number of a link leaves numbers for others`() throws {
        let database = try TestStores()
        let store = try database.open()
        #expect(try make("a", at: store) == 1)
        let sql = "UPDATE waymark.store SET last_link = 9223372036854775807"
        try database.connect().execute(sql, by: soon)
        #expect(try make("b", at: store) == 1 << 47)
        try database.connect().execute(sql, by: soon)
        let other = try database.open()
        #expect(try make("c", at: other) == 1 << 47 + 1)
        store.follow()
        #expect(["a", "b", "c"].allSatisfy { has($0, store) && has($0, other) })
    }

    @Test func `a token has a number beyond those that are there`() throws {
        let database = try TestStores()
        let store = try database.open()
        func add(_ byte: UInt8) throws -> Int {
            try store.transaction { _ throws(StoreError) in
                try store.add(
                    StoredToken(
                        name: "ci", ending: "abcd", scopes: [.linksRead], collections: nil,
                        created: 1, createdBy: "me", expires: nil), hash: [byte]
                ).id
            }
        }
        #expect(try add(1) == 1)
        try database.connect().execute("UPDATE waymark.token SET id = 7", by: soon)
        #expect(try add(2) == 8)
        // Numbers of tokens that were removed are not given again.
        #expect(try store.transaction { _ throws(StoreError) in try store.removeToken(8) })
        #expect(try add(3) == 9)
    }

    @Test func `a generation without a mark is read once, and followed`() throws {
        let database = try TestStores()
        let one = try database.open()
        _ = try make("a", at: one)
        try database.connect().execute("DELETE FROM waymark.change", by: soon)
        let other = try database.open()
        for store in [one, other] { store.follow() }
        #expect(one.takeSetback() != nil && other.takeSetback() == nil)
        for store in [one, other] { store.follow() }
        #expect(one.takeSetback() == nil && other.takeSetback() == nil)
        _ = try make("b", at: other)
        one.follow()
        #expect(has("b", one) && one.takeSetback() == nil)
    }

    @Test func `a known link that is not answered any more is said once`() throws {
        let database = try TestStores()
        let store = try database.open()
        for slug in ["a", "b", "c"] { _ = try make(slug, at: store) }
        #expect(store.follow() && store.takeUnanswered().fact == nil)
        func write(_ sql: String, _ generation: Int) throws {
            try database.connect().execute(
                """
                UPDATE waymark.link SET generation = \(generation), \(sql);
                INSERT INTO waymark.change VALUES (\(generation), '\\x0\(generation)', 'x', 0);
                UPDATE waymark.store SET generation = \(generation)
                """, by: soon)
        }
        try write("destination = E'https://a.example/\\r\\nX: y' WHERE slug = 'a'", 4)
        try write("slug = repeat('b', 65) WHERE slug = 'b'", 5)
        try database.connect().execute(
            "UPDATE waymark.slug SET slug = repeat('b', 65) WHERE slug = 'b'", by: soon)
        #expect(store.follow())
        let oddity =
            "2 links that are not answered, because no request can have made them: of \"a\", its destination has bytes that no URL has"
        #expect(store.takeUnanswered().fact == oddity && store.takeUnanswered().fact == nil)
        #expect(store.oddRows.rows == [1, 2])
        // The same link again.
        try write("note = 'x' WHERE slug = 'a'", 6)
        #expect(store.follow() && store.takeUnanswered().fact == nil)
        // A start says it, too.
        #expect(try LinkStore(database.place()).takeUnanswered().count == 2)
    }

    @Test func `texts without an end are read up to a limit`() throws {
        let database = try TestStores()
        let store = try database.open()
        for slug in ["a", "b"] { _ = try make(slug, at: store) }
        try database.connect().execute(
            """
            UPDATE waymark.link SET note = repeat('n', 3000000), destination = repeat('d', 3000000),
              tags = repeat('t', 3000000), details = repeat('e', 16384) WHERE slug = 'a'
            """, by: soon)
        let links = try store.links(LinkFilter(), after: nil, limit: 9)
        #expect(links.count == 2)
        let content = try #require(links.first { $0.slug == "a" }?.content)
        let limit = 65_536
        #expect(
            [content.note, content.destination, content.tags.first].map { $0?.utf8.count }
                == [limit + 1, limit + 1, limit + 1])
        #expect(content.details?.utf8.count == LinkRecord.detailsBytesMax)
        #expect(try store.facts(after: 0, limit: 9)[0].destination?.utf8.count == limit + 1)
        // What a request could once have is whole, and a search goes through what is there.
        try database.connect().execute(
            "UPDATE waymark.link SET note = repeat('n', 65536), details = repeat('e', 65537)",
            by: soon)
        #expect(
            try store.links(LinkFilter(), after: nil, limit: 9).map { $0.content.note?.utf8.count }
                == [limit, limit])
        var filter = LinkFilter()
        filter.text = "nnn"
        #expect(try store.links(filter, after: nil, limit: 9).count == 2)
    }

    /// A page of the feed has 10,000 links.
    @Test func `a link without a slug does not end the feed`() throws {
        let database = try TestStores()
        let store = try database.open()
        try database.connect().execute(
            """
            INSERT INTO waymark.collection (name) VALUES ('short');
            INSERT INTO waymark.link (id, uid, collection, slug, disabled, archived, created, updated,
              generation) SELECT n, decode(lpad(to_hex(n), 32, '0'), 'hex'), c.id, 's' || n, false,
              false, 1, 1, 1 FROM waymark.collection c, generate_series(1, 10001) n;
            INSERT INTO waymark.slug SELECT c.id, 's' || n, n, 0
              FROM waymark.collection c, generate_series(2, 10001) n;
            INSERT INTO waymark.change VALUES (1, '\\x01', 'x', 0);
            UPDATE waymark.store SET generation = 1, last_link = 10001
            """, by: soon)
        store.follow()
        #expect(store.failure == nil && !has("s1", store) && has("s2", store))
        #expect(has("s10000", store) && has("s10001", store))
    }

    @Test func `visits beyond all numbers are read, and moved`() throws {
        let database = try TestStores()
        _ = try database.open()
        let visits = try PostgreSQLVisits(database.place())
        let server = try database.connect()
        let (day, hour) = (20_000, 24 * 20_000)
        // Two kinds that no version has yet, which are read as one.
        let key = VisitKey(link: 7, hour: hour, .visit).packed
        var piece = VisitPiece()
        piece.counts = [24, 28, 0].map { .init(key: key | $0, count: .max) }
        piece.visitors = [
            .init(key: LinkDay(link: 7, day: day).packed, number: 5, count: 1),
            .init(key: .max, number: 5, count: 1),
        ]
        _ = try server.run(
            "INSERT INTO waymark.visit_piece VALUES ('x', 1, $1)", .blob(piece.bytes), by: soon)
        try server.execute(
            """
            INSERT INTO waymark.visit_hour VALUES (7, \(hour + 1), 0, \(Int.max)),
              (7, \(hour + 1), 1, \(Int.max)), (7, \(hour + 1), 2, -5);
            INSERT INTO waymark.visit_referrer VALUES (7, \(day), 'a.example', \(Int.max)),
              (7, \(day + 1), 'a.example', \(Int.max));
            INSERT INTO waymark.visit_visitor VALUES
              (7, \(day), 3, decode(repeat('16', 2048), 'hex')), (7, \(day + 2), -5, NULL),
              (7, \(day + 3), \(Int.min), NULL);
            INSERT INTO waymark.visit_miss VALUES (\(day), 3, '/a', \(Int.max), \(Int.min), \(Int.max))
            """, by: soon)
        func check() throws {
            let hours = try visits.visits(of: 7, hour..<hour + 2, by: .hour)
            #expect(hours.map { $0.counts[.visit] } == [3 * Int(UInt32.max), 2 << 40])
            let days = try visits.visits(of: 7, hour..<hour + 24, by: .day)
            #expect(days.map(\.visitors) == [3])
            let hosts = try visits.visits(of: 7, hour..<hour + 48, by: .referrer)
            #expect(hosts.map { $0.counts[.visit] } == [2 << 40])
            var (links, sums) = (LinkGroups(), [Int: Int]())
            links.add(7, to: 0)
            _ = try visits.addVisitors(of: links, day + 2..<day + 4, to: &sums)
            #expect(sums.values.allSatisfy { $0 == 0 }, "\(sums)")
        }
        try check()
        #expect(try visits.misses(day..<day + 1, nil, limit: 9).map(\.entry.last) == [.max])
        try visits.beginMoving()
        var pieces = 0
        while visits.isMoving, pieces < 9 {
            try visits.moveNext()
            pieces += 1
        }
        #expect(!visits.isMoving)
        try check()
    }
}
