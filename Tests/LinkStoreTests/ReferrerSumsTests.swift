import TestSupport
import Testing
import Visits

@testable import LinkStore

/// The hosts of referring pages, while they wait and when they are in the tables.
@Suite("Hosts of referring pages")
struct ReferrerSumsTests {
    private let directory = StoreDirectory()
    private let day = 20_000

    private func hosts(_ store: VisitStore) throws -> [String: Int] {
        let rows = try store.visits(of: 1, 24 * day..<24 * (day + 2), by: .referrer)
        return Dictionary(
            uniqueKeysWithValues: rows.map { ($0.host ?? "", $0.counts[.visit] ?? 0) })
    }

    /// - Parameter count: of different hosts, each with two visits.
    private func add(_ count: Int, from first: Int = 1_000, to store: VisitStore) throws {
        var batch = VisitBatch()
        for number in first..<first + count {
            batch.add(LinkDay(link: 1, day: day), referrer: "\(number).example", 2)
        }
        try store.add(batch)
    }

    @Test(
        "an hour that runs names as many hosts as one that is over",
        arguments: [99, 100, 101, 2_800])
    func running(_ count: Int) throws {
        let store = try VisitStore(directory.database + ".visits")
        try add(count, to: store)
        let waiting = try hosts(store)
        #expect(waiting.values.reduce(0, +) == 2 * count)
        #expect(waiting["(others)"] == (count > 100 ? 2 * (count - 100) : nil))
        #expect(waiting.count == min(count, 101))
        try store.beginMoving()
        #expect(try hosts(store) == waiting)
        while store.isMoving {
            try store.moveNext()
            #expect(try hosts(store) == waiting)
        }
        // A host that the day knows counts by its name, and another one does not.
        try add(1, to: store)
        try add(1, from: 9_000, to: store)
        let later = try hosts(store)
        #expect(later["1000.example"] == 4)
        #expect(later["9000.example"] == (count < 100 ? 2 : nil))
        #expect(later.values.reduce(0, +) == 2 * count + 4)
    }

    @Test func `of many days, the answer names a thousand hosts and the sum of the others`() {
        var sums = ReferrerSums(of: 1, 0..<20)
        for number in 0..<1_100 { sums.add(number / 100, "\(number).example", 1 + number % 2) }
        sums.add(3, "(others)", 7)
        let rows = sums.rows(by: VisitGroups(.referrer))
        #expect(rows.count == 1_001 && rows.last?.host == "(others)")
        #expect(rows.last?.counts[.visit] == 7 + 100)
        #expect(rows.reduce(0) { $0 + ($1.counts[.visit] ?? 0) } == 7 + 1_650)
    }

    @Test func `letter case makes no other host`() {
        var table = VisitTable()
        var batch = VisitBatch()
        for host in ["News.Example", "news.example"] {
            table.countReferrer(LinkDay(link: 1, day: day), Array(host.utf8).span)
        }
        table.move(to: &batch)
        #expect(batch.referrers[LinkDay(link: 1, day: day)] == ["news.example": 2])
    }
}
