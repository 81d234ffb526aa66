import LinkStore
import Testing

@testable import LinkAPI

/// A request that lasts, and its token.
@Suite("Tokens that end while a request lasts")
struct EndedTokenTests {
    @Test func `a token that has expired is not called removed`() throws {
        let api = try TestAPI()
        // 2027-02-01, 16 days after the test's time.
        let made = api.ask(
            "POST", "tokens",
            #"{"name": "t", "scopes": ["links.create"], "expires": "2027-02-01T00:00:00Z"}"#)
        #expect(made.status == 201, "\(made.text)")
        let request = APIRequest(
            method: "POST", path: ["import"],
            fields: [
                "authorization": "Bearer \(made["token"])", "content-type": "application/x-ndjson",
            ])
        let admitted = try api.api.admit(
            request, api.store, at: api.now * 1_000, localSecret: nil
        ).get()
        func refusal(after seconds: Int) throws -> APIResponse? {
            api.api.refusalMeanwhile(
                of: admitted, TokenTable(try api.store.tokensByHash()),
                at: 1_000 * (api.now + seconds))
        }
        let end = 1_801_440_000 - api.now
        #expect(try refusal(after: end - 1) == nil)
        let expired = try #require(try refusal(after: end))
        #expect(expired.status == 401)
        #expect(expired.text.contains(#"the token \"t\" has expired"#), "\(expired.text)")
        #expect(api.ask("DELETE", "tokens/1").status == 204)
        #expect(try refusal(after: 0)?.text.contains("the token is not known") == true)
    }
}
