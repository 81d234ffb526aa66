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

    @Test func `a literal is two steps, to find it and to compare it`() throws {
        let matcher = MatchingWorkload.matcher([MatchingWorkload.longPath])
        #expect(try Self.steps(matcher, bytes: 8_192) == 2)
    }

    @Test func `of thousands of rules only those with their text in the URL are looked at`() throws
    {
        let rules = (0..<2_000).map { "/shop/item-\($0 + 10_000)/*" } + ["/shop/*"]
        let matcher = MatchingWorkload.matcher(rules)
        var scratch = MatchScratch()
        matcher.decide(try LinkURL("https://example.com/shop/item-11234/a"), &scratch)
        #expect(matcher.decision(forApp: 0, scratch).rule == 1_234)
        #expect(scratch.steps == 3)
        matcher.decide(try LinkURL("https://example.com/shop/other"), &scratch)
        #expect(matcher.decision(forApp: 0, scratch).rule == 2_000)
        #expect(scratch.steps == 5)
    }

    @Test("one link costs the same steps, however many there are", arguments: [1, 1_000, 100_000])
    func doesNotGrow(_ count: Int) throws {
        let matcher = MatchingWorkload.matcher((0..<count).map { "/p/\($0 + 1_000_000)-campaign" })
        var scratch = MatchScratch()
        for number in [0, count / 2, count - 1] {
            let steps = scratch.steps
            matcher.decide(
                try LinkURL("https://example.com/p/\(number + 1_000_000)-campaign"), &scratch)
            #expect(matcher.decision(forApp: 0, scratch).rule == number)
            #expect(scratch.steps - steps == 2)
        }
        let steps = scratch.steps
        matcher.decide(try LinkURL("https://example.com/p/other"), &scratch)
        #expect(matcher.decision(forApp: 0, scratch).verdict == .none)
        #expect(scratch.steps == steps)
    }

    @Test func `a text that many rules wait for is dealt with once`() throws {
        let matcher = MatchingWorkload.matcher(.init(repeating: "*aa*$(nope)", count: 300))
        #expect(try Self.steps(matcher, bytes: 8_192) == 300)
    }

    @Test func `rules for which the index has no room are found all the same`() throws {
        var random = Random(state: 1)
        let letters = (0x41...0x7A).map { String(Unicode.Scalar(UInt8($0))) }
        let paths = (0..<2_600).map { _ in "/" + random.text(letters, 40...40) }
        let matcher = MatchingWorkload.matcher(paths)
        var scratch = MatchScratch()
        for number in stride(from: 0, to: paths.count, by: 100) {
            matcher.decide(try LinkURL("https://example.com" + paths[number]), &scratch)
            #expect(matcher.decision(forApp: 0, scratch).rule == number)
        }
    }

    private static func steps(_ matcher: LinkMatcher, bytes: Int) throws -> Int {
        var scratch = MatchScratch()
        let path = "/b/" + String(repeating: "a", count: bytes - 3)
        matcher.decide(try LinkURL("https://example.com" + path), &scratch)
        return scratch.steps
    }
}
