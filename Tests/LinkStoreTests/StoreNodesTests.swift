import PostgreSQL
import PostgreSQLSupport
import Sockets
import TestSupport
import Testing

@testable import LinkStore
@testable import SharedStore

/// The rows that nodes write about themselves.
@Suite(.serialized, .enabled(if: TestServer.isInstalled, TestServer.reason))
struct `Nodes of a store` {
    private func open(_ database: TestStores, _ node: String) throws -> LinkStore {
        try LinkStore(database.place(node: node))
    }

    @Test func `each sees all, and those that have ended`() throws {
        let database = try TestStores()
        let (one, other) = (try open(database, "one"), try open(database, "other"))
        let now = Clock.unixMilliseconds
        let alone = try #require(
            try one.announce(NodeReport(version: "1", configuration: "a"), at: now))
        #expect(alone.own == "one" && alone.nodes.map(\.name) == ["one"] && !alone.isSynchronous)
        // Its clock is an hour ahead.
        let seen = try #require(
            try other.announce(
                NodeReport(version: "2", configuration: "b"), at: now + 3_600_000))
        #expect(seen.nodes.map(\.name) == ["one", "other"] && seen.present.count == 2)
        #expect(seen.configurations == ["a", "b"])
        #expect(abs(seen.nodes[1].clockOffset - 3_600_000) < safetyNetSeconds * 1_000)
        _ = try one.transaction { generation throws(StoreError) in
            try one.create(
                id(1), "short", slug: "a", LinkContent(), isExact: false, at: (1, 1),
                generation: generation)
        }
        let behind = try #require(try one.fleet())
        #expect(behind.generation == 1 && behind.nodes.map(\.generation) == [0, 0])
        _ = try one.announce(NodeReport(version: "1", configuration: "b"), at: now)
        let later = try #require(try other.fleet())
        #expect(later.nodes.map(\.generation) == [1, 0] && later.configurations == ["b"])
        #expect(later.nodes[0].started == seen.nodes[0].started)
        // One ends without telling it, and is forgotten after a day; the other one tells it.
        let server = try database.connect()
        _ = try server.run(
            "UPDATE waymark.node SET seen = seen - $1 WHERE name = 'one'",
            .integer(StoreFleet.presentMilliseconds), by: soon)
        #expect(try other.fleet()?.nodes.map(\.isUp) == [false, true])
        #expect(try other.fleet()?.configurations == ["b"])
        _ = try server.run(
            "UPDATE waymark.node SET seen = seen - $1 WHERE name = 'one'",
            .integer(StoreFleet.keptMilliseconds), by: soon)
        _ = try other.announce(NodeReport(version: "2", configuration: "b"), at: now)
        #expect(try other.fleet()?.nodes.map(\.name) == ["other"])
        other.leave()
        #expect(try one.fleet()?.nodes.isEmpty == true)
    }

    @Test func `a node that was seen in the future is not there`() throws {
        let database = try TestStores()
        let one = try open(database, "one")
        let server = try database.connect()
        let report = NodeReport(version: "1", configuration: "a")
        _ = try one.announce(report, at: 1)
        // The database's clock was set back since; the greatest number is another program's.
        let day = StoreFleet.keptMilliseconds
        try server.execute(
            """
            INSERT INTO waymark.node SELECT n.name, '1', 'b', 0, 0, 0, n.seen FROM (SELECT 'soon' AS name,
              seen + \(StoreFleet.presentMilliseconds / 2) AS seen FROM waymark.node
              UNION ALL SELECT 'ahead', seen + \(day / 2) FROM waymark.node
              UNION ALL SELECT 'far', \(Int.max)) n
            """, by: soon)
        let fleet = try #require(try one.fleet())
        #expect(fleet.nodes.map(\.name) == ["ahead", "far", "one", "soon"])
        #expect(fleet.present.map(\.name) == ["one", "soon"])
        let later = try one.announce(report, at: 1)
        #expect(later?.nodes.map(\.name) == ["ahead", "one", "soon"])
    }

    @Test func `one asks all which generation they have`() throws {
        let database = try TestStores()
        let (one, other) = (try open(database, "one"), try open(database, "other"))
        try create(one, "a", LinkContent())
        // A change alone asks nobody.
        #expect(other.follow() && !other.takeAwaited())
        _ = try one.fleet()
        #expect(other.follow() && !other.takeAwaited())
        #expect(try one.fleet(askingAll: true)?.generation == 1)
        #expect(waits { other.follow() && other.takeAwaited() })
        // Each question is heard once.
        #expect(other.follow() && !other.takeAwaited())
    }

    @Test func `a node knows whether it is notified when another has changed something`() throws {
        let database = try TestStores()
        let (one, other) = (try open(database, "one"), try open(database, "other"))
        #expect(other.follow())
        // Its own changes and questions come back to it.
        try create(other, "a", LinkContent())
        _ = try other.fleet(askingAll: true)
        #expect(other.follow() && other.follow())
        #expect(try other.fleet()?.isNotified == nil)
        try create(one, "b", LinkContent(), 1)
        #expect(try waits { try other.follow() && other.fleet()?.isNotified == true })
        // A pool that takes any session for each transaction leaves it without them.
        let rows = try #require(other.rows as? PostgreSQLLinkRows)
        try rows.database.connected().execute("UNLISTEN waymark", by: soon)
        var number = 2
        #expect(
            try waits {
                number += 1
                try create(one, "c\(number)", LinkContent(), number)
                return try other.follow() && other.fleet()?.isNotified == false
            })
    }

    @Test func `silence is no loss on a new connection, and some notifications arrive by chance`() {
        var watch = NotificationWatch()
        /// - Parameter asks: whether a notification has come, whether something was changed, and the time in milliseconds.
        func ask(_ asks: [(Bool, Bool, Int)], session: Int = 1) -> [Bool?] {
            asks.map { isHeard, isChanged, now in
                if isHeard { watch.hear() }
                watch.note(isChanged: isChanged, session: session, at: now)
                return watch.isNotified
            }
        }
        // What the first question finds was changed before, and so it is after a connection was lost.
        #expect(
            ask([(false, true, 0), (false, false, 2_000), (false, true, 2_001)]) == [nil, nil, nil])
        #expect(ask([(false, true, 4_001), (false, false, 9_000)], session: 2) == [nil, nil])
        // A notification may come after the change was found, but not two seconds after.
        let late = [(false, true, 10_000), (true, false, 10_005), (false, false, 13_000)]
        #expect(ask(late, session: 2) == [nil, true, true])
        // One may be somebody's who has written by hand.
        let lost = [
            (false, true, 20_000), (false, true, 21_999), (false, false, 22_000),
            (false, true, 23_000), (false, false, 25_000),
        ]
        #expect(ask(Array(lost[..<3]) + [(true, true, 22_001)], session: 2).last == true)
        #expect(ask(lost, session: 2) == [true, true, true, true, false])
        let some = (0..<10).map { (true, true, 30_000 + $0) }
        #expect(ask(Array(some.dropFirst()), session: 2).allSatisfy { $0 == false })
        #expect(ask(lost.map { ($0.0, $0.1, $0.2 + 20_000) }, session: 2).last == false)
        #expect(ask(some, session: 2).last == true)
    }

    @Test func `changes of the node itself that change no link are no lost notifications`() throws {
        let database = try TestStores()
        let one = try open(database, "one")
        let rows = try #require(one.rows as? PostgreSQLLinkRows)
        // The first question of a session is no news.
        one.follow()
        let token = StoredToken(
            name: "ci", ending: "abcd", scopes: [], collections: nil, created: 1, createdBy: "x",
            expires: nil)
        for number in 0..<3 {
            _ = try one.transaction { _ throws(StoreError) in
                try one.add(token, hash: [UInt8](repeating: UInt8(number), count: 32))
            }
            #expect(one.follow())
            #expect(rows.notificationWatch.silentSince == nil)
        }
        // One of another node is, where none arrives.
        try rows.database.connected().execute("UNLISTEN waymark", by: soon)
        let other = try open(database, "other")
        _ = try other.transaction { _ throws(StoreError) in
            try other.add(token, hash: [UInt8](repeating: 9, count: 32))
        }
        #expect(one.follow() && rows.notificationWatch.silentSince != nil)
    }

    @Test func `a store in a file has none`() throws {
        let store = try TestStores(.sqlite).open()
        #expect(try store.announce(NodeReport(version: "1", configuration: "a"), at: 1) == nil)
        #expect(try store.fleet() == nil)
    }

    @Test func `the tables of the version before get it`() throws {
        let database = try TestStores()
        let server = try database.connect()
        let first = [PostgreSQLSchema.scripts[0]]
        #expect(
            try PostgreSQLSchema.prepare(server, first, by: soon)
                == .ready(PostgreSQLSchema(version: 1, minReader: 1, minWriter: 1)))
        let store = try open(database, "one")
        #expect(
            try store.announce(NodeReport(version: "1", configuration: "a"), at: 1)?.nodes.count
                == 1)
        // A node of the version before still reads and writes.
        guard case .ready(let schema) = try PostgreSQLSchema.prepare(server, first, by: soon) else {
            return #expect(Bool(false))
        }
        #expect(schema.version == PostgreSQLSchema.scripts.count && schema.isWritable(knowing: 1))
    }
}
