import Resolution
import Testing

@testable import Answering

@Suite("Kinds of clients")
struct VisitorCacheTests {
    @Test func `a request without a user agent comes from a program`() throws {
        var cache = VisitorCache()
        #expect(cache.find([], 0..<0) == VisitorKind())
        let agent = Array(try #require(VisitorProfile.userAgent(of: "iphone-safari")).utf8)
        #expect(cache.find(agent, 0..<agent.count) != VisitorKind())
    }
}
