import Synchronization
import TestSupport
import Testing

@testable import LinkAPI

@Suite("The first of many elements")
struct FirstElementsTests {
    @Test(arguments: [0, 1, 9, 10, 11, 19, 20, 21, 1_000])
    func `they are those of a sorted array`(_ count: Int) {
        var random = SplitMix(seed: UInt64(count))
        let some = (0..<count).map { ($0, Int.random(in: 0..<50, using: &random)) }
        let ordered = some.sorted { ($0.1, $0.0) < ($1.1, $1.0) }
        for all in [some, ordered, ordered.reversed()] {
            var first = FirstElements(10) { (left: (Int, Int), right: (Int, Int)) in
                (left.1, left.0) < (right.1, right.0)
            }
            for one in all { first.add(one) }
            #expect(first.sorted.map(\.0) == ordered.prefix(10).map(\.0))
        }
    }

    /// Each element that comes is before all others.
    @Test func `many cost so many comparisons`() {
        let comparisons = Mutex(0)
        var first = FirstElements(1_000) { (left: Int, right: Int) in
            comparisons.withLock { $0 += 1 }
            return left < right
        }
        for number in (0..<200_000).reversed() { first.add(number) }
        #expect(first.sorted == Array(0..<1_000))
        #expect(comparisons.withLock { $0 } < 200_000 * 40)
    }
}
