import Testing
import Visits

@Suite("Counting visits")
struct VisitTableTests {
    private let now = 24 * 20_000 + 5

    @Test func `requests with the same properties are one count`() {
        var table = VisitTable()
        for number in 0..<1_000 {
            let link = number % 3 + 1
            _ = table.count(
                VisitKey(link: link, hour: now, .visit, .redirect, platform: 2).packed)
            _ = table.count(VisitKey(link: link, hour: now - 1, .bot, .page, platform: 1).packed)
        }
        var batch = VisitBatch()
        table.move(to: &batch)
        let (isEmpty, dropped) = (table.isEmpty, batch.totals.dropped)
        #expect(isEmpty && dropped == 0)
        let counts = batch.byKey
        #expect(
            counts == [
                VisitKey(link: 1, hour: now, .visit, .redirect, platform: 2): 334,
                VisitKey(link: 2, hour: now, .visit, .redirect, platform: 2): 333,
                VisitKey(link: 3, hour: now, .visit, .redirect, platform: 2): 333,
                VisitKey(link: 1, hour: now - 1, .bot): 334,
                VisitKey(link: 2, hour: now - 1, .bot): 333,
                VisitKey(link: 3, hour: now - 1, .bot): 333,
            ])
        var second = VisitBatch()
        table.move(to: &second)
        let isSecondEmpty = second.isEmpty
        #expect(isSecondEmpty)
    }

    @Test func `what finds no room is counted as dropped, and nothing else is lost`() {
        var table = VisitTable()
        var isNearlyFull = 0
        for link in 1...5_000 {
            let isFull = table.count(VisitKey(link: link, hour: now, .visit).packed)
            let isStill = table.count(VisitKey(link: 1, hour: now, .visit).packed)
            let (isNear, isRight) = (table.isNearlyFull, !isStill)
            #expect(isFull == isNear && isRight)
            if isNearlyFull == 0, isFull { isNearlyFull = link }
        }
        var batch = VisitBatch()
        table.move(to: &batch)
        #expect(isNearlyFull == 3_072)
        let (count, totals) = (batch.counts.count, batch.totals)
        #expect(count == 4_095)
        #expect(totals.dropped == 5_000 - 4_095)
    }

    @Test func `a batch has a limit, and counts what is beyond it`() {
        var batch = VisitBatch()
        for link in 1...VisitBatch.sizeMax + 7 {
            batch.add(VisitKey(link: link, hour: now, .visit), 1)
        }
        batch.add(VisitKey(link: 1, hour: now, .visit), 5)
        let (counts, totals) = (batch.byKey, batch.totals)
        #expect(counts.count == VisitBatch.sizeMax)
        #expect(totals.dropped == 7)
        #expect(counts[VisitKey(link: 1, hour: now, .visit)] == 6)
    }

    @Test func `a visitor of a link is kept once a day`() {
        var table = VisitTable()
        for hash in [1, 2, 1, 3, 2] as [UInt64] {
            table.countVisitor(LinkDay(link: 7, day: 20_000), hash: hash << 32 | 5)
        }
        table.countVisitor(LinkDay(link: 8, day: 19_999), hash: 1 << 32 | 5)
        var batch = VisitBatch()
        table.move(to: &batch)
        let visitors = batch.byDay
        #expect(
            visitors == [
                LinkDay(link: 7, day: 20_000): [1, 2, 3], LinkDay(link: 8, day: 19_999): [1],
            ])
    }

    @Test func `referrers and paths are counted by their texts`() {
        var table = VisitTable()
        for host in ["a.example", "b.example", "a.example"] {
            let bytes = Array(host.utf8)
            table.countReferrer(LinkDay(link: 1, day: 20_000), bytes.span)
        }
        for path in ["/s/x", "/s/wp-login.php", "/s/x", "/s/.env", "/s/y"] {
            let bytes = Array(path.utf8)
            table.countMiss(9, hour: now, bytes.span)
        }
        var batch = VisitBatch()
        table.move(to: &batch)
        let (referrers, misses) = (batch.referrers, batch.misses)
        #expect(referrers == [LinkDay(link: 1, day: 20_000): ["a.example": 2, "b.example": 1]])
        let paths = Dictionary(uniqueKeysWithValues: misses.map { ($0.key.path, $0.value) })
        #expect(paths == ["/s/x": 2, "/s/y": 1, VisitBatch.scanners: 2])
    }

    @Test func `a key is a word, and a later hour, link or property a greater one`() {
        var all = [VisitKey]()
        for hour in [0, now, (1 << 20) - 1] {
            for link in [1, 1 << 30, VisitKey.linkMax] {
                for outcome in VisitOutcome.allCases {
                    for platform in 0..<4 as Range<UInt8> {
                        all.append(
                            VisitKey(link: link, hour: hour, .visit, outcome, platform: platform))
                    }
                }
                for other in VisitClass.allCases.dropFirst() {
                    all.append(VisitKey(link: link, hour: hour, other))
                }
            }
        }
        #expect(all.map { VisitKey(packed: $0.packed) } == all)
        #expect(all.map { VisitKey(link: $0.link, hour: $0.hour, kind: $0.kind) } == all)
        #expect(all.map(\.packed) == all.map(\.packed).sorted())
        #expect(Set(all.map(\.packed)).count == all.count)
        let days = [LinkDay(link: 1, day: 0), LinkDay(link: VisitKey.linkMax, day: 20_000)]
        #expect(days.map { LinkDay(packed: $0.packed) } == days)
    }

    @Test func `pieces of a batch are read as they were written`() {
        var batch = VisitBatch()
        for link in 1...5_000 {
            batch.add(VisitKey(link: link, hour: now, .bot), link)
            batch.add(visitor: .init(key: LinkDay(link: link, day: 20_000).packed, number: 7))
            batch.add(LinkDay(link: link, day: 20_000), referrer: "\(link).example", 3)
        }
        let pieces = batch.pieces()
        #expect(pieces.count == 9)
        #expect(pieces.map { VisitPiece($0.bytes) } == pieces)
        let whole = VisitPiece(batch)
        #expect(VisitPiece(whole.bytes) == whole)
        var sum = VisitBatch()
        for piece in pieces { sum.merge(piece) }
        let (own, other) = (batch.byKey, sum.byKey)
        #expect(own == other)
        let (visitors, others) = (batch.byDay, sum.byDay)
        #expect(visitors == others)
        let (referrers, sums) = (batch.referrers, sum.referrers)
        #expect(referrers == sums)
        for count in 0..<60 { #expect(VisitPiece(Array(pieces[0].bytes.prefix(count))) == nil) }
        #expect(VisitPiece([UInt8](repeating: 255, count: 20)) == nil)
    }

    @Test func `the hash of a visitor is SipHash-2-4 of 24 bytes`() throws {
        // openssl mac -macopt hexkey:000102…0f -macopt size:8 SIPHASH of the bytes 00 to 17.
        let salt = try #require(VisitSalt((0..<16).map { UInt8($0) }))
        let words: [UInt64] = [
            0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908, 0x1716_1514_1312_1110,
        ]
        #expect(
            salt.hash(words[0], words[1], words[2]) == UInt64(0x94AF_49F6_C650_ADB8).byteSwapped)
    }

    @Test func `the most frequent paths stay in a bounded list`() {
        var paths = FrequentPaths(capacity: 10)
        for round in 0..<50 {
            for path in 0..<5 { paths.add(.init(1, "/often/\(path)"), 10, hour: round) }
            paths.add(.init(1, "/seldom/\(round)"), 1, hour: round)
        }
        #expect(paths.entries.count == 10)
        for path in 0..<5 {
            #expect(
                paths.entries[.init(1, "/often/\(path)")]
                    == .init(count: 500, error: 0, first: 0, last: 49))
        }
        for (key, entry) in paths.entries where key.path.hasPrefix("/seldom") {
            #expect(entry.count - entry.error == 1)
        }
    }
}

