import Sockets
import TestSupport
import Testing

@testable import Services
@testable import SharedStore

@Suite("The clock of the store")
struct StoreTimeTests {
    @Test func `tokens end, and links are made, by the clock of the store`() throws {
        let store = try StoreOrigin()
        func ask(_ request: String) throws -> TestResponse {
            let client = try store.client
            client.send(request)
            return try client.readResponse()
        }
        let made = try ask(
            store.request(
                "POST", "tokens",
                #"{"name": "t", "scopes": ["links.read"], "expires": "2099-01-01T00:00:00Z"}"#))
        let token = String(try #require(made.body.firstMatch(of: /"token": "([^"]*)"/)).1)
        #expect(try ask(store.request("GET", "links", token: token)).status == 200)
        // As a database tells it: noon of the first of January 2101.
        store.service.clock.note(4_134_024_000_000, askedAt: Clock.unixMilliseconds)
        #expect(try ask(store.request("GET", "links", token: token)).status == 401)
        let link = try ask(store.creation("a"))
        #expect(link.status == 201 && link.body.contains(#""created": "2101-01-01T"#))
        #expect(try ask(store.request("GET", "audit")).body.contains(#""time": "2101-01-01T"#))
    }
}
