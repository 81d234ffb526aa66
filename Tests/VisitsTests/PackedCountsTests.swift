import TestSupport
import Testing
import Visits

@Suite("Packed counts")
struct PackedCountsTests {
    private struct Count: Equatable {
        let link, kind, count: Int
    }

    private func read(_ bytes: [UInt8]) -> (counts: [Count], isWhole: Bool) {
        var counts = [Count]()
        let isWhole = PackedCounts.read(bytes) {
            counts.append(Count(link: $0, kind: Int($1), count: $2))
        }
        return (counts, isWhole)
    }

    @Test func `what was packed is read, and no part of it is whole`() {
        let all = [
            Count(link: 1, kind: 0, count: 1), Count(link: 1, kind: 17, count: 127),
            Count(link: 128, kind: 255, count: 128), Count(link: 300, kind: 3, count: 0),
            Count(link: VisitKey.linkMax, kind: 4, count: (1 << 56) - 1),
        ]
        var packed = PackedCounts()
        for one in all {
            packed.append(link: one.link, kind: UInt8(one.kind), count: one.count)
        }
        #expect(read(packed.bytes) == (all, true))
        #expect(read([]) == ([], true))
        for end in 1..<packed.bytes.count {
            let part = read(Array(packed.bytes[..<end]))
            #expect(part.counts == Array(all.prefix(part.counts.count)))
            #expect(part.counts.count < all.count)
        }
    }

    /// Numbers of eight bytes are read, and longer ones are not.
    @Test func `a number without an end is none`() {
        let seven = [UInt8](repeating: 0xFF, count: 7)
        #expect(read([1, 0] + seven + [0x7F]).isWhole)
        #expect(!read([1, 0] + seven + [0xFF, 0]).isWhole)
        #expect(!read(seven + [0xFF, 0, 0, 1]).isWhole)
    }

    @Test(arguments: 0..<4) func `any bytes are read without a trap`(_ seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed) + 5)
        var links = LinkGroups()
        for link in 1...50 { links.add(3 * link, to: link % 2) }
        links.finish()
        for _ in 0..<500 {
            let bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            var sums = try #require(CellSums(groups: 2, cells: (0..<256).map { $0 % 3 }))
            #expect(sums.add(bytes, of: links) == read(bytes).isWhole)
        }
    }

    /// A table and a search find the same groups.
    @Test func `links far apart have groups, too`() {
        for step in [1, 70_000] {
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

    @Test func `sums have so much memory`() {
        let cells: [Int?] = (0..<256).map { $0 < 2 ? $0 : nil }
        #expect(CellSums(groups: CellSums.sumsMax / 2, cells: cells) != nil)
        #expect(CellSums(groups: CellSums.sumsMax / 2 + 1, cells: cells) == nil)
    }
}
