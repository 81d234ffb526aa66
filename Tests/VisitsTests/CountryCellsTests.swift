import Testing
import Visits

@Suite("Countries that may be named")
struct CountryCellsTests {
    /// A Monday.
    private static let monday = 20_633
    private static let today = monday + 27 + 9

    private func named(
        _ counts: [Int: Int], _ days: ClosedRange<Int>, firstKept: Int = 0
    ) -> Int {
        CountryCells(
            Self.monday + days.lowerBound..<Self.monday + days.upperBound + 1,
            firstKept: Self.monday + firstKept, today: Self.today
        ).named(
            Dictionary(uniqueKeysWithValues: counts.map { ($0.key + Self.monday, $0.value) }))
    }

    @Test func `five visits of a day are named, and four of a week are not`() {
        #expect(named([0: 5], 0...0) == 5 && named([0: 4], 0...0) == 0)
        #expect(named([0: 7, 1: 4], 0...1) == 7)
        #expect(named([0: 4], 0...6) == 0)
    }

    @Test func `visits of several days are named with their week`() {
        // Monday to Sunday.
        #expect(named([0: 2, 6: 3], 0...6) == 5)
        #expect(named([0: 2, 6: 3], 0...5) == 0 && named([0: 2, 6: 3], 1...6) == 0)
        // Not with a day of another week.
        #expect(named([0: 2, 7: 3], 0...13) == 0)
        #expect(named([0: 2, 1: 9, 6: 3], 0...6) == 14)
    }

    @Test func `the week that is not over is whole up to today`() {
        let today = Self.today - Self.monday
        #expect(named([today: 2, today - 1: 3], 0...today) == 5)
        #expect(named([today: 2, today - 1: 3], 0...today - 1) == 0)
    }

    @Test func `a week whose first days are not kept any more is not whole`() {
        #expect(named([1: 2, 6: 3], 0...6, firstKept: 0) == 5)
        #expect(named([1: 2, 6: 3], 0...6, firstKept: 1) == 0)
    }

    /// Who asks about some days, and then about more of them, gets the visits of nobody alone.
    @Test func `what two answers differ by is nothing, or five at least`() {
        var state: UInt64 = 9
        func next(_ below: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % below
        }
        for _ in 0..<60 {
            var counts = [Int: Int]()
            for _ in 0..<next(60) { counts[next(57) - 20] = next(4) == 0 ? next(9) : next(3) }
            for _ in 0..<200 {
                let (first, last) = (next(60) - 20, next(37))
                guard first <= last else { continue }
                let (earlier, later) = (first - next(9), last + next(9))
                let (inner, outer) = (named(counts, first...last), named(counts, earlier...later))
                #expect(outer == inner || outer - inner >= CountryCells.visitsMin)
                let all = counts.reduce(0) {
                    (first...last).contains($1.key) ? $0 + $1.value : $0
                }
                #expect(inner <= all)
            }
        }
    }
}

@Suite("Countries that wait")
struct CountryCountTests {
    private let day = LinkDay(link: 7, day: 20_000)

    @Test func `countries come to a piece, and are read from it`() throws {
        var table = VisitTable()
        for _ in 0..<3 { table.countCountry(day, 0x4154) }
        table.countCountry(LinkDay(link: VisitKey.linkMax, day: 20_001), 0)
        // Referrers are beside them.
        let host = Array("a.example".utf8)
        table.countReferrer(day, host.span)
        var batch = VisitBatch()
        table.move(to: &batch)
        let totals = batch.countryTotals
        #expect(totals.map(\.count) == [3, 1] && totals.map(\.country) == [0x4154, 0])
        let piece = VisitPiece(batch)
        let read = try #require(VisitPiece(piece.bytes))
        #expect(read.countries.count == 2 && read.referrers == piece.referrers)
        func sorted(_ piece: VisitPiece) -> [String] {
            piece.countries.map { "\($0.key) \($0.number) \($0.count)" }.sorted()
        }
        #expect(sorted(read) == sorted(piece))
        var again = VisitBatch()
        again.merge(read)
        again.merge(read)
        let (sums, pieces) = (again.countryTotals, again.pieces())
        #expect(sums.map(\.count) == [6, 2])
        #expect(Set(pieces.flatMap(\.countries).map(\.count)) == [6, 2])
    }

    /// A referrer of link 0 that is no country is of a later version.
    @Test(arguments: ["", "-", "1", "1-", "-1-2", "1-0", "1-x", "9999999999-1", "1-2-3"])
    func `what is no country is left out of a piece`(_ host: String) throws {
        var piece = VisitPiece()
        piece.referrers = [.init(day: LinkDay(link: 0, day: 20_000), host: host, count: 1)]
        let read = try #require(VisitPiece(piece.bytes))
        #expect(read.isEmpty)
    }

    @Test func `a table that is full drops countries`() {
        var table = VisitTable()
        for link in 1...5_000 { table.countCountry(LinkDay(link: link, day: 20_000), 1) }
        let isNearlyFull = table.isNearlyFull
        #expect(isNearlyFull)
        var batch = VisitBatch()
        table.move(to: &batch)
        let (count, dropped) = (batch.countries.count, batch.totals.dropped)
        #expect(count == 4_095 && count + dropped == 5_000)
    }
}