extension VisitBatch {
    fileprivate var byKey: [VisitKey: Int] {
        var result = [VisitKey: Int]()
        counts.forEach { result[VisitKey(packed: $0.key)] = Int($0.count) }
        return result
    }

    fileprivate var byDay: [LinkDay: Set<UInt32>] {
        var result = [LinkDay: Set<UInt32>]()
        visitors.forEach { result[LinkDay(packed: $0.key), default: []].insert($0.number) }
        return result
    }
}

@Suite("The number of visitors")
struct VisitorSketchTests {
    private static func hash(_ number: UInt64) -> UInt32 {
        // SplitMix64 (Steele, Lea and Flood, 2014).
        var z = number &* 0x9E37_79B9_7F4A_7C15
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return UInt32(truncatingIfNeeded: (z ^ z >> 31) >> 32)
    }

    @Test func `up to 128 visitors are counted exactly`() {
        var sketch = VisitorSketch()
        for number in 1...128 as ClosedRange<UInt64> {
            let (isNew, isNewAgain) = (sketch.add(Self.hash(number)), sketch.add(Self.hash(number)))
            #expect(isNew && !isNewAgain)
            #expect(sketch.count == Int(number))
        }
    }

    @Test(arguments: [10, 129, 1_000, 10_000, 100_000])
    func `an estimate is within four standard errors`(_ visitors: Int) {
        for seed in 0..<5 as Range<UInt64> {
            var sketch = VisitorSketch()
            for number in 0..<UInt64(visitors) {
                _ = sketch.add(Self.hash(seed << 40 | (number + 1)))
            }
            let error = Double(abs(sketch.count - visitors)) / Double(visitors)
            #expect(error < 4 * 0.023, "seed \(seed): \(sketch.count)")
            #expect(VisitorSketch(sketch.bytes) == sketch)
        }
    }

    @Test(arguments: [[1], [UInt8](repeating: 23, count: 2_048), [UInt8](repeating: 0, count: 516)])
    func `bytes that are no sketch are refused`(_ bytes: [UInt8]) {
        #expect(VisitorSketch(bytes) == nil)
    }
}
