import Foundation
import SQLite
import TestSupport
import Testing
import Visits

@testable import LinkStore
@testable import SharedStore

@Suite("Countries of visits in both databases", .serialized)
struct CountryVisitsTests {
    private let day = 20_000

    /// The counts of a database of either kind, and what must live as long.
    private func open(_ kind: TestStores.Kind) throws -> (
        any CountedVisits, TestStores, StoreDirectory
    ) {
        let directory = StoreDirectory()
        let stores = try TestStores(kind)
        let visits: any CountedVisits =
            kind == .sqlite
            ? try VisitStore(directory.path + "/links.db.visits") : try stores.place().visits()
        return (visits, stores, directory)
    }

    private func add(
        _ count: Int, of link: Int, on day: Int, from country: Int, to visits: any CountedVisits
    ) throws {
        var batch = VisitBatch()
        batch.add(
            country: .init(
                key: LinkDay(link: link, day: day).packed, number: UInt32(country),
                count: UInt32(count)))
        batch.add(VisitKey(link: link, hour: 24 * day, .visit), count)
        try visits.add(batch)
    }

    /// By group, country and day.
    private func sums(
        _ visits: any CountedVisits, _ links: [Int]?, _ days: Range<Int>
    ) throws -> [String: Int] {
        let groups = links.map { links in
            var groups = LinkGroups()
            for link in links { groups.add(link, to: link % 2) }
            groups.finish()
            return groups
        }
        var (sums, next) = (CountrySums(), days.lowerBound)
        while next < days.upperBound {
            let end = try visits.addCountries(of: groups, next..<days.upperBound, to: &sums)
            #expect(end > next)
            next = end
        }
        var all = [String: Int]()
        for (key, counts) in sums.days {
            for (day, count) in counts {
                all["\(key.group) \(key.country) \(day - self.day)"] = count
            }
        }
        return all
    }

    private func moveAll(_ visits: any CountedVisits) throws {
        try visits.beginMoving()
        while visits.isMoving { try visits.moveNext() }
    }

    @Test(arguments: TestStores.kinds)
    func `countries are known by day, wherever they are`(_ kind: TestStores.Kind) throws {
        let (visits, stores, directory) = try open(kind)
        defer { withExtendedLifetime((stores, directory)) {} }
        try add(3, of: 1, on: day, from: 7, to: visits)
        try add(2, of: 3, on: day, from: 7, to: visits)
        try moveAll(visits)
        try add(4, of: 1, on: day, from: 7, to: visits)
        try add(1, of: 1, on: day + 1, from: 0, to: visits)
        try add(8, of: 2, on: day, from: 9, to: visits)
        let days = day - 3..<day + 3
        let many = Array(1...300)
        for _ in 0..<2 {
            #expect(try sums(visits, [1], days) == ["1 7 0": 7, "1 0 1": 1])
            let all = ["1 7 0": 9, "1 0 1": 1, "0 9 0": 8]
            #expect(try sums(visits, [1, 2, 3], days) == all && sums(visits, many, days) == all)
            #expect(try sums(visits, nil, days) == ["0 7 0": 9, "0 0 1": 1, "0 9 0": 8])
            #expect(try sums(visits, [1], day + 1..<day + 2) == ["1 0 1": 1])
            #expect(try sums(visits, [4], days).isEmpty && sums(visits, [], days).isEmpty)
            #expect(try sums(visits, many, day + 2..<day + 3).isEmpty)
            // Other questions have nothing of it.
            #expect(try visits.visits(of: 1, 24 * day..<24 * day + 24, by: .country).isEmpty)
            #expect(try visits.visits(of: 0, 24 * day..<24 * day + 24, by: .referrer).isEmpty)
            try moveAll(visits)
        }
    }

    @Test(arguments: TestStores.kinds)
    func `countries are kept as long as days are`(_ kind: TestStores.Kind) throws {
        let (visits, stores, directory) = try open(kind)
        defer { withExtendedLifetime((stores, directory)) {} }
        try add(3, of: 1, on: day, from: 7, to: visits)
        try moveAll(visits)
        let days = day - 3..<day + 3
        try visits.expire(today: day + VisitStore.daysKept)
        #expect(try sums(visits, [1], days) == ["1 7 0": 3])
        try visits.expire(today: day + VisitStore.daysKept + 1)
        #expect(try sums(visits, [1], days).isEmpty && sums(visits, nil, days).isEmpty)
    }

    @Test func `a backup has countries, also those that wait`() throws {
        let (visits, stores, directory) = try open(.sqlite)
        defer { withExtendedLifetime((stores, directory)) {} }
        try add(3, of: 1, on: day, from: 7, to: visits)
        try moveAll(visits)
        try add(2, of: 1, on: day, from: 7, to: visits)
        let path = directory.path + "/copy.visits"
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        try visits.copy(to: path)
        let copy = try VisitStore(path)
        for links in [[1], nil] {
            #expect(
                try sums(copy, links, day..<day + 1) == sums(visits, links, day..<day + 1))
        }
    }

    @Test func `days and counts of another program can be any`() throws {
        let directory = StoreDirectory()
        defer { withExtendedLifetime(directory) {} }
        let path = directory.path + "/links.db.visits"
        try VisitStore(path).close()
        try SQLiteDatabase(path, .readWrite).execute(
            """
            INSERT INTO country VALUES (\(Int.max), 1, 7, 5), (\(Int.min), 1, 7, 5),
              (\(day), 1, 7, \(Int.max))
            """)
        let visits = try VisitStore(path)
        for links in [[1], Array(1...300)] {
            #expect(try sums(visits, links, day..<day + 1) == ["1 7 0": 1 << 40])
        }
    }

    @Test func `a file of version 3 gets the table`() throws {
        let directory = StoreDirectory()
        defer { withExtendedLifetime(directory) {} }
        let path = directory.path + "/links.db.visits"
        do {
            let visits = try VisitStore(path)
            try add(5, of: 1, on: day, from: 7, to: visits)
            try visits.close()
        }
        try SQLiteDatabase(path, .readWrite).execute(
            "DROP TABLE country; PRAGMA user_version = 3")
        let visits = try VisitStore(path)
        // What waits has its countries.
        #expect(try sums(visits, [1], day..<day + 1) == ["1 7 0": 5])
        try moveAll(visits)
        #expect(try sums(visits, [1], day..<day + 1) == ["1 7 0": 5])
        #expect(try visits.visits(of: 1, 24 * day..<24 * day + 1, by: .hour).count == 1)
    }
}
