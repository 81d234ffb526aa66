import SQLite
import TestSupport
import Testing
import Visits

@testable import LinkStore

@Suite("The file of visits")
struct VisitStoreTests {
    private let hour = 24 * 20_000 + 7

    /// What is to be known, by the words of keys.
    private struct Known {
        var counts = [VisitKey: Int]()
        var visitors = [LinkDay: Set<UInt32>]()
        var referrers = [LinkDay: [String: Int]]()

        mutating func add(_ key: VisitKey, _ count: Int) {
            counts[key, default: 0] += count
            var all = key
            all.link = 0
            counts[all, default: 0] += count
        }
    }

    private func check(_ store: VisitStore, _ known: Known, links: Range<Int>) throws {
        for link in links {
            let own = known.counts.filter { $0.key.link == link }
            let rows = try store.visits(of: link, hour - 2..<hour + 2, by: .hour)
            var byHour = [Int: [VisitClass: Int]]()
            var byPlatform = [Int: Int]()
            for (key, count) in own {
                byHour[key.hour, default: [:]][key.visitClass, default: 0] += count
                guard case .visit = key.visitClass else { continue }
                byPlatform[Int(key.platform), default: 0] += count
            }
            #expect(rows.map(\.group) == byHour.keys.sorted())
            #expect(rows.map(\.counts) == byHour.keys.sorted().map { byHour[$0] ?? [:] })
            let platforms = try store.visits(of: link, hour - 2..<hour + 2, by: .platform)
            #expect(
                platforms.map { [$0.group, $0.counts[.visit]] }
                    == byPlatform.sorted { $0.key < $1.key }.map { [$0.key, $0.value] })
            guard link > 0, !own.isEmpty else { continue }
            let days = try store.visits(of: link, hour - 2..<hour + 2, by: .day)
            let visitors = known.visitors[LinkDay(link: link, day: hour / 24)]?.count ?? 0
            #expect(days.map(\.visitors) == [visitors])
            let referrers = try store.visits(of: link, hour - 2..<hour + 2, by: .referrer)
            #expect(
                Dictionary(uniqueKeysWithValues: referrers.map { ($0.host, $0.counts[.visit]) })
                    == known.referrers[LinkDay(link: link, day: hour / 24)] ?? [:])
        }
    }

    /// How many rows there are.
    private func rows(_ store: VisitStore, _ table: String) throws -> Int {
        try store.tables.file.number("SELECT count(*) FROM \(table)")
    }

    @Test(arguments: 0..<6)
    func `what was written is known, wherever it is, and after each crash`(_ seed: Int) throws {
        let directory = StoreDirectory()
        defer { withExtendedLifetime(directory) {} }
        let path = directory.path + "/links.db.visits"
        var random = SplitMix(seed: UInt64(seed) + 1)
        var (store, known) = (try VisitStore(path) as VisitStore?, Known())
        for _ in 0..<60 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0: try store?.beginMoving()
            case 1...3: try store?.moveNext()
            case 4:
                // Nothing is written at the end.
                store = nil
                store = try VisitStore(path)
            default:
                var batch = VisitBatch()
                for _ in 0..<Int.random(in: 1..<40, using: &random) {
                    let key = VisitKey(
                        link: Int.random(in: 1..<9, using: &random),
                        hour: hour - Int.random(in: 0..<2, using: &random),
                        Bool.random(using: &random) ? .visit : .bot, .redirect,
                        platform: UInt8.random(in: 0..<4, using: &random))
                    let count = Int.random(in: 1..<5, using: &random)
                    batch.add(key, count)
                    known.add(key, count)
                    let day = LinkDay(link: key.link, day: hour / 24)
                    let hash = UInt32.random(in: 1..<30, using: &random)
                    batch.add(visitor: .init(key: day.packed, number: hash, count: 1))
                    known.visitors[day, default: []].insert(hash)
                    batch.add(day, referrer: "\(hash % 3).example", 1)
                    known.referrers[day, default: [:]]["\(hash % 3).example", default: 0] += 1
                }
                try #require(store).add(batch)
            }
            if Int.random(in: 0..<4, using: &random) == 0 {
                try check(#require(store), known, links: 0..<9)
            }
        }
        try #require(store).beginMoving()
        while store?.isMoving == true { try store?.moveNext() }
        try check(#require(store), known, links: 0..<9)
        #expect(try rows(#require(store), "piece") == 0)
        #expect(try !#require(store).isHeavy)
    }

    /// The file after the process has ended: two cannot have it.
    private func reopen(_ file: inout VisitStore?) throws {
        let path = try #require(file).path
        file = nil
        file = try VisitStore(path)
    }

    private func count(_ file: VisitStore?, link: Int) throws -> Int? {
        try #require(file).visits(of: link, hour - 1..<hour + 1, by: .hour).first?.counts[.visit]
    }

    @Test func `a batch is added once`() throws {
        let directory = StoreDirectory()
        defer { withExtendedLifetime(directory) {} }
        let path = directory.path + "/links.db.visits"
        var file = Optional(try VisitStore(path))
        var batch = VisitBatch()
        batch.add(VisitKey(link: 1, hour: hour, .visit), 5)
        try file?.add(batch, id: 7)
        try file?.add(batch, id: 7)
        #expect(try [count(file, link: 0), count(file, link: 1)] == [5, 5])
        try reopen(&file)
        try file?.add(batch, id: 7)
        #expect(try [count(file, link: 0), count(file, link: 1)] == [5, 5])
        try file?.add(batch, id: 8)
        #expect(try [count(file, link: 0), count(file, link: 1)] == [10, 10])
    }

    /// Before, what was counted of long links came to the row of all links when it was moved.
    @Test func `a piece with what is of no link changes no sum`() throws {
        let directory = StoreDirectory()
        defer { withExtendedLifetime(directory) {} }
        let path = directory.path + "/links.db.visits"
        var file = Optional(try VisitStore(path))
        var batch = VisitBatch()
        batch.add(VisitKey(link: 1, hour: hour, .visit), 5)
        batch.add(VisitKey(link: 0, hour: hour, .visit), 9)
        try file?.add(batch)
        var piece = VisitPiece()
        piece.counts = [.init(key: VisitKey(link: 0, hour: hour, .visit).packed, count: 9)]
        let bytes = piece.bytes.map { String($0, radix: 16) }
            .map { $0.count == 1 ? "0" + $0 : $0 }.joined()
        try file?.tables.file.database.execute("INSERT INTO piece (bytes) VALUES (x'\(bytes)')")
        try reopen(&file)
        #expect(try [count(file, link: 0), count(file, link: 1)] == [5, 5])
        try file?.beginMoving()
        while file?.isMoving == true { try file?.moveNext() }
        #expect(try [count(file, link: 0), count(file, link: 1)] == [5, 5])
    }

    /// As where a version that wrote none has made the file.
    @Test func `without a day of its own, a file has that of its last visit`() throws {
        let directory = StoreDirectory()
        defer { withExtendedLifetime(directory) {} }
        let path = directory.path + "/links.db.visits"
        var file = Optional(try VisitStore(path))
        var batch = VisitBatch()
        batch.add(VisitKey(link: 1, hour: hour, .visit), 5)
        try file?.add(batch)
        try file?.beginMoving()
        while file?.isMoving == true { try file?.moveNext() }
        try reopen(&file)
        let day = hour / 24
        #expect(try file?.retentionDay(day + 800, after: 0) == day)
        #expect(try file?.retentionDay(day + 1, after: 0) == day + 1)
    }

    @Test func `a clock that is far ahead for a while deletes nothing`() throws {
        let directory = StoreDirectory()
        defer { withExtendedLifetime(directory) {} }
        let path = directory.path + "/links.db.visits"
        var file = Optional(try VisitStore(path))
        let day = hour / 24
        #expect(try file?.retentionDay(day, after: 0) == day)
        var batch = VisitBatch()
        batch.add(VisitKey(link: 1, hour: hour, .visit), 5)
        try file?.add(batch)
        for _ in 0..<5 {
            try file?.expire(today: #require(file).retentionDay(day + 1_200, after: 5_000))
            try reopen(&file)
        }
        try file?.expire(today: #require(file).retentionDay(day, after: 5_000))
        #expect(try count(file, link: 1) == 5)
        // It is true when it has been seen for an hour, over whatever restarts.
        for _ in 0..<7 {
            _ = try file?.retentionDay(day + 1_200, after: RetentionClock.stepMilliseconds)
            try reopen(&file)
        }
        try file?.expire(today: #require(file).retentionDay(day + 1_200, after: 0))
        try file?.beginMoving()
        while file?.isMoving == true { try file?.moveNext() }
        try file?.expire(today: day + 1_200)
        #expect(try count(file, link: 1) == nil)
    }

    @Test func `hours become days, and hashes end with the key of their day`() throws {
        let directory = StoreDirectory()
        defer { withExtendedLifetime(directory) {} }
        let store = try VisitStore(directory.path + "/links.db.visits")
        let day = hour / 24
        _ = try store.salts(day: day) { _ in [UInt8](repeating: 1, count: 16) }
        var batch = VisitBatch()
        batch.add(VisitKey(link: 1, hour: hour, .visit, .page, platform: 3), 5)
        for hash in 1...200 as ClosedRange<UInt32> {
            batch.add(
                visitor: .init(key: LinkDay(link: 1, day: day).packed, number: hash << 22, count: 1)
            )
        }
        try store.add(batch)
        let waiting = try store.visits(of: 1, hour..<hour + 1, by: .day)
        try store.beginMoving()
        while store.isMoving { try store.moveNext() }
        let moved = try store.visits(of: 1, hour..<hour + 1, by: .day)
        #expect(waiting == moved && moved.first?.counts == [.visit: 5])
        #expect(try rows(store, "visitor WHERE sketch IS NOT NULL") == 1)
        try store.expire(today: day + 2)
        #expect(try rows(store, "visitor WHERE sketch IS NOT NULL") == 1)
        try store.expire(today: day + 3)
        #expect(try rows(store, "visitor WHERE sketch IS NOT NULL") == 0)
        #expect(try rows(store, "salt") == 1)
        #expect(try store.visits(of: 1, hour..<hour + 1, by: .day) == moved)
        try store.expire(today: day + VisitStore.hoursKeptDays)
        #expect(try rows(store, "hour WHERE link = 1") == 1)
        try store.expire(today: day + VisitStore.hoursKeptDays + 1)
        #expect(try rows(store, "hour") == 0)
        #expect(try store.visits(of: 1, hour - 48..<hour + 48, by: .day) == moved)
        #expect(try store.visits(of: 1, hour - 48..<hour + 48, by: .hour).isEmpty)
        try store.expire(today: day + VisitStore.daysKept + 1)
        #expect(try store.visits(of: 1, hour - 48..<hour + 48, by: .day).isEmpty)
    }

    @Test func `much is moved before its hour is over`() throws {
        let directory = StoreDirectory()
        defer { withExtendedLifetime(directory) {} }
        let store = try VisitStore(directory.path + "/links.db.visits")
        func add(_ links: ClosedRange<Int>) throws -> [Bool] {
            var batch = VisitBatch()
            for link in links { batch.add(VisitKey(link: link, hour: hour, .visit), 1) }
            try store.add(batch)
            return [store.isHeavy, store.hasRoom]
        }
        let half = VisitBatch.sizeMax / 2
        #expect(try add(1...half - 1) == [false, true])
        #expect(try add(half...half) == [true, true])
        #expect(try add(half + 1...2 * half) == [true, true])
        #expect(try add(2 * half + 1...2 * half + 1) == [true, false])
        try store.beginMoving()
        #expect(store.isMoving && !store.isHeavy && store.hasRoom)
        #expect(try rows(store, "piece") == 2 * half / VisitPiece.sizeMax + 1)
    }

    /// The number of visitors of a day whose hashes are gone is never less than it was.
    @Test func `a visitor who comes after the hashes are gone lowers no number`() throws {
        let directory = StoreDirectory()
        defer { withExtendedLifetime(directory) {} }
        let path = directory.path + "/links.db.visits"
        let (day, store) = (hour / 24, try VisitStore(path))
        func visit(_ hashes: ClosedRange<UInt32>) throws -> [Int?] {
            var batch = VisitBatch()
            batch.add(VisitKey(link: 1, hour: hour, .visit), 1)
            for hash in hashes {
                batch.add(
                    visitor: .init(key: LinkDay(link: 1, day: day).packed, number: hash, count: 1))
            }
            try store.add(batch)
            let before = try store.visits(of: 1, hour..<hour + 1, by: .day).map(\.visitors)
            try store.beginMoving()
            while store.isMoving { try store.moveNext() }
            let after = try store.visits(of: 1, hour..<hour + 1, by: .day).map(\.visitors)
            return before + after
        }
        #expect(try visit(1...9) == [9, 9])
        try store.tables.file.database.execute("UPDATE visitor SET sketch = NULL")
        #expect(try visit(1...3) == [9, 9])
        #expect(try visit(1...20) == [20, 20])
    }

    @Test func `a file of the version before keeps what it knows`() throws {
        let directory = StoreDirectory()
        defer { withExtendedLifetime(directory) {} }
        let path = directory.path + "/links.db.visits"
        let before = try SQLiteDatabase(path, .create)
        try before.execute(
            """
            PRAGMA application_id = 0x574D5653; PRAGMA user_version = 1;
            CREATE TABLE hour (
              link INTEGER NOT NULL, hour INTEGER NOT NULL, class INTEGER NOT NULL,
              outcome INTEGER NOT NULL, platform INTEGER NOT NULL, count INTEGER NOT NULL,
              PRIMARY KEY (link, hour, class, outcome, platform)) STRICT, WITHOUT ROWID;
            CREATE TABLE day (
              link INTEGER NOT NULL, day INTEGER NOT NULL, class INTEGER NOT NULL,
              outcome INTEGER NOT NULL, platform INTEGER NOT NULL, count INTEGER NOT NULL,
              PRIMARY KEY (link, day, class, outcome, platform)) STRICT, WITHOUT ROWID;
            CREATE TABLE referrer (
              link INTEGER NOT NULL, day INTEGER NOT NULL, host TEXT NOT NULL,
              count INTEGER NOT NULL, PRIMARY KEY (link, day, host)) STRICT, WITHOUT ROWID;
            CREATE TABLE visitor (
              link INTEGER NOT NULL, day INTEGER NOT NULL, count INTEGER NOT NULL, sketch BLOB,
              PRIMARY KEY (link, day)) STRICT, WITHOUT ROWID;
            CREATE INDEX visitor_sketch ON visitor (day) WHERE sketch IS NOT NULL;
            CREATE TABLE salt (day INTEGER PRIMARY KEY, salt BLOB NOT NULL) STRICT;
            CREATE TABLE miss (
              day INTEGER NOT NULL, collection INTEGER NOT NULL, path TEXT NOT NULL,
              count INTEGER NOT NULL, error INTEGER NOT NULL,
              first INTEGER NOT NULL, last INTEGER NOT NULL,
              PRIMARY KEY (day, collection, path)) STRICT, WITHOUT ROWID;
            INSERT INTO hour VALUES (1, \(hour), 0, 1, 2, 7), (1, \(hour), 2, 0, 0, 3);
            INSERT INTO day VALUES (1, \(hour / 24 - 100), 0, 2, 3, 9);
            INSERT INTO referrer VALUES (1, \(hour / 24), 'a.example', 4);
            INSERT INTO visitor VALUES (1, \(hour / 24), 6, NULL);
            INSERT INTO miss VALUES (\(hour / 24), 9, '/x', 5, 0, \(hour), \(hour));
            """)
        let store = try VisitStore(path)
        let rows = try store.visits(of: 1, hour - 2_500..<hour + 1, by: .day)
        #expect(rows.map(\.group) == [hour / 24 - 100, hour / 24])
        #expect(rows.map(\.counts) == [[.visit: 9], [.visit: 7, .bot: 3]])
        #expect(rows.map(\.visitors) == [0, 6])
        #expect(
            try store.visits(of: 1, hour..<hour + 1, by: .outcome).map(\.group)
                == [Int(VisitOutcome.redirect.rawValue)])
        #expect(
            try store.visits(of: 1, hour..<hour + 1, by: .referrer).map(\.host) == ["a.example"])
        #expect(
            try store.misses(hour / 24..<hour / 24 + 1, nil, limit: 9).map(\.entry.count) == [5])
    }
}
