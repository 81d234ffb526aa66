import Testing

@testable import LinkAPI

@Suite struct CollectionPortTests {
    @Test func thePortOfBrowsersIsThatOfTheSite() throws {
        let configuration = TestAPI.configuration.replacing(
            "hosts: [go.example.com]", with: "hosts: [go.example.com]\n    https-port: 8443")
        let api = try TestAPI(configuration)
        let collections = try #require(
            api.ask("GET", "collections").object["collections"] as? [[String: Any]])
        #expect(!collections.isEmpty)
        #expect(collections.allSatisfy { $0["httpsPort"] as? Int == 8443 })
        // The URL of a link has no port.
        #expect(collections.allSatisfy { ($0["prefix"] as? String)?.contains("8443") == false })
        // The redirect from plain HTTP leads there.
        let plain = api.ask("GET", "explain?url=http://go.example.com/s/a").object["answer"]
        #expect(
            (plain as? [String: Any])?["location"] as? String == "https://go.example.com:8443/s/a")
        #expect(!(try TestAPI().ask("GET", "collections").text.contains("httpsPort")))
    }
}
