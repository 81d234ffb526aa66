import Associations
import Testing

/// Counts, not times: a step is a look at one word of states, or at one literal.
@Suite("Matching takes time in proportion to the URL")
struct MatchingWorkTests {
    @Test("whatever 30 stars and 5 variables are", arguments: MatchingWorkload.hostile)
    func isLinear(_ name: String, _ pattern: String) throws {
        let matcher = MatchingWorkload.matcher([pattern])
        let one = try Self.steps(matcher, bytes: 8_192)
        let two = try Self.steps(matcher, bytes: 16_384)
        let three = try Self.steps(matcher, bytes: 24_576)
        #expect(three - two <= two - one + 64, "\(one), \(two), \(three)")
        #expect(one <= 8_192 * 100)
    }

    @Test func `a literal is one step`() throws {
        let matcher = MatchingWorkload.matcher([MatchingWorkload.longPath])
        #expect(try Self.steps(matcher, bytes: 8_192) == 1)
    }

    @Test func `of thousands of rules only those with their text in the URL are looked at`() throws
    {
        let rules = (0..<2_000).map { "/shop/item-\($0 + 10_000)/*" } + ["/shop/*"]
        let matcher = MatchingWorkload.matcher(rules)
        var scratch = MatchScratch()
        matcher.decide(try LinkURL("https://example.com/shop/item-11234/a"), &scratch)
        #expect(matcher.decision(forApp: 0, scratch).rule == 1_234)
        #expect(scratch.steps == 1)
        matcher.decide(try LinkURL("https://example.com/shop/other"), &scratch)
        #expect(matcher.decision(forApp: 0, scratch).rule == 2_000)
        #expect(scratch.steps == 2)
    }

    private static func steps(_ matcher: LinkMatcher, bytes: Int) throws -> Int {
        var scratch = MatchScratch()
        let path = "/b/" + String(repeating: "a", count: bytes - 3)
        matcher.decide(try LinkURL("https://example.com" + path), &scratch)
        return scratch.steps
    }
}
