import Associations
import Foundation
import Testing

/// Measures, asserting nothing; run it in release mode with WAYMARK_MATCH_SPEED set.
@Suite("Speed", .serialized)
struct MatchingSpeed {
    static let isWanted = ProcessInfo.processInfo.environment["WAYMARK_MATCH_SPEED"] != nil

    @Test(.enabled(if: isWanted), arguments: MatchingWorkload.rules)
    func `1,000 rules and 100,000 URLs`(_ name: String, _ template: String) throws {
        let rate = try MatchingWorkload.rate(template)
        print("\(name) \(template): \(Int(rate)) URLs/s")
    }

    @Test(.enabled(if: isWanted), arguments: MatchingWorkload.hostile)
    func `30 stars and 5 variables against 8 KiB`(_ name: String, _ pattern: String) throws {
        let ratio = try MatchingWorkload.ratio(pattern)
        print("\(name): \(ratio) times a literal")
    }
}
