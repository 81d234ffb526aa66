import Files
import Foundation
import SQLite
import TestSupport
import Testing
import Visits

@testable import LinkStore

extension GroupedVisits {
    var sums: [Key: SIMD8<Int>] {
        Dictionary(
            (0..<count).map { (key(at: $0), counts(at: $0)) }, uniquingKeysWith: { $0 &+ $1 })
    }
}

@Suite("Visits of many links")
struct PackedVisitsTests {
    private let today = 20_000
    private static let linkCount = 300

    private var hours: Range<Int> { 24 * (today - 120)..<24 * (today + 1) }

    /// Links of three groups, and some of none.
    private var links: LinkGroups {
        var links = LinkGroups()
        for link in 1...Self.linkCount where link % 4 > 0 { links.add(link, to: link % 4 - 1) }
        links.finish()
        return links
    }

    /// Sums as the program has them, by words.
    private func sums(
        _ store: any CountedVisits, of links: LinkGroups? = nil, by groups: VisitGroups?,
        in count: Int = 3
    ) throws -> [String: Int] {
        var sums = GroupedVisits(by: groups, of: count)
        var next = hours.lowerBound
        while next < hours.upperBound {
            let end = try store.addVisits(
                of: links ?? self.links, next..<hours.upperBound, to: &sums)
            // Each part has hours, and ends where a day does.
            try #require(end > next && (end % 24 == 0 || end == hours.upperBound))
            next = end
        }
        sums.finish()
        var words = [String: Int]()
        for (key, counts) in sums.sums {
            for visitClass in VisitClass.allCases {
                let count = counts[Int(visitClass.rawValue)]
                if count != 0 { words["\(key.group) \(key.number) \(visitClass)"] = count }
            }
        }
        return words
    }

    /// The same sums from what was counted.
    private func expected(_ known: [VisitKey: Int], by groups: VisitGroups?) -> [String: Int] {
        var words = [String: Int]()
        for (key, count) in known where key.link % 4 > 0 {
            var number = 0
            if let groups {
                guard let own = groups.groups(of: key) else { continue }
                number = own.first << GroupedVisits.secondBits | (own.second ?? 0)
            }
            words["\(key.link % 4 - 1) \(number) \(key.visitClass)", default: 0] += count
        }
        return words
    }

