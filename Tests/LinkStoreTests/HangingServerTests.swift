import PostgreSQL
import PostgreSQLSupport
import Sockets
import TestSupport
import Testing

@testable import LinkStore
@testable import SharedStore

/// A server whose kernel goes on acknowledging, and that does not answer.
@Suite(.enabled(if: TestServer.isInstalled, TestServer.reason))
struct HangingServerTests {
    @Test func `a server that hangs is given up once, and not asked again at once`()
        throws
    {
        let server = try TestServer()
        let database = try TestStores(on: server)
        var place = try database.place()
        // Another connection would wait for minutes.
        place.limits.statementMilliseconds = 300
        let store = try LinkStore(place)
        try create(store, "a", LinkContent(), 1)
        let started = Clock.monotonicMilliseconds
        server.whileStopped {
            _ = #expect(throws: StoreError.self) { try create(store, "b", LinkContent(), 2) }
        }
        #expect(
            Clock.monotonicMilliseconds - started < place.limits.connectMilliseconds / 2)
        // It is asked again after a second.
        #expect(waits { (try? create(store, "c", LinkContent(), 3).get().slug) == "c" })
    }
}
