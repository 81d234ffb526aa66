import PostgreSQL
import PostgreSQLSupport
import Sockets
import TestSupport
import Testing
import Visits

@testable import LinkStore
@testable import SharedStore

/// What several nodes count in one database.
@Suite(.serialized, .enabled(if: TestServer.isInstalled, TestServer.reason))
struct `Visits of several nodes` {
    private let hour = 24 * 20_000 + 7

    private func sum(_ visits: any CountedVisits, _ link: Int) throws -> Int {
        try visits.visits(of: link, hour - 9..<hour + 9, by: .hour)
            .reduce(0) { $0 + ($1.counts[.visit] ?? 0) }
    }

    private func add(_ count: Int, of link: Int, to visits: any CountedVisits, id: Int) throws {
        var batch = VisitBatch()
        batch.add(VisitKey(link: link, hour: hour, .visit), count)
        try visits.add(batch, id: id)
    }

    private func open(_ database: TestStores, _ node: String) throws -> PostgreSQLVisits {
        try PostgreSQLVisits(database.place(node: node))
    }

    @Test func `a batch whose answer was lost counts once`() throws {
        let database = try TestStores()
        let (one, other) = (try open(database, "one"), try open(database, "other"))
        try add(5, of: 7, to: one, id: 1)
        try add(5, of: 7, to: one, id: 1)
        #expect(try sum(one, 7) == 5 && sum(other, 7) == 5)
        // Also when its piece has been moved meanwhile.
        try other.beginMoving()
        while other.isMoving { try other.moveNext() }
        try add(5, of: 7, to: one, id: 1)
        #expect(try [sum(one, 7), sum(one, 0), sum(other, 0)] == [5, 5, 5])
        // Another batch, and one of the other node with the same number.
        try add(1, of: 7, to: one, id: 2)
        try add(1, of: 7, to: other, id: 1)
        #expect(try [sum(one, 7), sum(other, 7), sum(one, 0)] == [7, 7, 7])
    }

