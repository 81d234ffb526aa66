import Testing
import Visits

@Suite("Packed counts")
struct PackedCountsTests {
    private struct Count: Equatable {
        let link, kind, count: Int
    }

    private func packed(_ counts: [Count]) -> PackedCounts {
        var packed = PackedCounts()
        for one in counts {
            packed.append(link: one.link, kind: UInt8(one.kind), count: one.count)
        }
        return packed
    }

    private func read(_ packed: PackedCounts) -> [Count] {
        var counts = [Count]()
        packed.forEach { counts.append(Count(link: $0, kind: Int($1), count: $2)) }
        return counts
    }

    @Test func `what was packed is read`() {
        let all = [
            Count(link: 1, kind: 0, count: 1), Count(link: 1, kind: 17, count: 127),
            Count(link: 128, kind: 255, count: 128), Count(link: 300, kind: 3, count: 0),
            Count(link: VisitKey.linkMax, kind: 4, count: PackedCounts.countMax),
        ]
        #expect(read(packed(all)) == all && read(packed(all).trimmed) == all)
        #expect(read(PackedCounts()).isEmpty)
        // Most counts take three bytes.
        #expect(packed((1...100).map { Count(link: $0, kind: 1, count: 9) }).byteCount == 300)
    }

    @Test func `counts of several times are joined in the order of links`() {
        let most = PackedCounts.countMax
        let times = [
            [Count(link: 2, kind: 1, count: 5), Count(link: 300, kind: 0, count: most)], [],
            [Count(link: 300, kind: 0, count: most)],
            [
                Count(link: 1, kind: 9, count: 2), Count(link: 2, kind: 0, count: 3),
                Count(link: 2, kind: 1, count: 200),
            ],
        ]
        #expect(
            read(.joined(times.map(packed))) == [
                Count(link: 1, kind: 9, count: 2), Count(link: 2, kind: 0, count: 3),
                Count(link: 2, kind: 1, count: 205), Count(link: 300, kind: 0, count: 2 * most),
            ])
        #expect(read(.joined([])).isEmpty)
    }

    /// Rows of another program.
    @Test func `odd counts are bounded, and links that cannot be are left out`() {
        let odd = [
            Count(link: .min, kind: 0, count: 1), Count(link: -1, kind: 0, count: 1),
            Count(link: 2, kind: 1, count: .max), Count(link: 2, kind: 2, count: -5),
            Count(link: VisitKey.linkMax + 1, kind: 0, count: 1),
            Count(link: .max, kind: 0, count: 1),
        ]
        #expect(
            read(packed(odd)) == [
                Count(link: 2, kind: 1, count: PackedCounts.countMax),
                Count(link: 2, kind: 2, count: 0),
            ])
    }

    /// A table and a search find the same groups.
    @Test func `links far apart have groups, too`() {
        for step in [1, 70_000, 2_000_000] {
            var links = LinkGroups()
            for link in 1...9 { links.add(step * link, to: link / 2) }
            let searched = links
            links.finish()
            for link in [0, 1, 5, 9, 10, step, 5 * step, 9 * step, 9 * step + 1] {
                #expect(links.group(of: link) == searched.group(of: link))
            }
            #expect(links.group(of: 9 * step) == 4 && links.group(of: 10 * step) == nil)
        }
    }

    @Test func `numbers of another program have no group`() {
        var links = LinkGroups()
        let numbers = [Int.min, -1, 0, 1, VisitKey.linkMax, VisitKey.linkMax + 1, .max]
        for link in numbers { links.add(link, to: 0) }
        links.finish()
        #expect(numbers.filter { links.group(of: $0) != nil } == [1, VisitKey.linkMax])
    }

    @Test func `sums have so much memory`() throws {
        let cells: [Int?] = (0..<256).map { $0 < 2 ? $0 : nil }
        #expect(CellSums(groups: CellSums.sumsMax / 2, cells: cells) != nil)
        #expect(CellSums(groups: CellSums.sumsMax / 2 + 1, cells: cells) == nil)
        var links = LinkGroups()
        links.add(3, to: 1)
        links.finish()
        var sums = try #require(CellSums(groups: 2, cells: cells))
        let counts = [(2, 0), (3, 0), (3, 1), (3, 2), (4, 1)].map {
            Count(link: $0.0, kind: $0.1, count: 5)
        }
        for _ in 0..<2 { sums.add(packed(counts), of: links) }
        func takeAll() -> [[Int]] {
            var all = [[Int]]()
            sums.takeAll { all.append([$0.group, $0.cell, $0.count]) }
            return all
        }
        #expect(takeAll() == [[1, 0, 10], [1, 1, 10]] && takeAll() == [])
        // Those of the next time begin with nothing.
        sums.add(packed(counts), of: links)
        #expect(takeAll() == [[1, 0, 5], [1, 1, 5]] && takeAll() == [])
    }
}
