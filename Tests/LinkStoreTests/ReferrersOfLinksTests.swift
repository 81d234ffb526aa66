import Foundation
import SQLite
import TestSupport
import Testing
import Visits

@testable import LinkStore
@testable import SharedStore

@Suite("Referrers and visitors of many links in both databases", .serialized)
struct ReferrersOfLinksTests {
    private let day = 20_000

    private func groups(_ links: some Sequence<Int>) -> LinkGroups {
        var groups = LinkGroups()
        for link in links { groups.add(link, to: 0) }
        groups.finish()
        return groups
    }

    private func hosts(
        _ visits: any CountedVisits, _ links: LinkGroups, _ days: Range<Int>
    ) throws -> [String: Int] {
        var (sums, next) = (HostSums(), days.lowerBound)
        while next < days.upperBound {
            let end = try visits.addReferrers(of: links, next..<days.upperBound, to: &sums)
            #expect(end > next)
            next = end
        }
        return Dictionary(
            sums.rows(by: VisitGroups(.day, .referrer)).map { row in
                ("\(row.group - day) \(row.host ?? "")", row.counts[.visit] ?? 0)
            }, uniquingKeysWith: { _, _ in -1 })
    }

    private func visitors(
        _ visits: any CountedVisits, _ links: LinkGroups, _ days: Range<Int>
    ) throws -> [Int: Int] {
        var (sums, next) = ([Int: Int](), days.lowerBound)
        while next < days.upperBound {
            let end = try visits.addVisitors(of: links, next..<days.upperBound, to: &sums)
            #expect(end > next)
            next = end
        }
        return Dictionary(sums.map { ($0.key - day, $0.value) }) { _, _ in -1 }
    }

    private func add(_ visits: any CountedVisits, _ body: (inout VisitBatch) -> Void) throws {
        var batch = VisitBatch()
        body(&batch)
        try visits.add(batch)
    }

    private func visitor(_ number: UInt32, of link: Int, on day: Int) -> KeyCounts.Slot {
        .init(key: LinkDay(link: link, day: day).packed, number: number, count: 1)
    }

    @Test(arguments: TestStores.kinds)
    func `each is counted once, wherever it is`(_ kind: TestStores.Kind) throws {
        let (directory, stores) = (StoreDirectory(), try TestStores(kind))
        defer { withExtendedLifetime((stores, directory)) {} }
        let visits: any CountedVisits =
            kind == .sqlite
            ? try VisitStore(directory.path + "/links.db.visits") : try stores.place().visits()
        try visits.expire(today: day + 1)
        try add(visits) { batch in
            batch.add(LinkDay(link: 1, day: day - 40), referrer: "old.example", 7)
            batch.add(LinkDay(link: 1, day: day), referrer: "a.example", 3)
            batch.add(LinkDay(link: 2, day: day), referrer: "a.example", 4)
            batch.add(LinkDay(link: 9, day: day), referrer: "a.example", 100)
            for number in 1...3 { batch.add(visitor: visitor(UInt32(number), of: 1, on: day)) }
            // The same person at another link has another number, and could have the same by chance.
            batch.add(visitor: visitor(1, of: 2, on: day))
            batch.add(visitor: visitor(8, of: 9, on: day))
        }
        try visits.beginMoving()
        while visits.isMoving { try visits.moveNext() }
        try add(visits) { batch in
            batch.add(LinkDay(link: 2, day: day), referrer: "a.example", 1)
            batch.add(LinkDay(link: 2, day: day + 1), referrer: "", 2)
            batch.add(visitor: visitor(3, of: 1, on: day))
            batch.add(visitor: visitor(4, of: 1, on: day))
            batch.add(visitor: visitor(4, of: 2, on: day + 1))
            batch.add(visitor: visitor(5, of: 9, on: day + 1))
        }
        let days = day - 3..<day + 3
        // Few links, more than are looked for at once, and so many that the rows of all are read.
        let few = groups([1, 2])
        let all =
            [few, groups(1...8), groups((1...300).filter { $0 != 9 })]
            + [groups((1...10_500).filter { $0 != 9 })]
        for _ in 0..<3 {
            for links in all {
                #expect(try hosts(visits, links, days) == ["0 a.example": 8, "1 ": 2])
                #expect(try visitors(visits, links, days) == [0: 5, 1: 1])
                #expect(try visitors(visits, links, day + 1..<day + 2) == [1: 1])
                #expect(
                    try hosts(visits, links, day - 100..<day + 1)
                        == ["-40 old.example": 7, "0 a.example": 8])
            }
            #expect(try visitors(visits, groups([9]), days) == [0: 1, 1: 1])
            #expect(try hosts(visits, groups([]), days) == [:])
            #expect(try visitors(visits, groups([7]), days) == [:])
            // What waits, what is being moved, and what is in tables is the same.
            try visits.beginMoving()
            if visits.isMoving { try visits.moveNext() }
        }
        while visits.isMoving { try visits.moveNext() }
        // When the hashes are gone, the numbers stay.
        try visits.expire(today: day + 10)
        #expect(try visitors(visits, few, days) == [0: 5, 1: 1])
    }

    @Test func `hosts without room are counted together`() {
        var sums = HostSums(countMax: 2)
        for (host, count) in [("a", 1), ("b", 2), ("c", 4), ("a", 8)] { sums.add(1, host, count) }
        let rows = sums.rows(by: VisitGroups(.referrer))
        #expect(rows.map(\.host) == ["a", "b", VisitStore.otherHosts])
        #expect(rows.map { $0.counts[.visit] } == [9, 2, 4])
    }
}