    @Test func `a batch is added over a connection that was lost`() throws {
        let database = try TestStores()
        let visits = try open(database, "one")
        try add(1, of: 7, to: visits, id: 1)
        _ = try database.connect().run(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
            """, by: soon)
        try add(2, of: 7, to: visits, id: 2)
        #expect(try sum(visits, 7) == 3)
    }

    @Test(arguments: 0..<4)
    func `what nodes have counted is known to all, wherever it is`(_ seed: Int) throws {
        let database = try TestStores()
        var nodes = [try open(database, "a"), try open(database, "b"), try open(database, "c")]
        var random = SplitMix(seed: UInt64(seed) + 1)
        var counts = [VisitKey: Int]()
        var visitors = [Int: Set<UInt32>]()
        var referrers = [Int: [String: Int]]()
        var misses = [String: Int]()
        for turn in 1...40 {
            let node = Int.random(in: 0..<nodes.count, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0: try nodes[node].beginMoving()
            case 1...2: try nodes[node].moveNext()
            // A node ends, and another one takes its place.
            case 3: nodes[node] = try open(database, "\(turn)")
            default:
                var batch = VisitBatch()
                for _ in 0..<Int.random(in: 1..<20, using: &random) {
                    let key = VisitKey(
                        link: Int.random(in: 1..<5, using: &random),
                        hour: hour - Int.random(in: 0..<2, using: &random), .visit, .redirect,
                        platform: UInt8.random(in: 0..<4, using: &random))
                    let count = Int.random(in: 1..<5, using: &random)
                    batch.add(key, count)
                    counts[key, default: 0] += count
                    let hash = UInt32.random(in: 1..<300, using: &random)
                    let day = LinkDay(link: key.link, day: hour / 24)
                    batch.add(visitor: .init(key: day.packed, number: hash, count: 1))
                    visitors[key.link, default: []].insert(hash)
                    batch.add(day, referrer: "\(hash % 3).example", 1)
                    referrers[key.link, default: [:]]["\(hash % 3).example", default: 0] += 1
                    batch.addMiss(3, hour, "/\(hash % 5)", 1)
                    misses["/\(hash % 5)", default: 0] += 1
                }
                try nodes[node].add(batch, id: turn)
            }
        }
        func check(_ node: PostgreSQLVisits) throws {
            let hours = hour - 2..<hour + 2
            for link in 0..<5 {
                let own = counts.filter { link == 0 || $0.key.link == link }
                let rows = try node.visits(of: link, hours, by: .platform)
                var expected = [Int: Int]()
                for (key, count) in own { expected[Int(key.platform), default: 0] += count }
                #expect(
                    rows.map { [$0.group, $0.counts[.visit]] }
                        == expected.sorted { $0.key < $1.key }.map { [$0.key, $0.value] })
                guard link > 0, !own.isEmpty else { continue }
                let days = try node.visits(of: link, hours, by: .day)
                // An estimate from 129 on.
                let known = visitors[link]?.count ?? 0
                #expect(days.count == 1 && abs((days.first?.visitors ?? 0) - known) <= known / 8)
                let hosts = try node.visits(of: link, hours, by: .referrer)
                #expect(
                    Dictionary(uniqueKeysWithValues: hosts.map { ($0.host, $0.counts[.visit]) })
                        == referrers[link] ?? [:])
            }
            let missed = try node.misses(hour / 24..<hour / 24 + 1, [3], limit: 9)
            #expect(
                Dictionary(uniqueKeysWithValues: missed.map { ($0.key.path, $0.entry.count) })
                    == misses)
            #expect(try node.misses(hour / 24..<hour / 24 + 1, [4], limit: 9).isEmpty)
        }
        for node in nodes { try check(node) }
        // One that was at it begins anew when it is done.
        for node in nodes + nodes {
            try node.beginMoving()
            while node.isMoving { try node.moveNext() }
        }
        for node in nodes { try check(node) }
        let left = try database.connect().run(
            "SELECT count(*) FROM waymark.visit_piece", by: soon)
        #expect(left.first?.integer(0) == 0)
    }

    @Test func `while one node moves pieces, the others do not`() throws {
        let database = try TestStores()
        let (one, other) = (try open(database, "one"), try open(database, "other"))
        try add(1, of: 7, to: one, id: 1)
        let holder = try database.connect()
        _ = try holder.begin(
            [PostgreSQLStatement("SELECT pg_advisory_xact_lock($1)", .integer(0x574D_5653))],
            by: soon)
        try other.beginMoving()
        #expect(!other.isMoving)
        try other.moveNext()
        #expect(try sum(other, 7) == 1)
        // It deletes nothing old then, and is asked again.
        #expect(try !other.expire(today: hour / 24))
        holder.rollBack()
        #expect(try other.expire(today: hour / 24))
        try other.beginMoving()
        #expect(other.isMoving)
        while other.isMoving { try other.moveNext() }
        #expect(try sum(one, 7) == 1)
    }

    @Test func `hours of many links begin where there are counts`() throws {
        let database = try TestStores()
        let visits = try open(database, "one")
        var links = LinkGroups()
        for link in 1...101 { links.add(link, to: link - 1) }
        links.finish()
        var batch = VisitBatch()
        for link in 1...3 {
            batch.add(VisitKey(link: link, hour: hour, .visit, .page), 1)
            batch.add(VisitKey(link: link, hour: hour, .visit, .redirect, platform: 1), 2)
            batch.add(VisitKey(link: link, hour: hour, .firstOpen), 4)
            batch.add(VisitKey(link: link, hour: hour + 48, .notFound), 8)
        }
        try visits.add(batch, id: 1)
        func sums() throws -> (sums: GroupedVisits, parts: Int) {
            var sums = GroupedVisits(by: VisitGroups(.hour), of: 101)
            let hours = hour - 24 * 700..<hour + 24 * 30
            var (next, parts) = (hours.lowerBound, 0)
            while next < hours.upperBound, parts < 1_000 {
                next = try visits.addVisits(of: links, next..<hours.upperBound, to: &sums)
                parts += 1
            }
            sums.finish()
            return (sums, parts)
        }
        func check() throws {
            let all = try sums()
            // A day before all counts, and the two days that have some.
            #expect(all.parts == 3 && all.sums.sums.count == 6)
            for (key, counts) in all.sums.sums {
                let isFirst = key.number == hour << GroupedVisits.secondBits
                let expected: [(VisitClass, Int)] =
                    isFirst ? [(.visit, 3), (.firstOpen, 4)] : [(.notFound, 8)]
                for (visitClass, count) in expected {
                    #expect(counts[Int(visitClass.rawValue)] == count)
                }
            }
        }
        // While they wait, and from the table.
        try check()
        try visits.beginMoving()
        while visits.isMoving { try visits.moveNext() }
        try check()
        // The server sends no more rows than are enough to refuse an answer.
        visits.rowsMax = 2
        #expect(try sums().sums.sums.count <= 4)
    }

    @Test func `many pieces are moved before their hour is over`() throws {
        let database = try TestStores()
        let visits = try open(database, "one")
        for number in 1...255 { try add(1, of: 7, to: visits, id: number) }
        #expect(!visits.isHeavy)
        try add(1, of: 7, to: visits, id: 256)
        #expect(visits.isHeavy)
        try visits.beginMoving()
        while visits.isMoving { try visits.moveNext() }
        #expect(try !visits.isHeavy && sum(visits, 7) == 256)
    }

    @Test func `all nodes have the same keys of a day, also after the database has lost them`()
        throws
    {
        let database = try TestStores()
        let (one, other) = (try open(database, "one"), try open(database, "other"))
        func random(_ day: Int) -> [UInt8] { (0..<16).map { _ in .random(in: 0 ... .max) } }
        let salts = try #require(try one.salts(day: 20_000, random))
        #expect(try other.salts(day: 20_000, random) == salts)
        // As after a crash of the server, which empties what it does not log.
        try database.connect().execute("TRUNCATE waymark.visit_salt", by: soon)
        #expect(try other.salts(day: 20_000, random) == salts)
        #expect(try one.salts(day: 20_000, random) == salts)
        // A node that starts then gets them, too.
        try database.connect().execute("TRUNCATE waymark.visit_salt", by: soon)
        _ = try one.retentionDay(20_000, after: 0)
        #expect(try open(database, "third").salts(day: 20_000, random) == salts)
        let next = try #require(try one.salts(day: 20_001, random))
        #expect(next.salt(of: 20_001) == salts.salt(of: 20_001))
        #expect(try #require(try other.salts(day: 20_001, random)) == next)
    }

    /// As where a host with the database and its nodes has lost its time.
    @Test func `a day that is far ahead deletes nothing before nodes have seen it for an hour`()
        throws
    {
        let database = try TestStores()
        let nodes = (try open(database, "one"), try open(database, "other"))
        let server = try database.connect()
        let day = Clock.unixSeconds / 86_400
        let step = RetentionClock.stepMilliseconds
        #expect(try nodes.0.retentionDay(day, after: 0) >= day)
        // Until now, it was long ago.
        let before = day - 800
        try server.execute("UPDATE waymark.visit_clock SET day = \(before)", by: soon)
        #expect(try nodes.0.retentionDay(day, after: 0) == before)
        // All nodes ask, and little time has passed.
        for _ in 0..<9 {
            #expect(try nodes.0.retentionDay(day, after: step) == before)
            #expect(try nodes.1.retentionDay(day, after: step) == before)
        }
        // Nodes end meanwhile, and begin.
        for number in 1...6 {
            try server.execute("UPDATE waymark.visit_clock SET asked = asked - \(step)", by: soon)
            let node = try open(database, "\(number)")
            #expect(try (node.retentionDay(day, after: step) >= day) == (number == 6))
        }
        #expect(try nodes.1.retentionDay(day, after: 0) >= day)
    }

    /// As where an older version has made the tables, and the host has lost its time.
    @Test func `without a day of their own, tables have that of their last visit`() throws {
        let database = try TestStores()
        _ = try database.open()
        let visits = try open(database, "one")
        let day = Clock.unixSeconds / 86_400
        let server = try database.connect()
        try server.execute(
            "INSERT INTO waymark.visit_hour VALUES (0, \(24 * (day - 800)), 0, 5)", by: soon)
        #expect(try visits.retentionDay(day, after: 0) == day - 800)
        try server.execute(
            "DELETE FROM waymark.visit_clock; INSERT INTO waymark.visit_day VALUES (0, \(day - 2), 0, 5)",
            by: soon)
        #expect(try visits.retentionDay(day, after: 0) >= day)
    }

    @Test func `a day counts that the clocks of the node and of the database say`() throws {
        let database = try TestStores()
        let visits = try open(database, "one")
        let day = Clock.unixSeconds / 86_400
        // Either alone is ahead, or behind.
        #expect(try visits.retentionDay(day + 800, after: 0) <= day + 1)
        #expect(try visits.retentionDay(day - 800, after: 0) == day - 798)
        let rows = try database.connect().run("SELECT 1 FROM waymark.visit_clock", by: soon)
        #expect(rows.count == 0)
        #expect(try visits.retentionDay(day, after: 0) >= day)
        #expect(try visits.retentionDay(day - 800, after: 0) == day - 798)
    }

    @Test func `a day that another program has written ends nothing`() throws {
        let database = try TestStores()
        let visits = try open(database, "one")
        let day = Clock.unixSeconds / 86_400
        _ = try visits.retentionDay(day, after: 0)
        for number in [Int.min, .max] {
            try database.connect().execute(
                "UPDATE waymark.visit_clock SET day = \(number), doubted = \(number), seen = \(number), asked = \(number)",
                by: soon)
            #expect(try visits.retentionDay(day, after: .max) <= day + 1)
        }
    }

    @Test func `what is old becomes days, and is deleted`() throws {
        let database = try TestStores()
        let visits = try open(database, "one")
        let day = hour / 24
        var batch = VisitBatch()
        batch.add(VisitKey(link: 7, hour: hour, .visit), 3)
        batch.add(visitor: .init(key: LinkDay(link: 7, day: day).packed, number: 9, count: 1))
        batch.addMiss(3, hour, "/x", 1)
        try visits.add(batch, id: 1)
        try visits.beginMoving()
        while visits.isMoving { try visits.moveNext() }
        func count(_ table: String) throws -> Int? {
            try database.connect().run("SELECT count(*) FROM waymark.\(table)", by: soon)
                .first?.integer(0)
        }
        try visits.expire(today: day + VisitStore.hoursKeptDays)
        #expect(try count("visit_hour") == 2 && count("visit_miss") == 1)
        // The hashes of visitors are gone, and their number stays.
        let sketches = try database.connect().run(
            "SELECT count, sketch IS NULL FROM waymark.visit_visitor", by: soon)
        #expect(sketches.first?.integer(0) == 1 && sketches.first?.boolean(1) == true)
        try visits.expire(today: day + VisitStore.hoursKeptDays + 1)
        #expect(try count("visit_hour") == 0 && count("visit_day") == 2 && count("visit_miss") == 0)
        #expect(try visits.visits(of: 7, hour..<hour + 1, by: .day).first?.counts[.visit] == 3)
        try visits.expire(today: day + VisitStore.daysKept + 1)
        #expect(try count("visit_day") == 0 && count("visit_visitor") == 0)
    }

    @Test func `a path that texts of the database cannot have is counted`() throws {
        let database = try TestStores()
        let visits = try open(database, "one")
        var batch = VisitBatch()
        batch.addMiss(3, hour, "/a\0b", 2)
        try visits.add(batch, id: 1)
        let found = try visits.misses(hour / 24..<hour / 24 + 1, nil, limit: 9)
        #expect(found.map(\.key.path) == ["/a%00b"] && found.map(\.entry.count) == [2])
    }
}