    private func check(_ store: VisitStore, _ known: [VisitKey: Int]) throws {
        let local = LocalHours(hours) { _ in 2 * 3_600 }
        let all: [VisitGroups?] = [
            nil, VisitGroups(.day), VisitGroups(.platform), VisitGroups(.outcome, .platform),
            VisitGroups(.day, .outcome),
        ]
        for groups in all {
            let own = expected(known, by: groups)
            #expect(try sums(store, by: groups) == own)
            // Too many for cells.
            #expect(try sums(store, by: groups, in: CellSums.sumsMax + 1) == own)
        }
        var few = LinkGroups()
        for link in [1, 5, 299] { few.add(link, to: link % 4 - 1) }
        let own = known.filter { [1, 5, 299].contains($0.key.link) }
        #expect(
            try sums(store, of: few, by: VisitGroups(.day)) == expected(own, by: VisitGroups(.day)))
        // Hours before these may have become days.
        let recent = known.filter { $0.key.hour >= firstHour }
        for groups in [VisitGroups(.hour, .platform), VisitGroups(.hour)] {
            let own = try sums(store, by: groups).filter {
                (Int($0.key.split(separator: " ")[1]) ?? 0) >> GroupedVisits.secondBits >= firstHour
            }
            #expect(own == expected(recent, by: groups))
        }
        guard recent.count == known.count else { return }
        for groups in [VisitGroups(.day, local: local), VisitGroups(.platform, .day, local: local)]
        {
            #expect(try sums(store, by: groups) == expected(known, by: groups))
        }
    }

    private var firstHour: Int { 24 * (today - VisitStore.hoursKeptDays) }

    /// In half of the runs so few bytes have room that most times are forgotten soon.
    @Test(arguments: 0..<4)
    func `sums are those of a recount, whatever is in memory`(_ seed: Int) throws {
        let directory = StoreDirectory()
        defer { withExtendedLifetime(directory) {} }
        let path = directory.path + "/links.db.visits"
        var random = SplitMix(seed: UInt64(seed) + 1)
        func open() throws -> VisitStore {
            let store = try VisitStore(path)
            if seed > 1 { store.kept = KeptCounts(bytesMax: 5_000) }
            return store
        }
        var (store, known) = (try open() as VisitStore?, [VisitKey: Int]())
        // Days that become rows of days.
        let first = 24 * (seed % 2 == 0 ? today - 92 : today - 3)
        for turn in 1...24 {
            switch Int.random(in: 0..<9, using: &random) {
            case 0: try store?.beginMoving()
            case 1...3: try store?.moveNext()
            case 4...5:
                if let store { _ = try sums(store, by: VisitGroups(.platform)) }
            case 6:
                store = nil
                store = try open()
            default:
                var batch = VisitBatch()
                for _ in 0..<200 {
                    let key = VisitKey(
                        link: Int.random(in: 1...Self.linkCount, using: &random),
                        hour: Int.random(in: first..<hours.upperBound, using: &random),
                        Bool.random(using: &random) ? .visit : .bot, .redirect,
                        platform: UInt8.random(in: 0..<4, using: &random))
                    batch.add(key, 2)
                    known[key, default: 0] += 2
                }
                try #require(store).add(batch)
            }
            if turn % 12 == 0 { try check(#require(store), known) }
            if turn == 15 { try store?.expire(today: today) }
        }
        let last = try #require(store)
        try last.beginMoving()
        while last.isMoving { try last.moveNext() }
        try check(last, known)
        try last.expire(today: today)
        try check(last, known)
    }

    /// A store with a count of an hour in its tables.
    private func filled(
        _ path: String, _ key: VisitKey, _ count: Int = 5
    ) throws -> VisitStore {
        let store = try VisitStore(path)
        var batch = VisitBatch()
        batch.add(key, count)
        try store.add(batch)
        try store.beginMoving()
        while store.isMoving { try store.moveNext() }
        return store
    }

    /// A count behind the back of the store, which takes it for its own, shows what is read.
    @Test func `a time is read once, and again after each change of it`() throws {
        let directory = StoreDirectory()
        defer { withExtendedLifetime(directory) {} }
        let path = directory.path + "/links.db.visits"
        let key = VisitKey(link: 1, hour: 24 * today, .visit)
        var store = Optional(try filled(path, key))
        func sum(_ groups: LinkGroups? = nil) throws -> Int? {
            try sums(#require(store), of: groups, by: nil)["0 0 visit"]
        }
        #expect(try sum() == 5)
        try store?.tables.file.database.execute(
            "UPDATE hour SET count = 70 WHERE link > 0; INSERT INTO hour VALUES (\(key.hour - 30), 1, 0, 200)"
        )
        store?.tables.noteWritten()
        // The hour that was empty is read.
        #expect(try sum() == 205)
        // One link is found among few counts, too.
        var one = LinkGroups()
        one.add(1, to: 0)
        #expect(try sum(one) == 205)
        var batch = VisitBatch()
        batch.add(key, 1)
        try store?.add(batch)
        #expect(try sum() == 206)
        try store?.beginMoving()
        #expect(try sum() == 206)
        while store?.isMoving == true { try store?.moveNext() }
        #expect(try sum() == 271)
        store = nil
        store = try VisitStore(path)
        #expect(try sum() == 271)
        // The hour before becomes a part of a day that is in memory.
        try store?.tables.file.database.execute("INSERT INTO day VALUES (\(today - 2), 1, 0, 1000)")
        store?.tables.noteWritten()
        #expect(try sum() == 1_271)
        try store?.expire(today: today + VisitStore.hoursKeptDays - 1)
        #expect(try sum() == 1_271)
        try store?.expire(today: today + VisitStore.hoursKeptDays + 1)
        #expect(try sum() == 1_271)
        try store?.expire(today: today + VisitStore.daysKept + 1)
        #expect(try sum() == nil)
    }

    /// Size and header stay as they are, as where a copy of the same size is written over the file.
    @Test(arguments: [false, true])
    func `counts that another program has written are read`(_ isBeforeOwn: Bool) throws {
        let directory = StoreDirectory()
        defer { withExtendedLifetime(directory) {} }
        let path = directory.path + "/links.db.visits"
        let (before, after) = (0x5A5B_5C5D, 0x5A5B_5C5E)
        let key = VisitKey(link: 1, hour: 24 * today, .visit)
        let store = try filled(path, key, before)
        // The log of transactions is empty after it.
        try store.expire(today: today)
        #expect(try sums(store, by: nil) == ["0 0 visit": before])
        let (url, size) = (URL(filePath: path), FileStamp(of: path)?.bytes)
        var content = try Data(contentsOf: url)
        var places = 0
        while let place = content.range(of: Data([0x5A, 0x5B, 0x5C, 0x5D])) {
            content[place.upperBound - 1] = 0x5E
            places += 1
        }
        // That of the link, and the one of all links.
        #expect(places >= 2)
        let file = try FileHandle(forWritingTo: url)
        try file.write(contentsOf: content)
        try file.close()
        // Times of files have steps of some milliseconds.
        try FileManager.default.setAttributes(
            [.modificationDate: Date() + 5], ofItemAtPath: path)
        #expect(FileStamp(of: path)?.bytes == size)
        // A write of the process itself does not hide it.
        if isBeforeOwn { _ = try store.retentionDay(today, after: 0) }
        #expect(try sums(store, by: nil) == ["0 0 visit": after])
    }

    /// A write of the process itself waits for the other one, and comes directly after it.
    @Test func `counts of another connection are read, also after an own write`() throws {
        let directory = StoreDirectory()
        defer { withExtendedLifetime(directory) {} }
        let path = directory.path + "/links.db.visits"
        let key = VisitKey(link: 1, hour: 24 * today, .visit)
        do { try filled(path, key).close() }
        // A program that has had it open before shares it.
        let other = try SQLiteDatabase(path, .readWrite)
        try other.execute("SELECT * FROM hour")
        let store = try VisitStore(path)
        #expect(try sums(store, by: nil) == ["0 0 visit": 5])
        try other.execute("UPDATE hour SET count = 7")
        store.tables.noteWritten()
        #expect(try sums(store, by: nil) == ["0 0 visit": 7])
    }

    @Test func `the latest times are kept`() {
        var packed = PackedCounts()
        for link in 1...100 { packed.append(link: link, kind: 0, count: 1) }
        func time(_ hour: Int) -> KeptCounts.Time { .init(table: .hour, number: hour) }
        var kept = KeptCounts(bytesMax: 4 * 400)
        for hour in [5, 3, 4, 6] { kept.keep(packed, of: time(hour)) }
        func hours() -> [Int] { (0..<10).filter { kept[time($0)] != nil } }
        #expect(hours() == [3, 4, 5, 6] && kept.bytes <= 1_600)
        kept.keep(packed, of: time(7))
        kept.keep(packed, of: time(2))
        #expect(hours() == [4, 5, 6, 7])
        kept.keep(packed, of: .init(table: .day, number: 0))
        #expect(kept[.init(table: .day, number: 0)] == nil)
        kept.forget(time(5))
        kept.keep(packed, of: time(2))
        kept.keep(packed, of: time(2))
        #expect(hours() == [2, 4, 6, 7])
        for hour in hours() { kept.forget(time(hour)) }
        #expect(kept.bytes == 0)
    }

    @Test func `times of a day are joined where there is room, and forgotten with each of them`() {
        var packed = PackedCounts()
        for link in 1...100 { packed.append(link: link, kind: 0, count: 1) }
        func time(_ hour: Int) -> KeptCounts.Time { .init(table: .hour, number: hour) }
        let (day, other) = ([time(24), time(25)], [time(48), time(49)])
        var kept = KeptCounts(bytesMax: 8 * 400)
        #expect(kept.joined(1, day) == nil)
        for time in day + other { kept.keep(packed, of: time) }
        #expect(kept.joined(1, day)?.madeOf == 600 && kept.joined(1, day)?.madeOf == 0)
        #expect(kept.joined(1, day)?.counts.byteCount == 300)
        #expect(kept.joined(2, other)?.madeOf == 600)
        kept.forget(day[1])
        #expect(kept.joined(1, day) == nil)
        kept.keep(packed, of: day[1])
        #expect(kept.joined(1, day)?.madeOf == 600)
        // A time without room costs the others nothing.
        var large = PackedCounts()
        for link in 1...900 { large.append(link: link, kind: 0, count: 1) }
        kept.keep(large, of: time(1))
        #expect(kept[time(1)] == nil && kept[day[0]] != nil && kept.joined(1, day)?.madeOf == 0)
        // Times have the room first.
        for hour in 50...53 { kept.keep(packed, of: time(hour)) }
        #expect(kept.bytes <= 8 * 400 && kept[day[0]] != nil && kept[time(53)] != nil)
        #expect(kept.joined(1, day) == nil)
        // A time alone is as it is.
        #expect(kept.joined(1, [day[0]]) == nil)
        for hour in 24...53 { kept.forget(time(hour)) }
        #expect(kept.bytes == 0)
    }

    /// Some milliseconds' work is done at once, in whole days.
    @Test func `a question about many rows has parts`() throws {
        let directory = StoreDirectory()
        defer { withExtendedLifetime(directory) {} }
        let store = try VisitStore(directory.path + "/links.db.visits")
        for day in [today - 2, today] {
            try store.tables.file.database.execute(
                """
                WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 30000)
                INSERT INTO hour SELECT \(24 * day + 5), n, 0, 1 FROM n
                """)
        }
        func ends() throws -> [Int] {
            var sums = GroupedVisits(by: nil, of: 3)
            var ends = [hours.lowerBound]
            while let next = ends.last, next < hours.upperBound {
                ends.append(
                    try store.addVisits(of: links, next..<hours.upperBound, to: &sums))
            }
            sums.finish()
            #expect(sums.sums.values.reduce(0) { $0 + $1[0] } == 2 * 225)
            return ends
        }
        #expect(try ends().dropFirst() == [24 * (today - 1), hours.upperBound])
        // From memory, all of it is little.
        #expect(try ends().dropFirst() == [hours.upperBound])
    }

    @Test func `sums have room for so many`() {
        var sums = GroupedVisits(by: VisitGroups(.hour), of: 10)
        func add(_ hour: Int) { sums.add(0, VisitKey(link: 1, hour: hour, .visit), 1) }
        for hour in 0..<GroupedVisits.sumsMax { add(hour) }
        add(0)
        #expect(!sums.isFull && sums.sums.count == GroupedVisits.sumsMax)
        add(GroupedVisits.sumsMax)
        #expect(sums.isFull && sums.sums.count == GroupedVisits.sumsMax)
        add(1)
        let one = GroupedVisits.Key(group: 0, number: 1 << GroupedVisits.secondBits)
        #expect(sums.sums[one]?[0] == 2)
    }
}
