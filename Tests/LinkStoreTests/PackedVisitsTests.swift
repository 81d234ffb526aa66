import SQLite
import TestSupport
import Testing
import Visits

@testable import LinkStore

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
        _ store: VisitStore, by groups: VisitGroups?, of count: Int = 3
    ) throws -> [String: Int] {
        var sums = GroupedVisits(by: groups, of: count)
        let days = groups?.has(.hour) == true ? 0..<0 : today - 120..<today + 1
        try store.addVisits(of: links, hours, days: days, to: &sums)
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
            #expect(try sums(store, by: groups, of: CellSums.sumsMax + 1) == own)
        }
        // What is kept by the day has no hours.
        let recent = known.filter { $0.key.hour >= firstHour }
        for groups in [VisitGroups(.hour, .platform), VisitGroups(.hour)] {
            #expect(try sums(store, by: groups) == expected(recent, by: groups))
        }
        guard recent.count == known.count else { return }
        for groups in [VisitGroups(.day, local: local), VisitGroups(.platform, .day, local: local)]
        {
            #expect(try sums(store, by: groups) == expected(known, by: groups))
        }
    }

    private var firstHour: Int { 24 * (today - VisitStore.hoursKeptDays) }

    @Test(arguments: 0..<4)
    func `sums are those of a recount, whatever is packed`(_ seed: Int) throws {
        let directory = StoreDirectory()
        defer { withExtendedLifetime(directory) {} }
        let path = directory.path + "/links.db.visits"
        var random = SplitMix(seed: UInt64(seed) + 1)
        var (store, known) = (try VisitStore(path) as VisitStore?, [VisitKey: Int]())
        // Days that become rows of days.
        let first = seed % 2 == 0 ? hours.lowerBound : firstHour
        for turn in 1...40 {
            switch Int.random(in: 0..<9, using: &random) {
            case 0: try store?.beginMoving()
            case 1...2: try store?.moveNext()
            case 3...5: for _ in 0..<20 { try store?.packNext() }
            case 6:
                store = nil
                store = try VisitStore(path)
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
            if turn % 10 == 0 { try check(#require(store), known) }
            if turn == 25 { try store?.expire(today: today) }
        }
        let last = try #require(store)
        try last.beginMoving()
        while last.isMoving { try last.moveNext() }
        try last.expire(today: today)
        while last.isPacking { try last.packNext() }
        try check(last, known)
        let rows = ["hour", "day"].map { "(SELECT count(DISTINCT \($0)) FROM \($0))" }
        let packed = ["hour", "day"].map { "(SELECT count(*) FROM packed_\($0))" }
        #expect(
            try last.tables.file.number("SELECT \(rows.joined(separator: " + "))")
                == last.tables.file.number("SELECT \(packed.joined(separator: " + "))"))
    }

    /// Another program, or another version, changes a count.
    @Test func `a count that others change is not packed any more`() throws {
        let directory = StoreDirectory()
        defer { withExtendedLifetime(directory) {} }
        let path = directory.path + "/links.db.visits"
        var store = Optional(try VisitStore(path))
        var batch = VisitBatch()
        let key = VisitKey(link: 1, hour: 24 * today, .visit)
        batch.add(key, 5)
        try store?.add(batch)
        try store?.beginMoving()
        try store?.moveNext()
        while store?.isPacking == true { try store?.packNext() }
        let words = "0 0 visit"
        #expect(try sums(#require(store), by: nil) == [words: 5])
        for (sql, count) in [
            ("UPDATE hour SET count = 7 WHERE link > 0", 7),
            ("INSERT INTO hour VALUES (\(key.hour + 1), 1, 0, 2)", 9),
            ("INSERT INTO day VALUES (\(today - 100), 2, 0, 1)", 9),
            ("DELETE FROM hour WHERE hour = \(key.hour)", 2),
        ] {
            try store?.tables.file.database.execute(sql)
            store = nil
            store = try VisitStore(path)
            #expect(try sums(#require(store), by: nil)[words] == count, "\(sql)")
            while store?.isPacking == true { try store?.packNext() }
            #expect(try sums(#require(store), by: nil)[words] == count, "\(sql)")
        }
    }

    @Test func `packed counts that cannot be read are made again`() throws {
        let directory = StoreDirectory()
        defer { withExtendedLifetime(directory) {} }
        let store = try VisitStore(directory.path + "/links.db.visits")
        var batch = VisitBatch()
        batch.add(VisitKey(link: 1, hour: 24 * today, .visit), 5)
        try store.add(batch)
        try store.beginMoving()
        try store.moveNext()
        while store.isPacking { try store.packNext() }
        try store.tables.file.database.execute("UPDATE packed_hour SET bytes = x'01ff'")
        #expect(throws: StoreError.self) { try sums(store, by: nil) }
        for _ in 0..<2 {
            #expect(try sums(store, by: nil) == ["0 0 visit": 5])
            while store.isPacking { try store.packNext() }
        }
    }
}
