import PostgreSQLSupport
import TestSupport
import Testing
import Visits

@testable import LinkStore
@testable import SharedStore

/// Sums of many links are made a part at a time, and others use the database in between.
@Suite(.serialized) struct `Sums of visits in parts` {
    private let today = 20_000
    private var hours: Range<Int> { 24 * (today - 120)..<24 * (today + 1) }

    private func words(_ sums: GroupedVisits) -> [String: Int] {
        var words = [String: Int]()
        for (key, counts) in sums.sums where counts[0] > 0 {
            words["\(key.group) \(key.number)"] = counts[0]
        }
        return words
    }

    private func expected(_ known: [VisitKey: Int], by groups: VisitGroups?) -> [String: Int] {
        var words = [String: Int]()
        for (key, count) in known {
            let own = groups.flatMap { $0.groups(of: key) }
            let number = own.map { $0.first << GroupedVisits.secondBits | ($0.second ?? 0) } ?? 0
            words["\(key.link % 3) \(number)", default: 0] += count
        }
        return words
    }

    @Test(arguments: TestStores.kinds, [5, 150])
    func `what is moved, or becomes days, between two parts counts once`(
        _ kind: TestStores.Kind, _ linkCount: Int
    ) throws {
        let directory = StoreDirectory()
        let database = try kind == .postgresql ? TestStores() : nil
        defer { withExtendedLifetime((directory, database)) {} }
        let store: any CountedVisits
        if let database {
            _ = try database.open()
            store = try PostgreSQLVisits(database.place())
        } else {
            let own = try VisitStore(directory.path + "/links.db.visits")
            // A part of many links is a day with counts.
            own.workMax = 1
            store = own
        }
        var links = LinkGroups()
        for link in 1...linkCount { links.add(link, to: link % 3) }
        links.finish()
        var (random, known) = (SplitMix(seed: UInt64(linkCount)), [VisitKey: Int]())
        let all: [VisitGroups?] = [
            nil, VisitGroups(.platform), VisitGroups(.day), VisitGroups(.day, .platform), nil,
        ]
        func addSome() throws {
            var batch = VisitBatch()
            for _ in 0..<500 {
                let key = VisitKey(
                    link: Int.random(in: 1...linkCount, using: &random),
                    hour: Int.random(in: hours, using: &random), .visit,
                    platform: UInt8.random(in: 0..<4, using: &random))
                batch.add(key, 3)
                known[key, default: 0] += 3
            }
            try store.add(batch)
        }
        try addSome()
        try store.beginMoving()
        while store.isMoving { try store.moveNext() }
        for groups in all {
            try addSome()
            var sums = GroupedVisits(by: groups, of: 3)
            var (next, parts) = (hours.lowerBound, 0)
            while next < hours.upperBound {
                next = try store.addVisits(of: links, next..<hours.upperBound, to: &sums)
                parts += 1
                switch Int.random(in: 0..<4, using: &random) {
                case 0: try store.beginMoving()
                case 1...2: if store.isMoving { try store.moveNext() }
                default: _ = try store.expire(today: today)
                }
            }
            sums.finish()
            if kind == .sqlite || linkCount > 100 { #expect(parts > 3) }
            #expect(words(sums) == expected(known, by: groups))
        }
    }
}
