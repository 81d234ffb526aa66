import Foundation
import Testing

/// Pairs of random versions, each with links in many spellings, held against a matcher that was
/// written to be obviously right.
@Suite("No difference escapes that the comparison says to have looked for")
struct DifferenceTests {
    private static let environment = ProcessInfo.processInfo.environment
    /// Set WAYMARK_DIFF_PAIRS, and WAYMARK_DIFF_LINKS for each, to try more.
    private static let pairs = environment["WAYMARK_DIFF_PAIRS"].flatMap(Int.init) ?? 20
    private static let links = environment["WAYMARK_DIFF_LINKS"].flatMap(Int.init) ?? 40
    private static let seed = environment["WAYMARK_SEED"].flatMap(UInt64.init) ?? 1

    @Test func `every change is found, and every example is one`() {
        var (complete, changing) = (0, 0)
        for number in 0..<Self.pairs {
            let seed = Self.seed &+ UInt64(number)
            let pair = RandomPair(seed: seed)
            let check = DifferenceCheck(pair, links: Self.links)
            complete += check.isComplete ? 1 : 0
            changing += check.changingLinks
            #expect(check.faults.isEmpty, "seed \(seed): \(pair.old) to \(pair.new)")
        }
        #expect(complete * 100 >= Self.pairs * 98, "\(complete) of \(Self.pairs) are complete")
        #expect(changing > Self.pairs)
        if Self.environment["WAYMARK_DIFF_PAIRS"] != nil {
            print("\(Self.pairs) pairs, \(complete) complete, \(changing) links that change")
        }
    }
}
