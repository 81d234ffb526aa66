import LinkIndex
import PostgreSQL
import PostgreSQLSupport
import Testing

@testable import LinkStore
@testable import SharedStore

@Suite(
    "Servers that send much", .serialized, .enabled(if: TestServer.isInstalled, TestServer.reason))
struct EndlessServerTests {
    @Test(arguments: [1 << 18, -1]) func `a connection that keeps too much is replaced`(
        limit: Int
    ) throws {
        let database = try TestStores()
        var place = try database.place()
        place.limits.strayBytes = limit
        let (store, other) = (try LinkStore(place), try database.open())
        for number in 0..<5 {
            try create(store, "one\(number)", content("https://a.example/"), 2 * number)
            #expect(other.follow())
            try create(other, "other\(number)", content("https://a.example/"), 2 * number + 1)
            #expect(store.follow() && record(store, "other\(number)") != nil)
        }
        #expect(record(other, "one4") != nil && store.failure == nil)
        let sessions = try #require(store.rows as? PostgreSQLLinkRows).database.session
        #expect(limit > 0 ? sessions == 1 : sessions > 5)
    }

    /// All of them together have no more bytes than a load may have.
    @Test func `changes without an end fill no memory`() throws {
        let database = try TestStores()
        let many = 20_050
        let one = try database.open()
        var small = try database.place()
        small.limits.loadBytes = 1_000_000
        let (other, bounded) = (try database.open(), try LinkStore(small))
        try createLinks(many, in: one)
        #expect(other.follow() && other.index.count == many)
        #expect(!bounded.follow() && bounded.index.count == 0)
        #expect(
            bounded.failure
                == .database(
                    place: bounded.path, .refused("its changes have more than 1000000 bytes")))
        #expect(throws: StoreError.self) { try LinkStore(small) }
    }
}
