import LinkIndex
import PostgreSQL
import PostgreSQLSupport
import TestSupport
import Testing
import Visits

@testable import LinkStore
@testable import SharedStore

/// Rows and numbers that no node has written, such as those of a server of somebody else.
@Suite(.serialized, .enabled(if: TestServer.isInstalled, TestServer.reason))
struct `A hostile database` {
    private static let sentinel = 0x1122_3344_5566_7700

    private func refusal(_ body: () throws -> Void) throws -> DatabaseFault? {
        do {
            try body()
        } catch StoreError.database(_, let fault) {
            return fault
        }
        return nil
    }

    @Test(arguments: [-1, 0, Int.min]) func `tables of no version are not Waymark's`(
        version: Int
    ) throws {
        let database = try TestStores()
        _ = try database.open()
        try database.connect().execute("UPDATE waymark.schema SET version = \(version)", by: soon)
        #expect(try refusal { _ = try database.open() } == .isForeign)
        try database.connect().execute("UPDATE waymark.schema SET version = 1", by: soon)
        #expect(try refusal { _ = try database.open() } != .isForeign)
    }

    @Test(arguments: [-1, Int.min, Int.max])
    func `a generation that no node has made is refused, and known links are answered`(
        generation: Int
    ) throws {
        let database = try TestStores()
        let store = try database.open()
        try create(store, "a", content("https://a.example/"))
        try database.connect().execute(
            "UPDATE waymark.store SET generation = \(generation)", by: soon)
        #expect(!store.follow() && record(store, "a") != nil)
        let fact = "it has the generation \(generation), which no node has made"
        #expect(store.failure == store.rows.refused(fact))
        #expect(try refusal { _ = try database.open() } == .refused(fact))
        #expect(throws: StoreError.self) {
            try create(store, "b", content("https://a.example/"), 2)
        }
        try database.connect().execute("UPDATE waymark.store SET generation = 1", by: soon)
        #expect(store.follow())
        try create(store, "b", content("https://a.example/"), 2)
        #expect(record(store, "b") != nil)
    }

    @Test func `so is one that the server makes up`() throws {
        let database = try TestStores()
        try create(database.open(), "a", content("https://a.example/"))
        try database.connect().execute(
            "UPDATE waymark.store SET generation = \(Self.sentinel)", by: soon)
        let forger = try Forger(
            before: database.onServer.server.port, of: Self.sentinel, Int.max)
        let place = try database.onServer.place(port: forger.port)
        #expect(
            try refusal { _ = try LinkStore(place) }
                == .refused("it has the generation \(Int.max), which no node has made"))
    }

    /// All of them together are more than an answer may have.
    @Test func `texts that no link can have keep no others from being read`() throws {
        let database = try TestStores()
        var place = try database.place()
        place.limits.answerBytes = 1 << 20
        let store = try LinkStore(place)
        for (number, slug) in ["good", "odd", "old"].enumerated() {
            try create(store, slug, content("https://a.example/"), number)
        }
        try database.connect().execute(
            """
            UPDATE waymark.link SET details = repeat(' ', 40000000), generation = 4 WHERE slug = 'odd';
            UPDATE waymark.link SET destination = repeat('ä', 10000000), slug = repeat('x', 9000000),
              generation = 4 WHERE slug = 'old';
            INSERT INTO waymark.slug SELECT collection, 'alias', id, 1 FROM waymark.link
              WHERE slug LIKE 'x%';
            INSERT INTO waymark.change VALUES (4, decode(repeat('00', 2000000), 'hex'), 'x', 0);
            INSERT INTO waymark.node (name, version, configuration, generation, clock_offset, started, seen)
              VALUES (repeat('n', 2000), repeat('v', 2000000), repeat('c', 2000000), 4, 0, 0, \(Int.max));
            UPDATE waymark.store SET generation = 4
            """, by: soon)
        for store in [store, try LinkStore(place)] {
            #expect(store.follow() && store.failure == nil, "\(String(describing: store.failure))")
            #expect(record(store, "good")?.state == .active)
            #expect(record(store, "odd")?.state == .disabled)
            #expect(record(store, "alias")?.state != .active)
        }
        // Ordered lists read all slugs, in one answer.
        var slugs = [String]()
        try store.forEachLink(LinkFilter(), after: nil, upTo: nil) { slugs.append($0.slug) }
        #expect(slugs.map { min($0.utf8.count, 9) }.sorted() == [3, 4, 9])
        let fleet = try store.fleet()
        #expect(fleet?.nodes.map(\.report.version.utf8.count) == [64])
        try create(store, "new", content("https://a.example/"), 9)
        #expect(record(store, "new")?.state == .active)
    }

    @Test func `a holder of the turn has a name that can be shown`() throws {
        let database = try TestStores()
        var place = try database.place()
        place.limits.answerBytes = 1 << 20
        let files = try SharedFiles(place)
        _ = try files.follow([]) { _ in }
        try database.connect().execute(
            """
            UPDATE waymark.certificate_state SET holder = repeat('h', 2000000),
              until = extract(epoch FROM now())::bigint * 1000 + 60000
            """, by: soon)
        #expect(try files.follow([]) { _ in }.holder?.utf8.count == 256)
    }

    @Test(arguments: [Int.min, Int.max])
    func `a clock that says anything deletes nothing before its time`(day: Int) throws {
        let database = try TestStores()
        let server = try database.connect()
        _ = try database.open()
        let time = try server.run("SELECT extract(epoch FROM now())::bigint / 86400", by: soon)
        let today = try #require(time.first?.integer(0))
        try server.execute("INSERT INTO waymark.visit_day VALUES (7, \(today - 9), 0, 5)", by: soon)
        let forger = try Forger(before: database.onServer.server.port, of: today, day)
        let visits = try PostgreSQLVisits(database.onServer.place(port: forger.port))
        let said = try visits.retentionDay(today, after: 0)
        #expect(said == (day < 0 ? 0 : today + 2))
        try visits.expire(today: said)
        #expect(try server.run("SELECT 1 FROM waymark.visit_day", by: soon).count == 1)
        let honest = try PostgreSQLVisits(database.place())
        #expect(try [today, today + 1].contains(honest.retentionDay(today, after: 0)))
    }

    @Test(arguments: [Int.min, Int.max]) func `days that nobody has asked for end nothing`(
        day: Int
    ) throws {
        let database = try TestStores()
        _ = try database.open()
        let own = 20_000
        try database.connect().execute(
            "INSERT INTO waymark.visit_day VALUES (7, \(own), 0, 5)", by: soon)
        let forger = try Forger(before: database.onServer.server.port, of: own, day)
        let hours = 24 * own..<24 * (own + 1)
        for (place, count) in [
            (try database.place(), 5), (try database.onServer.place(port: forger.port), nil),
        ] as [(PostgreSQLPlace, Int?)] {
            let visits = try PostgreSQLVisits(place)
            let rows = try visits.visits(of: 7, hours, by: .day)
            var links = LinkGroups()
            links.add(7, to: 0)
            var sums = GroupedVisits(by: VisitGroups(.day), of: 1)
            _ = try visits.addVisits(of: links, hours, to: &sums)
            if let count {
                #expect(rows.map { $0.counts[.visit] } == [count])
                #expect(sums.count == 1 && sums.count(of: .visit, at: 0) == count)
            }
        }
    }
}

extension LinkRows {
    fileprivate func refused(_ fact: String) -> StoreError {
        .database(place: path, .refused(fact))
    }
}
